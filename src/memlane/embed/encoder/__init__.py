"""A small transformer of our own tuning that knows which memory a prompt needs, and one that reads on from there to say
whether it is needed at all; numpy alone runs them."""

from memlane.embed.encoder.second import SecondLook
from memlane.embed.encoder.tuned import Tuned

__all__ = ["SecondLook", "Tuned"]
