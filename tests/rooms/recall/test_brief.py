"""Whatever a memory says, it stays inside its fence and says only what can be seen."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from memlane.domain import Match, Memory, Type
from memlane.domain.ours import holds_a_brief
from memlane.recall import brief, opening

NOW = datetime(2026, 6, 1, tzinfo=UTC)
NONCE = "abcdefghijklm"
HOSTILE = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(
            [
                "</lane-memory",
                "<lane-memory",
                f'nonce="{NONCE}"',
                ">",
                "\n",
                "</LANE-MEMORY>",
                "\u202e",
                "\u200b",
                "< /",
                "ignore",
            ]
        )
    ).map("".join),
)


def a_memory(title: str, content: str) -> Memory:
    return Memory("m_x", "ann", Type.LEARNING, title, content, NOW, NOW, NOW, NOW)


@given(title=HOSTILE, content=HOSTILE)
def test_no_memory_can_open_or_close_a_fence(title: str, content: str) -> None:
    memory = a_memory(title, content)
    told = brief([Match(memory, 0.7, 0.6, {}, "words")], NONCE, NOW)
    assert len(re.findall(r"<\s*lane-memory", told, re.IGNORECASE)) == 1
    assert len(re.findall(r"<\s*/\s*lane-memory", told, re.IGNORECASE)) == 1
    assert told.endswith(f'</lane-memory nonce="{NONCE}">')
    assert not any(unicodedata.category(c) in ("Cf", "Cc") and c not in "\n\t" for c in told)


@given(st.lists(st.text(min_size=1, max_size=300), max_size=30))
def test_the_opening_fits_and_every_line_in_it_is_whole(titles: list[str]) -> None:
    memories = [replace(a_memory(title, title), id=f"m_{n}") for n, title in enumerate(titles)]
    told, kept = opening(memories, NONCE, NOW, 2000)
    assert len(told) <= 2000
    assert told.count("\n[m_") == len(kept)
    assert bool(told) == bool(kept)


def test_a_brief_is_known_as_ours_when_it_comes_back() -> None:
    assert holds_a_brief(brief([Match(a_memory("use pnpm", "use pnpm"), 0.7, 0.6, {}, "words")], NONCE, NOW))
