"""Embeddings of texts: vectors of sentences and of their tokens, by models from disk. Nothing is ever downloaded."""

from paragauge.embeddings.embedder import Embedder, Embedding
from paragauge.embeddings.opening import embedder

__all__ = ["Embedder", "Embedding", "embedder"]
