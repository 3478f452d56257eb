"""What a Dream did, in the words every surface uses for it."""

from __future__ import annotations

from collections.abc import Mapping

from memlane.domain import Change, Done, Dream

ABOUT: Mapping[Change, str] = {
    Change.MERGED: "said twice in different words",
    Change.SUPERSEDED: "newer or better evidence says otherwise",
    Change.GRADUATED: "seen often enough to be a commitment",
    Change.EXACT: "what was vague has a date or a name",
    Change.SHORTER: "the same in fewer words",
    Change.RETIRED: "stale, or found not useful",
    Change.FADED: "nobody used it: less sure from now on",
}


def headline(report: Dream) -> str:
    if report.failed:
        return f"failed: {report.failed}"
    counts = [f"{counted(report, change)} {change.value}" for change in Change if of_sort(report, change)]
    return ", ".join(counts) or "nothing to do"


def of_sort(report: Dream, change: Change) -> list[Done]:
    return [one for one in report.done if one.change is change]


def counted(report: Dream, change: Change) -> str:
    taken = sum(len(one.memories) for one in of_sort(report, change))
    return f"{taken} into {len(of_sort(report, change))}" if change is Change.MERGED else str(taken)


def untouched(report: Dream) -> int:
    touched = {name for one in report.done for name in one.memories}
    return max(0, report.new + report.older - len(touched))
