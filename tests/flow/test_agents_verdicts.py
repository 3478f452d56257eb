"""A thumb given by an agent: it says whose it is, counts half at most, lifts nothing, and the person takes it back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memlane import archive
from memlane.domain import Feedback, Memory
from memlane.errors import NotFoundError
from memlane.recall import WEIGHTS, net_downs
from tests.flow.example_bank import BANK, NOW, World, ids, world

PROMPT = "when do the trains to the coast leave"
FIRST, SECOND = replace(BANK[0], id="m_x"), replace(BANK[1], id="m_y")
NEAR = {FIRST.id: 0.62, SECOND.id: 0.61}


def said(up: bool, by: str = "") -> tuple[Feedback, float]:
    return Feedback("f_1", "ann", "l_1", "m_1", up, PROMPT, NOW, by=by), 1.0


def bank() -> tuple[Memory, ...]:
    return FIRST, SECOND


def judge(asked: World, memory: str, *, up: bool, by: str) -> str:
    recall = asked.ask(PROMPT, run=f"r_{by}_{up}")
    return asked.lane.recall.feedback.judge(memory, up=up, recall=recall.id, by=by).act


def test_an_agents_thumbs_up_lift_nothing_however_many() -> None:
    assert WEIGHTS.factor(net_downs([said(up=True, by="codex")] * 50)) == 1
    assert WEIGHTS.factor(net_downs([said(up=True)])) > 1


def test_an_agents_thumbs_up_do_not_outvote_a_person() -> None:
    person = [said(up=False)]
    assert net_downs([*person, *[said(up=True, by="codex")] * 50]) == net_downs(person)


def test_two_agents_thumbs_down_are_one_persons_and_all_of_them_together_two() -> None:
    assert net_downs([said(up=False, by="codex")] * 2) == net_downs([said(up=False)])
    assert net_downs([said(up=False, by="codex")] * 50) == net_downs([said(up=False)] * 2)


def test_a_persons_thumbs_up_make_up_for_agents() -> None:
    assert net_downs([*[said(up=False, by="codex")] * 50, said(up=True), said(up=True)]) == 0


def test_agents_cannot_vote_a_note_to_the_front(tmp_path: Path) -> None:
    with world(tmp_path, {PROMPT: NEAR}, memories=bank()) as asked:
        before = asked.ask(PROMPT, run="r_0")
        for n in range(4):
            judge(asked, ids(before)[-1], up=True, by=f"agent{n}")
        after = asked.ask(PROMPT, run="r_9")
        assert ids(after) == ids(before)
        assert [match.score for match in after.shown] == [match.score for match in before.shown]


def test_the_journal_says_which_agent_and_the_person_takes_it_back(tmp_path: Path) -> None:
    with world(tmp_path, {PROMPT: NEAR}, memories=bank()) as asked:
        lane = asked.lane
        act = judge(asked, FIRST.id, up=False, by="codex")
        lines = archive.entries_with(lane.home.disk, lane.home.layout, FIRST.id)
        assert [line.actor for line in lines if line.kind == "feedback"] == ["agent:codex"]
        (listed,) = lane.acts.all()
        assert (listed.id, listed.agent) == (act, "codex")
        with pytest.raises(NotFoundError):
            lane.acts.get()  # nothing was done by hand
        lane.acts.undo(lane.acts.get(act))
        assert lane.recall.feedback.verdicts(FIRST.id) == []
