"""What a person is looking at in the picker: the line they type, the question, and where they are in it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from memlane.surfaces.cli.filters import AUTHORS, KINDS, OUTCOMES
from memlane.surfaces.cli.search_report import MODES

LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Field:
    text: str = ""
    at: int = 0

    @classmethod
    def holding(cls, text: str) -> Field:
        return cls(text, len(text))

    def pressed(self, key: str) -> Field | None:
        """After this key; None when it is no key of a line."""
        if len(key) == 1:
            return self._put(key)
        return {
            "<backspace>": self._cut(self.at - 1, self.at),
            "<delete>": self._cut(self.at, self.at + 1),
            "<left>": self._to(self.at - 1),
            "<right>": self._to(self.at + 1),
            "<home>": self._to(0),
            "<ctrl-a>": self._to(0),
            "<end>": self._to(len(self.text)),
            "<ctrl-e>": self._to(len(self.text)),
            "<ctrl-u>": self._cut(0, self.at),
            "<ctrl-k>": self._cut(self.at, len(self.text)),
            "<ctrl-w>": self._cut(self._word_before(), self.at),
        }.get(key)

    def _put(self, character: str) -> Field:
        if len(self.text) >= LONGEST:
            return self
        return Field(self.text[: self.at] + character + self.text[self.at :], self.at + 1)

    def _cut(self, begin: int, end: int) -> Field:
        begin = max(0, begin)
        return Field(self.text[:begin] + self.text[end:], begin)

    def _to(self, at: int) -> Field:
        return Field(self.text, max(0, min(at, len(self.text))))

    def _word_before(self) -> int:
        before = self.text[: self.at].rstrip()
        return before.rfind(" ") + 1


CYCLES: Mapping[str, Sequence[str]] = {
    "mode": MODES,
    "sort": ("best", "new"),
    "author": ("", *AUTHORS),
    "outcome": ("", *OUTCOMES),
    "kind": ("", *KINDS),
}
FILTERS = (
    *("mode", "sort", "agent", "project", "machine", "since", "until", "tag"),
    *("entity", "skill", "command", "account", "kind", "outcome", "author", "tool", "file"),
)
DEFAULTS = {"mode": "auto", "sort": "best"}
MOST_HITS = 50


class Focus(Enum):
    """Where keys go. Typing always goes to the question, except where something else is typed."""

    HITS = auto()
    FILTERS = auto()
    PREVIEW = auto()
    FIND = auto()
    KEYS = auto()


@dataclass(frozen=True, slots=True)
class PickerQuestion:
    """What is looked for: two that are equal have the same answer."""

    words: str
    filters: tuple[tuple[str, str], ...]

    @property
    def given(self) -> dict[str, object]:
        """As the command line would have it."""
        chosen: dict[str, object] = dict(self.filters)
        return {**chosen, "author": chosen["author"] or None, "limit": MOST_HITS}


@dataclass(frozen=True, slots=True)
class PickerChoice:
    """One line to choose from."""

    address: str
    title: str
    about: str
    scores: str
    snippet: str


@dataclass(frozen=True, slots=True)
class PickerAnswer:
    """What was found for one question, with what is to be said about it."""

    question: PickerQuestion
    hits: Sequence[PickerChoice] = ()
    said: str = ""
    notes: Sequence[str] = ()
    wanted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Preview:
    """A turn as it reads, and the line where its hit begins."""

    address: str = ""
    lines: Sequence[str] = ()
    begin: int = 0


@dataclass(frozen=True, slots=True)
class PickerView:
    query: Field
    filters: Mapping[str, str]
    focus: Focus = Focus.HITS
    typing: bool = False  # the last key changed the question: `/` and `?` are characters of it
    row: int = 0
    filter_row: int = 0
    scroll: int = 0
    find: Field = field(default_factory=Field)
    keys: Field = field(default_factory=Field)
    note: str = ""
    act: str = ""  # what is to be done now: leave, stop, open, copy, redraw, suspend

    @property
    def question(self) -> PickerQuestion:
        return PickerQuestion(self.query.text.strip(), tuple((name, self.filters[name].strip()) for name in FILTERS))

    @property
    def command_line(self) -> str:
        """To go on with, or to keep."""
        asked = self.query.text.strip() or "-i"
        odd = asked.startswith("-") and asked != "-i"
        words = ["lane", "search", *([] if odd else [asked])]
        for name, value in self.question.filters:
            if value and value != DEFAULTS.get(name):
                words += [f"--{name}", value]
        return shlex.join([*words, "--", asked] if odd else words)


def opened(words: str, given: Mapping[str, object]) -> PickerView:
    return PickerView(Field.holding(words), {name: str(given.get(name) or "") for name in FILTERS})
