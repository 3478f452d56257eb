"""A transcript as its agent wrote it, masked: a line with nothing to hide keeps its bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import cast

from memlane.errors import ClosedGateError

Mask = Callable[[object], object]
ROUNDS = 4  # of masking what masking brought to light
DEEPEST = "masked: nested too deep to be read"


def masked_lines(pieces: Iterable[bytes], mask: Mask) -> Iterator[tuple[int, bytes, object]]:
    """Each line with its number, its bytes as they may leave, and what it holds.

    A document over several lines is read whole: a secret may run over their ends.
    """
    data = b"".join(pieces)
    whole = _value(data) if data.count(b"\n") and _value(data.split(b"\n", 1)[0]) is None else None
    if whole is not None:
        yield 1, *_masked(data, whole, mask)
        return
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        yield number, *_masked(line, _value(line), mask)


def _value(data: bytes) -> object | None:
    """What the JSON says; None: it is none."""
    try:
        return cast(object, json.loads(data))
    except (ValueError, RecursionError):
        return None


def _masked(data: bytes, value: object | None, mask: Mask) -> tuple[bytes, object]:
    """The same bytes where nothing was masked; what is no JSON is masked as text."""
    end = b"\n" if data.endswith(b"\n") else b""
    if value is None:
        text = data.decode("utf-8", "surrogateescape")
        seen = mask(text)
        return (data, text) if seen == text else (str(seen).encode("utf-8", "surrogateescape"), seen)
    try:
        seen = mask(value)
    except RecursionError as error:
        raise ClosedGateError(DEEPEST, hint="leave this run out") from error
    if seen is value:
        return data, value
    return json.dumps(seen, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + end, seen


def settled_lines(data: bytes, mask: Mask) -> bytes:
    """Line for line, as many as there were; masking them again changes nothing."""
    return b"\n".join(settled(line, mask) for line in data.split(b"\n"))


def settled(data: bytes, mask: Mask) -> bytes:
    """One document, or text as a whole, since a secret may run over lines; masking it again changes nothing."""
    for _round in range(ROUNDS):
        before, (data, _seen) = data, _masked(data, _value(data), mask)
        if data == before:
            return data
    raise ClosedGateError("masking it does not come to an end", hint="leave this run out")


def is_settled(data: bytes, mask: Mask, *, ends: bool) -> bool:
    """A piece of a transcript: nothing in it is to be masked. Not `ends`: its last line goes on in the next piece."""
    if _value(data) is not None:
        return settled(data, mask) == data
    lines = data.split(b"\n") if ends else data.split(b"\n")[:-1]
    records = [line for line in lines if is_record(line)]
    text = b"\n".join(line for line in lines if not is_record(line))
    return all(settled(one, mask) == one for one in [*records, text])


def is_record(line: bytes) -> bool:
    """A line that is a whole value of JSON, as agents write them."""
    line = line.strip()
    return line[:1] in (b"{", b"[") and _value(line) is not None
