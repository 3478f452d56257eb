"""What a dream merged, worded by a model behind HTTP: it may say it better, never something else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import Memory
from memlane.errors import UsageError
from tests.flow.dreams import a_home, caught, dreaming, known, stand
from tests.rooms.llm.server import Behaviour, Model, prose, says, status

TWICE = (
    caught("Release notes are short and without emoji", "The list in 2.4 had 12 of them.", runs=("r_a",)),
    caught("Keep release notes short, without emoji", "Readers skip long ones.", runs=("r_b",)),
)
BETTER = {
    "title": "Keep release notes short and without emoji",
    "content": "Readers skip long ones, and the list in 2.4 had 12 emoji.",
}


@pytest.fixture
def model() -> Iterator[Model]:
    found = Model()
    yield found
    found.stop()


def asking(folder: Path, model: Model, **more: str) -> Lane:
    settings = {
        "LANE_DREAM_WORDS": "model",
        "LANE_CATCH_MODEL": "anthropic",
        "LANE_CATCH_NAME": "claude-haiku-4-5",
        "LANE_CATCH_URL": model.url,
        "LANE_CATCH_KEY_VARIABLE": "TINY_KEY",
        "LANE_CATCH_TIMEOUT": "2",
        "TINY_KEY": "not-a-key-at-all",
    }
    lane = a_home(folder, **(settings | more))
    known(lane, *TWICE)
    return lane


def by_rules(folder: Path) -> Memory:
    with a_home(folder) as lane:
        known(lane, *TWICE)
        (done,) = dreaming(lane).run().done
        return stand(lane)[done.result[0]]


def test_the_note_that_stands_for_all_is_worded_by_the_model_and_asked_for_once(tmp_path: Path, model: Model) -> None:
    model.usual = says(BETTER, tokens=(300, 40))
    with asking(tmp_path, model) as lane:
        would = dreaming(lane).dry_run()
        dream = dreaming(lane).run()
        (done,) = dream.done
        merged = stand(lane)[done.result[0]]
        assert (merged.title, merged.content) == (BETTER["title"], BETTER["content"])
        assert {evidence.run for evidence in merged.evidence} == {"r_a", "r_b"}
        assert [(one.memories, one.result) for one in would.report.done] == [(done.memories, done.result)]
        assert len(model.asked) == 1
        assert (would.report.tokens, dream.tokens, dream.reader) == (340, 0, "anthropic/claude-haiku-4-5")
        dreaming(lane).undo(dream.id)
        assert stand(lane) == {one.id: one for one in TWICE}


@pytest.mark.parametrize(
    "behaviour",
    [
        says({"title": "", "content": ""}),
        says({"title": "Deploy on Fridays", "content": "Deploy on Fridays."}),
        says({"title": "Release notes are long, with emoji", "content": "They are long, with emoji."}),
        says({**BETTER, "content": "Readers skip long ones, and the list in 3.1 had 12 emoji."}),
        says({**BETTER, "content": "word " * 400}),
        says({"delete": [one.id for one in TWICE]}),
        prose("I would rather delete all of these notes."),
        status(500),
        status(401),
    ],
)
def test_what_will_not_do_stays_as_the_rules_worded_it(tmp_path: Path, model: Model, behaviour: Behaviour) -> None:
    model.usual = behaviour
    with asking(tmp_path / "asking", model) as lane:
        (done,) = dreaming(lane).run().done
        merged = stand(lane)[done.result[0]]
    assert model.asked
    assert merged.text == by_rules(tmp_path / "rules").text


def test_a_model_that_is_down_is_named_in_the_report(tmp_path: Path, model: Model) -> None:
    model.usual = status(401)
    with asking(tmp_path, model) as lane:
        assert dreaming(lane).run().reader.startswith("rules; anthropic/claude-haiku-4-5: ")


def test_who_words_it_is_asked_nobody_else(tmp_path: Path, model: Model) -> None:
    with pytest.raises(UsageError, match="one of rules, model"):
        asking(tmp_path, model, LANE_DREAM_WORDS="poet")
    with asking(tmp_path, model, LANE_CATCH_MODEL="") as lane, pytest.raises(UsageError, match="no model"):
        dreaming(lane).run()
    assert not model.asked
