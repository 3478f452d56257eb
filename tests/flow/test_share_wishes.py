"""What an agent suggests to share shares nothing, waits for the person, and is answered once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.control import Reading, Role, of_owner
from memlane.app.grant_wishes import MOST_WISHES, GrantWish, WishAnswer
from memlane.errors import NotFoundError, UsageError
from tests.flow.homes import a_lane

NOTE = "Deploys of the shop go through make ship"
WHY = "jo deploys on Friday"


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        opened.memories.remember(NOTE, tmp_path / "home")
        opened.control.codes.invite_person("jo", Role.MEMBER)
        yield opened


def suggested(lane: Lane, *, whom: str = "jo", reading: Reading = Reading.LESSONS, because: str = WHY) -> GrantWish:
    (memory,) = lane.memories.all()
    return lane.grant_wishes.propose(lane.grant_plans.meant(memory.id, whom, reading, ""), "codex", because)


def test_it_waits_shares_nothing_and_outlives_the_index(lane: Lane, tmp_path: Path) -> None:
    wish = suggested(lane)
    suggested(lane, because="once more")
    (waiting,) = lane.grant_wishes.all()
    assert (waiting.id, waiting.by, waiting.because, waiting.grant.title) == (wish.id, "codex", WHY, NOTE)
    assert lane.control.grants.to("jo") == []
    assert lane.acts.all()[1:] == [], "an agent's wish is no act of the person"
    lane.close()
    shutil.rmtree(tmp_path / "lane" / "index")
    with a_lane(tmp_path) as again:
        again.home.begin()
        again.archive.rebuild()
        assert again.grant_wishes.all() == [waiting]


def test_a_wish_for_more_is_another_wish(lane: Lane) -> None:
    """What the person has looked at cannot grow before they say yes."""
    one, more = suggested(lane), suggested(lane, reading=Reading.TRANSCRIPTS)
    assert one.id != more.id
    assert lane.grant_wishes.one(one.id).grant.reading is Reading.LESSONS


def test_a_no_is_an_act_that_can_be_taken_back(lane: Lane) -> None:
    wish = suggested(lane)
    act = lane.grant_wishes.answer(wish, WishAnswer.REFUSED)
    assert lane.grant_wishes.all() == []
    assert lane.acts.get().id == act
    lane.acts.undo(lane.acts.get(act))
    assert [one.id for one in lane.grant_wishes.all()] == [wish.id]


def test_a_yes_is_answered_for_good_and_is_nothing_that_undo_could_only_half_take_back(lane: Lane) -> None:
    before = [act.id for act in lane.acts.all()]
    wish = suggested(lane)
    share = lane.control.grants.give(wish.grant)
    lane.grant_wishes.answer(wish, WishAnswer.SHARED)
    lane.control.grants.revoke(share.id, lane.config.user)
    assert lane.grant_wishes.all() == []
    assert [act.id for act in lane.acts.all()] == before


def test_what_is_over_waits_for_nobody(lane: Lane) -> None:
    wish = suggested(lane)
    ended = lane.grant_plans.meant(wish.grant.name, "jo", Reading.LESSONS, "2001-01-01T00:00:00+00:00")
    lane.grant_wishes.propose(ended, "codex")
    assert [one.id for one in lane.grant_wishes.all()] == [wish.id]
    with pytest.raises(NotFoundError):
        lane.grant_wishes.one("w_aaaaaaaaaaaaa")


def test_so_many_wait_and_no_more(lane: Lane) -> None:
    for n in range(MOST_WISHES):
        suggested(lane, whom=f"person-{n}")
    with pytest.raises(UsageError, match="wait for the user already"):
        suggested(lane)
    assert len(lane.grant_wishes.all()) == MOST_WISHES


def test_forgotten_for_good_nothing_that_was_said_about_it_is_left(lane: Lane) -> None:
    wish = suggested(lane)
    lane.memories.forget_for_good(lane.memories.plan_gone([wish.grant.name]))
    kept = b"".join(path.read_bytes() for path in lane.config.home.rglob("*") if path.is_file())
    assert [words for words in (NOTE, WHY) if words.encode() in kept] == []


def test_what_is_suggested_to_central_itself_waits_in_its_persons_part(lane: Lane) -> None:
    """An agent that asks Central over HTTP works in the part of one person."""
    with Lane(of_owner(lane.config, "jo")) as jo:
        jo.home.begin()
        memory = jo.memories.remember("the van is loaded from the left", lane.config.home)
        jo.grant_wishes.propose(jo.grant_plans.meant(memory.id, "ann", Reading.LESSONS, ""), "codex")
        assert [one.grant.name for one in jo.grant_wishes.all()] == [memory.id]
    assert lane.grant_wishes.all() == []
