"""What would a person find who tried it now? One search, one recall through each hook, one write that is taken back.

Nothing is left of it: the probe file is in `run/` and removed, the file in the archive never has a name, the index's
transaction is rolled back, and a recall that is marked as a probe is written down nowhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlane.app.health.hooks import HookChecks
from memlane.app.home import Home, damage
from memlane.domain import Finding, Level, RunFilter, random_id
from memlane.domain.tokenizer import terms
from memlane.errors import BusyError, LaneError

if TYPE_CHECKING:
    from memlane.app.search import RunSearch

LOOKED_AT = 5  # newest runs: one of them says something
WORDS = 12  # of its own, that it must be found by
NOTE = "probe"
FILE = "probe"
REBUILD = "lane rebuild"
MEND = "lane tick"


class TakenBack(Exception):  # noqa: N818 - not an error: it ends a transaction that must not stay
    """Rolls the probe's transaction back."""


@dataclass(frozen=True, slots=True)
class Probes:
    """Each is a real use. `quick`: for a command that is typed often, no model is asked (it may be behind a network)
    and a hook is called twice at most."""

    home: Home
    search: Callable[[], RunSearch]
    hooks: HookChecks

    def findings(self, *, quick: bool = False) -> Sequence[Finding]:
        """About 10 ms for a search by words, 10 ms for the writes, 50 ms for a hook whose daemon runs."""
        checks = (
            ("search", lambda: self._searched(quick=quick)),
            ("write", self._written),
            ("recall", lambda: self.hooks.findings(2) if quick else self.hooks.findings()),
        )
        return [finding for kind, check in checks for finding in probed(kind, check)]

    # -- search ------------------------------------------------------------------------------------------------------

    def _searched(self, *, quick: bool) -> Iterator[Finding]:
        from memlane.app.search import Mode

        if self.home.thin:
            yield Finding("search", Level.OK, "Central searches for this machine")
            return
        began, asked = time.monotonic(), self._words()
        if asked is None:
            yield Finding("search", Level.OK, "nothing to search yet")
            return
        run, words = asked
        found = self.search().find(words, RunFilter(only=frozenset({run})), 1, Mode.WORDS if quick else Mode.AUTO)
        gaps = self._damage()
        took = f"{(time.monotonic() - began) * 1000:.0f} ms"
        if not found.search.best:
            yield Finding("search", Level.FAIL, f"{run} is indexed but not found by its own words", REBUILD)
        elif found.damage or gaps:
            what = f"only words answer: {found.damage}" if found.damage else f"damaged: {'; '.join(gaps)}"
            yield Finding("search", Level.FAIL, what, MEND)
        else:
            yield Finding("search", Level.OK, f"found the newest run by its own words in {took}")

    def _damage(self) -> Sequence[str]:
        """What is missing by its name or size, and what an earlier question met."""
        storage = self.home.storage()
        noted = storage.notes.get(damage.NOTE)
        return storage.gaps() or ([noted] if noted else [])

    def _words(self) -> tuple[str, str] | None:
        storage, reader = self.home.storage(), self.home.reader
        for run in storage.runs.listed(RunFilter(limit=LOOKED_AT), reader):
            for chunk in storage.chunks.of_run(run.id, reader, 1):
                if some := list(terms(chunk.text))[:WORDS]:
                    return run.id, " ".join(some)
        return None

    # -- write -------------------------------------------------------------------------------------------------------

    def _written(self) -> Iterator[Finding]:
        if self.home.read_only:
            return
        nonce = random_id("p")
        self._to_disk(nonce.encode())
        if self.home.disk.is_folder(self.home.config.archive_base):
            self.home.disk.takes_files(self.home.config.archive_base)
        try:
            self._to_index(nonce)
        except BusyError:
            yield Finding("write", Level.NOTE, "the index is being written by another process; not tested", "try again")
            return
        yield Finding("write", Level.OK, "a probe was written, read back and removed (home, archive and index)")

    def _to_disk(self, nonce: bytes) -> None:
        disk, path = self.home.disk, self.home.run_folder / f"{FILE}-{nonce.decode()}"
        disk.make_folders(path.parent)
        try:
            disk.replace(path, nonce)
            if disk.read_whole(path) != nonce:
                raise LaneError(f"{path} does not say what was written", hint="check the disk: dmesg, smartctl")
        finally:
            path.unlink(missing_ok=True)

    def _to_index(self, nonce: str) -> None:
        storage = self.home.storage()
        try:
            with storage.transaction():
                storage.notes.put(NOTE, nonce)
                if storage.notes.get(NOTE) != nonce:
                    raise LaneError("the index does not say what was written", hint=REBUILD)
                raise TakenBack
        except TakenBack:
            return


def probed(kind: str, check: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """One that fails is a finding, and stops no other."""
    try:
        yield from check()
    except LaneError as error:
        yield Finding(kind, Level.FAIL, error.message, error.hint)
    except OSError as error:
        what = f"{error.filename or kind}: {error.strerror or error}"
        yield Finding(kind, Level.FAIL, what, "check its owner and free space: ls -ld, df -h")
