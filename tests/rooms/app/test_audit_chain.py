"""The lines of the Audit: each carries the digest of the one before, and the head is known outside of the archive."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.control import AuditLine, AuditWanted, ControlBook
from memlane.config import load

AT = datetime(2026, 11, 18, 9, tzinfo=UTC)
Change = Callable[[Path], object]


def central(home: Path) -> ControlBook:
    config = load(home=home, environment={"LANE_USER": "operator", "LANE_MACHINE": "overlook"})
    return Lane(config, lambda: AT).control


def line(n: int, who: str = "noor", of: str = "noor") -> AuditLine:
    return AuditLine(AT + timedelta(minutes=n), who, "search", "laptop", {of: [f"r_{n:013}"]}, count=1)


def the_file(home: Path) -> Path:
    (path,) = (home / "archive" / "%2bcontrol" / "audit").rglob("*.jsonl")
    return path


def test_lines_are_read_newest_first_by_whom_they_concern(tmp_path: Path) -> None:
    audit = central(tmp_path).audit
    audit.write([line(1), line(2, "maya", "noor"), line(3, "maya", "maya")])
    assert [one.n for one in audit.lines(AuditWanted())] == [3, 2, 1]
    assert [one.n for one in audit.lines(AuditWanted(reader="noor"))] == [2, 1]
    assert [one.n for one in audit.lines(AuditWanted(of="noor", by="maya"))] == [2]
    assert [one.n for one in audit.lines(AuditWanted(since=AT + timedelta(minutes=3)))] == [3]
    assert [one.n for one in audit.lines(AuditWanted(limit=1))] == [3]


def test_whose_run_was_read_learns_nothing_of_what_else_was_read_then(tmp_path: Path) -> None:
    audit = central(tmp_path).audit
    both = {"noor": ["r_aaaaaaaaaaaaa"], "maya": ["r_bbbbbbbbbbbbb", "r_ccccccccccccc"]}
    audit.write([AuditLine(AT, "maya", "search", "tower", both, count=3)])
    (seen,) = audit.lines(AuditWanted(reader="noor"))
    assert (seen.of, seen.count, seen.machine, seen.who) == ({"noor": both["noor"]}, 1, "", "maya")
    (own,) = audit.lines(AuditWanted(reader="maya"))
    assert (own.of, own.count) == (both, 3)
    assert list(audit.lines(AuditWanted(reader="noor", of="maya"))) == []


def edited(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"who":"noor"', b'"who":"ruth"', 1))


def cut(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def without_the_second(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"".join(lines[2:]))


def swapped(path: Path) -> None:
    first, second, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(second + first + b"".join(rest))


@pytest.mark.parametrize(
    "change", [edited, cut, without_the_second, swapped, Path.unlink], ids=lambda one: one.__name__
)
def test_a_file_that_was_changed_is_named_now_and_after_more_is_written(tmp_path: Path, change: Change) -> None:
    audit = central(tmp_path).audit
    audit.write([line(1), line(2), line(3)])
    assert audit.faults() == []
    change(the_file(tmp_path))
    assert audit.faults() != []
    central(tmp_path).audit.write([line(4)])
    assert audit.faults() != []


def test_a_copy_that_was_put_back_is_said_in_the_chain_until_a_person_accepts_it(tmp_path: Path) -> None:
    audit = central(tmp_path).audit
    audit.write([line(1)])
    copy = the_file(tmp_path).read_bytes()
    audit.write([line(2)])
    the_file(tmp_path).write_bytes(copy)
    audit.write([line(3)])
    (gap,) = audit.faults()
    assert gap.gap
    assert "line 2" in gap.why
    audit.accept("restored from the backup of Tuesday", "operator")
    assert audit.faults() == []
    edited(the_file(tmp_path))
    assert audit.faults() != []


def test_a_kill_between_a_line_and_its_head_is_no_fault(tmp_path: Path) -> None:
    audit = central(tmp_path).audit
    audit.write([line(1)])
    heads = (tmp_path / "audit-heads.json").read_bytes()
    audit.write([line(2)])
    (tmp_path / "audit-heads.json").write_bytes(heads)
    audit.write([line(3)])
    assert audit.faults() == []
    assert [one.n for one in audit.lines(AuditWanted())] == [3, 2, 1]


def test_a_torn_line_was_never_acknowledged(tmp_path: Path) -> None:
    audit = central(tmp_path).audit
    audit.write([line(1)])
    with the_file(tmp_path).open("ab") as file:
        file.write(b'{"v":1,"n":2,"bef')
    audit.write([line(3)])
    assert audit.faults() == []
    assert [one.n for one in audit.lines(AuditWanted())] == [2, 1]


def test_a_clock_that_jumps_back_a_month_begins_no_older_file(tmp_path: Path) -> None:
    audit = central(tmp_path).audit
    audit.write([line(1)])
    audit.write([AuditLine(AT - timedelta(days=40), "noor", "search")])
    assert audit.faults() == []
    assert the_file(tmp_path).parent.name == "2026-11"


def test_every_change_of_a_record_is_in_the_audit_before_it_is_made(tmp_path: Path) -> None:
    control = central(tmp_path)
    with control.acting("ruth", "phone"):
        control.codes.invite("noor")
    (code, person) = control.audit.lines(AuditWanted(of="noor"))
    assert {code.act, person.act} == {"code", "person"}
    assert {(one.who, one.machine, *one.of) for one in (code, person)} == {("ruth", "phone", "noor")}


def test_an_audit_that_cannot_be_written_lets_no_change_through(tmp_path: Path) -> None:
    control = central(tmp_path)
    _ = control.central
    (tmp_path / "archive" / "%2bcontrol" / "audit").rename(tmp_path / "elsewhere")
    (tmp_path / "archive" / "%2bcontrol" / "audit").write_text("not a folder")
    with pytest.raises(OSError, match=r"."):
        control.codes.invite("noor")
    assert control.people.names() == []
