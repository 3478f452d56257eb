"""An error leads to a memory only where the memory's own words are about it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memlane.domain import Evidence, Memory, Repair
from memlane.domain.catch import Spot
from memlane.surfaces.web.recoveries import is_about
from tests.flow.dreams import caught

STAGED = Repair(
    Spot(4, 2),
    Spot(4, 6),
    "git rm -q packages/msix/store.wxs",
    "error: packages/msix/store.wxs has changes staged in the index",
    "git rm -qf packages/msix/store.wxs",
)
EXPIRED = replace(STAGED, error="the certificate of the registry mirror has expired")
SAME = Repair(Spot(4, 2), Spot(4, 6), "pnpm test", "Exit code 1", "pnpm test")


def memory(title: str, step: str = "r_a#t4.3", quote: str = "") -> Memory:
    return replace(caught(title), evidence=(Evidence("r_a", 1, 1, step, quote or title),))


@pytest.mark.parametrize(
    ("learnt", "mended", "about"),
    [
        (memory("Never publish to the Store again"), STAGED, False),  # said in the same turn, and about something else
        (
            memory("`git rm -qf packages/msix/store.wxs` works where `git rm -q packages/msix/store.wxs` fails"),
            STAGED,
            True,
        ),
        (memory("Keep store.wxs: packages/msix/store.wxs is read by the installer"), STAGED, True),
        (memory("Keep packages/msix/store.wxs", "r_a#t9.1"), STAGED, False),  # said long after it
        (memory("The registry's certificate expired: renew the mirror"), EXPIRED, True),
        (memory("The registry is read by the mirror"), EXPIRED, False),
        (memory("The index is rebuilt every night"), STAGED, False),
        (memory("The avatar is not shown; pnpm test must pass"), SAME, False),
        (memory("Do not make assumptions"), replace(STAGED, error="curl: (56) error: 403"), False),
    ],
)
def test_a_memory_is_about_an_error_by_its_words(learnt: Memory, mended: Repair, about: bool) -> None:
    assert is_about(learnt, "r_a", mended) == about


def test_words_of_another_run_prove_nothing() -> None:
    assert not is_about(memory("Keep packages/msix/store.wxs"), "r_b", STAGED)
