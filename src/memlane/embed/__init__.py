"""What does a text mean, as numbers? One model behind a queue: questions first, then what is new, then the bulk."""

from memlane.embed.calibration import calibration
from memlane.embed.embedder import Embedder, EmbedderError, Understands
from memlane.embed.make import Spec, embedder
from memlane.embed.priority import Priority
from memlane.embed.queue import Queue
from memlane.embed.shipped import TUNED

__all__ = ["TUNED", "Embedder", "EmbedderError", "Priority", "Queue", "Spec", "Understands", "calibration", "embedder"]
