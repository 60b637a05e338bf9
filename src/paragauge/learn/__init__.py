"""Numbers that people gave, learned from numbers that can be computed."""
