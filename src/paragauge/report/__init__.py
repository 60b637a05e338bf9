"""Presentation of results as text, HTML, LaTeX and SVG. Nothing is computed here."""
