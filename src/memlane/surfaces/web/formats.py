"""How values look on a page: times, numbers and words, the same everywhere. Pure; the present is handed in."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta

from markupsafe import Markup, escape

from memlane.domain import RunSummary, Type
from memlane.domain.door import named

_FILTERS: Mapping[str, str] = {
    **{"sure": "confidence", "seen": "observed", "told": "recalled", "standing": "standing rule"},
    **{"q": "words", "after": "from", "before": "until", "since": "time", "touched": "file"},
}
_SPANS = ((60, "s", 1), (3600, "min", 60), (86_400, "h", 3600), (14 * 86_400, "d", 86_400))
_CODE = re.compile(r"`([^`<>]{1,80})`")


def ago(at: datetime | None, now: datetime) -> str:
    """`3 min ago`, `2 d ago`; a date when it is longer."""
    if at is None:
        return ""
    seconds = max(0.0, (now - at).total_seconds())
    if seconds < 10:
        return "now"
    for under, unit, by in _SPANS:
        if seconds < under:
            return f"{int(seconds // by)} {unit} ago"
    return day(at, now)


def day(at: datetime | None, now: datetime) -> str:
    if at is None:
        return ""
    here = at.astimezone(now.tzinfo if now.tzinfo else None)
    return f"{here.day} {here:%b}" + ("" if here.year == now.year else f" {here.year}")


def last_day(end: datetime, now: datetime) -> str:
    """Of something that ends then: at midnight it is the day before."""
    return day(end - timedelta(seconds=1), now)


def clock(at: datetime | None) -> str:
    return at.astimezone().strftime("%H:%M") if at else ""


def minute(at: datetime) -> str:
    """For a page that is read long after, anywhere."""
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def full(at: datetime | None) -> str:
    return at.astimezone().strftime("%a %d %b %Y, %H:%M:%S") if at else ""


def iso(at: datetime | None) -> str:
    return at.astimezone().isoformat(timespec="seconds") if at else ""


def lasted(began: datetime | None, ended: datetime | None) -> str:
    if began is None or ended is None or ended - began < timedelta(seconds=1):
        return ""
    seconds = int((ended - began).total_seconds())
    for under, unit, by in _SPANS:
        if seconds < under:
            return f"{seconds // by} {unit}"
    return f"{seconds // 86_400} d"


def percent(share: float) -> str:
    return f"{share * 100:.0f}%"


def many(n: int, one: str, more: str = "") -> str:
    return f"{n:,} {one if n == 1 else more or one + 's'}"


def short(n: int) -> str:
    """`412 k`, `31.2 M`, `1.8 bn`."""
    for by, unit in ((1_000_000_000, "bn"), (1_000_000, "M"), (1_000, "k")):
        if n >= by:
            return f"{n / by:.0f} {unit}" if n >= 100 * by else f"{n / by:.1f}".removesuffix(".0") + f" {unit}"
    return str(n)


def size(n: int) -> str:
    for by, unit in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB")):
        if n >= by:
            return f"{n / by:.1f} {unit}"
    return f"{n} bytes"


def spoken(name: str) -> str:
    """`pattern_seed` as people say it."""
    return name.replace("_", " ")


def called(run: RunSummary) -> str:
    """What a Run is called: its title, whole where that is the cut beginning of what was said first."""
    title, first = run.title.strip(), " ".join(run.first.text.split())
    cut_short = title.endswith("…") and first.startswith(title[:-1].rstrip())
    return (first if cut_short or not title else title) or "Empty run"


HUES = 8  # as many as `app.css` has


def hue(machine: str) -> int:
    """The number of a machine's colour: the same on every page and every computer."""
    return zlib.crc32(machine.encode("utf-8", "replace")) % HUES


def priority(type_: str) -> str:
    """How much a type weighs when memories are chosen."""
    return Type(type_).row.weight.value


def filtered(name: str) -> str:
    """What a filter is called."""
    return _FILTERS.get(name, name)


def tool(name: str) -> str:
    """`mcp__server__do` as what it does."""
    return name.rpartition("__")[2] if name.startswith("mcp__") else name


def one_line(text: str, most: int = 200) -> str:
    whole = " ".join(named(text[: 4 * most]).split())
    return whole if len(whole) <= most else whole[: most - 1].rstrip() + "…"


def marked(pieces: Iterable[tuple[str, bool]]) -> Markup:
    """A snippet, cut at what was found in it: that is marked, and nothing else is."""
    return Markup("").join(
        Markup("<mark>{}</mark>").format(named(text)) if found else named(text) for text, found in pieces
    )


def coded(text: str) -> Markup:
    """What stands between backticks, as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # only our own tag


def cut(text: str, most: int) -> str:
    return named(text if len(text) <= most else text[:most])


FILTERS: Mapping[str, Callable[..., str | int]] = {
    "ago": ago,
    "hue": hue,
    "day": day,
    "last_day": last_day,
    "clock": clock,
    "full": full,
    "minute": minute,
    "iso": iso,
    "percent": percent,
    "many": many,
    "short": short,
    "size": size,
    "spoken": spoken,
    "visible": named,
    "one_line": one_line,
    "cut": cut,
    "marked": marked,
    "tool": tool,
    "called": called,
    "coded": coded,
    "filtered": filtered,
    "priority": priority,
}
