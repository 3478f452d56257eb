"""Texts made to take long: they take no longer than their length allows."""

from __future__ import annotations

import time

from memlane.domain import Entity
from memlane.entities import Directory, mentions
from tests.rooms.entities.people import FIFTY


def test_the_time_a_text_takes_grows_with_the_text_not_with_the_directory() -> None:
    def people(count: int) -> Directory:
        return Directory(Entity("person", f"q{n}last-w{n}first", f"W{n}first Q{n}last") for n in range(count))

    def spent(directory: Directory, text: str) -> float:
        mentions(text, directory)  # what is made late is made
        began = time.process_time()
        for _time in range(5):
            mentions(text, directory)
        return time.process_time() - began

    text = "Please ask W7first Q7last about The Report, then tell Grace Hopper and merge what Is left. " * 60
    assert spent(people(5000), text) < 5 * spent(people(50), text)


def test_a_hostile_text_takes_no_longer_than_its_length_allows() -> None:
    directory = Directory(FIFTY)
    for text in ("Neal " * 20_000, "Mark & " * 10_000, "A" * 200_000, "田" * 50_000, "'s" * 50_000, "-_." * 50_000):
        assert isinstance(mentions(text, directory), list)
