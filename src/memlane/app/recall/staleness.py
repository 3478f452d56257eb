"""Does what a Memory is about still stand in this checkout? Looked at only for those that are about to be told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from memlane import identity, recall
from memlane.app.home.paths import FILE, small_text
from memlane.domain import Memory, Query

LARGEST = 512 * 1024  # bytes of a file that are looked through while an agent waits


def gone(memory: Memory, query: Query) -> str:
    """What it is about and is not here any more, or "": a file of this project, or a name of code in it. What is about
    several holds as long as one of them is there."""
    about = [one.slug for one in memory.related_entities if one.type == FILE and one.resolved]
    if not about or memory.project_key != query.project.key or not Path(query.cwd).is_dir():
        return ""
    tops = [Path(top) for top in (identity.root_of(query.cwd), query.cwd) if top and _lived_in(top)]
    if not tops:
        return ""
    looked_for = [path for slug in about for path in _places(slug, tops)]
    there = [path for path in looked_for if path.exists()]
    return _lost(recall.symbols(memory.text), there, about[0]) if there or not looked_for else about[0]


def _places(slug: str, tops: Sequence[Path]) -> Iterator[Path]:
    """Where it should be in this checkout, also when it was named in a worktree. What lies elsewhere cannot be gone
    from here."""
    for named in dict.fromkeys((slug, identity.without_worktree(slug))):
        places = (top / named for top in tops)  # a whole path stays one
        yield from (path for path in places if any(path.is_relative_to(top) for top in tops))


def _lived_in(folder: str) -> bool:
    """A checkout without one file of its own was just made, or never filled: nothing is gone from it."""
    return any(not path.name.startswith(".") for path in Path(folder).iterdir())


def _lost(symbols: Sequence[str], files: Sequence[Path], called: str) -> str:
    """Every name it says is there, and none is; "" where that cannot be known."""
    texts = [small_text(path, LARGEST) for path in dict.fromkeys(files)] if symbols else []
    if not texts or any(text is None for text in texts):
        return ""
    words = {word for text in texts for word in re.findall(r"\w+", text or "")}
    return "" if words.intersection(symbols) else f"{symbols[0]} in {called}"
