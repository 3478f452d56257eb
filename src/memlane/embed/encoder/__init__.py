"""A small transformer of our own tuning that knows which memory a prompt needs, and two that read on: whether
it is needed at all, and whether a sentence teaches; numpy alone runs them."""

from memlane.embed.encoder.recall_encoder import TunedEncoder
from memlane.embed.encoder.second_look import SecondLook
from memlane.embed.encoder.sentence_look import SentenceLook

__all__ = ["SecondLook", "SentenceLook", "TunedEncoder"]
