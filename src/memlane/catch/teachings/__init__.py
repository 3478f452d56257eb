"""What does a person teach in plain words? Found in one prompt, with no model."""

from memlane.catch.teachings.find import read_all, teachings
from memlane.catch.teachings.lesson import Plainness, Teaching
from memlane.catch.teachings.memory import MAKER, TaughtAt, is_taught, memory_of_teaching, taught_id, taught_in
from memlane.catch.teachings.retraction import retractions

__all__ = [
    "MAKER",
    "Plainness",
    "TaughtAt",
    "Teaching",
    "is_taught",
    "memory_of_teaching",
    "read_all",
    "retractions",
    "taught_id",
    "taught_in",
    "teachings",
]
