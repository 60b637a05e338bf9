"""Learning to predict human judgments from computed features."""
