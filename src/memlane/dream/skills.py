"""Requests that come again and again, in whichever words, Runs, agents and machines.

Which two are the same wish is handed in. Nothing here makes a Skill by itself: it counts, and a person decides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from memlane.domain import Memory
from memlane.domain.tokenizer import terms
from memlane.dream.folder.contents import kebab

OFTEN = 3  # from here on it is a habit
LONGEST_NAME = 40  # of a Skill; agents take 64
COMPARED = 12  # groups with the most words in common that a request is held against
HELD_AGAINST = 5  # requests of a group: it must be the same wish as most of them, or groups drift
SHORTEST_WORD = 3
RESERVED = ("anthropic", "claude")  # no Skill of ours may be called that
_WHOLE = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[^\W\d_]+")  # no numbers
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
Same = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class PersonRequest:
    """What a person asked for, once: in which Run and Turn, of which agent, on which machine."""

    run: str
    turn: int
    text: str
    at: datetime | None = None
    agent: str = ""
    machine: str = ""
    project: str = ""


@dataclass(frozen=True, slots=True)
class RequestGroup:
    """One wish, as often as it was made, oldest first; `memories` that were caught from it."""

    requests: tuple[PersonRequest, ...]
    memories: tuple[Memory, ...] = ()

    @property
    def runs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(request.run for request in self.requests))

    @property
    def agents(self) -> tuple[str, ...]:
        return tuple(sorted({request.agent for request in self.requests if request.agent}))

    @property
    def machines(self) -> tuple[str, ...]:
        return tuple(sorted({request.machine for request in self.requests if request.machine}))

    @property
    def last(self) -> datetime | None:
        return max((request.at for request in self.requests if request.at), default=None)

    @property
    def wish(self) -> str:
        """The plainest of its wordings: the one that has most in common with the others."""
        counted = Counter(word for request in self.requests for word in _words(request.text))

        def common(request: PersonRequest) -> float:
            words = _words(request.text)
            return sum(counted[word] for word in words) / (len(words) + 2) if words else 0.0

        best = max(self.requests, key=lambda request: (common(request), -len(request.text), request.text))
        return " ".join(best.text.split())

    @property
    def name(self) -> str:
        """Of the words that most of them share, in the order they are said in."""
        counted = Counter(word for request in self.requests for word in _words(request.text))
        said = [word for word in _WHOLE.findall(self.wish) if _words(word) and not any(no in word for no in RESERVED)]
        most = [word for word in said if any(2 * counted[term] > len(self.requests) for term in _words(word))]
        return kebab(" ".join(most), LONGEST_NAME) or kebab(" ".join(said), LONGEST_NAME) or "repeated-request"


_SMALL = frozenset(
    re.findall(
        r"\w+",
        """
        a after all an and any are as at be by can could did do does for from go has have how i in into is it its just
        let like make me my need new no now of on or our out please put should since so some that the them then there
        these this to up us want was we what when which will with would you your
        """,
    )
)


def repeated(
    requests: Iterable[PersonRequest], memories: Iterable[Memory], same: Same, least: int = OFTEN
) -> list[RequestGroup]:
    """Those made in at least so many Runs, the most frequent first."""
    groups = _grouped(_once(requests), same)
    for memory in memories:
        if memory.type.row.habit and len({evidence.run for evidence in memory.evidence}) >= least:
            _add_memory(groups, memory)
    found = [replace(group, requests=tuple(sorted(group.requests, key=_when))) for group in groups]
    often = [group for group in found if len(group.runs) >= least]
    return sorted(often, key=lambda group: (-len(group.requests), group.name, group.runs))


def _once(requests: Iterable[PersonRequest]) -> list[PersonRequest]:
    """The same words on the same day are one wish, whatever numbers are in them: tried again, or a fork of the run."""
    seen = dict[tuple[str, str], PersonRequest]()
    for request in sorted(requests, key=_when):
        day = request.at.date().isoformat() if request.at else request.run
        seen.setdefault((" ".join(_WORD.findall(request.text.casefold())) or request.text, day), request)
    return list(seen.values())


def _grouped(requests: Sequence[PersonRequest], same: Same) -> list[RequestGroup]:
    groups, holding = list[list[PersonRequest]](), dict[str, set[int]]()
    for request in requests:
        words = _words(request.text)
        shared = Counter(group for word in words for group in holding.get(word, ()))
        near = sorted((group for group in shared if shared[group] > 1), key=lambda group: (-shared[group], group))[
            :COMPARED
        ]
        home = next((group for group in near if _fits(request, groups[group], same)), None)
        if home is None:
            home = len(groups)
            groups.append([])
        groups[home].append(request)
        for word in words:
            holding.setdefault(word, set()).add(home)
    return [RequestGroup(tuple(group)) for group in groups]


def _fits(request: PersonRequest, group: Sequence[PersonRequest], same: Same) -> bool:
    held = group[:HELD_AGAINST]
    return 2 * sum(same(request.text, other.text) for other in held) >= len(held)


def _add_memory(groups: list[RequestGroup], memory: Memory) -> None:
    """Caught as one habit: requests it was caught from are one wish, also where no word is the same."""
    cited = [PersonRequest(e.run, _turn(e.step), e.quote) for e in memory.evidence if e.run]
    places = {(request.run, request.turn) for request in cited}
    mine = [group for group in groups if any((r.run, r.turn) in places for r in group.requests)]
    there = {(r.run, r.turn) for group in mine for r in group.requests}
    requests = [r for group in mine for r in group.requests]
    requests += [request for request in cited if (request.run, request.turn) not in there]
    known = tuple(m for group in mine for m in group.memories)
    groups[:] = [group for group in groups if group not in mine]
    groups.append(RequestGroup(tuple(dict.fromkeys(requests)), (*known, memory)))


def _turn(step: str) -> int:
    turn = step.partition("#t")[2].partition(".")[0]
    return int(turn) if turn.isdecimal() else 0


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in terms(text) if len(word) >= SHORTEST_WORD) - _SMALL


def _when(request: PersonRequest) -> tuple[datetime, str, int]:
    return request.at or _LONG_AGO, request.run, request.turn
