"""The one prompt that a model and an agent are given: instructions, what is known nearby, then the Window.

The Window is fenced with a nonce, and what a tool printed is marked as data; no text can begin a Step or close a fence.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from memlane.catch.windows.sight import sights
from memlane.domain import Kind, Memory, Spot, Trigger, Type, Window
from memlane.domain.door import quoted
from memlane.domain.fence import WINDOW

OUTPUT = "tool-output"
_BREAKS = re.compile(r"\s*\n")
_NEARBY = 200  # characters of the title of a Memory that is there already
_CHARACTERS = 3.6  # for a token, in what agents write
_ANSWER = 350  # tokens, of a usual answer


@dataclass(frozen=True, slots=True)
class Prompt:
    version: str
    text: str


@cache
def prompt() -> Prompt:
    """The file beside this one, with the table of types in it. Its version is part of whatever was made with it."""
    whole = files("memlane.catch.model").joinpath("prompt.md").read_text(encoding="utf-8")
    _, front, text = whole.split("---\n", 2)
    version = re.fullmatch(r"version: (\S+)\n", front)
    if version is None:
        raise ValueError("prompt.md does not say which version it is")
    types = "\n".join(f"| {type_} | {type_.row.meaning} |" for type_ in Type)
    return Prompt(version[1], text.strip().replace("{types}", types))


def rendered(window: Window, nearby: Sequence[Memory]) -> str:
    """All that is asked about one Window, without the instructions."""
    steps = shown_steps(window)
    return "\n".join([*head(window), *known(nearby), task(window), "", *fence(steps, nonce_of(steps))])


def fence(steps: Sequence[str], nonce: str, name: str = "") -> list[str]:
    named = f' name="{name}"' if name else ""
    return [f'<{WINDOW}{named} nonce="{nonce}">', *steps, f'</{WINDOW} nonce="{nonce}">']


def nonce_of(steps: Iterable[str]) -> str:
    """No text can hold its own."""
    return hashlib.blake2b("\n".join(steps).encode("utf-8", "replace"), digest_size=6).hexdigest()


def task(window: Window, mark: str = "") -> str:
    read = f"Read from {mark}{window.first} to {mark}{window.last}."
    context = any(spot < window.first for spot, _step in window.steps())
    return f"{read} What stands before {mark}{window.first} is context only." if context else read


def head(window: Window, mark: str = "") -> Iterator[str]:
    when = window.formed_at
    said = f"; said on {when:%Y-%m-%d (%A)}" if when else ""
    yield f"Project: {_plain(window.project.name) or 'none'}; agent: {window.agent}{said}."
    if window.headless:
        yield "Nobody typed in this run: a program started it, and no words in it are a person's."
    if window.triggers:
        yield f"Found by rules, to look at first: {'; '.join(_trigger(each, mark) for each in window.triggers)}."


def _trigger(trigger: Trigger, mark: str) -> str:
    first, last = f"{mark}{trigger.first}", f"{mark}{trigger.last}"
    where = first if first == last else f"{first} to {last}"
    return f"{trigger.signal.value} at {where}"


def known(nearby: Sequence[Memory]) -> Iterator[str]:
    if nearby:
        yield "Memories there are already (one more sight of one of them: its id in same_as):"
    for memory in nearby:
        yield f"- {memory.id} {memory.type.value}: {_plain(memory.title)[:_NEARBY]}"


def shown_steps(window: Window, mark: str = "") -> list[str]:
    """Each with its mark. What was printed before in this Window is not printed again."""
    seen: dict[str, Spot] = {}
    shown: list[str] = []
    for spot, step, sight in sights(window):
        first = seen.setdefault(sight.printed, spot)
        output = _output(sight.printed) if first == spot else f"\n (printed the same as {mark}{first})"
        when = f" ({step.at:%Y-%m-%d %H:%M})" if step.at and step.kind is Kind.PROMPT else ""
        words = f": {_indented(sight.said)}" if sight.said else ""
        shown.append(f"{mark}{spot} {_plain(sight.who)}{when}{words}{output if sight.printed else ''}")
    return shown


def _output(printed: str) -> str:
    """Every tag inside is escaped, so that only ours closes it."""
    return f"\n <{OUTPUT}>{_indented(printed)}</{OUTPUT}>"


def _indented(text: str) -> str:
    """Only a Step of ours begins a line."""
    return _BREAKS.sub("\n ", quoted(text).strip())


def _plain(text: str) -> str:
    return " ".join(_indented(text).split())


@dataclass(frozen=True, slots=True)
class Size:
    """What reading takes, about."""

    windows: int
    tokens_in: int
    tokens_out: int


def size_of(windows: Iterable[Window], at_once: int = 1) -> Size:
    """What a model would take for these, so many in one question. The instructions come with every question."""
    told, characters, count = len(prompt().text) / at_once, 0.0, 0
    for window in windows:
        characters += told + len(rendered(window, ()))
        count += 1
    return Size(count, round(characters / _CHARACTERS), _ANSWER * count)
