"""Lessons about commands that need no classifier: what worked at last, what was forbidden."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memlane.catch.embedded.sentences import clipped, ended, plain, sentences
from memlane.catch.moment import Moment
from memlane.catch.windows.recovery import goal_of, has_failed
from memlane.domain import Author, Draft, Kind, Quote, Scope, Signal, Spot, Step, ToolCall, Trigger, Type

RECOVERY_CONFIDENCE = 50  # how often a recovery holds elsewhere nobody has measured: held
FORBIDDEN_CONFIDENCE = 90
_LONGEST_COMMAND = 70
_WHY = 120
_PLACED = re.compile(r"^(?:cd \S+ && )+")
_SENT_ELSEWHERE = re.compile(r"\s*[12&]?>+\s*&?\S+")
_SEVERAL = re.compile(r"&&|[;\n<]")
_ONLY_SHOW = frozenset({"tail", "head", "cat", "tee"})
_ASKS_FOR_HELP = re.compile(r"(?:^| )(?:--help|help)(?= |$)")
_THAT = re.compile(
    r"\b(?:never|don'?t|do not)(?: ever)? (?:do|try|run) (?:that|this|it|such a thing)\b(?: to me)?"
    r"(?: (?:again|any ?more|ever))?",
    re.IGNORECASE,
)
_NOT_A_WHY = re.compile(r"^(?:exit code:? \d+|npm err! code \w+|error:?|<[^>]+>|traceback .*|> .*|\W*)$", re.I)
_SAYS_WHY = re.compile(
    r"\b(?:error|err!|fatal|unknown|unrecogni[sz]ed|invalid|unsupported|unexpected|not (?:found|a|supported|allowed"
    r"|recogni[sz]ed|installed|permitted)|no such|cannot|can'?t|could not|couldn'?t|unable|denied|required?|missing"
    r"|incompatible|conflict\w*|deprecated|needs? to|must|only|lock ?file|did you mean)\b|\bE[A-Z]{4,}\b",
    re.IGNORECASE,
)
_HOW_IT_IS_CALLED = re.compile(
    r"\b(?:unknown|unrecogni[sz]ed|invalid|unsupported|unexpected|no such)\W+(?:\w+ )?(?:flag|option|argument|command"
    r"|subcommand|parameter|switch)|\bflag provided but not defined|\busage:|command not found",
    re.IGNORECASE,
)
_OF_THE_CODE = re.compile(
    r"\w\.\w{1,5}(?::\d+|\(\d+,\d+\))|\bTS\d{3,5}\b|\bAssert\w*|^(?:--- )?FAIL\b|\b\d+ (?:failed|errors?)\b",
    re.IGNORECASE,
)
_CHECKS_CODE = re.compile(
    r"\b(?:tests?|pytest|jest|vitest|tsc|lint|eslint|biome|ruff|check|format|fmt|vet|build|clippy)\b"
)

Placed = tuple[Spot, Step]


def drafts(moment: Moment) -> Iterator[Draft]:
    for trigger in moment.triggers:
        if trigger.signal is Signal.RECOVERY and (draft := recovery(moment, trigger)):
            yield draft
    if moment.typed and (draft := forbidden(moment)):
        yield draft


# -- failed, failed, worked -------------------------------------------------------------------------------------------


def recovery(moment: Moment, trigger: Trigger) -> Draft | None:
    """Only of one plain command and others like it: what differs is then what mattered, if the error says so."""
    steps = [step for spot, step in moment.steps if trigger.first <= spot <= trigger.last]
    calls = [step.call for step in steps if step.call is not None]
    if not calls or has_failed(calls[-1]):
        return None
    worked = _simple(goal_of(calls[-1])[1])
    if _ASKS_FOR_HELP.search(worked):
        return None  # it looked something up; what it found came later
    failed = ((_simple(goal_of(call)[1]), call) for call in calls if has_failed(call) and not _refused(call))
    tried = {said: _why(call) for said, call in failed if worked and said and _alike(said, worked)}
    if not tried or not all(_is_fact(said, why) for said, why in tried.items()):
        return None
    return _recovered(worked, tried, Quote(trigger.last, worked))


def _is_fact(command: str, why: str) -> bool:
    """About how it is called or where it runs: not the code it looked at, one thing it named, or a file of the day."""
    if not why or _OF_THE_CODE.search(why) or "/tmp/" in command:
        return False
    if _HOW_IT_IS_CALLED.search(why):
        return True
    names = [word.strip("'\"") for word in command.split()[2:] if not word.startswith("-")]
    return not _CHECKS_CODE.search(command) and not any(name in why for name in names)


def _simple(command: str) -> str:
    """Without where it is run and what is done with its output; "" where it is more than one command."""
    first, *shown = _PLACED.sub("", command).split("|")
    bare = _SENT_ELSEWHERE.sub("", first).strip()
    plain_one = all(piece.split()[:1] and piece.split()[0] in _ONLY_SHOW for piece in shown)
    return bare if plain_one and " " in bare and len(bare) <= _LONGEST_COMMAND and not _SEVERAL.search(bare) else ""


def _alike(failed: str, worked: str) -> bool:
    """More of the same words than others, and another flag, setting or word that names what to do."""
    one, other = failed.split(), worked.split()
    shared = len(set(one) & set(other))
    return failed != worked and shared >= min(len(one), len(other)) / 2 and _manner(one) != _manner(other)


def _manner(words: Sequence[str]) -> set[str]:
    return {word for n, word in enumerate(words) if n < 2 or word.startswith("-") or "=" in word}


def _refused(call: ToolCall) -> bool:
    return "doesn't want to proceed" in call.result


def _recovered(command: str, tried: dict[str, str], quote: Quote) -> Draft:
    names = [_named(each) for each in tried]
    fails = "fails" if len(names) == 1 else "fail"
    title = f"{_named(command)} works where {' and '.join(names[-2:])} {fails}"
    each = "; ".join(f"{_named(said)} failed" + (f" ({why})" if why else "") for said, why in tried.items())
    return Draft(
        type=Type.LEARNING,
        title=clipped(title, 200),
        content=ended(f"What worked: {_named(command)}. What did not: {each}"),
        quotes=(quote,),
        reasoning=f"It worked after {len(tried)} other way{'s' * (len(tried) > 1)} had failed.",
        confidence=RECOVERY_CONFIDENCE,
        category="build",
        alternatives=tuple(tried),
    )


def _named(command: str) -> str:
    return f"`{clipped(command, _LONGEST_COMMAND)}`"


def _why(call: ToolCall) -> str:
    """The first line of what came back that says what was wrong; "" where none does."""
    lines = (plain(line) for line in call.result.splitlines())
    told = (line for line in lines if not _NOT_A_WHY.match(line) and _SAYS_WHY.search(line))
    return clipped(next(told, ""), _WHY).replace("`", "'")


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
        reasoning="You forbade what the agent had just done.",
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
