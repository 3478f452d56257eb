"""What the journal says about one thing, and a memory's text taken out of it without moving any other line."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

from memlane.archive import BadLine, Layout, entries_with, journal, without_text_of
from memlane.domain import Entry, Machine
from memlane.storage import memory_data
from memlane.system.disk import Disk
from tests.rooms.app.memories import a_memory, evidence

AT = datetime(2026, 11, 15, tzinfo=UTC)
GOES = a_memory("m_goesgoesgoesg", title="the xylophone", when="a xylophone is named", cues=("play the xylophone",))
STAYS = a_memory("m_staysstayssta", title="the piano")


def written(folder: Path) -> tuple[Layout, Path]:
    layout = Layout(folder, "ann")
    lines = [
        Entry("memory", m.id, AT, "ann", "desk", "person", {**memory_data(m), "because": f"of {m.title}"})
        for m in (GOES, STAYS)
    ]
    seen = {"run": "r_1", "generation": 1, "line": 1, "step": "", "quote": "my xylophone"}
    lines.append(Entry("observation", GOES.id, AT, "ann", "desk", "lane", {"memory": GOES.id, "evidence": seen}))
    journal.write(Disk(), layout, Machine("ann", "desk"), lines)
    return layout, layout.journal_file(AT, "desk")


def test_only_lines_that_hold_the_word_are_given_in_order(tmp_path: Path) -> None:
    layout, path = written(tmp_path)
    assert [entry.kind for entry in entries_with(Disk(), layout, GOES.id)] == ["memory", "observation"]
    assert [entry.id for entry in entries_with(Disk(), layout, "piano", "xylophone")] == [GOES.id, STAYS.id, GOES.id]
    path.write_bytes(path.read_bytes().replace(b"the xylophone", b"the xylophonE"))
    assert [entry.kind for entry in entries_with(Disk(), layout, GOES.id)] == ["observation"], "a damaged line is none"


def test_a_text_that_goes_moves_no_line_and_another_memorys_stays(tmp_path: Path) -> None:
    layout, path = written(tmp_path)
    before = path.read_bytes()
    without_text_of(Disk(), layout, GOES.id)
    after = path.read_bytes()
    assert b"xylophone" not in after
    assert [len(line) for line in after.split(b"\n")] == [len(line) for line in before.split(b"\n")]
    assert after.split(b"\n")[1] == before.split(b"\n")[1]
    assert len(list(journal.read(Disk(), layout, {}))) == 3
    without_text_of(Disk(), layout, GOES.id)
    assert path.read_bytes() == after, "twice is once"


def test_a_damaged_line_that_names_it_goes_whole(tmp_path: Path) -> None:
    layout, path = written(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"my xylophone", b"My xylophone"))
    size = path.stat().st_size
    without_text_of(Disk(), layout, GOES.id)
    assert b"xylophone" not in path.read_bytes()
    assert path.stat().st_size == size


def test_evidence_keeps_its_place_without_its_words(tmp_path: Path) -> None:
    layout, memory = Layout(tmp_path, "ann"), a_memory("m_goesgoesgoesg", evidence=(evidence("my xylophone"),))
    entry = Entry("memory", memory.id, AT, "ann", "desk", "person", memory_data(memory))
    journal.write(Disk(), layout, Machine("ann", "desk"), [entry])
    without_text_of(Disk(), layout, memory.id)
    (left,) = entries_with(Disk(), layout, memory.id)
    kept = left.data["memory"]
    assert isinstance(kept, dict)
    assert kept["evidence"] == [
        {"run": "r_aaaaaaaaaaaaa", "generation": 1, "line": 3, "step": "r_aaaaaaaaaaaaa#t1.1", "quote": ""}
    ]


def test_a_line_from_before_a_field_existed_has_room_for_its_emptied_self(tmp_path: Path) -> None:
    layout, memory = Layout(tmp_path, "ann"), a_memory("m_goesgoesgoesg", title="x", content="y")
    older = {name: value for name, value in memory_data(memory)["memory"].items() if name not in ("when", "cues")}  # type: ignore[attr-defined]
    entry = Entry("memory", memory.id, AT, "ann", "desk", "person", {"memory": older})
    journal.write(Disk(), layout, Machine("ann", "desk"), [entry])
    size = layout.journal_file(AT, "desk").stat().st_size
    without_text_of(Disk(), layout, memory.id)
    assert layout.journal_file(AT, "desk").stat().st_size == size
    (left,) = entries_with(Disk(), layout, memory.id)
    assert left.data["memory"]["title"] == ""  # type: ignore[index]


def test_a_line_deeper_than_anybody_reads_is_a_damaged_one(tmp_path: Path) -> None:
    layout, path = written(tmp_path)
    deep = b'{"v":1,"kind":"state","id":"m_x","data":' + b'{"a":' * 200_000 + b"1" + b"}" * 200_000
    line = deep + b',"sum":"' + hashlib.sha256(deep).hexdigest()[:16].encode() + b'"}\n'
    path.write_bytes(line + path.read_bytes())
    found = list(journal.read(Disk(), layout, {}))
    assert [isinstance(one, BadLine) for one in found] == [True, False, False, False]
