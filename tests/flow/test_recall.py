"""A note in, the right prompt later, and the note is there; any other prompt, and nothing is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

import pytest

from memlane.app import Lane
from memlane.app.recall import HookAnswer
from memlane.domain import ANY_PROJECT, NO_PROJECT, Outcome, Project, Query, RecallMoment, Scope
from tests.flow.homes import SESSION, a_lane, prompt, transcript, write

NOTE = "Add every new workspace package to the Dockerfile COPY list"


@pytest.fixture
def lane(tmp_path: Path) -> Lane:
    lane = a_lane(tmp_path)
    lane.memories.remember(NOTE, tmp_path / "home")
    return lane


def ask(lane: Lane, words: str, event: str = "UserPromptSubmit", **more: object) -> HookAnswer:
    given = {"session_id": SESSION, "cwd": str(lane.config.person_home), "prompt": words, **more}
    answer = lane.recall.hooked("claude-code", event, given)
    if answer.recall is not None:
        lane.recall.keep(answer.recall)
    return answer


def context(answer: HookAnswer) -> str:
    output = answer.output.get("hookSpecificOutput", {})
    assert isinstance(output, dict)
    return str(output.get("additionalContext", ""))


def test_what_is_said_twice_in_the_same_words_is_one_note(lane: Lane, tmp_path: Path) -> None:
    known = lane.memories.all()[0]
    again = lane.memories.remember(f"  {NOTE}\n", tmp_path / "home")
    assert again == known
    assert len(lane.memories.all()) == 1
    elsewhere = lane.memories.remember(NOTE, tmp_path / "home", scope=Scope.GLOBAL)
    assert elsewhere.id != known.id  # it holds in more places


def test_a_prompt_about_the_same_thing_gets_the_note(lane: Lane) -> None:
    told = context(ask(lane, "the Dockerfile build fails since I added a workspace package"))
    assert NOTE in told
    assert re.match(r'<lane-memory nonce="[a-z0-9]{13}"', told)


@pytest.mark.parametrize(
    "words", ["yes", "continue", "commit this", "thanks", "rename the login button", "why is the sky blue?", ""]
)
def test_any_other_prompt_gets_nothing(lane: Lane, words: str) -> None:
    assert ask(lane, words).output == {}


def test_a_note_is_told_once_in_a_run_and_again_after_a_compaction(lane: Lane) -> None:
    words = "add another workspace package to the Dockerfile"
    assert NOTE in context(ask(lane, words))
    second = ask(lane, words)
    assert second.output == {}
    assert second.recall is not None
    assert second.recall.why == "already shown in this run"
    ask(lane, "", event="SessionStart", source="compact")
    assert NOTE in context(ask(lane, words))


def test_a_resumed_run_still_has_what_it_was_told(lane: Lane) -> None:
    ask(lane, "add another workspace package to the Dockerfile")
    assert ask(lane, "", event="SessionStart", source="resume").output == {}
    assert ask(lane, "add another workspace package to the Dockerfile").output == {}


def test_a_note_of_one_project_stays_in_it(lane: Lane, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    words = "add another workspace package to the Dockerfile"
    assert ask(lane, words, cwd=str(elsewhere)).output == {}
    assert ask(lane, "", event="SessionStart", source="startup", cwd=str(elsewhere)).output == {}


def test_a_forgotten_note_is_not_told_and_a_restored_one_is(lane: Lane) -> None:
    (memory,) = lane.memories.all()
    lane.memories.forget([memory.id])
    assert ask(lane, "workspace package in the Dockerfile").output == {}
    lane.memories.restore([memory.id])
    assert NOTE in context(ask(lane, "workspace package in the Dockerfile"))


@pytest.mark.fault("F14")
def test_at_most_three_on_a_prompt_and_eight_in_a_run_one_of_them_kept_for_files(lane: Lane, tmp_path: Path) -> None:
    for n in range(12):
        lane.memories.remember(f"kubernetes ingress gateway rule number {n}: keep annotation {n}", tmp_path / "home")
    shown: list[int] = []
    for _ in range(6):
        recall = ask(lane, "change the kubernetes ingress gateway annotation").recall
        assert recall is not None
        shown.append(len(recall.shown))
    assert shown == [3, 3, 1, 0, 0, 0]


def test_every_look_is_written_down_also_an_empty_one(lane: Lane) -> None:
    ask(lane, "add a workspace package to the Dockerfile")
    ask(lane, "yes")
    newest = lane.recall.newest()
    assert [recall.outcome for recall in newest] == [Outcome.SILENT, Outcome.SHOWN]
    assert newest[1].shown[0].score == pytest.approx(sum(newest[1].shown[0].parts.values()))


def test_one_agent_is_told_nothing_and_the_others_are(lane: Lane, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cast(dict[str, object], lane.config.values), "recall.off_for", ("claude-code",))
    answer = ask(lane, "workspace package in the Dockerfile")
    assert answer.output == {}
    assert answer.recall is not None
    assert (answer.recall.outcome, answer.recall.why) == (Outcome.NOT_LOOKED, "recall is off for claude-code")
    monkeypatch.setitem(cast(dict[str, object], lane.config.values), "recall.off_for", ("codex",))
    assert NOTE in context(ask(lane, "workspace package in the Dockerfile"))


def test_switched_off_it_tells_nothing_and_says_so(lane: Lane) -> None:
    given = {"session_id": SESSION, "cwd": str(lane.config.person_home), "prompt": "workspace package Dockerfile"}
    answer = lane.recall.hooked("claude-code", "UserPromptSubmit", given, off=True)
    assert answer.output == {}
    assert answer.recall is not None
    assert (answer.recall.outcome, answer.recall.why) == (Outcome.NOT_LOOKED, "LANE_OFF is set")


def test_a_secret_in_a_prompt_is_masked_before_the_recall_is_written_down(lane: Lane) -> None:
    secret = next(sample for rule, sample in lane.home.gate.samples(7) if "github" in rule)
    ask(lane, f"workspace package in the Dockerfile with {secret.text}")
    (recall,) = lane.recall.newest()
    assert secret.secret not in recall.query.words
    assert not [p for p in lane.config.home.rglob("*") if p.is_file() and secret.secret.encode() in p.read_bytes()]


def test_held_out_runs_are_told_nothing_and_recorded_as_such(tmp_path: Path) -> None:
    lane = a_lane(tmp_path, LANE_RECALL_HOLDOUT="1.0")
    lane.memories.remember(NOTE, tmp_path / "home")
    answer = ask(lane, "add a workspace package to the Dockerfile")
    assert answer.output == {}
    assert answer.recall is not None
    assert answer.recall.holdout
    assert len(answer.recall.shown) == 1


def test_how_much_is_told_counts_notes_not_the_titles_a_run_begins_with(lane: Lane, tmp_path: Path) -> None:
    lane.memories.remember("The harbour pages are translated by hand", tmp_path / "home")
    ask(lane, "", event="SessionStart", source="startup")
    assert lane.health.now().recall.shown == 0
    ask(lane, "the Dockerfile build fails since I added a workspace package")
    assert (lane.health.now().recall.shown, lane.health.now().recall.memories) == (1, 1)


@pytest.mark.parametrize("model", ["tuned", "none"])
def test_asked_for_any_project_a_note_of_one_project_is_found(tmp_path: Path, model: str) -> None:
    with a_lane(tmp_path, LANE_RECALL_MODEL=model) as lane:
        folder = tmp_path / "home" / "dev" / "app"
        folder.mkdir(parents=True)
        write(transcript(tmp_path), [prompt("hello", 1, str(folder))])
        lane.capture.sweep()
        note = lane.memories.remember(NOTE, folder)
        words = "the Dockerfile build fails since I added a workspace package"
        found = {
            project: [one.memory.id for one in lane.recall.recall(question(words, project)).shown]
            for project in (ANY_PROJECT, NO_PROJECT)
        }
        assert found == {ANY_PROJECT: [note.id], NO_PROJECT: []}


def question(words: str, project: Project) -> Query:
    return Query(words, project, "", "", "", "", RecallMoment.ASKED)
