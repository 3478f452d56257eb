"""What does a text say that none of its sources says? Figures, names of code and paths cannot be put in other words."""

from __future__ import annotations

import re
from collections.abc import Iterable

# As a reader would copy them: `code`, --flags, paths, anything with a digit or an inner capital.
_EXACT = re.compile(r"`[^`\n]+`|--?\w[\w-]*|[\w.@-]*[/\\][\w./\\@-]+|\w*\d[\w.:%-]*|\b\w+[a-z][A-Z]\w*|\b\w+_\w+")


def added(text: str, sources: Iterable[str]) -> list[str]:
    said = "\n".join(sources).casefold()
    exact = (found[0].strip("`.:-") for found in _EXACT.finditer(text))
    return [word for word in exact if word.casefold() not in said]
