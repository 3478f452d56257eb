"""The one prompt that a model and an agent are given: instructions, what is known nearby, then the Window.

What a tool printed is fenced with a nonce and marked as data; no text can begin a Step or close the fence.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from memlane.domain import Author, Kind, Memory, Step, ToolCall, Trigger, Type, Window
from memlane.domain.door import quoted
from memlane.domain.fence import WINDOW

OUTPUT = "tool-output"
_LEFT_OUT = frozenset({Kind.META, Kind.THINKING})
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
    steps = "\n".join(_steps(window))
    nonce = hashlib.blake2b(steps.encode("utf-8", "replace"), digest_size=6).hexdigest()  # no text can hold its own
    return "\n".join(
        [
            *_head(window),
            *_known(nearby),
            f"Read from {window.first} to {window.last}. "
            + (f"What stands before {window.first} was read already and is context only." if _context(window) else ""),
            "",
            f'<{WINDOW} nonce="{nonce}">',
            steps.replace(_NONCE, nonce),
            f'</{WINDOW} nonce="{nonce}">',
        ]
    )


_NONCE = "\0nonce\0"  # stands where the nonce will; `quoted` leaves no such characters in a text


def _head(window: Window) -> Iterator[str]:
    when = window.formed_at
    said = f"; said on {when:%Y-%m-%d (%A)}" if when else ""
    yield f"Project: {_plain(window.project.name) or 'none'}; agent: {window.agent}{said}."
    if window.headless:
        yield "Nobody typed in this run: a program started it, and no words in it are a person's."
    if window.triggers:
        yield f"Found by rules, to look at first: {'; '.join(map(_trigger, window.triggers))}."


def _trigger(trigger: Trigger) -> str:
    where = str(trigger.first) if trigger.first == trigger.last else f"{trigger.first} to {trigger.last}"
    return f"{trigger.signal.value} at {where}"


def _known(nearby: Sequence[Memory]) -> Iterator[str]:
    if nearby:
        yield "Memories there are already (one more sight of one of them: its id in same_as):"
    for memory in nearby:
        yield f"- {memory.id} {memory.type.value}: {_plain(memory.title)[:_NEARBY]}"


def _context(window: Window) -> bool:
    return any(spot < window.first for spot, _step in window.steps())


def _steps(window: Window) -> Iterator[str]:
    for spot, step in window.steps():
        if not step.ours and step.kind not in _LEFT_OUT:
            yield f"{spot} {_shown(step)}"


def _shown(step: Step) -> str:
    if step.call is not None:
        return _call(step.call)
    when = f" ({step.at:%Y-%m-%d %H:%M})" if step.at and step.kind is Kind.PROMPT else ""
    text = _fenced(step.text) if step.author is Author.TOOL else _indented(step.text)
    return f"{_who(step)}{when}: {text}"


def _who(step: Step) -> str:
    if step.kind is Kind.INTERRUPT:
        return "person interrupted the agent"
    if step.kind is Kind.SUMMARY:
        return "summary by the agent of what was said earlier"
    notes: Mapping[Kind, str] = {Kind.ANSWER: " (inside a tool's answer)", Kind.COMMAND: " ran", Kind.ERROR: " error"}
    return f"{step.author.value}{notes.get(step.kind, '')}"


def _call(call: ToolCall) -> str:
    given = "".join(f"\n    {_plain(key)}: {_indented(_value(value))}" for key, value in call.input.items())
    failed = " (failed)" if call.error else ""
    result = f"\n    {_fenced(call.result)}" if call.result else ""
    return f"agent called {_plain(call.name)}{failed}{given}{result}"


def _value(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _fenced(text: str) -> str:
    return f'<{OUTPUT} nonce="{_NONCE}">\n    {_indented(text)}\n    </{OUTPUT} nonce="{_NONCE}">'


def _indented(text: str) -> str:
    """Only a Step of ours begins a line."""
    return quoted(text).strip("\n").replace("\n", "\n    ")


def _plain(text: str) -> str:
    return " ".join(_indented(text).split())


@dataclass(frozen=True, slots=True)
class Size:
    """What reading takes, about."""

    windows: int
    tokens_in: int
    tokens_out: int


def size_of(windows: Iterable[Window]) -> Size:
    """What a model would take for these, each asked by itself. The instructions come with every one."""
    told, characters, count = len(prompt().text), 0, 0
    for window in windows:
        characters += told + len(rendered(window, ()))
        count += 1
    return Size(count, round(characters / _CHARACTERS), _ANSWER * count)
