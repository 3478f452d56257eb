"""A small transformer of our own tuning that knows which memory a prompt needs, and one that reads on from there to say
whether it is needed at all; numpy alone runs them."""

from memlane.embed.encoder.recall_encoder import TunedEncoder
from memlane.embed.encoder.second_look import SecondLook

__all__ = ["SecondLook", "TunedEncoder"]
