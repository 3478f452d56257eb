from __future__ import annotations

import pytest

from memlane.domain import Ambiguous, Known, Project
from memlane.entities import Directory, MentionPlace, mentions
from tests.rooms.entities.people import FIFTY, sentences

TABLE = sentences()


def found_in(text: str, project: Project, directory: Directory) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for named in mentions(text, directory, MentionPlace(project)):
        match named.resolution:
            case Known(entity):
                found[named.raw] = (entity.slug,)
            case Ambiguous(entities):
                found[named.raw] = tuple(entity.slug for entity in entities)
    return found


@pytest.fixture(scope="module")
def directory() -> Directory:
    return Directory(FIFTY)


def test_there_are_fifty_entities_and_two_hundred_sentences() -> None:
    assert len({entity.key for entity in FIFTY}) == 50
    assert len(TABLE) >= 200


def test_who_is_said_to_be_meant_is_meant_and_few_are_missed(directory: Directory) -> None:
    right = wrong = missed = 0
    for text, project, meant in TABLE:
        found = found_in(text, project, directory)
        known = {raw: slugs for raw, slugs in found.items() if len(slugs) == 1}
        right += sum(meant.get(raw) == slugs for raw, slugs in known.items())
        wrong += sum(meant.get(raw) != slugs for raw, slugs in known.items())
        missed += sum(len(slugs) == 1 and raw not in known for raw, slugs in meant.items())
    assert right / (right + wrong) >= 0.99
    assert right / (right + missed) >= 0.97


def test_what_could_be_several_is_never_guessed(directory: Directory) -> None:
    guessed = [
        (text, raw)
        for text, project, meant in TABLE
        for raw, slugs in meant.items()
        if len(slugs) > 1 and len(found_in(text, project, directory).get(raw, ())) == 1
    ]
    assert guessed == []


@pytest.mark.parametrize(("text", "project", "meant"), TABLE, ids=[text[:60] for text, _project, _meant in TABLE])
def test_a_sentence_names_nobody_else(
    text: str, project: Project, meant: dict[str, tuple[str, ...]], directory: Directory
) -> None:
    found = found_in(text, project, directory)
    assert {raw: sorted(slugs) for raw, slugs in found.items()} == {
        raw: sorted(slugs) for raw, slugs in meant.items() if raw in found
    }
