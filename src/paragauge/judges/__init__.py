"""Judges of one paraphrase: whether it says the same, whether it is English, whether it says it differently."""
