"""What failed and what worked then, over many Runs, each kind of failure once; with the Memory that is about it.

A Memory is named only where its words prove that: it quotes both commands, or was learnt there and names what the error
names (a file, a code, an identifier, or several telling words).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlane.domain import STANDING, Memory, Repair, RunSummary, Selection, Tally, Type
from memlane.domain.tokenizer import terms
from memlane.surfaces.web.formats import one_line

if TYPE_CHECKING:
    from memlane.app import Lane

BY_HAND = Selection(states=STANDING, type=Type.LEARNING.value, limit=2000)  # as the button on the page writes them
SHORTEST_NAME = 6  # letters and more of a file, a code, an identifier: `a.py` is in every second text
SHORTEST_WORD = 6  # letters
LONG_ENOUGH = 8  # characters of a command: `ls` is in any text
ENOUGH_WORDS = 3  # that both have, where no name is in both
_CHANGING = re.compile(r"[0-9a-f]{7,}|\d+|/\S+/")
_STEP = re.compile(r"#t(\d+)")
_TAGS = re.compile(r"</?\w+>")
_SAYS_NOTHING = re.compile(r"(exit code:? \d+|error:?|failed|\W*output truncated\W*|\W*)", re.IGNORECASE)
_USUAL_WORDS = (
    "always argument before button cannot change changed command content current default directory error "
    "errors exists expected failed failure function having import instead invalid missing module number "
    "object output parameter please project result return returned running script should status string system "
    "traceback undefined unexpected update version warning without working"
)
_USUAL = frozenset(terms(_USUAL_WORDS))


@dataclass(frozen=True, slots=True)
class Recovery:
    """The same failure, wherever it came up; `memory` is what was learnt from it, if anything was."""

    mended: Repair
    run: RunSummary
    times: int
    runs: int
    memory: Memory | None

    @property
    def error(self) -> str:
        return _error(self.mended)

    @property
    def lesson(self) -> str:
        return _lesson(self.mended)


def recoveries(lane: Lane, runs: Sequence[RunSummary], tallies: Mapping[str, Tally]) -> Sequence[Recovery]:
    """Those that came up most first, then the newest."""
    learnt = {run.id: _formed_in(lane, run.id) for run in runs if tallies[run.id].mended}
    by_hand = {" ".join(memory.content.split()): memory for memory in lane.memories.select(BY_HAND)}
    found = dict[str, list[tuple[RunSummary, Repair]]]()
    for run in runs:
        for mended in tallies[run.id].mended:
            found.setdefault(_CHANGING.sub("#", _error(mended)).casefold(), []).append((run, mended))
    made = [_recovery(some, learnt, by_hand) for some in found.values()]
    return sorted(made, key=lambda one: (-one.runs, one.memory is None, -one.times))


def _formed_in(lane: Lane, run: str) -> Sequence[Memory]:
    return [memory for memory in lane.memories.formed_in(run) if memory.state in STANDING]


def _recovery(
    some: Sequence[tuple[RunSummary, Repair]],
    learnt: Mapping[str, Sequence[Memory]],
    by_hand: Mapping[str, Memory],
) -> Recovery:
    run, mended = some[0]
    said = next((by_hand[lesson] for _run, each in some if (lesson := _lesson(each)) in by_hand), None)
    memory = said or next((one for run, each in some for one in learnt[run.id] if is_about(one, run.id, each)), None)
    return Recovery(mended, run, len(some), len({one.id for one, _mended in some}), memory)


def is_about(memory: Memory, run: str, mended: Repair) -> bool:
    """It quotes what failed and what worked; or it was learnt while that failed, and names what the error names."""
    told = " ".join("\n".join((memory.title, memory.content)).split())
    commands = {" ".join(command.split()) for command in (mended.tried, mended.did)}
    if len(commands) > 1 and all(len(one) >= LONG_ENOUGH and one in told for one in commands):
        return True
    quotes = [each.quote for each in memory.evidence if each.run == run and _is_between(each.step, mended)]
    if not quotes:
        return False
    both = _telling(terms("\n".join((told, *quotes)))) & _telling(terms(_TAGS.sub("", mended.error)))
    return any(not term.isalpha() for term in both) or len(both) >= ENOUGH_WORDS


def _is_between(step: str, mended: Repair) -> bool:
    place = _STEP.search(step)
    return place is not None and mended.failed.turn <= int(place[1]) <= mended.worked.turn


def _telling(every: Iterable[str]) -> frozenset[str]:
    """Names with a letter and something else in them, and long words that not every error has."""
    return frozenset(term for term in every if _is_name(term) or (_is_long(term) and term not in _USUAL))


def _is_name(term: str) -> bool:
    return len(term) >= SHORTEST_NAME and not term.isalpha() and any(letter.isalpha() for letter in term)


def _is_long(term: str) -> bool:
    return len(term) >= SHORTEST_WORD and term.isalpha()


def _lesson(mended: Repair) -> str:
    """As a person would say it."""
    return f"{one_line(mended.did, 90)} works where {one_line(mended.tried, 90)} fails"


def _error(mended: Repair) -> str:
    """What was said about it; where that is only that it failed, what was tried too."""
    said = _TAGS.sub("", mended.error).strip()
    return f"{one_line(mended.tried, 80)}: {said or 'failed'}" if _SAYS_NOTHING.fullmatch(said) else said
