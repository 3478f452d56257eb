"""`lane outcome`: how a run went. It counts for the memories that were recalled in it."""

from __future__ import annotations

from pathlib import Path

import click

from memlane.domain import Maturity
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import cut, many, one_line

OUTCOMES = ("success", "failure")
EXAMPLES = """
lane outcome success
lane outcome r_7f3k failure --because "the deploy was rolled back"
"""


@frame.command(examples=EXAMPLES)
@click.argument("words", nargs=-1, required=True, metavar="[RUN] success|failure")
@click.option("--because", default="", metavar="TEXT", help="Why, in your own words.")
def command(screen: Screen, words: tuple[str, ...], because: str) -> None:
    """How RUN went, else the newest run of this folder: its memories gain or lose by it."""
    *given, said = words
    if said not in OUTCOMES or len(given) > 1:
        raise UsageError(f"{' '.join(words)!r} is not an outcome", hint=f"lane outcome RUN {'|'.join(OUTCOMES)}")
    with screen.lane() as lane:
        run = lane.runs.get(screen.meant(given[0])) if given else lane.runs.outcomes.newest_in(Path.cwd())
        scored = lane.runs.outcomes.outcome(run.id, success=said == "success", because=because)
    undo = f"lane undo {scored.act}"
    told = f"{many(len(scored.memories), 'memory', 'memories')} recalled in it"
    findings = [done(f"outcome-{said}", f"{run.id}: {told}", undo)]
    for before, after in scored.changed:
        kind = "proven" if after.maturity is Maturity.PROVEN else "not-proven-any-more"
        change = f"confidence {before.confidence} -> {after.confidence}"
        findings.append(done(kind, f'{after.id} "{cut(one_line(after.title), 60)}", {change}'))
    meta = {"run": run.id, "outcome": said, "memories": scored.memories, "undo": undo}
    changed = [{"id": a.id, "maturity": a.maturity, "confidence": a.confidence} for _b, a in scored.changed]
    acted(screen, "lane.outcome/1", findings, "undo", {**meta, "changed": changed})
