"""A prompt in a language the model does not read is answered by cues in that language, or `why` says that none are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.languages import LANGUAGES, OWN, cases, notes
from memlane.app import Lane
from memlane.domain import Outcome
from tests.flow.homes import a_lane
from tests.flow.test_recall import ask, context

NOTE = "Releases go out on Thursdays only"


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        made = opened.memories.remember(NOTE, tmp_path / "home")
        opened.memories.edit(made.id, {"cues": "新しいバージョンを公開して\nneue Version veröffentlichen"})
        yield opened


@pytest.mark.parametrize(
    "words", ["明日の金曜日に新しいバージョンを公開したい", "ich will am Freitag eine neue Version veröffentlichen"]
)
def test_a_cue_in_the_language_brings_its_note(lane: Lane, words: str) -> None:
    assert NOTE in context(ask(lane, words))


@pytest.mark.parametrize(
    ("words", "language"), [("развернуть на тестовом сервере", "Russian"), ("表の列の幅を広げて", "Japanese")]
)
def test_why_says_that_nothing_could_be_matched(lane: Lane, words: str, language: str) -> None:
    found = ask(lane, words).recall
    assert found is not None
    assert found.outcome is Outcome.SILENT
    assert f"does not read {language}" in found.why


def test_the_benchmark_has_twenty_notes_with_cues_in_each_language() -> None:
    every = [*cases()]
    assert {one: sum(case.language == one for case in every) for one in LANGUAGES} == dict.fromkeys(LANGUAGES, 20)
    assert all(len(one.occasion.cues) > len(case.cues) > 0 for one, case in zip(notes(every, OWN), every, strict=True))
