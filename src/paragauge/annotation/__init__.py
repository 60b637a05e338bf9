"""Word links that people make: every change, kept."""
