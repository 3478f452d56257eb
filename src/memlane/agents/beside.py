"""What stands beside a transcript and is worth reading: plans, task lists, todos, summaries of checkpoints.

By the name of the copy in `files/` alone; anything else there (tool results, settings, caches) is kept and not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import msgspec

LARGEST = 256 * 1024  # bytes: what is longer is no plan
_WORTH = re.compile(r"plan\.md|(?:plans|checkpoints|research)--(?!index\.md).*\.md|(?:todos|tasks)--.*\.json")
_VERSION = re.compile(r"~\d+$")
_DONE = frozenset({"completed", "done", "closed", "cancelled"})


def is_worth_reading(name: str) -> bool:
    return _WORTH.fullmatch(_VERSION.sub("", name)) is not None


def first_name(name: str) -> str:
    """Of whichever version of it."""
    return _VERSION.sub("", name)


def beside_text(name: str, data: bytes) -> str:
    """As a person reads it: Markdown as it is, a list of tasks line by line; "" where there is nothing to read."""
    if not is_worth_reading(name) or len(data) > LARGEST:
        return ""
    if first_name(name).endswith(".md"):
        return data.decode("utf-8", "replace").strip()
    try:
        found = cast(object, msgspec.json.decode(data))
    except msgspec.DecodeError:
        return ""
    tasks = cast(Sequence[object], found) if isinstance(found, list) else [found]
    return "\n".join(line for task in tasks for line in _lines(task))


def _lines(task: object) -> Iterator[str]:
    if not isinstance(task, dict):
        return
    fields = cast(Mapping[str, object], task)
    said = next((str(fields[name]) for name in ("content", "subject", "title") if fields.get(name)), "")
    if said:
        yield f"- [{'x' if fields.get('status') in _DONE else ' '}] {said}"
        if isinstance(more := fields.get("description"), str) and more.strip() and more.strip() != said:
            yield f"  {more.strip()}"
