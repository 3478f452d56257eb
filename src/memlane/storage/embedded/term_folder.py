"""One owner's terms in one tantivy folder. It knows numbers and terms; no text, no other owner."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast
from zlib import crc32

import tantivy

from memlane.errors import BusyError, IndexDamagedError
from memlane.storage.embedded.chunk_rows import ChunkTerms
from memlane.storage.embedded.conditions import ChunkBounds
from memlane.storage.embedded.connection import REBUILD
from memlane.storage.word_choice import ROUGH_DIGITS
from memlane.system.disk import private_folder, signature_of

HEAP = 64_000_000  # bytes of terms before a segment is written
EXACT = 20_000  # documents; a commoner term may count some that are deleted and not merged away yet
LOOKS = 3  # at what a writer is just changing
META, MANAGED = "meta.json", ".managed.json"
KINDS = (".idx", ".pos", ".term", ".store", ".fast", ".fieldnorm")  # the files of a segment
SCALE = 2.2  # tantivy's scores are so many times ours
WIDEST = 64  # times what is wanted, to find all that are as good as the last one
EVERY = 1  # a value all documents have: its frequency counts the deleted ones too


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for name in ("id", "run", "author", "tool", "every"):
        builder.add_integer_field(name, indexed=True, fast=name == "id")
    # Kept as well as indexed: how often a term stands there is counted from it, which costs a tenth of tokenising.
    builder.add_text_field("terms", stored=True, tokenizer_name="spaces", index_option="freq")
    return builder.build()


class TermFolder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._index: tantivy.Index | None = None
        self._seen = ""  # what there was when the index was last looked at
        self._commit = 0  # which it was
        self._links: tempfile.TemporaryDirectory[str] | None = None  # of a folder in which nothing can be made

    def is_there(self) -> bool:
        return self._index is not None or bool(self._stands())

    def count(self) -> int:
        with self._reading() as searcher:
            return searcher.num_docs

    def deleted(self) -> int:
        """Documents that are gone and still take room: their terms stand in the files."""
        with self._reading() as searcher:
            return searcher.doc_freq("every", EVERY) - searcher.num_docs

    def damaged(self) -> list[str]:
        """Files that are not as tantivy wrote them: each says at its end what its checksum is."""
        files = sorted(self.path.glob("*.*")) if self.is_there() else []
        unsound = [path.name for path in files if path.suffix not in (".json", ".lock") and not _is_sound(path)]
        return sorted({*unsound, *self.gaps()})

    def gaps(self) -> list[str]:
        """Files that are missing or empty, by their names alone; and the list of them, if it cannot be read."""
        try:
            segments = [str(one["segment_id"]) for one in json.loads((self.path / META).read_bytes())["segments"]]
        except (OSError, ValueError, KeyError, TypeError):
            return [META]
        files = [f"{segment.replace('-', '')}{kind}" for segment in segments for kind in KINDS]
        return [name for name in files if not _size(self.path / name)] + self._unlisted()

    def _unlisted(self) -> list[str]:
        """tantivy does without its own list of files, but not with a damaged one."""
        try:
            json.loads((self.path / MANAGED).read_bytes())
        except FileNotFoundError:
            return []
        except ValueError:
            return [MANAGED]
        return []

    def best(self, terms: Sequence[str], which: ChunkBounds, limit: int) -> dict[int, str]:
        """Id → terms, of those with any of these terms; of equal ones the older."""
        with self._reading() as searcher:
            hits = _with_equals(searcher, _query(self._opened(), terms, which), limit)
            ids = cast("list[int]", searcher.fast_field_values("id", [address for _score, address in hits]))
            ranked = sorted((-score, id, address) for (score, address), id in zip(hits, ids, strict=True))
            return _with_terms(searcher, [address for _score, _id, address in ranked[:limit]])

    def known(self, ids: Sequence[int]) -> dict[int, str]:
        """Id → terms, of those that are in here."""
        with self._reading() as searcher:
            query = tantivy.Query.term_set_query(self._opened().schema, "id", ids)
            return _with_terms(searcher, [address for _score, address in searcher.search(query, len(ids)).hits])

    def having(self, terms: Iterable[str]) -> dict[str, int]:
        """How many documents have each term; absent ones are left out."""
        with self._reading() as searcher:
            counts = {term: searcher.doc_freq("terms", term) for term in terms}
            if searcher.doc_freq("every", EVERY) > searcher.num_docs:
                counts = {t: self._alive(searcher, t) if 0 < n <= EXACT else n for t, n in counts.items()}
        return {term: count for term, count in counts.items() if count}

    def roughly(self, terms: Iterable[str]) -> dict[str, int]:
        """The same, counting some that are deleted: good enough to see which is rarer."""
        with self._reading() as searcher:
            counts = {term: searcher.doc_freq("terms", term) for term in terms}
        return {term: count for term, count in counts.items() if count}

    def beginning(self, prefix: str) -> list[tuple[str, int]]:
        with self._reading() as searcher:
            clean = searcher.doc_freq("every", EVERY) == searcher.num_docs
            return searcher.terms_with_prefix("terms", prefix, None if clean else tantivy.Query.all_query())

    def commit(self) -> int:
        """A number that grows with every change."""
        with self._reading():
            return self._commit

    def change(self, gone: Iterable[int], new: Iterable[ChunkTerms]) -> int:
        """All of it or nothing; the number of this commit. Repeating it changes nothing."""
        private_folder(self.path)
        with _translated():
            writer = self._opened().writer(HEAP, 1)
            for id in gone:
                writer.delete_documents_by_term("id", id)
            for doc in new:
                writer.add_document(
                    tantivy.Document(
                        id=doc.id, run=doc.run, author=doc.author, tool=doc.tool, every=EVERY, terms=doc.terms
                    )
                )
            commit = writer.commit()
            writer.wait_merging_threads()
        return commit

    def _alive(self, searcher: tantivy.Searcher, term: str) -> int:
        query = tantivy.Query.term_query(self._opened().schema, "terms", term, "freq")
        return cast("_HitCount", searcher.search(query, 1, count=True)).count

    def _opened(self) -> tantivy.Index:
        if self._index is None:
            index = tantivy.Index(_schema(), path=str(self._folder_with_locks()))
            spaces = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
            index.register_tokenizer("spaces", spaces)
            index.config_reader("manual")  # else a thread of its own watches the folder, also when we have closed it
            self._index = index
        return self._index

    def _folder_with_locks(self) -> Path:
        """tantivy locks what it reads, by a file in the same folder. Where none can be made, it gets a folder of links
        to the files, which lasts as long as the index is open."""
        if not self.path.is_dir() or os.access(self.path, os.W_OK):
            return self.path
        self._links = tempfile.TemporaryDirectory(prefix="lane-terms-")
        for file in self.path.iterdir():
            if file.suffix != ".lock":
                (Path(self._links.name) / file.name).symlink_to(file)
        return Path(self._links.name)

    @contextmanager
    def _reading(self) -> Generator[tantivy.Searcher, None, None]:
        with _translated():
            if not self.is_there():
                raise IndexDamagedError("the terms of the index are missing", hint=REBUILD)
            index = self._opened()
            self._look_again(index)
            yield index.searcher()

    def _look_again(self, index: tantivy.Index) -> None:
        """Gone altogether, another index serves: what is open is read on. Changing under our eyes, we look again."""
        for attempt in range(LOOKS):
            stands = self._stands()
            if stands in ("", self._seen):
                return
            try:
                index.reload()
            except ValueError:
                if attempt == LOOKS - 1 and self._stands():
                    raise
                continue
            self._seen = stands
            self._commit = int(json.loads((self.path / "meta.json").read_bytes())["opstamp"])

    def _stands(self) -> str:
        try:
            return signature_of((self.path / "meta.json").stat())
        except FileNotFoundError:
            return ""


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _is_sound(path: Path) -> bool:
    """The bytes, then what was said of them as JSON, the length of that, and a number all such files end with."""
    data = path.read_bytes()
    length = int.from_bytes(data[-8:-4], "little")
    try:
        said = json.loads(data[-8 - length : -8])["crc"]
    except (ValueError, KeyError, TypeError):
        return False
    return crc32(data[: -8 - length]) == said


class _HitCount:
    """What the stubs leave out."""

    count: int


def _query(index: tantivy.Index, terms: Sequence[str], which: ChunkBounds) -> tantivy.Query:
    make, schema, must = tantivy.Query, index.schema, tantivy.Occur.Must
    words = make.boolean_query(
        [(tantivy.Occur.Should, make.term_query(schema, "terms", term, "freq")) for term in terms]
    )
    if which.everything:
        return words
    filters = [
        make.term_query(schema, name, value)
        for name, value in (("author", which.author), ("tool", which.tool))
        if value is not None
    ]
    filters += [
        make.term_set_query(schema, name, sorted(values))
        for name, values in (("run", which.runs), ("id", which.chunks))
        if values is not None
    ]
    return make.boolean_query([(must, words), *((must, make.const_score_query(one, 0.0)) for one in filters)])


def _with_equals(
    searcher: tantivy.Searcher, query: tantivy.Query, limit: int
) -> list[tuple[float, tantivy.DocAddress]]:
    """The best so many, with those that are as good as the last: tantivy's own order of equals differs by index."""
    wide, most = limit + 32, limit * WIDEST
    while True:
        found = cast("list[tuple[float, tantivy.DocAddress]]", searcher.search(query, wide, count=False).hits)
        hits = [(round(score / SCALE, ROUGH_DIGITS), address) for score, address in found]
        if len(hits) < wide or wide >= most or hits[-1][0] < hits[limit - 1][0]:
            return hits
        wide *= 4


def _with_terms(searcher: tantivy.Searcher, addresses: list[tantivy.DocAddress]) -> dict[int, str]:
    ids = cast("list[int]", searcher.fast_field_values("id", addresses))
    kept = (cast("str | None", searcher.doc(address).get_first("terms")) for address in addresses)
    return dict(zip(ids, (terms or "" for terms in kept), strict=True))


@contextmanager
def _translated() -> Generator[None, None, None]:
    """Damage is named, also when tantivy panics over it."""
    try:
        yield
    except (ValueError, KeyError) as error:
        if "LockBusy" in str(error):
            raise BusyError("another process writes the terms", hint="try again in a moment") from error
        raise IndexDamagedError(f"the terms of the index are damaged: {_short(error)}", hint=REBUILD) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise IndexDamagedError(f"the terms of the index are damaged: {_short(error)}", hint=REBUILD) from error


def _short(error: BaseException) -> str:
    return re.sub(r"\s+", " ", str(error))[:200]
