"""What we told an agent stands in its transcript and is never a source of anything: not of a memory, not of one more
observation. Read by an extractor that keeps everything it sees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from memlane import recall
from memlane.app import Lane
from memlane.domain import Draft, Memory, Query, Quote, RecallMoment, RunFilter, Type, Window, WindowDrafts
from tests.flow.homes import a_lane, answer, called, prompt, returned, said, transcript, write
from tests.flow.listeners import LESSON, Listener, catching, told

ROUNDS = 100
NOTE = "Always add a new package to the COPY list of the Dockerfile"


class Greedy(Listener):
    """Whoever said it, in whatever kind of step."""

    def read(self, window: Window, nearby: Sequence[Memory]) -> WindowDrafts:  # noqa: ARG002 - the interface
        drafts = [
            Draft(Type.LEARNING, found[0], f"{found[0]}, it says.", (Quote(spot, found[0]),), "it stands there", 90)
            for spot, step in window.steps()
            for text in (step.text, step.call.result if step.call else "")
            for found in LESSON.finditer(text)
        ]
        return WindowDrafts(tuple(drafts))


def a_round(n: int, brief: str, listed: str) -> list[dict[str, object]]:
    """A prompt with a brief beside it, a search, a recall and a window to read, as a client writes them down."""
    session = f"{n:08d}-2222-4333-8444-555555555555"
    handed_out = f'<lane-window nonce="a1b2c3">\nt1.1 person: {NOTE}.\n</lane-window nonce="a1b2c3">'
    hook = {
        "type": "attachment",
        "attachment": {"type": "hook_additional_context", "content": [brief], "hookEvent": "UserPromptSubmit"},
    }
    records = [
        prompt(f"the worker of part {n} does not start", 1),
        prompt("", 1) | {"uuid": "0", **hook},
        answer([called("Bash", {"command": f'lane search "package {n}"'}, f"toolu_{n}_1")], 2),
        returned(f"1  {NOTE}   r_noeo#t1.1", f"toolu_{n}_1", 3),
        answer([called("mcp__lane__recall", {"prompt": "worker"}, f"toolu_{n}_2")], 4),
        returned(listed, f"toolu_{n}_2", 5),
        answer([called("Bash", {"command": "cd app && lane catch next"}, f"toolu_{n}_3")], 6),
        returned(handed_out, f"toolu_{n}_3", 7),
        answer([said(f"Part {n} starts again.")], 8),
    ]
    return [record | {"sessionId": session, "uuid": f"{n:08d}{str(record['uuid'])[8:]}"} for record in records]


@pytest.mark.fault("A28")
def test_a_hundred_rounds_of_our_own_words_add_nothing(tmp_path: Path) -> None:
    with a_lane(tmp_path) as lane:
        lane.home.begin()
        note = lane.memories.remember(NOTE, tmp_path)
        before, brief = told(lane), _brief(lane)
        for n in range(1, ROUNDS + 1):
            path = transcript(tmp_path, f"{n:08d}-2222-4333-8444-555555555555")
            write(path, a_round(n, brief, f"{note.id} {NOTE}"))
        lane.capture.sweep()
        report = catching(lane, Greedy()).run()
        assert report.kept.windows >= ROUNDS
        assert told(lane) == before


def test_the_same_words_of_somebody_else_are_caught(tmp_path: Path) -> None:
    with a_lane(tmp_path, LANE_CATCH_TEACHINGS="false") as lane:
        write(transcript(tmp_path), [prompt(f"{NOTE}.", 1), answer([said("Right.")], 2)])
        lane.capture.sweep()
        catching(lane, Greedy()).run()
        assert [memory.title for memory in lane.memories.all()] == [NOTE]


def test_an_agent_that_repeats_what_it_was_told_has_not_observed_it(tmp_path: Path) -> None:
    with a_lane(tmp_path) as lane:
        write(transcript(tmp_path), [prompt("the worker does not start", 1), answer([said(f"{NOTE}.")], 2)])
        lane.capture.sweep()
        lane.memories.remember(NOTE, Path("/home/dev/app"))
        before, (run,) = told(lane), lane.runs.select(RunFilter())
        asked = Query(
            "which package is missing from the COPY list of the Dockerfile?",
            run.project,
            run.cwd,
            run.agent,
            "",
            run.id,
            moment=RecallMoment.ASKED,  # a hook would not tell what the run has just said
        )
        found = lane.recall.recall(asked)
        assert found.shown
        lane.recall.keep(found)
        catching(lane, Greedy()).run()
        assert told(lane) == before


def _brief(lane: Lane) -> str:
    (memory,) = lane.memories.all()
    return recall.opening([memory], 1, "abc123", memory.owner, recall.Budget())[0]
