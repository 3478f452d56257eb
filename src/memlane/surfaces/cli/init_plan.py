"""What `lane init` would do, and how it says so before it asks. It changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from memlane import __version__
from memlane.surfaces.cli.text import day, many, padded, size, width, wrapped

if TYPE_CHECKING:
    from memlane.app.setup import LocalAgent, MachineLook, Plan, Setup
    from memlane.surfaces.cli.frame import Screen

WIDE = 72  # columns, for a table with dates
OWN_NOTES = "read CLAUDE.md, AGENTS.md and your agents' memory folders"
BACKED_UP = (
    "Each file is backed up first. `lane uninstall` removes Lane's lines (or restores the backup if nothing else"
    " changed)."
)
FOR_WHAT = "for agents without hooks and for background work"
MASKED = (
    "values that look like passwords or keys, and text inside <private>...</private>: never in search, memories or"
    " recall"
)
NO_FILE = "/dev/null"
A_YEAR = 365  # days; who keeps transcripts that long needs no warning
TITLES = {"timer": "the timer", "plugin": "the plugin", "hook-program": "the program hooks call"}
OWN_FOLDERS = ("plugin", "hook-program")  # areas in Lane's own home


_LEAD = re.compile(r" *(?:(?:then ask|note|Left out|Left alone|In place already|Looked in): |! |\S+(?: \S+)*? {2,})")


@dataclass(frozen=True, slots=True)
class InitPlan:
    """All that one `lane init` would do."""

    look: MachineLook
    chosen: tuple[str, ...]  # agents to capture
    plan: Plan
    hooks: bool
    timer: bool
    recall: bool
    watch: bool = True  # the daemon watches all agents while it runs
    central: str = ""  # where it is sent too, on a machine that has joined one

    @property
    def agents(self) -> Sequence[LocalAgent]:
        return [agent for agent in self.look.agents if agent.name in self.chosen]

    @property
    def has_timer(self) -> bool:
        return "timer" in (*self.plan.areas, *self.plan.in_place)

    def captured_by(self, agent: LocalAgent) -> str:
        if agent.name not in self.chosen:
            return "not captured (left out)"
        if not agent.captured:
            return "never: it is only given notes"
        refused = {trouble.area for trouble in self.plan.left_alone}
        if agent.hooks and self.hooks and agent.name not in refused:
            return "by hooks (each turn)"
        other = "by timer" if self.has_timer else "by your next `lane capture`"
        return f"watched while the daemon runs, else {other}" if self.watch else other

    @property
    def to_finish(self) -> Sequence[LocalAgent]:
        """Agents in which the person has something left to do once their hooks are in."""
        return [agent for agent in self.agents if agent.afterwards and agent.name in self.plan.areas]

    @property
    def left_for_person(self) -> Sequence[str]:
        return [f"{agent.title}: {agent.afterwards}" for agent in self.to_finish]

    @property
    def told(self) -> Sequence[str]:
        """The agents that get hooks now, as people call them."""
        return [agent.title for agent in self.agents if agent.name in self.plan.areas]

    def title(self, area: str) -> str:
        """What is changed, as people call it: an agent, or something of ours."""
        agents = {agent.name: agent.title for agent in self.look.agents}
        return agents.get(area) or TITLES.get(area, area)


def found(screen: Screen, proposal: InitPlan, seconds: float) -> Iterator[str]:
    """The table of agents."""
    look, now = proposal.look, screen.now
    yield f"Lane {__version__}"
    yield ""
    yield f"Checked this machine (read-only) in {seconds:.1f} s"
    yield ""
    rows = [("Agent", "Runs", "Size", "Oldest", "New work is captured")]
    rows += [(a.title, counted(a), size(a.bytes), day(a.oldest, now), proposal.captured_by(a)) for a in look.agents]
    yield from _table(rows if screen.columns >= WIDE else [(*row[:3], row[4]) for row in rows])
    if look.not_found:
        yield f"  not found: {', '.join(look.not_found)}"
    yield from _warnings(proposal)


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Numbers to the right; the last column may be as long as it likes."""
    widths = [max(width(row[n]) for row in rows) for n in range(len(rows[0]) - 1)]
    for *cells, last in rows:
        shown = [padded(cell, w, right=0 < n < 3) for n, (cell, w) in enumerate(zip(cells, widths, strict=True))]
        yield f"  {'   '.join([*shown, last])}".rstrip()


def counted(agent: LocalAgent) -> str:
    """A database is not opened for a look; of an agent that is only told, nothing is looked for."""
    if not agent.captured:
        return "–"
    return "?" if agent.runs is None else f"{agent.runs:,}"


def _warnings(proposal: InitPlan) -> Iterator[str]:
    look = proposal.look
    if 0 < look.deletes_after < A_YEAR:
        yield ""
        yield f"  ! Claude Code deletes transcripts after {look.deletes_after} days on this machine."
        if look.soon_deleted:
            would = "would" if look.soon_deleted == 1 else "of these runs would"
            yield f"    {look.soon_deleted:,} {would} be deleted within 7 days. Lane copies them first."
    if look.typed is not None and "claude-code" in proposal.chosen:
        gone, prompts = many(look.typed.runs, "older Claude Code run"), many(look.typed.prompts, "prompt")
        are, them = ("is", "it") if look.typed.runs == 1 else ("are", "them")
        yield f"  ! {gone} {are} already gone. Your own {prompts} from {them} are still there and will be added."
    if look.rivals and proposal.hooks and "claude-code" in proposal.chosen:
        yield ""
        yield from rival_note(look.rivals, recall=proposal.recall)


def rival_note(rivals: Sequence[str], *, recall: bool) -> Iterator[str]:
    also = "is" if len(rivals) == 1 else "are"
    yield f"  note: {', '.join(rivals)} {also} also adding context to Claude Code."
    yield "    Two memory systems double the tokens."
    if recall:
        yield "    You chose to use both."
    else:
        yield "    Lane will capture but not recall there until you choose:"
        yield "    lane hook install claude-code --recall"


def nobody(installing: Setup, look: MachineLook) -> Iterator[str]:
    """No agent this version knows."""
    yield "No coding agent was found on this machine."
    yield f"  Looked in: {'  '.join(installing.shown(path) for path in look.looked_in)} (all empty or missing)"
    yield "  Somewhere else?  lane capture PATH takes a copied home or one folder"


def planned(screen: Screen, installing: Setup, proposal: InitPlan) -> Iterator[str]:
    """What would be done, in steps, and what a person would worry about."""
    home = installing.shown(screen.config.home)
    runs, total = sum(a.runs or 0 for a in proposal.agents), sum(a.bytes for a in proposal.agents)
    yield "What Lane will do"
    yield f"  1  Copy {many(runs, 'run file')} ({size(total)}) to {home}"
    yield "  2  Build search over them, by words and by meaning (all local; newest first; you can search meanwhile)"
    yield f"  3  Save clear corrections and fixes from them as memories (no language model), and {OWN_NOTES}"
    step = 4
    settings = [row for row in installing.rows(proposal.plan) if row.area != "timer"]
    if settings:
        yield f"  {step}  Add capture and recall to {_and(proposal.told)}, by changing these files:"
        yield ""
        wide = max(width(row.where) for row in settings)
        for area in dict.fromkeys(row.area for row in settings):
            yield f"     {proposal.title(area)}"
            yield from (f"       {padded(row.where, wide)}   {row.what}" for row in settings if row.area == area)
            yield from (f"       then: {agent.afterwards}" for agent in proposal.to_finish if agent.name == area)
        yield f"     {BACKED_UP}"
        step += 1
    if "timer" in proposal.plan.areas:
        yield f"  {step}  Add one user timer: `lane tick` every 5 minutes, {FOR_WHAT}"
    yield from _in_place(proposal)
    yield from (f"  Skipped: {trouble.what}" for trouble in proposal.plan.left_alone)
    left_out = [agent for agent in proposal.look.agents if agent.name not in proposal.chosen]
    if left_out:
        back = f"lane exclude remove agent:{left_out[0].name}"
        yield f"  Left out: {', '.join(agent.title for agent in left_out)} (to include: {back})"
    yield from (f"  note: {note}" for note in proposal.plan.notes if note not in proposal.left_for_person)
    yield from ("", *_promises(home, proposal.central))


def _and(titles: Sequence[str]) -> str:
    *first, last = titles or ["your agents"]
    return f"{', '.join(first)} and {last}" if first else last


def folded(line: str, columns: int) -> Iterator[str]:
    """A line that is too wide goes on under its first word: what stands before a gap is its lead."""
    if width(line) <= columns:
        yield line
        return
    lead = _LEAD.match(line)
    within = lead.end() if lead and lead.end() <= columns // 3 else len(line) - len(line.lstrip())
    for n, part in enumerate(wrapped(line[within:], columns - within)):
        yield f"{line[:within] if n == 0 else ' ' * within}{part}"


def _in_place(proposal: InitPlan) -> Iterator[str]:
    there = [proposal.title(area) for area in proposal.plan.in_place]
    if there:
        yield f"  Already installed: {', '.join(there)}"


def _promises(home: str, central: str) -> Iterator[str]:
    yield "What is kept     exact copies of the run files, readable only by you"
    yield f"What is masked   {MASKED}"
    if central:
        yield f"Where it goes    {home}, and to {central}, which this machine has joined"
        yield "Who can see it   you, on all your machines; whoever runs that computer can read its disk"
        return
    yield f"Where it goes    {home}, on this machine only; nothing is sent anywhere"
    yield "Who can see it   only you"


def exact(proposal: InitPlan) -> Iterator[str]:
    """Every change as a diff."""
    for change in proposal.plan.changes:
        yield from change.diff.splitlines()
        yield ""


def in_short(proposal: InitPlan) -> Iterator[str]:
    """Every file and every command, a line each: how much of it would change, not what it says."""
    lines = [line for change in proposal.plan.changes for line in change.diff.splitlines()]
    yield "Every change" if lines else "No file would change"
    yield from (f"  run   {line.removeprefix('$ ')}" for line in lines if line.startswith("$ "))
    for n, line in enumerate(lines):
        if line.startswith("+++ "):
            before, after = lines[n - 1].removeprefix("--- ").strip(), line.removeprefix("+++ ").strip()
            how = "gone" if after == NO_FILE else "new" if before == NO_FILE else "edit"
            yield f"  {how:<5} {before if after == NO_FILE else after}   {_lines_changed(lines[n + 1 :])}"


def _lines_changed(lines: Sequence[str]) -> str:
    """Up to the next file."""
    signs = [line[:1] for line in takewhile(lambda line: not line.startswith(("--- ", "$ ")), lines)]
    parts = [(signs.count("+"), "added"), (signs.count("-"), "removed")]
    return ", ".join(f"{many(count, 'line')} {how}" for count, how in parts if count)
