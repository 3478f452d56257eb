"""What does a text mean, as numbers? One model behind a queue: queries first, then new text, then bulk work."""

from memlane.embed.embedder import Embedder, EmbedderError, StillOpeningError, VectorModel
from memlane.embed.factory import EmbedderSpec, embedder, second_look, teaching_look, token_labels
from memlane.embed.models import SECOND_LOOK, TUNED, calibration, look_calibration
from memlane.embed.priority import Priority
from memlane.embed.queue import EmbedQueue

__all__ = [
    "SECOND_LOOK",
    "TUNED",
    "EmbedQueue",
    "Embedder",
    "EmbedderError",
    "EmbedderSpec",
    "Priority",
    "StillOpeningError",
    "VectorModel",
    "calibration",
    "embedder",
    "look_calibration",
    "second_look",
    "teaching_look",
    "token_labels",
]
