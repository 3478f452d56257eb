"""A secret in a short field: a tag, a title, an outcome, a name. None is written down, and none is said back."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import RunFilter
from memlane.errors import LaneError, UsageError
from memlane.gate import Gate
from tests.acceptance.command_line import Person
from tests.conftest import LaneHome
from tests.flow.homes import a_lane, answer, prompt, said, transcript, write

pytestmark = pytest.mark.fault("H1")
KINDS = ("github-token", "aws-access-key", "npm-token", "stripe-key")


@pytest.fixture(params=KINDS)
def secret(request: pytest.FixtureRequest) -> str:
    return dict(Gate().samples(5))[request.param].secret


def nowhere(lane: Lane, secret: str) -> None:
    """Not in a byte of the journal or of anything derived, whatever the letters' size."""
    for path in lane.config.home.rglob("*"):
        if path.is_file() and path.suffix != ".raw":
            assert secret.lower().encode() not in path.read_bytes().lower(), path


def a_run(lane: Lane, tmp_path: Path) -> str:
    write(transcript(tmp_path), [prompt("how do ferries go?"), answer([said("over water")])])
    lane.capture.sweep()
    return lane.runs.select(RunFilter())[0].id


def test_no_tag_holds_one_in_any_letters(tmp_path: Path, secret: str) -> None:
    with a_lane(tmp_path) as lane:
        run = a_run(lane, tmp_path)
        for tag in (secret, secret.lower(), secret.upper(), f"area/{secret}"):
            with pytest.raises(UsageError) as refused:
                lane.runs.labels.tag(run, [tag])
            assert secret.lower() not in str(refused.value).lower()
        assert lane.runs.labels.tag(run, ["release"]).tags == ("release",)
        nowhere(lane, secret)


def test_no_title_outcome_or_verdict_holds_one(tmp_path: Path, secret: str) -> None:
    with a_lane(tmp_path) as lane:
        run = a_run(lane, tmp_path)
        lane.runs.labels.title(run, f"with {secret}")
        lane.runs.outcomes.outcome(run, success=True, because=f"thanks to {secret}")
        memory = lane.memories.remember("Ferries go over water", tmp_path, title=f"x {secret}", category=f"c {secret}")
        lane.memories.edit(memory.id, {"title": f"it is {secret}", "category": secret, "content": f"and {secret}"})
        lane.memories.proposals.forget(memory.id, "codex", f"it holds {secret}")
        nowhere(lane, secret)


def test_no_name_slug_type_or_alias_holds_one(tmp_path: Path, secret: str) -> None:
    with a_lane(tmp_path) as lane:
        lane.home.begin()
        entities = lane.entities
        made = entities.add(f"Ann {secret}", "person", [f"alias {secret}"], f"ann {secret}")
        entities.rename(made.key, f"Anna {secret}")
        entities.answer(f"the {secret}", made.key)
        entities.answer_new(f"Bob {secret}", "person")
        entities.split(made.key, f"Eve {secret}", [f"evie {secret}"])
        with pytest.raises(LaneError) as refused:
            entities.add("Joe", secret)
        assert secret.lower() not in str(refused.value).lower()
        nowhere(lane, secret)


def test_a_note_with_an_open_tag_says_what_became_of_its_end(lane_home: LaneHome) -> None:
    person = Person(lane_home.home, quick=True)
    told = person.lane("remember", "deploys go on Thursdays <private>and this is mine")
    assert "there is no </private>, so everything after <private> was masked" in told.err
    assert "[masked: private, never closed]" in told.out
    closed = person.lane("remember", "deploys go on Fridays <private>and this is mine</private> only")
    assert "never closed" not in closed.out + closed.err
