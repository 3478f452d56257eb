"""How a run went counts for the memories that were recalled in it, and for no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import Maturity, Memory, Scope
from memlane.errors import NotFoundError
from tests.flow.homes import SESSION, a_lane, answer, prompt, said, transcript, write

HERE = Path("/home/dev/app")
NOTE = "Add every new workspace package to the Dockerfile COPY list"
WORDS = "the Dockerfile build fails since I added a workspace package"


@pytest.fixture
def lane(tmp_path: Path) -> Lane:
    return a_lane(tmp_path)


def a_note(lane: Lane) -> Memory:
    return lane.memories.remember(NOTE, HERE, scope=Scope.GLOBAL)


def run_with_recall(lane: Lane, folder: Path, number: int, event: str = "UserPromptSubmit") -> str:
    """A run in which the note was told (or, at its start, named)."""
    session = f"{SESSION[:-1]}{number}"
    write(
        transcript(folder, session),
        [prompt(WORDS, number, sessionId=session), answer([said("ok")], number + 1, sessionId=session)],
    )
    lane.capture.sweep()
    given = {"session_id": session, "cwd": str(HERE), "prompt": WORDS, "source": "startup"}
    recall = lane.recall.hooked("claude-code", event, given).recall
    assert recall is not None
    assert recall.shown
    lane.recall.keep(recall)
    return recall.query.run


def stands(lane: Lane, memory: Memory) -> tuple[Maturity, int]:
    found = lane.memories.get(memory.id)
    return found.maturity, found.confidence


def test_two_runs_that_went_well_prove_a_memory_and_one_that_went_wrong_takes_it_back(
    lane: Lane, tmp_path: Path
) -> None:
    memory = a_note(lane)
    runs = [run_with_recall(lane, tmp_path, n) for n in (1, 2, 3)]
    seen = [stands(lane, memory)]
    for run, success in zip(runs, (True, True, False), strict=True):
        assert lane.runs.outcomes.outcome(run, success=success).memories == [memory.id]
        seen.append(stands(lane, memory))
    plain, proven = (Maturity.CANDIDATE, 90), (Maturity.PROVEN, 95)
    assert seen == [plain, plain, proven, plain]
    lane.archive.rebuild()
    assert stands(lane, memory) == plain


def test_the_newest_word_about_a_run_counts_and_only_once(lane: Lane, tmp_path: Path) -> None:
    memory = a_note(lane)
    first, second = (run_with_recall(lane, tmp_path, n) for n in (1, 2))
    for _ in range(3):
        lane.runs.outcomes.outcome(first, success=True)
    assert stands(lane, memory)[0] is Maturity.CANDIDATE
    lane.runs.outcomes.outcome(second, success=True)
    assert stands(lane, memory)[0] is Maturity.PROVEN
    changed = lane.runs.outcomes.outcome(second, success=False)
    assert changed.before is True
    assert stands(lane, memory) == (Maturity.CANDIDATE, 90)


def test_undo_takes_the_outcome_and_what_it_did_back(lane: Lane, tmp_path: Path) -> None:
    memory = a_note(lane)
    first, second = (run_with_recall(lane, tmp_path, n) for n in (1, 2))
    lane.runs.outcomes.outcome(first, success=True)
    lane.runs.outcomes.outcome(second, success=True)
    undone = lane.acts.undo(lane.acts.get())
    assert set(undone.names) == {second, memory.id}
    assert stands(lane, memory) == (Maturity.CANDIDATE, 90)
    assert lane.runs.outcomes.outcome(second, success=False).before is None, "nothing was said any more"
    lane.runs.outcomes.outcome(second, success=True)
    assert stands(lane, memory) == (Maturity.PROVEN, 95)


def test_standing_rules_at_the_start_of_a_run_earn_nothing(lane: Lane, tmp_path: Path) -> None:
    lane.memories.make_standing([a_note(lane).id], on=True)
    run = run_with_recall(lane, tmp_path, 1, event="SessionStart")
    assert lane.runs.outcomes.outcome(run, success=True).memories == []


def test_the_newest_run_of_the_folder_is_meant(lane: Lane, tmp_path: Path) -> None:
    a_note(lane)
    run_with_recall(lane, tmp_path, 1)
    newest = run_with_recall(lane, tmp_path, 4)
    assert lane.runs.outcomes.newest_in(HERE).id == newest
    with pytest.raises(NotFoundError):
        lane.runs.outcomes.newest_in(tmp_path)


def test_why_is_kept_masked(lane: Lane, tmp_path: Path) -> None:
    a_note(lane)
    run = run_with_recall(lane, tmp_path, 1)
    key = "AKIA" + "QPW7ZVX2MNB4LKJH"
    lane.runs.outcomes.outcome(run, success=False, because=f"the key {key} leaked")
    assert not [p for p in lane.config.home.rglob("*") if p.is_file() and key.encode() in p.read_bytes()]
