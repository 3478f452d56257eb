"""Did the person just say it? Their own words in the turn that an agent works on, found in its running transcript.

Where that has none yet, in the prompt that our hook was given. Knows nothing of what is made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memlane.app.home import Home
from memlane.app.runs import Runs
from memlane.catch.quotes import verbatim
from memlane.domain import Address, Author, Evidence, Kind, RecallMoment, RunFilter, RunSummary, Step
from memlane.errors import LaneError

LOOKED_THROUGH = 20  # newest Recalls, for the prompt that is worked on: files that are touched have theirs too
NEWEST = 20  # Runs of an agent, for the one that works in a folder
_SAID_IN = (Kind.PROMPT, Kind.ANSWER)
TakeIn = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class AgentPlace:
    """Where the agent that asks works: its name as its program says it, its folder, its Run if that is known."""

    agent: str
    folder: Path
    run: str = ""


@dataclass(frozen=True, slots=True)
class SpokenWords:
    """The person's words, masked; all they said in that turn; and where it stands, if that is known."""

    quote: str
    turn: str
    evidence: tuple[Evidence, ...] = ()


class RunningTurn:
    def __init__(self, home: Home, runs: Runs, take_in: TakeIn) -> None:
        self._home, self._runs, self._take_in = home, runs, take_in

    def spoken(self, words: str, place: AgentPlace) -> SpokenWords | None:
        """These words as the person said them in the turn that is being worked on; None if they did not."""
        wanted, run, steps = self._home.gate.mask(" ".join(words.split())), *self._newest(place)
        own = [step for _turn, step in steps if step.author is Author.PERSON]
        said = "\n".join(step.text for step in own) or self._prompt(place)
        if not _stands(wanted, said) and not _stands(wanted, said := self._prompt(place)):
            return None
        evidence = [_evidence(run, turn, step, wanted) for turn, step in steps if run and _stands(wanted, step.text)]
        return SpokenWords(wanted, said, tuple(evidence[:1]))

    def _newest(self, place: AgentPlace) -> tuple[RunSummary | None, Sequence[tuple[int, Step]]]:
        """What was said in the last turn of the Run that works there, by whoever began it."""
        agent = self._agent(place.agent)
        with suppress(LaneError, OSError):  # without it the prompt our hook saw still counts
            self._take_in(agent)
        run = next((one for one in self._runs.select(RunFilter(agent=agent, limit=NEWEST)) if _is(one, place)), None)
        if run is None or not agent:
            return None, ()
        prompts = [at for at in self._runs.transcript.every(run.id) if at.step.kind in _SAID_IN and not at.step.ours]
        return run, [(at.turn, at.step) for at in prompts if at.turn == prompts[-1].turn]

    def _agent(self, called: str) -> str:
        """Ours, of the name that a program gives itself: `codex-mcp-client` is codex."""
        names = sorted(self._home.agents, key=len, reverse=True)
        return next((name for name in names if called == name or called.startswith(f"{name}-")), "")

    def _prompt(self, place: AgentPlace) -> str:
        """The newest of this run, else of this folder, as our hook was given it: nobody but the person writes there."""
        newest = self._home.storage().recalls.newest
        recalls = newest(LOOKED_THROUGH, self._home.reader, run=place.run, cwd=str(place.folder))
        return next((one.query.words for one in recalls if one.query.moment is RecallMoment.PROMPT), "")


def _is(run: RunSummary, place: AgentPlace) -> bool:
    return run.id == place.run if place.run else run.cwd == str(place.folder)


def _stands(wanted: str, text: str) -> bool:
    return bool(wanted) and verbatim(wanted, text) is not None


def _evidence(run: RunSummary | None, turn: int, step: Step, quote: str) -> Evidence:
    name, generation = (run.id, run.generation) if run else ("", 0)
    return Evidence(name, generation, step.line, str(Address(name, turn, step.n)), quote)
