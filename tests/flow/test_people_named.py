"""Somebody named in prompt and note counts like an Entity, configured or not. With the model that ships."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import Outcome, Project, Query, Recall
from memlane.identity import project_of
from tests.flow.homes import a_lane

AMY = "Amy Hoy prefers a casual, friendly tone in e-mail."
NOTES = (
    AMY,
    "Amy Pond pays by card only.",
    "Do not call Jordan before noon.",
    "The staging cluster is restarted every Sunday night.",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("names")
    with a_lane(made) as lane:
        for note in NOTES:
            lane.memories.remember(note, made / "home")
    return made


@pytest.fixture(scope="module")
def lane(folder: Path) -> Iterator[Lane]:
    with a_lane(folder) as opened:
        yield opened


def here(folder: Path) -> Project:
    return project_of(str(folder / "home"))


def asked(lane: Lane, folder: Path, words: str) -> Recall:
    return lane.recall.recall(Query(words, here(folder), str(folder / "home"), "claude-code", "", ""))


def titles(found: Recall) -> list[str]:
    return [match.memory.content for match in found.shown]


@pytest.mark.parametrize("words", ["draft a mail to Amy Hoy about the invoice", "reply to amy hoy that we are late"])
def test_a_whole_name_brings_the_note_about_them(lane: Lane, folder: Path, words: str) -> None:
    assert titles(asked(lane, folder, words)) == [AMY]


def test_a_first_name_that_fits_two_is_asked_about(lane: Lane, folder: Path) -> None:
    found = asked(lane, folder, "draft a mail to Amy about the invoice")
    assert found.outcome is Outcome.QUESTION
    assert [one.split(" (")[0] for one in found.asks[0].choices] == ["Amy Hoy", "Amy Pond"]


@pytest.mark.parametrize(
    "words", ["what is a Jordan curve?", "draft a mail to Amy Santiago", "open src/jordan/curve.ts"]
)
def test_somebody_else_of_that_name_brings_nothing(lane: Lane, folder: Path, words: str) -> None:
    assert asked(lane, folder, words).outcome is Outcome.SILENT


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("draft a mail to Amy Hoy about the invoice", [AMY]),
        ("tell Amy Hoy that the cluster is down", []),
        ("why is the staging page slow?", []),
    ],
)
def test_while_the_model_is_opened_it_is_right_or_silent(folder: Path, words: str, told: list[str]) -> None:
    with a_lane(folder) as first:
        first.recall.prepare()
        found = asked(first, folder, words)
    assert "fallback" in found.extra
    assert titles(found) == told
