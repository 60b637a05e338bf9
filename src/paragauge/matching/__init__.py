"""Matching of two bags of items, and how much they share."""
