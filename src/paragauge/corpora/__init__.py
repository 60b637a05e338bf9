"""Files on disk to typed data: bitexts, test sets, judgments."""
