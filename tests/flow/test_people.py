"""Who belongs to a Central: roles and what they open, codes that were lost, groups, limits, and how somebody leaves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.control import ControlBook, Grant, GrantType, Joining, PersonState, Role, Welcome
from memlane.errors import LaneError, NotAllowedError, NotFoundError, UsageError
from tests.flow.homes import a_lane


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    """Central, in Ann's home."""
    with a_lane(tmp_path) as opened:
        opened.home.begin()
        yield opened


def join(lane: Lane, code: str, machine: str = "laptop", computer: str = "c1") -> Welcome:
    return lane.control.machines.join(Joining(code, "anybody", machine, computer, fresh=True))


def invited(lane: Lane, name: str, machine: str = "laptop", role: Role = Role.MEMBER) -> Welcome:
    code, _made = lane.control.codes.invite_person(name, role)
    return join(lane, code, machine)


def refused(what: type[LaneError], words: str, call: object, *given: object) -> None:
    with pytest.raises(what, match=words):
        call(*given)  # type: ignore[operator]


def test_the_person_whose_home_it_is_is_admin_and_an_invited_one_is_a_member_once_they_came(lane: Lane) -> None:
    code, _made = lane.control.codes.invite_person("noor", Role.AUDITOR)
    people = lane.control.people
    assert [(one.name, one.role, one.state) for one in people.all()] == [
        ("ann", Role.ADMIN, PersonState.MEMBER),
        ("noor", Role.AUDITOR, PersonState.INVITED),
    ]
    assert join(lane, code).owner == "noor"
    assert people.one("noor").state is PersonState.MEMBER
    assert [people.is_admin(name) for name in ("ann", "noor", "stranger")] == [True, False, False]


def test_a_lost_code_is_replaced_and_the_old_one_opens_nothing(lane: Lane) -> None:
    lost, _made = lane.control.codes.invite_person("noor", Role.MEMBER)
    code, _made = lane.control.codes.invite_person("noor", Role.MEMBER)
    refused(NotAllowedError, "took the place", join, lane, lost)
    assert join(lane, code).owner == "noor"


@pytest.mark.fault("K8")
@pytest.mark.parametrize("name", ["Noor", "NOOR", "\uff4eoor", "n\u043e\u043er", "Ann", "an\u03bd"])
def test_nobody_gets_a_name_that_looks_like_another(lane: Lane, name: str) -> None:
    invited(lane, "noor")
    refused(UsageError, "look", lane.control.codes.invite_person, name, Role.MEMBER)
    refused(UsageError, "look", lane.control.groups.add, name, ["noor"], "ann")
    assert invited(lane, "\u043c\u0438\u0440\u0430", "other").owner == "\u043c\u0438\u0440\u0430"


def test_the_last_admin_stays_one_and_here(lane: Lane) -> None:
    invited(lane, "noor")
    people = lane.control.people
    refused(NotAllowedError, "last admin", people.give_role, "ann", Role.MEMBER, "ann")
    people.give_role("noor", Role.ADMIN, "ann")
    people.give_role("ann", Role.MEMBER, "noor")
    refused(NotAllowedError, "last admin", lane.departures.plan, "noor", "keep")
    refused(NotAllowedError, "own home", lane.departures.plan, "ann", "keep")


def test_what_one_process_wrote_the_next_reads(lane: Lane) -> None:
    invited(lane, "noor")
    lane.control.people.give_role("noor", Role.AUDITOR, "ann")
    lane.control.groups.add("team", ["ann", "noor"], "ann")
    other = ControlBook(lane.home)
    assert other.people.all() == lane.control.people.all()
    assert other.groups.all() == lane.control.groups.all()


def test_a_limit_counts_machines_that_may_still_ask(lane: Lane) -> None:
    invited(lane, "noor", "laptop")
    lane.control.people.limit("noor", 1, "ann")
    code, _made = lane.control.codes.invite("noor")
    refused(NotAllowedError, "may have 1 machine here", join, lane, code, "tower", "c2")
    assert join(lane, code, "laptop").machine.name == "laptop", "the same computer again takes its own place"
    lane.control.machines.revoke("laptop", "noor")
    code, _made = lane.control.codes.invite("noor")
    assert join(lane, code, "tower", "c2").machine.name == "tower"


def test_groups_begin_grow_shrink_and_end(lane: Lane) -> None:
    invited(lane, "noor")
    groups = lane.control.groups
    groups.add("team", ["ann"], "ann")
    assert groups.add("team", ["noor", "ann"], "ann").people == ("ann", "noor")
    refused(UsageError, "not in team", groups.remove, "team", ["mira"], "ann")
    refused(NotFoundError, "no person", groups.add, "team", ["mira"], "ann")
    refused(UsageError, "is a person", groups.add, "noor", ["ann"], "ann")
    assert groups.remove("team", ["ann"], "ann").people == ("noor",)
    assert [one.name for one in groups.all() if "noor" in one.people] == ["team"]
    groups.remove("team", [], "ann")
    assert groups.all() == []
    refused(NotFoundError, "no group", groups.one, "team")


def test_leaving_ends_machines_codes_groups_and_grants_at_once_and_the_runs_are_a_choice(
    lane: Lane, tmp_path: Path
) -> None:
    token = invited(lane, "noor").token
    spare, _made = lane.control.codes.invite("noor")
    lane.control.groups.add("team", ["ann", "noor"], "ann")
    for owner, whom in (("noor", "ann"), ("ann", "noor"), ("ann", "team")):
        lane.control.grants.give(Grant("", owner, GrantType.PROJECT, "/p", "p", whom))
    theirs = lane.config.archive_base / "noor" / "journal"
    theirs.mkdir(parents=True)
    (theirs / "line").write_text("hers")

    plan = lane.departures.plan("noor", "export", tmp_path / "out")
    assert (plan.machines, plan.shares, plan.bytes) == (["laptop"], 2, 4)
    holder = lane.control.machines.holder(token)
    assert holder is not None
    assert not holder.revoked, "a plan changes nothing"
    lane.departures.carry_out(plan)

    holder = lane.control.machines.holder(token)
    assert holder is not None
    assert holder.revoked
    refused(NotAllowedError, "took the place", join, lane, spare, "tower")
    assert lane.control.groups.one("team").people == ("ann",)
    assert lane.control.grants.to("noor") == []
    assert lane.control.grants.to("ann") == []
    assert (tmp_path / "out" / "journal" / "line").read_text() == "hers"
    assert (theirs / "line").exists()
    refused(NotFoundError, "has left", lane.departures.plan, "noor", "forget")


def test_who_is_forgotten_when_they_leave_is_gone_from_the_disk(lane: Lane) -> None:
    invited(lane, "noor")
    theirs = lane.config.archive_base / "noor" / "journal"
    theirs.mkdir(parents=True)
    (theirs / "line").write_text("hers")
    lane.departures.carry_out(lane.departures.plan("noor", "forget"))
    assert not (lane.config.archive_base / "noor").exists()
    assert not list((lane.config.home / "owners").glob("noor*"))


def test_a_code_for_one_more_machine_makes_nobody_a_member_again(lane: Lane) -> None:
    invited(lane, "noor")
    code, _made = lane.control.codes.another("noor")
    lane.control.leave("noor", "ann")
    refused(NotFoundError, "has left", lane.control.codes.another, "noor")
    refused(NotAllowedError, "took the place", join, lane, code, "tower", "c2")
    assert lane.control.people.one("noor").state is PersonState.LEFT


def test_a_code_opens_nothing_once_the_machine_that_asked_for_it_is_revoked(lane: Lane) -> None:
    stolen = invited(lane, "noor").machine
    code, _made = lane.control.codes.another("noor", by=stolen.id)
    other, _made = lane.control.codes.another("noor")
    lane.control.machines.revoke(stolen.id)
    refused(NotAllowedError, "is revoked", join, lane, code, "thief", "c2")
    assert join(lane, other, "tower", "c2").owner == "noor"
