"""How a Step becomes findable pieces: a person's and the agent's words whole, a tool call with its result clipped.

Boilerplate, base64, whole-file echoes and what one Turn did twice with the same result are not worth a Chunk. Text
arrives masked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import msgspec

from memlane.domain import Author, Chunk, Kind, Step, ToolCall, Touch, Turn

LONGEST = 1600  # characters of a Chunk: about what one screen shows
RESULT_HEAD = 1200  # an error is at the beginning or at the end of what a tool prints, rarely between
RESULT_TAIL = 800
INPUT = 1200
WIDE = 8000  # characters around what is kept that the Gate is shown
ECHO = 400  # of a result that only repeats a file
_NOT_WORTH_IT = frozenset({Kind.META, Kind.THINKING, Kind.INTERRUPT})  # the client's words, not anybody's
_ECHOING = frozenset(  # in small letters: what agents call the tools that look at a file or write one
    {
        "create", "edit", "edit_file", "multiedit", "notebookread", "read", "read_file", "replace", "search_replace",
        "str_replace", "strreplace", "view", "view_image", "write", "write_file",
    }
)  # fmt: skip
_BLOB = re.compile(r"[A-Za-z0-9+/=_-]{240,}")
_GLIMPSE = 8  # every eighth character tells where no blob can be: it would have thirty of these
_GLIMPSED = re.compile(r"[A-Za-z0-9+/=_-]{30}")


def trimmed(turn: Turn) -> Turn:
    """Without what no Chunk can come from, so that the Gate need not read it. What is kept reaches far beyond a
    Chunk's borders: a secret that stands across one is still seen whole, and masked."""
    if all(step.call is None for step in turn.steps):
        return turn
    return replace(turn, steps=tuple(_trimmed(step) for step in turn.steps))


def _trimmed(step: Step) -> Step:
    if step.call is None:
        return step
    given = {key: clipped(v, WIDE, 0) if isinstance(v, str) else v for key, v in step.call.input.items()}
    return replace(step, call=replace(step.call, input=given, result=clipped(step.call.result, WIDE, WIDE)))


def chunks_of(run: str, turn: Turn) -> Iterator[Chunk]:
    done = set[str]()  # calls with their results: a build run ten times alike is found once
    for step in turn.steps:
        if step.ours or step.kind in _NOT_WORTH_IT:
            continue
        author = Author.TOOL if step.call else step.author
        for part, text in enumerate(_pieces(step)):
            if step.call is not None:
                if text in done:
                    continue
                done.add(text)
            tool = step.call.name if step.call else ""
            yield Chunk(run, turn.n, step.n, part, author.value, step.at or turn.at, text, tool)


def touches_of(run: str, turn: Turn) -> Iterator[Touch]:
    for step in turn.steps:
        if step.call is None or step.ours:
            continue
        for path in step.call.files:
            yield Touch(run, turn.n, step.n, path, step.call.changes, step.call.name, step.at or turn.at)


def _pieces(step: Step) -> Iterator[str]:
    if step.call is None:
        yield from split(step.text)
        return
    text = _call_text(step.call)
    if text.strip():
        yield from split(text)


def _call_text(call: ToolCall) -> str:
    given = "\n".join(f"{key}: {_plain(value)}" for key, value in call.input.items())
    echo = call.name.lower() in _ECHOING and not call.error
    head, tail = (ECHO, 0) if echo else (RESULT_HEAD, RESULT_TAIL)
    return f"{call.name}\n{clipped(_legible(given), INPUT, 0)}\n{clipped(_legible(call.result), head, tail)}"


def _legible(text: str) -> str:
    """Without what nobody reads: base64, hashes in a row."""
    return _BLOB.sub("…", text) if _GLIMPSED.search(text[::_GLIMPSE]) else text


def _plain(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def clipped(text: str, head: int, tail: int) -> str:
    if len(text) <= head + tail:
        return text
    return f"{text[:head]}\n…\n{text[-tail:]}" if tail else f"{text[:head]}…"


def split(text: str) -> Iterator[str]:
    """Pieces of at most LONGEST characters that join to the text again, cut at a line or a word where there is one."""
    start = 0
    while len(text) - start > LONGEST:
        window = text[start : start + LONGEST]
        cut = max(window.rfind("\n\n") + 2, window.rfind("\n") + 1 if window.rfind("\n") > LONGEST // 2 else 0)
        if cut < LONGEST // 2:
            cut = window.rfind(" ") + 1
        if cut < LONGEST // 2:
            cut = LONGEST
        yield text[start : start + cut]
        start += cut
    if text[start:].strip() or (start == 0 and text):
        yield text[start:]
