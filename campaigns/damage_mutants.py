"""Products that look away: each leaves out one of the checks that name damage. The grid of damage must catch them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib import import_module

from campaigns.mutants import Mutant, put_in_place_of
from memlane import archive
from memlane.app import archive as upkeep
from memlane.app.archive import repair
from memlane.app.health.probes import Probes
from memlane.domain import Finding
from memlane.storage.embedded import EmbeddedStorage

verification = import_module("memlane.archive.verify")  # the room exports a function of this name


def _nothing(*_given: object, **_more: object) -> Sequence[Finding]:
    return []


def _all_there(*_given: object) -> archive.Comparison:
    return archive.Comparison((), ())


@contextmanager
def verify_without_the_register() -> Generator[None, None, None]:
    """Whatever is there fits its checksum: what should be there is not asked."""
    with ExitStack() as broken:
        for owner in (verification, archive):
            broken.enter_context(put_in_place_of(owner, "check_registers", _nothing))
            broken.enter_context(put_in_place_of(owner, "compare", _all_there))
        yield


def rebuild_without_the_comparison() -> AbstractContextManager[None]:
    return put_in_place_of(upkeep, "refuse", _nothing)


@contextmanager
def doctor_without_the_search_probe() -> Generator[None, None, None]:
    """Doctor counts the rows of the index and never looks for anything."""
    with (
        put_in_place_of(Probes, "_searched", _nothing),
        put_in_place_of(EmbeddedStorage, "gaps", _nothing),
        put_in_place_of(EmbeddedStorage, "damaged", _nothing),
    ):
        yield


def repair_without_the_index() -> AbstractContextManager[None]:
    """Lines of the journal that only the index still knows are not brought back."""
    return put_in_place_of(repair, "restored", _nothing)


MUTANTS = {  # the cell of the grid in which each of them is caught
    Mutant(verify_without_the_register, "silent"): "journal deleted",
    Mutant(rebuild_without_the_comparison, "lost"): "journal deleted",
    Mutant(doctor_without_the_search_probe, "silent"): "terms idx deleted",
    Mutant(repair_without_the_index, "not healed"): "journal deleted",
}
