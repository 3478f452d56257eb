"""What does a text mean, as numbers? One model behind a queue: questions first, then what is new, then the bulk."""

from memlane.embed.embedder import Embedder, EmbedderError
from memlane.embed.make import Spec, embedder
from memlane.embed.queue import Priority, Queue

__all__ = ["Embedder", "EmbedderError", "Priority", "Queue", "Spec", "embedder"]
