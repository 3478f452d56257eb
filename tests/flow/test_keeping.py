"""What a Central keeps and deletes: retention rules with their plan, holds that beat every way to delete, receipts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from memlane import archive
from memlane.app import Lane
from memlane.app.control import AuditWanted, Grant, GrantType, RetentionRule, Role, Sharing
from memlane.app.departures import FORGET
from memlane.archive import Answer, begin_forgetting, being_forgotten
from memlane.archive.metadata import encode
from memlane.domain import Level
from memlane.errors import HeldError, NotAllowedError, NotFoundError, UsageError
from memlane.gate import Gate
from tests.flow.homes import a_lane, prompt, transcript, write

SAID = datetime(2026, 5, 1, 10, 1, tzinfo=UTC)  # the last word of every run here


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    """Central, in Ann's home, with a run of hers in each of two projects."""
    for n, project in enumerate(("app", "site")):
        session = f"{n}1111111-2222-4333-8444-555555555555"
        said = prompt(f"the {project} wants a blue notebook", cwd=f"/home/dev/{project}", sessionId=session)
        write(transcript(tmp_path, session, f"-home-dev-{project}"), [said])
    with a_lane(tmp_path) as opened:
        opened.home.begin()
        opened.control.codes.invite("ann")
        opened.capture.sweep()
        yield opened


def runs(lane: Lane) -> dict[str, str]:
    """Project → run."""
    return {run.project.name: run.id for run in lane.runs.select()}


def ruled(lane: Lane, days: int, person: str = "", project: str = "") -> RetentionRule:
    return lane.control.retention.set(lane.control.retention.planned(days, person, project, "ann"))


def carried_out(lane: Lane, at: datetime | None = None) -> int:
    before = lane.home.clock
    lane.home.clock = lambda: at or before() + timedelta(days=1, minutes=1)
    try:
        return lane.retention.carry_out(lane.control.retention.concerning("ann"))
    finally:
        lane.home.clock = before


def test_a_rule_is_counted_first_waits_a_day_and_leaves_receipts(lane: Lane) -> None:
    (plan,) = lane.retention.plans(lane.control, lane.control.retention.planned(30, "", "", "ann"))
    assert (plan.owner, plan.runs, plan.held, plan.oldest) == ("ann", 2, 0, SAID)
    size = sum(run.bytes for run in lane.runs.select())
    assert plan.bytes == size
    rule = ruled(lane, 30)
    assert carried_out(lane, lane.home.clock()) == 0
    gone = runs(lane)
    assert carried_out(lane) == 2
    assert runs(lane) == {}
    receipts = lane.control.receipts.of("ann")
    assert {one.name for one in receipts} == set(gone.values())
    assert sum(one.bytes for one in receipts) == size
    assert all(one.rule == f"retention {rule.id}: runs are kept 30 days" for one in receipts)
    assert len({one.content for one in receipts} | {one.digest for one in receipts}) == 4
    assert [one for one in lane.archive.verify() if one.level in (Level.WARN, Level.FAIL)] == []


def test_the_narrowest_rule_counts_and_one_that_ended_deletes_nothing(lane: Lane) -> None:
    ruled(lane, 30)
    ruled(lane, 0, project="site")
    own = ruled(lane, 0, person="ann")
    assert carried_out(lane) == 0
    lane.control.retention.end(own.id, "ann")
    assert carried_out(lane) == 1
    assert set(runs(lane)) == {"site"}
    with pytest.raises(UsageError):
        lane.control.retention.planned(-1, "", "", "ann")


def test_a_run_that_is_still_talked_in_is_not_old(lane: Lane) -> None:
    ruled(lane, 30)
    assert carried_out(lane, SAID + timedelta(days=30)) == 0


@pytest.mark.parametrize("kind", ["run", "person", "project"])
def test_a_hold_beats_forgetting_and_retention_and_its_release_lets_what_waited_go(lane: Lane, kind: str) -> None:
    run = runs(lane)["app"]
    what = {"run": run, "person": "ann", "project": "app"}[kind]
    hold = lane.control.holds.add(kind, what, "the audit of May", "ann")
    with pytest.raises(HeldError, match="the audit of May"):
        lane.archive.forget_for_good(lane.archive.plan_forget(run))
    ruled(lane, 30)
    assert carried_out(lane) == (0 if kind == "person" else 1)
    assert run in runs(lane).values()

    begin_forgetting(lane.home.disk, lane.home.layout, run)  # as another machine's line does, or a kill before the hold
    lane.capture.sweep()
    assert b"".join(lane.runs.raw(run))
    lane.control.holds.release(hold.id, "ann")
    lane.capture.sweep()
    assert run not in runs(lane).values()
    assert being_forgotten(lane.home.disk, lane.home.layout) == []
    assert [one.rule for one in lane.control.receipts.of("ann") if one.name == run] == ["forget --now"]


def test_a_run_does_not_leave_a_held_project_by_what_its_machine_says_later(lane: Lane) -> None:
    """A member tells another project for it, to have it deleted then."""
    run, page = runs(lane)["app"], lane.arrivals.frames_of(runs(lane)["app"], {})[0]
    hold = lane.control.holds.add("project", "app", "the audit of May", "ann")
    (sent,) = archive.unpacked(page)
    told = archive.metadata_in(sent.head.metadata.encode(), Path(run))
    newest = replace(told.newest, last_captured="2027-01-01T00:00:00+00:00")
    moved = replace(told, project=replace(told.project, name="free", key="free"), generations=(newest,))
    head = msgspec.structs.replace(sent.head, metadata=encode(moved).decode())
    body = archive.packed([sent._replace(head=head)])

    def project() -> str:
        (answer,) = lane.arrivals.take(body)
        assert answer.answer is Answer.HAVE
        found = archive.held(lane.home.disk, lane.home.layout.find(run)).metadata
        return found.project.name if found is not None else ""

    assert project() == "app"
    lane.control.holds.release(hold.id, "ann")
    assert project() == "free"


def test_a_held_memory_stays_as_it_is(lane: Lane) -> None:
    memory = lane.memories.remember("the notebook is blue", Path("/home/dev/app"))
    hold = lane.control.holds.add("memory", memory.id, "the audit of May", "ann")
    plan = lane.memories.plan_gone([memory.id])
    with pytest.raises(HeldError):
        lane.memories.forget_for_good(plan)
    assert lane.memories.get(memory.id) == memory
    lane.control.holds.release(hold.id, "ann")
    lane.memories.forget_for_good(plan)
    assert lane.memories.get(memory.id).content == ""


def test_a_home_with_a_hold_is_not_purged(lane: Lane) -> None:
    lane.control.holds.add("run", runs(lane)["app"], "the audit of May", "ann")
    with pytest.raises(HeldError):
        lane.setup.purge(lane.setup.remains())
    assert len(runs(lane)) == 2


def test_a_hold_needs_a_reason_and_something_that_is_there(lane: Lane) -> None:
    with pytest.raises(UsageError):
        lane.control.holds.add("person", "ann", " ", "ann")
    with pytest.raises(NotFoundError):
        lane.control.holds.add("run", "r_aaaaaaaaaaaaa", "why", "ann")
    with pytest.raises(NotFoundError):
        lane.control.holds.add("person", "stranger", "why", "ann")
    assert lane.control.holds.all() == []


def test_leaving_with_everything_deleted_waits_for_a_hold(lane: Lane) -> None:
    lane.control.codes.invite("noor")
    lane.control.holds.add("person", "noor", "a court asked", "ann")
    with pytest.raises(HeldError, match="a court asked"):
        lane.departures.plan("noor", FORGET)
    lane.control.codes.invite("maya")
    lane.departures.carry_out(lane.departures.plan("maya", FORGET))


def test_a_machine_is_told_of_its_owners_holds_and_of_projects_by_a_digest(lane: Lane) -> None:
    lane.control.codes.invite("noor")
    for kind, what in (("person", "noor"), ("person", "ann"), ("run", runs(lane)["app"]), ("project", "site")):
        lane.control.holds.add(kind, what, "the takeover of acme", "ann")
    told = lane.control.holds.told("noor")
    assert [one.kind for one in told if one.what == "noor"] == ["person"]
    assert len(told) == 2
    (project,) = (one for one in told if one.what != "noor")
    assert "site" not in project.what
    assert project.why == ""


def test_what_is_done_is_in_the_audit(lane: Lane) -> None:
    hold = lane.control.holds.add("person", "ann", "why", "ann")
    lane.control.holds.release(hold.id, "ann")
    ruled(lane, 30)
    carried_out(lane)
    acts = [one.act for one in lane.control.audit.lines(AuditWanted())]
    assert {"hold", "hold ended", "retention", "deleted"} <= set(acts)


def test_the_door_refuses_what_the_policy_forbids_and_takes_the_rest(lane: Lane) -> None:
    """Whatever a machine was told, or forgot."""
    lane.control.policy.set(["*/app"], Sharing.EVERYBODY, "ann")
    here = runs(lane)
    (forbidden,) = lane.arrivals.take(lane.arrivals.frames_of(here["app"], {})[0])
    (had,) = lane.arrivals.take(lane.arrivals.frames_of(here["site"], {})[0])
    assert (forbidden.answer, had.answer) == (Answer.REFUSED, Answer.HAVE)
    assert forbidden.why == "this Central's policy forbids it: */app is never captured"


def test_the_door_refuses_what_the_policy_wants_masked(lane: Lane, tmp_path: Path) -> None:
    session, (_rule, sample) = "31111111-2222-4333-8444-555555555555", next(iter(Gate().samples(1)))
    write(transcript(tmp_path, session), [prompt(f"look at {sample.text}", cwd="/home/dev/open", sessionId=session)])
    lane.capture.sweep()
    lane.control.policy.set([], Sharing.EVERYBODY, "ann", mask=True)
    here = runs(lane)
    (refused,) = lane.arrivals.take(lane.arrivals.frames_of(here["open"], {})[0])
    (had,) = lane.arrivals.take(lane.arrivals.frames_of(here["site"], {})[0])
    assert (refused.answer, had.answer) == (Answer.REFUSED, Answer.HAVE)
    assert refused.why == "this Central's policy forbids it: a secret in it is not masked"


def test_who_may_share_is_asked_before_anything_is_granted(lane: Lane) -> None:
    for name in ("noor", "maya"):
        lane.control.codes.invite(name)
    given = Grant("", "noor", GrantType.PROJECT, "app", "app", "maya")
    lane.control.policy.set([], Sharing.ADMINS, "ann")
    with pytest.raises(NotAllowedError, match="only by admins"):
        lane.control.grants.give(given)
    lane.control.people.give_role("noor", Role.ADMIN, "ann")
    assert lane.control.grants.give(given).whom == "maya"
    lane.control.policy.set([], Sharing.NOBODY, "ann")
    with pytest.raises(NotAllowedError, match="by nobody"):
        lane.control.grants.give(given)


@pytest.mark.parametrize("pattern", ["~/secret", "secret", "*", "/"])
def test_a_pattern_of_the_policy_means_the_same_everywhere(lane: Lane, pattern: str) -> None:
    with pytest.raises(UsageError):
        lane.control.policy.set([pattern], Sharing.EVERYBODY, "ann")
