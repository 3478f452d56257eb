"""Which Activities a Memory is for, by its `when` ("before committing"), and which ones a command or a file shows.

Words and signs alone, precision before reach: a `when` that says more than the Activity itself is for none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlane.domain.activity_table import ACTIVITIES, Activity
from memlane.domain.memory import Memory

ACTIVITY = "activity"  # the kind of subject that an Activity is, and the source of a Match that was found by one
MOST_BESIDE = 2  # words that a `when` may say beside the Activity; none where a file shows it: there are so many
BY_NAME = {one.name: one for one in ACTIVITIES}
_BORDER = re.compile(r"\s*[,;]\s*(?:or |and |oder |und )?|\s+(?:or|oder|ou|o)\s+(?=\w+ing\b)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_][\w'’-]*")
_LITTLE = frozenset(
    _WORD.findall(
        """
        a an any the this that these those our your my its each every all some new when while whenever before after at
        on of in to for with by from and or is are be being been about tempted work working code change changes changed
        fix fixes fixed file files something anything here repo repository project branch main it them i you we they
        person agent now then first also one more than finished done
        """
    )
)


def sign_of(name: str) -> str:
    """Stands among the words and the subjects that a Memory is found by; no text has such a word."""
    return f"{ACTIVITY}:{name}"


def activities_of(memory: Memory) -> Iterator[Activity]:
    """Those its `when` names, and says little beside; without one, those that it is plainly a rule for."""
    parts = _BORDER.split(memory.when)
    for one in ACTIVITIES:
        if any(_is_it(part, one) for part in parts) if memory.when else one.ruled.search(memory.title):
            yield one


def _is_it(part: str, one: Activity) -> bool:
    found = one.named.search(part)
    if found is None:
        return False
    rest = f"{part[: found.start()]} {part[found.end() :]}".casefold()
    beside = [word for word in _WORD.findall(rest) if word not in _LITTLE]
    return len(beside) <= (MOST_BESIDE if one.command else 0)


def shown_by_command(command: str) -> list[Activity]:
    return [one for one in ACTIVITIES if one.in_command.search(command)]


def shown_by_path(path: str) -> list[Activity]:
    return [one for one in ACTIVITIES if one.in_path.search(path)]
