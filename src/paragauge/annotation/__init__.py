"""Manual word links: a store that keeps every change."""
