"""Standing rules, rules for a moment and a cue in Japanese in the real Claude Code: when they come, and never twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from memlane.domain import Occasion
from tests.acceptance.test_claude_code import SAID, AtHome, answered, our_hooks_ended_well, set_up
from tests.acceptance.test_claude_code_memory import asked, call
from tests.clients.drive import ClaudeCode
from tests.conftest import LaneHome

STANDING = "Answer in whole sentences MARK-standing"
BEFORE_COMMITS = "Never commit for Rob, he signs his own work MARK-rob"
ON_THURSDAYS, JAPANESE = "Releases go out on Thursdays only MARK-thursday", "新しいバージョンを公開して"


@pytest.fixture
def at_home(lane_home: LaneHome, claude: Callable[..., ClaudeCode]) -> Iterator[AtHome]:
    with set_up(lane_home, claude) as made:
        with made.hooked.lane() as lane:
            lane.memories.remember(STANDING, made.hooked.project, occasion=Occasion(always=True))
            lane.memories.remember(BEFORE_COMMITS, made.hooked.project, occasion=Occasion("before committing"))
            lane.memories.remember(
                ON_THURSDAYS, made.hooked.project, occasion=Occasion(cues=("新しいバージョンを公開して",))
            )
        made.hooked.command("daemon", "start")
        yield made


def shell(command: str) -> str:
    return call("Bash", command=command, description="go on")


def test_a_commit_about_to_be_made_brings_the_rule_before_the_request_that_commits(at_home: AtHome) -> None:
    steps = [shell("ls"), shell("git init -q . ; git add -A"), shell("git commit -q -m x || true"), shell("git status")]
    session = at_home.run(f"fix the health check {' '.join(steps)} {SAID}", "--allowedTools", "Bash")
    assert session.exit_code == 0, session.stderr
    told = [turn.text.count("MARK-rob") for turn in session.turns]
    assert [bool(count) for count in told] == [False, False, True, True, True]
    assert told[2:] == [told[2]] * 3, "it is told once, and the commit and the status after it add nothing"
    shown = [one for one in asked(at_home, 3) if one["moment"] == "command"]
    assert [one["outcome"] for one in shown] == ["shown"]
    assert all(our_hooks_ended_well(path) for path in at_home.transcripts())


def test_a_japanese_prompt_brings_its_note_by_a_japanese_cue(at_home: AtHome) -> None:
    for words, brings in (("表の列の幅を広げて", False), ("明日の金曜日に新しいバージョンを公開したい", True)):
        session = answered(at_home, f"{words} {SAID}")
        assert session.saw("MARK-thursday") is brings
    why = [str(one["why"]) for one in at_home.recalls() if one["moment"] == "prompt" and one["outcome"] == "silent"]
    assert "does not read Japanese" in why[0]


def test_the_standing_rule_is_in_the_first_request_and_a_prompt_about_it_does_not_repeat_it(at_home: AtHome) -> None:
    session = at_home.run(f"should you answer in whole sentences? {SAID}")
    (first, *_others) = session.turns
    assert first.text.count("MARK-standing") == 1
    assert not first.holds("make ship"), "no other title is listed"
    start, prompt = asked(at_home, 2)
    assert (start["outcome"], prompt["outcome"]) == ("shown", "silent")


def test_after_a_compaction_it_is_there_again_and_a_resumed_run_is_not_told_twice(at_home: AtHome) -> None:
    first = at_home.run(f"look around {SAID}")
    asked(at_home, 2)
    resumed = at_home.run(f"go on looking {SAID}", "--continue")
    assert resumed.turns[-1].text.count("MARK-standing") == first.turns[-1].text.count("MARK-standing") == 1
    asked(at_home, 4)
    at_home.run("/compact", "--continue")
    asked(at_home, 5)
    after = at_home.run(f"and now the harbour {SAID}", "--continue")
    given = [one for one in asked(at_home, 6) if one["moment"] == "start" and one["outcome"] == "shown"]
    assert len(given) == 2
    assert after.turns[-1].holds(nonce_of(at_home, str(given[-1]["id"])))


def nonce_of(at_home: AtHome, recall: str) -> str:
    with at_home.hooked.lane() as lane:
        return lane.recall.recorded(recall).nonce
