"""SQLite itself: a build that loses pages is not used, and a slow reader never makes its log grow for good."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from memlane.errors import NotSetUpError
from memlane.storage.embedded import EmbeddedEngine
from tests.faults.storage_postgres.test_faults import fill, found


@pytest.mark.fault("C8")
def test_the_sqlite_we_run_with_is_past_the_bug_that_loses_pages() -> None:
    assert tuple(map(int, apsw.sqlite_lib_version().split("."))) >= (3, 51, 3)


@pytest.mark.fault("C8")
@pytest.mark.parametrize(("version", "sound"), [("3.51.2", False), ("3.51.3", True), ("4.0.0", True)])
def test_an_older_one_is_refused_with_the_way_to_a_newer_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, *, sound: bool
) -> None:
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: version)
    engine = EmbeddedEngine(tmp_path / "index", tmp_path / "vectors")
    if sound:
        engine.begin().close()
        return
    with pytest.raises(NotSetUpError, match=version) as raised:
        engine.begin()
    assert "apsw" in raised.value.hint


@pytest.mark.fault("C10")
def test_a_reader_that_stays_for_long_costs_no_answer_and_its_log_goes_when_it_does(tmp_path: Path) -> None:
    engine = EmbeddedEngine(tmp_path / "index", tmp_path / "vectors")
    storage = engine.begin()
    fill(storage, "zebra 0")
    engine.swap(storage)
    storage.close()
    storage = engine.open()
    index = next(path for path in (tmp_path / "index").rglob("*") if Path(f"{path}-wal").exists())
    log = Path(f"{index}-wal")
    slow = apsw.Connection(str(index))
    slow.execute("BEGIN")
    slow.execute("SELECT count(*) FROM runs").fetchall()
    for n in range(1, 60):
        fill(storage, *(f"zebra {n} {'x' * 500} {m}" for m in range(20)))
    grown = log.stat().st_size
    assert len(found(storage, "zebra")) == 20
    storage.settle()
    assert log.stat().st_size >= grown, "somebody still reads what is in it"
    slow.execute("COMMIT")
    storage.settle()
    assert log.stat().st_size == 0
    storage.close()


@pytest.mark.fault("C10")
def test_our_own_questions_leave_no_transaction_open(tmp_path: Path) -> None:
    engine = EmbeddedEngine(tmp_path / "index", tmp_path / "vectors")
    writer = engine.begin()
    fill(writer, "zebra")
    engine.swap(writer)
    reader = engine.open_to_read()
    assert found(reader, "zebra") == ["zebra"]
    fill(writer, "zebra", "lion")
    writer.settle()
    logs = list((tmp_path / "index").rglob("*-wal"))
    assert [log.stat().st_size for log in logs] == [0], "a reader that is open keeps no log"
    reader.close()
    writer.close()
