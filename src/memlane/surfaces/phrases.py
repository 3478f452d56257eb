"""What an act by hand, a reader's answer and a Dream did, in the few words every surface uses for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from memlane.domain import TAUGHT, AppliedChange, Change, Dream, Memory, State

if TYPE_CHECKING:
    from memlane.app.acts import Act
    from memlane.app.catch import AssignmentReceipt


def said(act: Act) -> str:
    """What it was, in few words."""
    if act.undoes is not None:
        return f"undo on {_names(act)}"
    if act.dream:
        return f"dream {act.dream}: {_names(act)}"
    found = dict.fromkeys(_verb(entry.kind, dict(entry.data)) for entry in act.entries if entry.kind != "undo")
    by = f" by {act.agent}" if act.agent else ""
    return f"{', '.join(filter(None, found))}{by}: {_names(act)}"


def _names(act: Act) -> str:
    if judged := about(act):
        return ", ".join(judged)
    return ", ".join(act.names[:3]) + (f" and {_others(len(act.names) - 3)}" if len(act.names) > 3 else "")


def about(act: Act) -> list[str]:
    """The memories that thumbs were given for, or that were kept against a wish."""
    thumbs = [cast(Mapping[str, str], e.data["feedback"])["memory"] for e in act.entries if e.kind == "feedback"]
    return [*thumbs, *(str(entry.data["memory"]) for entry in act.entries if entry.kind == "wish")]


def _verb(kind: str, data: dict[str, object]) -> str:
    match kind:
        case "memory":
            return "merged" if data.get("replaces") else str(data.get("because") or "written")
        case "state":
            return str(data["state"])
        case "mark":
            return "title, tags or pin"
        case "tombstone":
            return "run restored" if data.get("restored") else "run forgotten"
        case "feedback":
            up = cast(Mapping[str, object], data["feedback"])["up"]
            return f"thumb {'up' if up else 'down'}{' taken back' if data.get('taken_back') else ''}"
        case "wish":
            return "kept as it is" if data.get("answer") else "asked about again"
        case "share-wish":
            return f"not shared with {data['whom']}" if data.get("answer") else "asked about again"
        case "outcome":
            return f"outcome {data['outcome']}"
        case "project":
            return _join(cast(Mapping[str, str], data["join"]))
        case "mentions":
            return "names linked"
        case "entity":
            return "what a name means" if "mention" in data else "entity"
        case _:
            return ""


def _join(join: Mapping[str, str]) -> str:
    if join["into"]:
        return f"joined {join['name']} ({join['key']}) with {join['into_name']}"
    return f"renamed {join['name']} to {join['called']}" if join["called"] else f"{join['name']} kept apart"


def _others(n: int) -> str:
    return f"{n} other{'s' if n > 1 else ''}"


CHANGE_REASONS: Mapping[Change, str] = {
    Change.MERGED: "duplicates in different words",
    Change.SUPERSEDED: "contradicted by newer or better evidence",
    Change.GRADUATED: "seen often enough to be a commitment",
    Change.EXACT: "what was vague has a date or a name",
    Change.SHORTER: "the same in fewer words",
    Change.RETIRED: "stale, or rated not useful",
    Change.RESTORED: "the reason it was retired for is gone",
    Change.FADED: "unused: confidence lowered",
}


def headline(report: Dream) -> str:
    if report.failed:
        return f"failed: {report.failed}"
    counts = [f"{counted(report, change)} {change.value}" for change in Change if of_sort(report, change)]
    return ", ".join(counts) or "nothing to do"


def of_sort(report: Dream, change: Change) -> list[AppliedChange]:
    return [one for one in report.done if one.change is change]


def counted(report: Dream, change: Change) -> str:
    taken = sum(len(one.memories) for one in of_sort(report, change))
    return f"{taken} into {len(of_sort(report, change))}" if change is Change.MERGED else str(taken)


def untouched(report: Dream) -> int:
    """Of those that were read; what was restored was not among them."""
    touched = {name for one in report.done if one.change is not Change.RESTORED for name in one.memories}
    return max(0, report.new + report.older - len(touched))


# -- what became of a reader's answer ---------------------------------------------------------------------------------

_OMITTED = {
    "known": "known already",
    "told": "not new: the agent was given it in that run",
    "forgotten": "not kept: the user has forgotten it",
    "too unsure": "not kept: the confidence is below 40",
    "worth little": "not kept: you say that it is worth 1",
}


def receipt_lines(taken: AssignmentReceipt) -> Iterator[str]:
    """One line for each part of an answer."""
    caught = taken.caught
    if taken.already:
        yield f"Nothing to do: {taken.already}."
    for memory in caught.made:
        if memory.maker.startswith(f"{TAUGHT}@"):
            yield f"{memory.state.value} by rule, as the person taught it: {_named(memory)}"
            continue
        yield (
            f"kept: {_named(memory)}"
            if memory.state is State.ACTIVE
            else f"held: {_named(memory)} ({memory.held_because})"
        )
    yield from (f"seen again: {_named(memory)}" for memory in caught.again)
    yield from (f"improved: {_named(memory)}" for memory in caught.improved)
    yield from (f"replaced by it: {_named(memory)}" for memory in caught.replaced)
    yield from (f"{_OMITTED[one.why]}{f': {one.memory}' if one.memory else ''}" for one in caught.omitted)
    yield from (f"refused ({refused.rule}): {refused.says}" for refused in caught.refused)
    yield from (f"not taken: {problem}" for problem in taken.problems)
    if not any(
        (taken.already, caught.made, caught.again, caught.improved, caught.omitted, caught.refused, taken.problems)
    ):
        yield "Read: nothing new."


def _named(memory: Memory) -> str:
    return f"{memory.id} {memory.type.value}: {' '.join(memory.title.split())}"
