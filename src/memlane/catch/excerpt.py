"""The verbatim words around a Memory's evidence, in one shape of markdown. Text arrives masked; nothing is judged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from memlane.catch.quotes import verbatim
from memlane.domain import Author, Kind, Quote, Spot, Step, ToolCall, Window
from memlane.domain.door import plain

BUDGET = 2000  # characters, unless the quoted sentences themselves are longer
AROUND = 360  # of a Step that stands beside a quoted one
HEART = 900  # of a quoted Step
INPUT, RESULT = 240, 360  # of a call that is not quoted
_LEFT_OUT = frozenset({Kind.META, Kind.THINKING, Kind.INTERRUPT})
_WHO = {Author.PERSON: "person", Author.AGENT: "agent", Author.PROGRAM: "program", Author.SYSTEM: "system"}
_TICKS = re.compile(r"`{3,}|~{3,}")
_ENDS = re.compile(r"(?<=[.!?…])\s|\n")


def source_chunk(window: Window, quotes: Sequence[Quote]) -> str:
    """The quoted Steps, then what stood above and below as far as there is room, in the order they were said."""
    quoted = _by_spot(quotes)
    worth = ((spot, step) for spot, step in window.steps() if spot in quoted or step.kind not in _LEFT_OUT)
    steps = [(spot, step) for spot, step in worth if not step.ours]
    shown = {spot: _drawn(step, quoted[spot]) for spot, step in steps if spot in quoted}
    room = BUDGET - sum(map(len, shown.values()))
    for spot, step in _beside(steps, frozenset(quoted)):
        drawn = _drawn(step, ())
        if not drawn or len(drawn) > room:
            continue
        shown[spot] = drawn
        room -= len(drawn)
    return "\n\n".join(shown[spot] for spot in sorted(shown) if shown[spot])


def quoted_steps(window: Window, quotes: Sequence[Quote]) -> str:
    """Of the excerpt, the quoted Steps alone."""
    quoted = _by_spot(quotes)
    return "\n\n".join(_drawn(step, quoted[spot]) for spot, step in window.steps() if spot in quoted)


def _by_spot(quotes: Sequence[Quote]) -> dict[Spot, list[str]]:
    return {quote.spot: [q.words for q in quotes if q.spot == quote.spot] for quote in quotes}


def _beside(steps: Sequence[tuple[Spot, Step]], quoted: frozenset[Spot]) -> Iterator[tuple[Spot, Step]]:
    """Nearest first, what came before ahead of what came after, no further than three Steps."""
    places = [n for n, (spot, _step) in enumerate(steps) if spot in quoted]
    wanted = dict.fromkeys(n + d for d in (-1, 1, -2, 2, -3) for n in places)
    return (steps[n] for n in wanted if 0 <= n < len(steps) and steps[n][0] not in quoted)


def _drawn(step: Step, quotes: Sequence[str]) -> str:
    if step.call is not None:
        return _call(step.call, quotes)
    text = _cut(plain(step.text).strip(), [plain(q) for q in quotes], HEART if quotes else AROUND)
    return f"**{_WHO.get(step.author, step.author.value)}** ({step.kind.value})\n\n{_quoted(text)}" if text else ""


def _quoted(text: str) -> str:
    """A block quote: whatever the words contain, a heading or half a fence, they cannot leave it."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _call(call: ToolCall, quotes: Sequence[str]) -> str:
    given = "\n".join(f"{key}: {_plain(value)}" for key, value in call.input.items())
    clean = [plain(q) for q in quotes]
    head = f"**tool** `{_name(call.name)}`" + (" (failed)" if call.error else "")
    parts = [_cut(plain(given).strip(), clean, INPUT), _cut(plain(call.result).strip(), clean, RESULT)]
    return "\n\n".join([head, *(_fenced(part) for part in parts if part)])


def _name(tool: str) -> str:
    return re.sub(r"[^\w.:/-]", "_", tool)[:80]


def _plain(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _fenced(text: str) -> str:
    """In a fence longer than any in the text."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=2)
    ticks = "`" * (longest + 1)
    return f"{ticks}text\n{text}\n{ticks}"


def _cut(text: str, quotes: Sequence[str], room: int) -> str:
    """The beginning, or what stands around the quotes; a quoted sentence is never cut."""
    if len(text) <= room:
        return text
    spans = [span for words in quotes if (span := _sentence(text, words)) is not None]
    if not spans:
        return f"{_at_a_word(text[:room])} …"
    first, last = min(s for s, _ in spans), max(e for _, e in spans)
    if last - first > room:  # too far apart: each by itself
        return " … ".join(text[s:e] for s, e in sorted(set(spans)))
    left = (room - (last - first)) // 2
    start, end = max(0, first - left), min(len(text), last + left)
    before = "… " if start else ""
    after = " …" if end < len(text) else ""
    head = text[start:first].partition(" ")[2] if start else text[:first]
    return f"{before}{head}{text[first:last]}{_at_a_word(text[last:end]) if after else text[last:end]}{after}"


def _sentence(text: str, words: str) -> tuple[int, int] | None:
    found = verbatim(words, text)
    if found is None:
        return None
    start = text.index(found)
    end = start + len(found)
    before = [m.end() for m in _ENDS.finditer(text, max(0, start - 400), start)]
    after = _ENDS.search(text, max(start, end - 1), end + 400)
    return before[-1] if before else (start if start > 400 else 0), after.start() if after else end


def _at_a_word(text: str) -> str:
    head, space, _rest = text.rpartition(" ")
    return head if space and len(head) > len(text) // 2 else text
