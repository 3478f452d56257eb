"""How what SQLite knows comes into tantivy: logged in the same transaction, carried over, then taken off the log.

SQLite is the truth. Killed at any step, it is done again with the same result; damaged terms are written anew.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, cast

from memlane.domain.tokenizer import terms as terms_of
from memlane.errors import IndexDamagedError
from memlane.storage.embedded.chunk_rows import ChunkTerms
from memlane.storage.embedded.connection import Connection
from memlane.storage.embedded.names import Names

if TYPE_CHECKING:
    from memlane.storage.embedded.term_folder import TermFolder

MUCH = 2_000  # logged Chunks that are carried without being asked: whoever searches looks at each of them
DAMAGED = ".damaged"  # behind the name of a folder that was set aside
AT_ONCE = 2_000  # Chunks read into memory together


@dataclass(slots=True)
class TermBacklog:
    """What the log says of one owner: Chunks tantivy does not know yet, and what it knows of those that are gone."""

    since: tuple[int, int] = (0, 0)  # where the log begins, and tantivy's commit: while both stay, only what is behind
    last: int = 0  # this one is new
    docs: dict[int, ChunkTerms] = field(default_factory=dict[int, ChunkTerms])
    said: dict[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])  # the terms of each
    gone: set[int] = field(default_factory=set[int])
    stale: dict[int, str] = field(default_factory=dict[int, str])  # terms that tantivy still counts for any of them

    @property
    def logged(self) -> set[int]:
        return self.gone | self.docs.keys()


class TermFolders:
    """Everybody's terms, a folder for each."""

    def __init__(self, connection: Connection, names: Names) -> None:
        self._db = connection
        self._names = names
        self._base = connection.path.with_suffix(".terms")
        self._opened: dict[Path, TermFolder] = {}
        self._ahead = connection.remembered(dict[int, TermBacklog]())

    def of(self, owner: int) -> TermFolder:
        path = self._path(owner, self._db.number("SELECT folder FROM totals WHERE owner = ?", (owner,), 1))
        if path not in self._opened:
            from memlane.storage.embedded.term_folder import TermFolder  # noqa: PLC0415 - tantivy, when words are looked up

            self._opened = {old: folder for old, folder in self._opened.items() if old.exists()}
            self._opened[path] = TermFolder(path)
        return self._opened[path]

    def close(self) -> None:
        self._opened.clear()

    def is_current(self, owner: int) -> bool:
        """Not a copy of another day."""
        return self.of(owner).commit() >= self._db.number("SELECT commits FROM totals WHERE owner = ?", (owner,))

    def ahead(self, owner: int) -> TermBacklog:
        """Each logged Chunk is looked at once, however many questions are asked while the log grows."""
        ends = self._db.row("SELECT (SELECT min(seq) FROM unwritten), (SELECT max(seq) FROM unwritten)")
        first, last = cast("tuple[int | None, int | None]", ends)
        if first is None or last is None:
            self._ahead.clear()
            return TermBacklog()
        folder = self.of(owner)
        since = (first, folder.commit() if folder.is_there() else 0)
        known = self._ahead.get(owner)
        if known is None or known.since != since:
            known = self._ahead[owner] = TermBacklog(since)
        if known.last < last:
            self._look(owner, known, last)
        return known

    def _look(self, owner: int, known: TermBacklog, last: int) -> None:
        logged, folder = self._logged(owner, known.last, last), self.of(owner)
        docs = {id: doc for id, doc in logged.items() if doc is not None}
        ids, gone = list(logged), logged.keys() - docs.keys()
        known.docs.update(docs)
        known.said.update((doc.id, frozenset(doc.terms.split())) for doc in docs.values())
        for id in gone & known.docs.keys():
            del known.docs[id], known.said[id]
        known.gone.update(gone)
        if ids and folder.is_there():
            known.stale.update(folder.known(ids))
        known.last = last

    @property
    def behind(self) -> int:
        return self._db.number("SELECT max(seq) - min(seq) + 1 FROM unwritten")

    # -- writing ------------------------------------------------------------------------------------------------------

    def carry(self) -> None:
        last = self._db.number("SELECT max(seq) FROM unwritten")
        if last:
            self._db.sync()  # what tantivy is told must not be lost here
            for (owner,) in self._db.rows("SELECT DISTINCT owner FROM unwritten WHERE seq <= ?", (last,)):
                self._carry(cast(int, owner), last)
            with self._db.transaction():
                self._db.run("DELETE FROM unwritten WHERE seq <= ?", (last,))
        for owner, chunks in cast("list[tuple[int, int]]", self._db.rows("SELECT owner, chunks FROM totals")):
            if not self._is_whole(owner, chunks):
                self._renew(owner)

    def _carry(self, owner: int, last: int) -> None:
        logged = self._db.rows("SELECT DISTINCT chunk FROM unwritten WHERE owner = ? AND seq <= ?", (owner, last))
        ids = [cast(int, id) for (id,) in logged]
        try:
            commit = self.of(owner).change(ids, self._all_logged(owner, last))
        except IndexDamagedError:
            self._renew(owner)
        else:
            self._db.run("UPDATE totals SET commits = ? WHERE owner = ?", (commit, owner))

    def _is_whole(self, owner: int, chunks: int) -> bool:
        folder = self.of(owner)
        if not folder.is_there():
            return chunks == 0
        try:
            return not folder.gaps() and self.is_current(owner) and folder.count() == chunks
        except IndexDamagedError:
            return False

    def rewrite(self, owner: int) -> None:
        """From the Chunks, into a folder of its own; nothing of what was dropped is in it. The old one serves until
        then, for its last Readers too."""
        old = self._db.number("SELECT folder FROM totals WHERE owner = ?", (owner,))
        last = self._db.number("SELECT max(seq) FROM unwritten")
        shutil.rmtree(self._path(owner, old + 1), ignore_errors=True)
        from memlane.storage.embedded.term_folder import TermFolder  # noqa: PLC0415 - tantivy, when words are looked up

        rows = self._db.rows("SELECT id FROM chunks WHERE owner = ? ORDER BY id", (owner,))
        ids = [cast(int, id) for (id,) in rows]
        self._db.sync()
        commit = TermFolder(self._path(owner, old + 1)).change((), self._in_pieces(ids))
        with self._db.transaction():
            self._db.run("UPDATE totals SET folder = ?, commits = ? WHERE owner = ?", (old + 1, commit, owner))
            self._db.run("DELETE FROM unwritten WHERE owner = ? AND seq <= ?", (owner, last))
        shutil.rmtree(self._path(owner, old), ignore_errors=True)

    def clear(self) -> list[str]:
        """Folders of an owner that a killed `rewrite` left beside the one that serves."""
        serving = [self.of(cast(int, owner)).path for (owner,) in self._db.rows("SELECT owner FROM totals")]
        owners = {path.name.rpartition("-")[0]: path for path in serving}
        numbered = [path for path in self._base.glob("*-*") if path.name.rpartition("-")[2].isdigit()]
        old = [path for path in numbered if owners.get(path.name.rpartition("-")[0], path) != path]
        for path in old:
            shutil.rmtree(path, ignore_errors=True)
        return [str(path) for path in old]

    def mend(self) -> list[str]:
        """Those that are damaged are written anew; what was there stays beside them until the next rebuild."""
        found = list[str]()
        for owner in self._owners():
            if damage := self._damaged(owner):
                found.append(f"{self.of(owner).path.name} ({', '.join(damage)})")
                self._renew(owner)
        return found

    def _renew(self, owner: int) -> None:
        path = self.of(owner).path
        aside = path.with_name(f"{path.name}{DAMAGED}")
        shutil.rmtree(aside, ignore_errors=True)
        with suppress(FileNotFoundError):
            shutil.copytree(path, aside)
        self.rewrite(owner)

    def scrub(self) -> None:
        """Terms of dropped Chunks leave the files."""
        self.carry()
        for aside in self._base.glob(f"*{DAMAGED}"):
            shutil.rmtree(aside, ignore_errors=True)
        for (owner,) in self._db.rows("SELECT owner FROM totals"):
            folder = self.of(cast(int, owner))
            if folder.is_there() and folder.deleted():
                self.rewrite(cast(int, owner))

    def damaged(self) -> list[str]:
        return [f"{self.of(owner).path.name}/{file}" for owner in self._owners() for file in self._damaged(owner)]

    def gaps(self) -> list[str]:
        return [
            f"{self.of(owner).path.name}/{file}"
            for owner in self._owners()
            for file in self.of(owner).gaps()
            if self._is_expected(owner)
        ]

    def _damaged(self, owner: int) -> list[str]:
        return self.of(owner).damaged() if self._is_expected(owner) else []

    def _owners(self) -> list[int]:
        return [cast(int, owner) for (owner,) in self._db.rows("SELECT owner FROM totals WHERE chunks > 0")]

    def _is_expected(self, owner: int) -> bool:
        """Not where all of it is still in the log."""
        return self.of(owner).path.is_dir() or not self._db.row("SELECT 1 FROM unwritten WHERE owner = ?", (owner,))

    # -- reading ------------------------------------------------------------------------------------------------------

    def _all_logged(self, owner: int, last: int) -> Iterator[ChunkTerms]:
        first = self._db.number("SELECT min(seq) FROM unwritten")
        for start in range(first - 1, last, AT_ONCE):
            yield from filter(None, self._logged(owner, start, min(last, start + AT_ONCE)).values())

    def _logged(self, owner: int, after: int, last: int) -> dict[int, ChunkTerms | None]:
        """What this stretch of the log names; None: it is gone."""
        found = self._db.rows(
            "SELECT unwritten.chunk, run, author, tool, terms FROM unwritten LEFT JOIN chunks"
            " ON chunks.id = unwritten.chunk AND terms IS NOT NULL"
            " WHERE unwritten.owner = ? AND seq > ? AND seq <= ? ORDER BY seq",
            (owner, after, last),
        )
        rows = cast("list[tuple[int, int | None, int, int, str]]", found)
        return {id: None if run is None else ChunkTerms(id, run, *rest) for id, run, *rest in rows}  # type: ignore[arg-type]

    def _in_pieces(self, ids: Sequence[int]) -> Iterator[ChunkTerms]:
        """From the Chunks themselves."""
        for start in range(0, len(ids), AT_ONCE):
            found = self._db.rows(
                "SELECT chunks.id, run, author, tool, text FROM json_each(?) AS wanted"
                " JOIN chunks ON chunks.id = wanted.value",
                (json.dumps(ids[start : start + AT_ONCE]),),
            )
            for id, run, author, tool, text in cast("list[tuple[int, int, int, int, str]]", found):
                yield ChunkTerms(id, run, author, tool, " ".join(terms_of(text)))

    def _path(self, owner: int, folder: int) -> Path:
        name = blake2b(self._names.name(owner).encode(), digest_size=8).hexdigest()
        return self._base / f"{name}-{folder}"
