"""Text to vectors: one interface, one embedder in the box."""

from consilience.embedding.embedder import Embedder, load_embedder

__all__ = ["Embedder", "load_embedder"]
