"""Presentation of results: text, HTML, LaTeX, SVG. Nothing is computed here."""
