"""What was read reaches the Audit in batches; what cannot be written waits, then is counted."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from memlane.app.control import CLOSED, LOST, OPENED, AuditLine
from memlane.surfaces.api.http import HttpReply, HttpRequest
from memlane.surfaces.api.router import Route, RouteRequest
from memlane.surfaces.api.rules import TokenHolder, takes
from memlane.surfaces.serve import trail as trails
from memlane.surfaces.serve.trail import LOOKED_AT, AuditTrail, line_of

READ = AuditLine(datetime(2026, 11, 18, tzinfo=UTC), "noor", "read")


class FullDisk:
    """Takes nothing until there is room again."""

    def __init__(self) -> None:
        self.written, self.full, self.refused = list[AuditLine](), False, threading.Event()

    def write(self, lines: Sequence[AuditLine]) -> None:
        if self.full:
            self.refused.set()
            raise OSError(28, "No space left on device")
        self.written += lines


LENT, OWN = "r_lentrunlentru", "r_ownrunownruno"


def noted(said: str, asked: bytes = b"") -> AuditLine:
    want = RouteRequest(
        {}, {}, HttpRequest("POST", "/mcp", {}, {}, (), len(asked), asked), TokenHolder("maya", "tower")
    )
    reply = HttpReply(200, said.encode(), lent={LENT: ["noor", "mallory"]})
    route = Route("POST", "/mcp", "MCP", takes(), lambda _lane, _want: reply, audit="mcp")
    return line_of(route, want, reply)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        (f"1\\n{LENT}#t1", b""),
        ("1\\nr_lentr#t1", b""),
        ("the words of it", b'{"uri":"run://r_lentr"}'),
        (" ".join([LENT, *(f"r_aaaa{n:03}aaaaaa".translate(str.maketrans("0189", "bcde")) for n in range(80))]), b""),
    ],
    ids=["behind an end of line", "by a short id", "asked by a short id", "among many others"],
)
def test_who_shared_what_was_read_is_named_however_it_was_written(said: str, asked: bytes) -> None:
    assert noted(said, asked).of["noor"] == [LENT]


def test_who_says_that_anothers_run_is_theirs_hides_no_reading() -> None:
    assert noted(LENT).of == {"noor": [LENT], "mallory": [LENT]}


def test_behind_much_of_one_s_own_nothing_is_read_unnamed() -> None:
    assert noted("x" * LOOKED_AT + LENT).of["noor"] == [LENT]


def test_of_what_is_one_s_own_only_whole_ids_count() -> None:
    assert noted(f"{OWN} r_ownru m_ownru").of == {"maya": [OWN]}


def test_all_that_was_noted_is_written_when_it_closes() -> None:
    disk = FullDisk()
    trail = AuditTrail(disk.write, "overlook", lambda _level, _text: None)
    assert [one.act for one in disk.written] == [OPENED]
    for _ in range(3):
        trail.note(READ)
    trail.close()
    assert [one.act for one in disk.written] == [OPENED, "read", "read", "read", CLOSED]


def test_a_full_disk_loses_nothing_up_to_a_limit_and_says_how_much_beyond_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trails, "MOST_WAITING", 5)
    monkeypatch.setattr(trails, "EVERY", 0.01)
    disk, said = FullDisk(), list[str]()
    trail = AuditTrail(disk.write, "overlook", lambda _level, text: said.append(text))
    disk.full = True
    for _ in range(5):
        trail.note(READ)
    assert disk.refused.wait(60)
    for _ in range(8):
        trail.note(READ)
    disk.full = False
    trail.close()
    kept, lost = (sum(one.act == act for one in disk.written) for act in ("read", LOST))
    counted = sum(one.count for one in disk.written if one.act == LOST)
    assert (kept + counted, lost) == (13, 1)
    assert "No space left" in said[0]
