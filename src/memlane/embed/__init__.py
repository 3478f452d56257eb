"""What does a text mean, as numbers? One model behind a queue: questions first, then what is new, then the bulk."""

from memlane.embed.embedder import Embedder, EmbedderError
from memlane.embed.make import Spec, embedder
from memlane.embed.priority import Priority
from memlane.embed.queue import Queue

__all__ = ["Embedder", "EmbedderError", "Priority", "Queue", "Spec", "embedder"]
