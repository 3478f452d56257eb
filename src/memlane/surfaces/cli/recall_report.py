"""One recall on the screen: the query, what was told and why, and what just missed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from memlane.domain import WITHHELD, EarlierTurn, Feedback, Match, Outcome, Recall, RecallMoment
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import day, long_ago, many, one_line, padded, width, wrapped

WIDEST = 120
FEW = 3
HALF_WAY = 0.5  # of the floor: what is farther away did not just miss
LIKELY = 0.5  # that it changes what the agent does
NO_TERMINAL = 100
_LEFT_OUT = ("stale", "loaded", "stated")  # it would have been told
_FITS = {
    **{"entity": "mentioned", "asked": "asked for", "file": "this file", "activity": "about to", "answer": "its words"},
    **{"index": "title", "stale": "stale", "loaded": "in its file", "stated": "said already"},
}
_BY_NAME = ("entity", "asked")  # where nobody could tell what it means, no likeness is known
_BY_SIGN = ("file", "activity", "answer", "standing", "index")  # found by what it is for, not by what it means


def recall_lines(
    screen: Screen,
    recall: Recall,
    *,
    near_misses: bool = False,
    recorded: bool = True,
    verdicts: Sequence[Feedback] = (),
) -> Iterator[str]:
    """`recorded`: it happened; else it is what would happen. `verdicts`: on what it told."""
    query, room = recall.query, min(screen.columns, WIDEST) if screen.terminal else NO_TERMINAL
    if recorded:
        where = [long_ago(recall.at, screen.now), query.agent, query.project.name, query.run]
        yield from _beside(", ".join(part for part in where if part), recall.id, room, between=3)
    yield screen.cut(looked_for(recall), room)
    yield ""
    yield from wrapped(_outcome(recall) if recorded else would_be(recall), room)
    if alone := recall.extra.get("fallback") or recall.extra.get("unread"):
        yield from wrapped(f"Matched by words and names only: {one_line(alone)}.", room)
    if skipped := recall.extra.get("second_look_skipped"):
        yield from wrapped(f"Not rechecked, decided by score alone: {one_line(skipped)}.", room)
    for number, match in enumerate(recall.shown, 1):
        yield from _match(screen, number, match, recall.owner, room)
        yield from (line for one in verdicts if one.memory == match.memory.id for line in _judged(one, room))
    for one in recall.earlier:
        yield from _earlier(screen, one, room)
    yield from _missed(screen, recall, room, whole=near_misses)
    if screen.terminal and recorded and any(match.source != "index" for match in recall.shown):
        first = recall.shown[0].memory.id
        yield ""
        said = _beside("vote: lane up 1 | lane down 1", f"edit: lane mem edit {first}", room, between=4)
        yield from (screen.styled(line, "dim") for line in said)


def _beside(one: str, other: str, room: int, between: int) -> Iterator[str]:
    """On one line, or where that is too narrow on two."""
    if width(one) + between + width(other) <= room:
        yield f"{one}{' ' * between}{other}"
    else:
        yield from wrapped(one, room)
        yield other


def looked_for(recall: Recall) -> str:
    query, asked = recall.query, one_line(recall.query.words)
    match query.moment:
        case RecallMoment.START:
            return "At the start of a run"
        case RecallMoment.FILE:
            doing = f', while at "{asked}"' if asked else ""
            return f"Touched {touched(recall)}{doing}"
        case RecallMoment.COMMAND:
            return f"About to: {recall.query.activity}"
        case RecallMoment.ANSWER:
            return f'The agent said: "{asked}"'
        case RecallMoment.PROMPT | RecallMoment.ASKED:
            return f'Prompt: "{asked}"'


def touched(recall: Recall) -> str:
    """The file, as short as it is clear."""
    file, cwd = one_line(recall.query.files[0] if recall.query.files else ""), recall.query.cwd
    return str(PurePath(file).relative_to(cwd)) if cwd and PurePath(file).is_relative_to(cwd) else file


def _outcome(recall: Recall) -> str:
    """Four different things in four different texts."""
    match recall.outcome:
        case Outcome.SHOWN if recall.holdout:
            return "Withheld: this run is in the control group, which measures the effect of recall."
        case Outcome.SHOWN if recall.earlier:
            return (
                f"No memory matched. Pointed to an earlier run, {recall.tokens} tokens, {recall.milliseconds:.0f} ms:"
            )
        case Outcome.SHOWN if recall.query.moment is RecallMoment.ANSWER:
            return f"For you to see, {recall.milliseconds:.0f} ms; the agent is told if you go on:"
        case Outcome.SHOWN:
            return f"Recalled, {recall.tokens} tokens, {recall.milliseconds:.0f} ms:"
        case Outcome.QUESTION:
            return f"The agent was asked to clarify which one is meant: {_names(recall)}."
        case Outcome.SILENT:
            return f"Nothing recalled: {recall.why}."
        case Outcome.NOT_LOOKED:
            return f"Recall was skipped: {recall.why}."
        case Outcome.TOO_SLOW:
            return f"Too slow: {recall.why or f'it gave up after {recall.milliseconds:.0f} ms'}."


def would_be(recall: Recall) -> str:
    if recall.shown or recall.earlier:
        what = many(len(recall.shown), "memory", "memories") if recall.shown else "no memory, but an earlier run"
        return f"Would recall: {what}, {recall.tokens} tokens, {recall.milliseconds:.0f} ms:"
    if recall.asks:
        return f"The agent would be asked to clarify which one is meant: {_names(recall)}."
    return f"Would recall nothing: {recall.why}."


def _names(recall: Recall) -> str:
    return "; ".join(f'"{one.raw}" may be {" or ".join(one.choices)}' for one in recall.asks)


def fits(match: Match) -> str:
    """What it was found by, and the similarity the floor is set on."""
    called = _FITS.get(match.source, match.source)
    unknown = match.source in _BY_NAME and not match.similarity
    return called if match.source in _BY_SIGN or unknown else f"{called} {match.similarity:.0%}"


def needed(likely: float) -> str:
    """What a second look says."""
    return f"useful: {likely:.0%}"


def _cued(match: Match) -> str:
    """ "" where the note itself is at least as like the prompt."""
    return f"because the prompt is like its cue “{one_line(cue)}”" if (cue := match.cued_by) else ""


def _match(screen: Screen, number: int, match: Match, owner: str, room: int) -> Iterator[str]:
    memory = match.memory
    head = f"{number}  {memory.type.value:<12} {fits(match):<13}  "
    left = room - width(head) - 8
    title = memory.title or "not shared any more"
    yield f"{head}{padded(screen.cut(one_line(title), left), left)}  {memory.id[:6]}"
    if match.needed is not None:
        yield f"   {needed(match.needed)}"
    for why in (_cued(match), one_line(match.because)):
        yield from (f"   {line}" for line in wrapped(why, room - 3) if line)
    if match.parts:
        yield from (f"   {line}" for line in wrapped(_sum(match), room - 3))
    if match.source == "index":
        return
    place = [f"from {one.step or one.run}" for one in memory.evidence[:1] if one != WITHHELD]
    shared = [f"shared by {memory.owner}"] if memory.owner != owner else []
    seen = [f"seen {memory.times_observed} times"] if memory.times_observed > 1 else []
    facts = ", ".join(
        [
            f"formed {day(memory.formed_at, screen.now)}, saved {day(memory.saved_at, screen.now)}",
            *seen,
            *place,
            *shared,
        ]
    )
    yield from (f"   {line}" for line in wrapped(facts, room - 3))


def _judged(one: Feedback, room: int) -> Iterator[str]:
    because = f': "{one_line(one.because)}"' if one.because else ""
    said = f"thumb {'up' if one.up else 'down'} by {one.by or 'you'}{because}"
    yield from (f"   {line}" for line in wrapped(said, room - 3))


def _earlier(screen: Screen, one: EarlierTurn, room: int) -> Iterator[str]:
    meaning = f", meaning {one.likeness:.0%}" if one.likeness is not None else ""
    place = f"{one.run}#t{one.turn}"
    whose = f"{one.agent} @{one.machine}, {day(one.at, screen.now)}: {one.covered:.0%} of the question{meaning}"
    yield from (f"   {line}" for line in wrapped(whose, room - 3))
    yield f"   read it: lane show {place}"


def _missed(screen: Screen, recall: Recall, room: int, *, whole: bool) -> Iterator[str]:
    floor = float(recall.extra.get("floor", "0") or 0)
    near = [one for one in recall.near if whole or one.source in _LEFT_OUT or _close(one, floor)]
    if not near:
        return
    yield ""
    judged = any(one.needed is not None for one in near)
    yield f"Near misses (floor {floor:.0%}):" if floor and not judged else "Near misses:"
    for match in near if whole else near[:FEW]:
        head = f"   {match.memory.type.value:<12} {fits(match):<13}  "
        left = room - width(head) - 8
        title = screen.cut(one_line(match.memory.title), left)
        yield f"{head}{padded(title, left)}  {match.memory.id[:6]}"
        if match.needed is not None:
            yield f"     {needed(match.needed)}"
        for why in (_cued(match), one_line(match.because)):
            yield from (f"     {line}" for line in wrapped(why, room - 5) if line)
        if whole and match.parts:
            yield from (f"     {line}" for line in wrapped(_sum(match), room - 5))


def _close(match: Match, floor: float) -> bool:
    return match.similarity >= HALF_WAY * floor or (match.needed or 0.0) >= HALF_WAY * LIKELY


def _sum(match: Match) -> str:
    """The score and its parts: also as they stand here they add up."""
    parts = " ".join(f"{name} {_short(part)}" for name, part in rounded(match.parts).items() if part)
    return f"{_short(round(match.score, 2))} = {parts}"


def rounded(parts: Mapping[str, float]) -> dict[str, float]:
    """To hundredths that add up to the rounded whole: those that lose most by it are rounded up."""
    whole = round(round(sum(parts.values()), 4) * 100)
    low = {name: math.floor(part * 100 + 1e-9) for name, part in parts.items()}
    missing = whole - sum(low.values())
    for name in sorted(parts, key=lambda name: low[name] - parts[name] * 100)[: max(0, missing)]:
        low[name] += 1
    return {name: hundredths / 100 for name, hundredths in low.items()}


def _short(number: float) -> str:
    return f"{number:.2f}".replace("0.", ".", 1)
