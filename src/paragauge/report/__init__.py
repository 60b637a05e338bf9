"""Results as something a person reads. Nothing here computes."""
