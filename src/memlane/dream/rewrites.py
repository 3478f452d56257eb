"""Which Memories point at something only whoever was there could see? They say it outright, if their evidence does.

`said` gives what was said in the Run around a Memory's evidence, "" where that is gone. What it does not say stays
vague; a day that can be read in two ways is written with both. A sentence that says what the title said is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from memlane.claims import absolute, made_exact, verbatim
from memlane.domain import Change, Memory, Proposal, State

Said = Callable[[Memory], str]
_PIECE = re.compile(r"((?<=[.!?;])\s+|\n+)")


def exact(memories: Sequence[Memory], said: Said) -> Iterator[Proposal]:
    for memory in memories:
        if memory.state not in (State.ACTIVE, State.HELD):
            continue
        made = _exact(memory, said)
        if made.text != memory.text:
            yield Proposal(Change.EXACT, (memory,), (made,), f'it said "{memory.title}"')
        elif (short := _shorter(memory)) != memory:
            yield Proposal(Change.SHORTER, (memory,), (short,), "it said the same twice")


def _exact(memory: Memory, said: Said) -> Memory:
    dated = absolute(memory.title, memory.formed_at), absolute(memory.content, memory.formed_at)
    around: list[str] = []  # what was said is looked up only for what is vague
    title, content = made_exact(*dated, lambda: _once(around, memory, said))
    return replace(memory, title=title, content=content)


def _once(around: list[str], memory: Memory, said: Said) -> str:
    if not around:
        quotes = [evidence.quote for evidence in memory.evidence]
        around.append("\n".join((*quotes, memory.source_chunk, said(memory))))
    return around[0]


def _shorter(memory: Memory) -> Memory:
    """Without what appears twice, in its own words: what is quoted or fenced stays as it was said."""
    if verbatim(memory.content).said:
        return memory
    known, kept, pieces = {_bare(memory.title)}, list[str](), _PIECE.split(memory.content)
    for sentence, gap in zip(pieces[::2], [*pieces[1::2], ""], strict=True):
        if _bare(sentence) not in known:
            kept += [sentence, gap]
        known.add(_bare(sentence))
    left = "".join(kept).strip()
    return replace(memory, content=left) if left and len(kept) < len(pieces) + 1 else memory


def _bare(sentence: str) -> str:
    return " ".join(re.findall(r"\w+", sentence.casefold()))
