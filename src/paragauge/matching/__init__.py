"""Two bags of things and how much they share."""
