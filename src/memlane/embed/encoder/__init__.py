"""A small transformer of our own tuning that knows which memory a prompt needs; numpy alone runs it."""

from memlane.embed.encoder.tuned import Tuned

__all__ = ["Tuned"]
