"""What needs no classifier: a recovery, whose Steps tell what worked; "never do that again", right after a deed; an
option that was picked with a reason.

Deterministic, from Triggers and Steps. What worked is held until a second Run or a person says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memlane.catch.embedded.asked import question
from memlane.catch.embedded.cues import SAYS
from memlane.catch.embedded.features import own_words
from memlane.catch.embedded.sentences import clipped, ended, plain, sentences
from memlane.catch.goals import goal_of
from memlane.catch.moment import Moment
from memlane.catch.recovery import has_failed
from memlane.domain import Author, Draft, Kind, Quote, Scope, Signal, Spot, Step, ToolCall, Trigger, Type

RECOVERY_CONFIDENCE = 50  # how often a recovery holds elsewhere nobody has measured: held
FORBIDDEN_CONFIDENCE = 90
CHOICE_CONFIDENCE = 50
_LONGEST_COMMAND = 70
_WHY = 120
_THAT = re.compile(
    r"\b(?:never|don'?t|do not)(?: ever)? (?:do|try|run) (?:that|this|it|such a thing)\b(?: to me)?"
    r"(?: (?:again|any ?more|ever))?",
    re.IGNORECASE,
)
_NOT_A_WHY = re.compile(r"^(?:exit code:? \d+|npm err! code \w+|error:?|<[^>]+>|traceback .*|\W*)$", re.I)

Placed = tuple[Spot, Step]


def drafts(moment: Moment) -> Iterator[Draft]:
    for trigger in moment.triggers:
        if trigger.signal is Signal.RECOVERY and (draft := recovery(moment, trigger)):
            yield draft
    if moment.typed and (draft := forbidden(moment)):
        yield draft


def chosen_with_a_reason(moment: Moment) -> bool:
    """A pick alone is over with its task; whoever says why decides something."""
    own = own_words(moment.person)
    asked = question(moment.before_agent, moment.person)
    return asked is not None and asked.picked is not None and SAYS["reason"].search(own) is not None


# -- failed, failed, worked -------------------------------------------------------------------------------------------


def recovery(moment: Moment, trigger: Trigger) -> Draft | None:
    steps = [(spot, step) for spot, step in moment.steps if trigger.first <= spot <= trigger.last]
    worked = next((step for spot, step in steps if spot == trigger.last), None)
    if worked is None or worked.call is None:
        return None
    goal, command = goal_of(worked.call)
    calls = [step.call for _spot, step in steps if step.call and has_failed(step.call)]
    tried = {
        said: _why(call) for call in calls for there, said in [goal_of(call)] if goal and there and there.same(goal)
    }
    tried.pop(command, None)
    if not tried or " " not in command or len(command) > 2 * _LONGEST_COMMAND:
        return None
    return _recovered(command, tried, trigger.last)


def _recovered(command: str, tried: dict[str, str], spot: Spot) -> Draft:
    names = [_named(each) for each in tried]
    fails = "fails" if len(names) == 1 else "fail"
    title = f"{_named(command)} works where {' and '.join(names[-2:])} {fails}"
    each = "; ".join(f"{_named(said)} failed" + (f" ({why})" if why else "") for said, why in tried.items())
    return Draft(
        type=Type.LEARNING,
        title=clipped(title, 200),
        content=ended(f"What worked: {_named(command)}. What did not: {each}"),
        quotes=(Quote(spot, command),),
        reasoning=f"It failed {len(tried)} time{'s' * (len(tried) > 1)} in another way before it worked.",
        confidence=RECOVERY_CONFIDENCE,
        category="build",
        alternatives=tuple(tried),
    )


def _named(command: str) -> str:
    return f"`{clipped(command, _LONGEST_COMMAND)}`"


def _why(call: ToolCall) -> str:
    """The first line of what came back that says something."""
    lines = (plain(line) for line in call.result.splitlines())
    return clipped(next((line for line in lines if not _NOT_A_WHY.match(line)), ""), _WHY).replace("`", "'")


# -- never do that again ----------------------------------------------------------------------------------------------


def forbidden(moment: Moment) -> Draft | None:
    """Only where the agent's last deed is one command, so that "that" is clear."""
    said = _THAT.search(moment.person)
    if said is None or moment.spot is None or len(sentences(moment.person)) > 3:
        return None
    deed = _last_deed([placed for placed in moment.steps if placed[0] < moment.spot])
    if deed is None:
        return None
    spot, command = deed
    return Draft(
        type=Type.CORRECTION,
        title=f"Never run {_named(command)} again",
        content=f"The agent had run {_named(command)}. The person said: “{clipped(moment.person, 300)}”",
        quotes=(Quote(moment.spot, said[0]), Quote(spot, command)),
        reasoning="The person forbade what the agent had just done.",
        confidence=FORBIDDEN_CONFIDENCE,
        scope=Scope.PROJECT,
    )


def _last_deed(before: Sequence[Placed]) -> tuple[Spot, str] | None:
    """The last command that did something; looking around is not what anybody forbids."""
    for spot, step in reversed(before):
        if step.kind is Kind.PROMPT and step.author is Author.PERSON:
            return None
        if step.call is not None and (command := goal_of(step.call)[1]) and goal_of(step.call)[0] is not None:
            return (spot, command) if " " in command else None
    return None
