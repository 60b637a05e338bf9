"""Blends: learned metrics, each a list of metrics and a regressor."""
