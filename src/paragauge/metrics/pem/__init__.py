"""PEM: the metric, its features, its model, and how a model is trained, judged and described."""
