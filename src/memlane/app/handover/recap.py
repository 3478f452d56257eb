"""What happened in a span of time: its Runs with their summaries and ends, and the memories formed. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memlane.app.handover.digest import CitedText, FileWork, RunDigest, below, is_elsewhere
from memlane.domain import Memory, RunSummary

MOST_FILES = 10
MOST_NEXT = 12


@dataclass(frozen=True, slots=True)
class Span:
    """From a moment to before another, and what people call it: `today`, `last week`."""

    name: str
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Recap:
    span: Span
    runs: tuple[RunDigest, ...]  # in the order they began, subagents inside of their parents
    memories: tuple[Memory, ...] = ()
    unread: int = 0  # Runs that there was no time for; the next look has them

    @property
    def projects(self) -> Sequence[tuple[str, Sequence[RunDigest]]]:
        """The Runs of each, the project with most turns first."""
        found = dict[str, list[RunDigest]]()
        for one in self.runs:
            found.setdefault(one.run.project.name, []).append(one)
        return sorted(found.items(), key=lambda pair: (-sum(one.run.turns for one in pair[1]), pair[0]))

    @property
    def files(self) -> Sequence[FileWork]:
        """Those changed most often; those of a checkout first, named by it."""
        found = dict[str, FileWork]()
        for one in self.runs:
            for file in one.files:
                times = file.times + (found[file.path].times if file.path in found else 0)
                found[file.path] = replace(file, times=times, name=self._named(file.path, one.run))
        return sorted(found.values(), key=lambda file: (is_elsewhere(file.path, file.name), -file.times))[:MOST_FILES]

    def _named(self, path: str, run: RunSummary) -> str:
        name = below(path, run.cwd)
        return f"{run.project.name}: {name}" if name != path and len(self.projects) > 1 else name

    @property
    def next(self) -> Sequence[CitedText]:
        """What is left, the newest first; only of the last Run of a project, because an older one was gone on with."""
        last = {one.run.project.key: one for one in self.runs}
        return [item for one in reversed(list(last.values())) for item in one.next][:MOST_NEXT]

    @property
    def numbers(self) -> dict[str, int]:
        runs = [one.run for one in self.runs]
        return {
            "runs": len(runs),
            "prompts": sum(run.person_turns for run in runs),
            "tool calls": sum(run.tool_calls for run in runs),
            "failed calls": sum(run.errors for run in runs),
            "projects": len({run.project.key for run in runs if run.project.key}),
            "files changed": len({file.path for one in self.runs for file in one.files}),
            "new memories": len(self.memories),
        }


def touches(run: RunSummary, span: Span) -> bool:
    """A Run belongs to a span if it was going on in it."""
    began = run.started or run.ended
    return began is not None and began < span.until and (run.ended or began) >= span.since


def recap_page(recap: Recap) -> Iterator[str]:
    """As Markdown."""
    yield f"# What happened: {recap.span.name}"
    yield ""
    yield ", ".join(f"{count:,} {name}" for name, count in recap.numbers.items() if count) or "Nothing was recorded."
    yield ""
    for project, runs in recap.projects:
        yield f"## {project or 'No project'}"
        yield ""
        for one in runs:
            yield f"- **{one.run.title or 'Untitled'}** ({one.run.agent}, {one.end.value}, `{one.run.id}`)"
            if one.below_title:
                yield f"  {one.below_title}"
        yield ""
    if recap.files:
        yield "## Files"
        yield ""
        yield from (f"- `{file.name}`, changed {file.times}x (`{file.link}`)" for file in recap.files)
        yield ""
    if recap.memories:
        yield "## New memories"
        yield ""
        yield from (f"- {memory.title} (`{memory.id}`)" for memory in recap.memories)
        yield ""
    if recap.next:
        yield "## What is next"
        yield ""
        yield from (f"- {item.text} (`{item.link}`)" for item in recap.next)
