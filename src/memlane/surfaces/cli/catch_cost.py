"""What reading with a model would take, said before anything is asked: `lane catch --estimate`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.progress import Progress, Step
from memlane.surfaces.cli.text import many

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.catch.model import CatchEstimate


def estimated(screen: Screen, lane: Lane, runs: Sequence[str]) -> None:
    with Progress(screen.columns, quiet=screen.json) as progress:
        found = lane.catch.model.estimate(runs, on=lambda n, of: progress.show(Step("looking", n, of, n / max(1, of))))
    if screen.json:
        screen.emit("lane.catch.estimate/1", _document(found))
        return
    screen.line(
        f"{many(found.windows, 'window')} no model or agent has read: about {tokens(found.tokens_in)} in, "
        f"{tokens(found.tokens_out)} out"
    )
    screen.line(priced(found))
    today, caps = found.today, found.caps
    screen.line(
        f"today: ${today.dollars:.2f} of ${caps.dollars:.2f}, {today.asks} of {caps.asks} questions{_days(found)}"
    )


def _days(found: CatchEstimate) -> str:
    """How long the caps make it last."""
    by_asks = found.windows / found.caps.asks if found.caps.asks else 0
    by_dollars = (found.dollars or 0) / found.caps.dollars if found.caps.dollars else 0
    days = math.ceil(max(by_asks, by_dollars))
    return f"; at these caps about {days} days" if found.model and days > 1 else ""


def priced(found: CatchEstimate) -> str:
    if not found.model:
        return f"no model reads here ({found.why}): lane catch setup"
    if found.dollars is None:
        return f"{found.model}: its price is not known here; catch.daily_windows holds it"
    return f"{found.model}: about ${found.dollars:.2f}" if found.dollars else f"{found.model}: 0 paid tokens"


def tokens(count: int) -> str:
    if count >= 1_000_000:
        return f"{count / 1_000_000:.1f} M tokens"
    return f"{count / 1000:.0f} k tokens" if count >= 1000 else f"{count} tokens"


def _document(found: CatchEstimate) -> dict[str, object]:
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
