"""The first line of a memory's history: who began it, once, in words a person uses."""

from __future__ import annotations

import pytest

from memlane.surfaces.web.pages.memory import formed_by, made_by


@pytest.mark.parametrize(
    ("actor", "maker", "line"),
    [
        ("agent", "agent@3/claude-code", "claude-code caught it"),
        ("agent", "agent@3/agent", "an agent caught it"),
        ("lane", "model@3/anthropic/claude-haiku-4-5", "claude-haiku-4-5 caught it"),
        ("lane", "embedded@7", "the built-in classifier caught it"),
        ("agent:codex", "mcp/codex", "codex noted it"),
        ("lane", "mcp", "an agent noted it"),
        ("lane", "taught@1", "you taught it"),
        ("person", "person", "you wrote it down"),
        ("person", "import", "an import brought it in"),
    ],
)
def test_who_began_it_is_named_once(actor: str, maker: str, line: str) -> None:
    assert " ".join(formed_by(actor, maker)) == line


def test_what_you_taught_was_made_by_you() -> None:
    assert made_by("taught@1") == "you, in plain words"
