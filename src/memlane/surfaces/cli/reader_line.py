"""Reading in the background, as `lane status` says it: who, how much today, what came of it, and why it waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import clock, day, many, one_line

if TYPE_CHECKING:
    from memlane.app.catch import ReadingState


def reading_line(screen: Screen, reading: ReadingState) -> tuple[str, str]:
    """The line, and what to type about it."""
    paused = _paused(screen, reading)
    hint = "lane catch resume" if paused else ""
    if reading.reader in ("embedded", "none"):
        alone = "built-in classifier only; lane catch setup adds a model" if reading.reader == "embedded" else ""
        return "; ".join(part for part in (alone, paused) if part), hint
    today, caps = reading.today, reading.caps
    read = f"{many(today.windows, 'passage')} read today, {reading.open:,} open, {today.found:,} found"
    spent = f"${today.dollars:.2f} of ${caps.dollars:.2f}, {today.asks} of {caps.asks} questions"
    left_out = [f"left out: {', '.join(reading.skipped)}"] if reading.skipped else []
    return "; ".join([f"{reading.reader}: {read}", spent, *left_out, *([paused] if paused else [])]), hint


def _paused(screen: Screen, reading: ReadingState) -> str:
    if not reading.paused:
        return ""
    until = f" until {day(reading.until, screen.now)} {clock(reading.until)}" if reading.until else ""
    return f"paused{until}: {one_line(reading.paused)}"


def reading_document(reading: ReadingState) -> dict[str, object]:
    today, caps = reading.today, reading.caps
    return {
        "reader": reading.reader,
        "windows": today.windows,
        "open": reading.open,
        "found": today.found,
        "questions": today.asks,
        "dollars": today.dollars,
        "tokens": {"in": today.tokens_in, "out": today.tokens_out},
        "caps": {"dollars": caps.dollars, "questions": caps.asks},
        "paused": reading.paused or None,
        "until": reading.until,
        "skipped": list(reading.skipped),
    }
