"""What a person is looking at in the picker: the question, where they are in it, and how it would be typed."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from memlane.surfaces.cli.choices import AUTHORS
from memlane.surfaces.cli.meaning import MODES
from memlane.surfaces.cli.picker.field import Field

CYCLES: Mapping[str, Sequence[str]] = {"mode": MODES, "sort": ("best", "new"), "author": ("", *AUTHORS)}
FILTERS = ("mode", "sort", "agent", "project", "machine", "since", "until", "tag", "author", "tool", "file")
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
class Question:
    """What is looked for: two that are equal have the same answer."""

    words: str
    filters: tuple[tuple[str, str], ...]

    @property
    def given(self) -> dict[str, object]:
        """As the command line would have it."""
        chosen: dict[str, object] = dict(self.filters)
        return {**chosen, "author": chosen["author"] or None, "limit": MOST_HITS}


@dataclass(frozen=True, slots=True)
class Choice:
    """One line to choose from."""

    address: str
    title: str
    about: str
    scores: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found for one question, with what is to be said about it."""

    question: Question
    hits: Sequence[Choice] = ()
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
class View:
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
    def question(self) -> Question:
        return Question(self.query.text.strip(), tuple((name, self.filters[name].strip()) for name in FILTERS))

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


def opened(words: str, given: Mapping[str, object]) -> View:
    return View(Field.holding(words), {name: str(given.get(name) or "") for name in FILTERS})
