"""SQLite is the truth, tantivy follows: whatever is lost or left half done between the two, the answer is the same."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.domain import RunFilter
from memlane.errors import LaneError
from memlane.storage.embedded.chunk_rows import ChunkTerms
from memlane.storage.embedded.connection import SCHEMA
from memlane.storage.embedded.term_folder import TermFolder
from memlane.storage.embedded.terms import MUCH
from tests.rooms.storage.homes import NOOR, engine_in, everything, files_in, fill, give_vectors, texts


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Settled, then changed: the log has Chunks that are new, changed and gone."""
    engine = engine_in(tmp_path)
    storage = engine.begin()
    for run in range(4):
        fill(storage, f"r_{run}", *texts(run))
    give_vectors(storage)
    engine.swap(storage)
    fill(storage, "r_1", *texts(3))
    fill(storage, "r_9", *texts(2))
    storage.runs.drop("r_2")
    storage.close()
    return tmp_path


def terms_of(home: Path) -> Path:
    return home / "index" / f"v{SCHEMA}-1.terms"


def answer(home: Path, *, settle: bool = False) -> list[object]:
    storage = engine_in(home).open()
    try:
        if settle:
            storage.settle()
        return everything(storage)
    finally:
        storage.close()


def test_settled_or_not_the_answer_is_the_same(home: Path) -> None:
    before = answer(home)
    assert answer(home, settle=True) == before
    assert answer(home, settle=True) == before


def test_who_reads_on_while_the_log_grows_and_is_carried_sees_what_a_newcomer_sees(home: Path) -> None:
    reader, writer = engine_in(home).open(), engine_in(home).open()
    steps = (
        lambda: fill(writer, "r_8", *texts(1), *texts(2)),
        lambda: fill(writer, "r_8", *texts(3)),
        lambda: writer.runs.drop("r_9"),
        writer.settle,
        lambda: fill(writer, "r_9", *texts(1)),
        lambda: writer.runs.drop("r_8"),
    )
    for step in steps:
        step()
        assert everything(reader) == answer(home)
    reader.close()
    writer.close()


def test_killed_before_the_log_is_cleared_it_is_carried_again(home: Path) -> None:
    before = answer(home)
    kept = {path: path.read_bytes() for path in files_in(home / "index", "*.db*")}
    answer(home, settle=True)
    for path in files_in(home / "index", "*.db*"):
        path.unlink()
    for path, data in kept.items():
        path.write_bytes(data)
    assert answer(home) == before, "tantivy is ahead"
    assert answer(home, settle=True) == before


def test_killed_before_tantivy_commits_nothing_has_happened(home: Path) -> None:
    folder = TermFolder(next(terms_of(home).iterdir()))
    count = folder.count()

    def dying() -> Iterator[ChunkTerms]:
        yield ChunkTerms(10_000, 1, 1, 1, "zebra")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        folder.change([1, 2, 3], dying())
    assert folder.count() == count
    before = answer(home)
    assert answer(home, settle=True) == before, "and nobody holds its lock"


def test_what_a_killed_rewrite_left_is_in_nobodys_way(home: Path) -> None:
    before = answer(home)
    (serves,) = terms_of(home).iterdir()
    shutil.copytree(serves, serves.with_name(serves.name.replace("-1", "-2")))
    shutil.rmtree(serves)
    assert answer(home, settle=True) == before


def test_terms_that_are_missing_are_named_and_written_anew(home: Path) -> None:
    before = answer(home)
    shutil.rmtree(terms_of(home))
    storage = engine_in(home).open()
    with pytest.raises(LaneError, match="missing"):
        storage.chunks.matching(["zebra"], RunFilter(), NOOR, 1000)
    with pytest.raises(LaneError, match="missing"):
        storage.chunks.statistics(["zebra"], NOOR)
    storage.settle()
    assert everything(storage) == before
    storage.close()


def test_terms_of_another_day_are_noticed_and_written_anew(home: Path) -> None:
    older = home / "older"
    shutil.copytree(terms_of(home), older)
    before = answer(home, settle=True)
    shutil.rmtree(terms_of(home))
    shutil.move(older, terms_of(home))
    with pytest.raises(LaneError, match="older"):
        answer(home)
    assert answer(home, settle=True) == before


@pytest.mark.fault("C7")
def test_whatever_file_of_the_terms_is_cut_or_overwritten_it_is_an_error_with_a_hint_and_settling_heals(
    home: Path,
) -> None:
    before = answer(home)
    clean = home / "clean"
    shutil.copytree(terms_of(home), clean)
    hints = dict[str, str]()
    for path in files_in(terms_of(home), "*"):
        for damage in (b"", b"\0" * 100, path.read_bytes()[:-20]):
            path.write_bytes(damage)
            try:
                assert answer(home) == before
            except LaneError as error:
                hints[path.suffix] = error.hint
            storage = engine_in(home).open()
            assert path.suffix == ".json" or storage.damaged(), path.name
            storage.close()
            shutil.rmtree(terms_of(home))
            shutil.copytree(clean, terms_of(home))
    assert all("rebuild" in hint for hint in hints.values())
    assert {".idx", ".term", ".store", ".fast", ".fieldnorm", ".json"} <= hints.keys()
    next(path for path in files_in(terms_of(home), "*.idx")).write_bytes(b"")
    assert answer(home, settle=True) == before


@pytest.mark.fault("C7")
def test_a_flipped_bit_in_any_file_of_the_terms_is_found_when_every_byte_is_looked_at(home: Path) -> None:
    answer(home, settle=True)
    storage = engine_in(home).open()
    assert storage.damaged() == []
    for path in (path for path in files_in(terms_of(home), "*") if path.suffix != ".json"):
        data = bytearray(path.read_bytes())
        data[0] ^= 4
        whole, _ = path.read_bytes(), path.write_bytes(bytes(data))
        assert storage.damaged() == [f"{path.parent.name}/{path.name}"]
        path.write_bytes(whole)
    storage.close()


def test_what_has_grown_long_is_carried_without_being_asked(tmp_path: Path) -> None:
    storage = engine_in(tmp_path).begin()
    fill(storage, "r_1", *(f"zebra {n}" for n in range(MUCH)))
    assert not terms_of(tmp_path).exists()
    fill(storage, "r_2", "zebra more")
    assert terms_of(tmp_path).exists()
    assert storage.chunks.statistics(["zebra"], NOOR).having == {"zebra": MUCH + 1}
    storage.close()


KILLED = """
import sys
from pathlib import Path
from tests.rooms.storage.homes import engine_in, fill, give_vectors, texts
storage = engine_in(Path(sys.argv[1])).open()
print("go", flush=True)
for n in range(1000):
    for run in range(3):
        fill(storage, f"r_{run}", *texts((run + n) % 5))
    give_vectors(storage)
    storage.settle()
    print(n, flush=True)
"""


def test_a_writer_killed_again_and_again_leaves_an_index_that_answers(home: Path) -> None:
    for lines in (1, 2, 4):
        writer = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(home)], stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
        )
        assert writer.stdout is not None
        for _ in range(lines):
            writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        before = answer(home)
        assert answer(home, settle=True) == before
        storage = engine_in(home).open()
        assert storage.damaged() == []
        storage.close()
