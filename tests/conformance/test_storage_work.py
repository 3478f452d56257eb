"""What is left to do, in every engine."""

from __future__ import annotations

from memlane.storage import IndexMark, Storage


def test_what_is_archived_ahead_of_indexed_is_pending(storage: Storage) -> None:
    work = storage.work
    work.archived("r_1", 1, 100)
    work.archived("r_2", 1, 100)
    assert list(work.pending()) == ["r_1", "r_2"], "in the order they were archived"
    assert work.indexed("r_1") is None
    work.index_done("r_1", IndexMark(1, 100, 3, "rules"))
    assert list(work.pending()) == ["r_2"]
    work.archived("r_1", 1, 100)
    assert list(work.pending()) == ["r_2"], "said again, nothing is new"
    work.archived("r_1", 1, 150)
    assert set(work.pending()) == {"r_1", "r_2"}
    work.index_done("r_1", IndexMark(1, 150, 4, "rules"))
    work.archived("r_1", 2, 150)
    assert "r_1" in work.pending(), "a generation of the same size is new all the same"
    work.index_done("r_1", IndexMark(2, 150, 4, "rules"))
    work.index_again("r_1")
    assert "r_1" in work.pending()
    assert work.indexed("r_1") is None, "from its beginning"


def test_runs_indexed_with_other_rules_are_named(storage: Storage) -> None:
    for run, rules in (("r_1", "old"), ("r_2", "new"), ("r_3", "older")):
        storage.work.archived(run, 1, 100)
        storage.work.index_done(run, IndexMark(1, 100, 3, rules))
    storage.work.archived("r_4", 1, 100)
    assert list(storage.work.masked_otherwise("new", 10)) == ["r_1", "r_3"]
    assert list(storage.work.masked_otherwise("new", 1)) == ["r_1"]
    storage.work.index_again("r_1")
    assert list(storage.work.masked_otherwise("new", 10)) == ["r_3"], "that one is read again anyway"


def test_where_the_journal_was_read_to_is_remembered_by_file(storage: Storage) -> None:
    storage.work.journal_done({"2026-11/laptop.jsonl": 10})
    storage.work.journal_done({"2026-11/laptop.jsonl": 20, "2026-12/laptop.jsonl": 5})
    assert dict(storage.work.journal_read()) == {"2026-11/laptop.jsonl": 20, "2026-12/laptop.jsonl": 5}


def test_checkpoints_and_notes_are_what_was_saved_last(storage: Storage) -> None:
    storage.checkpoints.save("/a", "1")
    storage.checkpoints.save("/a", "2")
    storage.checkpoints.save("/b\n\\xff", "3")
    assert dict(storage.checkpoints.all()) == {"/a": "2", "/b\n\\xff": "3"}
    assert (storage.checkpoints.get("/a"), storage.checkpoints.get("/c")) == ("2", "")
    storage.checkpoints.forget(["/a"])
    assert dict(storage.checkpoints.all()) == {"/b\n\\xff": "3"}
    storage.notes.put("ticked", "now")
    assert (storage.notes.get("ticked"), storage.notes.get("else")) == ("now", "")
