"""What a person typed, where OpenCode's command line hands it on in other words."""

from __future__ import annotations

import re

# `opencode run fix the "menu"` is one argument with spaces, which it passes on as "fix the \"menu\"".
_ARGUMENT = re.compile(r'"((?:[^"\\]|\\.)*)"\s*', re.DOTALL)


def as_typed(prompt: str) -> str:
    """Without the quotes that `opencode run` puts around it: quoted words do not count as the person's own."""
    found = _ARGUMENT.fullmatch(prompt)
    return found[1].replace('\\"', '"') if found and " " in found[1] else prompt
