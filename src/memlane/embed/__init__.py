"""What does a text mean, as numbers? One model behind a queue: questions first, then what is new, then the bulk."""

from memlane.embed.calibration import behind, calibration
from memlane.embed.embedder import Embedder, EmbedderError, Understands
from memlane.embed.make import Spec, embedder, second_look
from memlane.embed.priority import Priority
from memlane.embed.queue import Queue
from memlane.embed.shipped import SECOND_LOOK, TUNED

__all__ = [
    "SECOND_LOOK",
    "TUNED",
    "Embedder",
    "EmbedderError",
    "Priority",
    "Queue",
    "Spec",
    "Understands",
    "behind",
    "calibration",
    "embedder",
    "second_look",
]
