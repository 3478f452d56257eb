"""C3: what is learned about a file in a worktree is about that file of the project, wherever it is checked out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from tests.flow.homes import a_lane
from tests.flow.talks import Talk, lesson
from tests.rooms.llm.server import Model, body_of


@pytest.fixture
def model() -> Iterator[Model]:
    server = Model()
    yield server
    server.stop()


@pytest.fixture
def lane(tmp_path: Path, model: Model) -> Iterator[Lane]:
    settings = {
        "LANE_CATCH_WITH": "model",
        "LANE_CATCH_MODEL": "anthropic",
        "LANE_CATCH_NAME": "claude-haiku-5",
        "LANE_CATCH_URL": model.url,
        "ANTHROPIC_API_KEY": "for-a-server-of-our-own",
    }
    with a_lane(tmp_path, **settings) as opened:
        yield opened


@pytest.mark.parametrize("worktree", [".worktrees/2", ".claude/worktrees/brave-otter"])
def test_a_file_of_a_worktree_that_is_gone_is_the_projects_file(
    tmp_path: Path, lane: Lane, model: Model, worktree: str
) -> None:
    path = f"/nowhere/app/{worktree}/src/mail/send.py"
    talk = (
        Talk(tmp_path)
        .person("make sending mail more robust")
        .tool("Edit", {"file_path": path, "old_string": "send()", "new_string": "retry(send)"}, "done")
        .agent("Every error is retried now.")
        .person("no, a 4xx is never retried, that only makes it worse")
        .agent("Only network errors are retried.")
    )
    retry = lesson(
        "correction",
        "Never retry mail on a 4xx answer",
        "Sending mail retries network errors only; a 4xx answer is final, retrying it makes it worse.",
        "t2.1",
        "a 4xx is never retried, that only makes it worse",
    )
    talk.kept()
    model.usual = lambda asked: asked.send(200, body_of(asked, {"memories": [retry]}))
    lane.capture.sweep()
    assert not lane.catch.run().unread
    (memory,) = lane.memories.all()
    assert [(one.slug, one.resolved) for one in memory.related_entities if one.type == "file"] == [
        ("src/mail/send.py", True)
    ]
