"""How the picker looks: filters, matches and preview, side by side or one above the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.picker.bindings import KEYS, places
from memlane.surfaces.cli.picker.paint import Box, Picture, Row, fitted, marked, plain
from memlane.surfaces.cli.picker.view import (
    DEFAULTS,
    FILTERS,
    Field,
    Focus,
    PickerAnswer,
    PickerChoice,
    PickerView,
    Preview,
)
from memlane.surfaces.cli.text import padded, width, wrapped

WIDE = 100  # columns from which the panes stand side by side
OF_FILTERS = 26
LINES_OF_A_HIT = 2
PROMPT = "search: "


@dataclass(frozen=True, slots=True)
class Panes:
    """Where everything is; a pane there is no room for has no height."""

    filters: Box
    hits: Box
    preview: Box
    footer: bool

    @property
    def hits_shown(self) -> int:
        return max(1, self.hits.height // LINES_OF_A_HIT)


NOWHERE = Box(0, 0, 0, 0)


def panes(columns: int, rows: int, focus: Focus) -> Panes:
    footer = rows >= 6
    top = 3 if rows >= 10 else 2
    body = max(0, rows - top - footer)
    if focus is Focus.KEYS or (focus is Focus.FILTERS and columns < WIDE):
        return Panes(Box(top, 0, body, columns), NOWHERE, NOWHERE, footer)
    if columns >= WIDE and rows >= 10:
        hits = (columns - OF_FILTERS) * 45 // 100
        right = OF_FILTERS + hits
        return Panes(
            Box(top, 0, body, OF_FILTERS - 2),
            Box(top, OF_FILTERS, body, hits - 3),
            Box(top, right, body, columns - right),
            footer,
        )
    if body < 9:
        return Panes(NOWHERE, Box(top, 0, body, columns), NOWHERE, footer)
    above = max(4, body * 45 // 100) // LINES_OF_A_HIT * LINES_OF_A_HIT
    return Panes(NOWHERE, Box(top, 0, above, columns), Box(top + above + 1, 0, body - above - 1, columns), footer)


@dataclass(frozen=True, slots=True)
class PickerFrame:
    """One moment of the picker."""

    screen: Screen
    view: PickerView
    answer: PickerAnswer | None
    preview: Preview
    columns: int
    rows: int

    @property
    def panes(self) -> Panes:
        return panes(self.columns, self.rows, self.view.focus)

    def picture(self) -> Picture:
        rows: list[list[tuple[int, str]]] = [[] for _row in range(self.rows)]
        for top, row in self._all():
            if 0 <= top < self.rows:
                rows[top].extend((column, self._fit(column, text)) for column, text in row)
        line, column = self._cursor()
        return Picture(rows, (min(line, self.rows - 1), min(column, self.columns - 1)))

    def _fit(self, column: int, text: str) -> str:
        return fitted(text, self.columns - column, self.screen.ellipsis)

    def _all(self) -> Iterator[tuple[int, Row]]:
        where, focus = self.panes, self.view.focus
        text, _cursor = _window(self.view.query, self.columns - len(PROMPT) - 1)
        yield 0, [(0, self._styled(PROMPT, "dim")), (len(PROMPT), self._styled(text, "bold"))]
        yield 1, [(0, self._styled(self._said(), "dim"))]
        if where.hits.top == 3 or where.filters.top == 3:
            yield 2, [(0, self._rule(self.columns))]
        if focus is Focus.KEYS:
            yield from _placed(where.filters, self._keys())
        else:
            yield from _placed(where.filters, self._filters(where.filters.width))
            yield from _placed(where.hits, self._hits(where.hits))
            yield from self._previewed(where)
        if where.footer:
            yield self.rows - 1, [(0, self._footer())]

    def _styled(self, text: str, style: str) -> str:
        return self.screen.styled(text, style)

    def _rule(self, columns: int, label: str = "") -> str:
        line = "─" if self.screen.unicode else "-"
        label = fitted(f"{line}{line} {label} ", columns, self.screen.ellipsis) if label else ""
        return self._styled(label + line * (columns - width(label)), "dim")

    # -- lines above and below ---------------------------------------------------------------------------------------

    def _said(self) -> str:
        if self.view.note:
            return self.view.note
        if self.answer is None or self.answer.question != self.view.question:
            return "looking" + self.screen.ellipsis
        filters = "" if self.columns >= WIDE else " ".join(self._in_force())
        return ". ".join(filter(None, (filters, self.answer.said, *self.answer.notes)))

    def _footer(self) -> str:
        view = self.view
        if view.focus is Focus.FIND:
            return f"find: {_window(view.find, self.columns - 7)[0]}"
        if view.focus is Focus.KEYS:
            return f"keys: {_window(view.keys, self.columns - 7)[0]}"
        return self._styled("  ".join(self._hints()), "dim")

    def _hints(self) -> Sequence[str]:
        view = self.view
        if view.focus is Focus.FILTERS:
            return ("Up Down choose", "type a value, Space for the next", "Enter back")
        if view.focus is Focus.PREVIEW:
            found = len(places([plain(line) for line in self.preview.lines], view.find.text))
            more = (f"n N {found} found",) if view.find.text else ()
            return ("Up Down PageUp PageDown move", "/ find", *more, "Enter open", "Esc back")
        keys = ("F1 keys",) if view.typing else ("? keys", "/ find in preview")
        return (*keys, "Enter open", f"^S {view.filters['mode']}", "^R where", "^F filters", "Esc leave")

    def _in_force(self) -> Iterator[str]:
        for name in FILTERS[1:]:
            if (value := self.view.filters[name]) and value != DEFAULTS.get(name):
                yield f"{name}={value}"

    # -- panes -------------------------------------------------------------------------------------------------------

    def _filters(self, columns: int) -> Iterator[str]:
        for number, name in enumerate(FILTERS):
            here = self.view.focus is Focus.FILTERS and number == self.view.filter_row
            value = self.view.filters[name]
            shown = padded(f"{'>' if here else ' '} {name:<8}", 10)
            set_ = value and value != DEFAULTS.get(name)
            said = (
                self._styled(value, "bold yellow" if here else "bold") if set_ else self._styled(value or "any", "dim")
            )
            yield fitted(shown + said, columns, self.screen.ellipsis)

    def _hits(self, box: Box) -> Iterator[str]:
        if self.answer is None:
            return
        shown = self.panes.hits_shown
        first = max(0, min(self.view.row - shown // 2, len(self.answer.hits) - shown))
        for number, hit in enumerate(self.answer.hits[first : first + shown], first):
            chosen = number == self.view.row
            title = f"{'>' if chosen else ' '} {hit.title}"
            yield self._styled(fitted(title, box.width, self.screen.ellipsis), "bold cyan" if chosen else "")
            yield self._styled(fitted(f"  {hit.about}", box.width, self.screen.ellipsis), "dim")

    def _previewed(self, where: Panes) -> Iterator[tuple[int, Row]]:
        box = where.preview
        if not box.height:
            return
        if where.filters.height:  # side by side
            bar = self._styled("│" if self.screen.unicode else "|", "dim")
            yield from _placed(Box(box.top, where.hits.left - 2, box.height, 1), [bar] * box.height)
            yield from _placed(Box(box.top, box.left - 2, box.height, 1), [bar] * box.height)
        yield box.top - 1, [(box.left, self._rule(box.width, self._label()))]
        yield from _placed(box, self._lines(box))

    def _chosen(self) -> PickerChoice | None:
        hits = self.answer.hits if self.answer else ()
        return hits[self.view.row] if self.view.row < len(hits) else None

    def _label(self) -> str:
        hit = self._chosen()
        return "  ".join(filter(None, (hit.address, hit.scores))) if hit else ""

    def _lines(self, box: Box) -> Iterator[str]:
        """The turn as it reads; until that has come, the words it was found by."""
        hit, lines, begin = self._chosen(), self.preview.lines, self.view.scroll
        if hit is None:
            return
        if self.preview.address != hit.address:
            lines, begin = list(wrapped(hit.snippet, box.width)), 0
        wanted = self.answer.wanted if self.answer else frozenset[str]()
        for line in lines[begin : begin + box.height]:
            yield fitted(marked(self.screen, line, wanted, self.view.find.text), box.width, self.screen.ellipsis)

    def _keys(self) -> Iterator[str]:
        wanted = self.view.keys.text.lower()
        for key, what in KEYS:
            if wanted in f"{key} {what}".lower():
                yield f"  {self._styled(padded(key, 24), 'bold')}  {what}"

    def _cursor(self) -> tuple[int, int]:
        view = self.view
        if view.focus in (Focus.FIND, Focus.KEYS):
            field = view.find if view.focus is Focus.FIND else view.keys
            return self.rows - 1, 6 + _window(field, self.columns - 7)[1]
        if view.focus is Focus.FILTERS:
            value = view.filters[FILTERS[view.filter_row]]
            return self.panes.filters.top + view.filter_row, 10 + width(value)
        return 0, len(PROMPT) + _window(view.query, self.columns - len(PROMPT) - 1)[1]


def _placed(box: Box, lines: Iterator[str] | Sequence[str]) -> Iterator[tuple[int, Row]]:
    for number, line in zip(range(box.height), lines, strict=False):
        yield box.top + number, [(box.left, line)]


def _window(field: Field, columns: int) -> tuple[str, int]:
    """The part of a line that is seen, and where its cursor stands in it."""
    begin = 0
    while width(field.text[begin : field.at]) >= max(1, columns):
        begin += 1
    return field.text[begin:], width(field.text[begin : field.at])
