"""What reading with a model would take, said before anything is asked: `lane catch --estimate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import many

if TYPE_CHECKING:
    from memlane.lane import Estimate, Lane


def estimated(screen: Screen, lane: Lane, runs: Sequence[str]) -> None:
    found = lane.asking.estimate(runs)
    if screen.json:
        screen.emit("lane.catch.estimate/1", _document(found))
        return
    screen.line(
        f"{many(found.windows, 'window')} open: about {tokens(found.tokens_in)} in, {tokens(found.tokens_out)} out"
    )
    screen.line(priced(found))
    today, caps = found.today, found.caps
    screen.line(f"today: ${today.dollars:.2f} of ${caps.dollars:.2f}, {today.asks} of {caps.asks} questions")


def priced(found: Estimate) -> str:
    if not found.model:
        return f"no model reads here ({found.why}): lane catch setup"
    if found.dollars is None:
        return f"{found.model}: its price is not known here; catch.daily_windows holds it"
    return f"{found.model}: about ${found.dollars:.2f}" if found.dollars else f"{found.model}: 0 paid tokens"


def tokens(count: int) -> str:
    if count >= 1_000_000:
        return f"{count / 1_000_000:.1f} M tokens"
    return f"{count / 1000:.0f} k tokens" if count >= 1000 else f"{count} tokens"


def _document(found: Estimate) -> dict[str, object]:
    return {
        "windows": found.windows,
        "tokens_in": found.tokens_in,
        "tokens_out": found.tokens_out,
        "dollars": found.dollars,
        "model": found.model or None,
        "why": found.why,
        "today": {"dollars": found.today.dollars, "asks": found.today.asks},
        "caps": {"dollars": found.caps.dollars, "asks": found.caps.asks},
    }
