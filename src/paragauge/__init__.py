"""paragauge."""
