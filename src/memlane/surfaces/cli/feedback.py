"""`lane up`, `down` and `feedback`: whether a memory helped; `lane outcome`: how a run went."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memlane.domain import Maturity
from memlane.errors import NotFoundError, UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.recall import TOLD
from memlane.surfaces.cli.text import cut, many, one_line

if TYPE_CHECKING:
    from memlane.app import Lane

FEEDBACK_EXAMPLES = """
lane feedback m_7f3k down --because "we do not use npm any more"
"""


@frame.command(examples=FEEDBACK_EXAMPLES)
@click.argument("memory")
@click.argument("verdict", type=click.Choice(["up", "down"]))
@click.option("--recall", default="", metavar="ID", help="The recall to rate; default: the last one that showed it.")
@click.option("--because", default="", metavar="TEXT", help="The reason, in your own words.")
def feedback(screen: Screen, memory: str, verdict: str, recall: str, because: str) -> None:
    """Say whether MEMORY helped when it was last recalled. A number is a line of `lane why`."""
    judge(screen, memory, verdict, recall, because)


def judge(screen: Screen, memory: str, verdict: str, recall: str, because: str) -> None:
    given = screen.meant(memory)
    with screen.lane() as lane:
        recall = recall or (_on_screen(screen, lane, given) if memory.isdigit() else "")
        by = lane.home.agent
        judged = lane.recall.feedback.judge(
            given, up=verdict == "up", recall=recall, because=because, cwd=Path.cwd(), by=by
        )
    undo = f"lane undo {judged.act}"
    asked = one_line(judged.feedback.query)
    where = f'on prompts like "{cut(asked, 50)}"' if asked else "everywhere"
    title = f'{judged.memory.id[:6]} "{cut(one_line(judged.memory.title), 60)}"'
    effect = f"{_ranks(judged.after)} (x {judged.before:g} -> x {judged.after:g})"
    half = f"; from {by}, so it counts half" if by else ""
    findings = [done(f"thumb-{verdict}", f"{title}: {where} it {effect}{half}", undo)]
    meta = {
        "feedback": judged.feedback.id,
        "memory": judged.memory.id,
        "recall": judged.recall.id,
        "up": judged.feedback.up,
        "by": judged.feedback.by or None,
        "factor": {"before": judged.before, "after": judged.after},
        "undo": undo,
    }
    acted(screen, "lane.feedback/1", findings, "undo", meta)


def _on_screen(screen: Screen, lane: Lane, memory: str) -> str:
    """The recall that `lane why` showed last, if it told this memory on a prompt."""
    with suppress(NotFoundError):
        recall = lane.recall.recorded(screen.meant("1", TOLD))
        if recall.query.words and any(match.memory.id == memory for match in recall.shown):
            return recall.id
    return ""


SILENCED = 0.5  # the factor of five net downs


def _ranks(factor: float) -> str:
    if factor == 1:
        return "ranks as if it had no votes"
    if factor <= SILENCED:
        return "is no longer recalled"
    return f"ranks {abs(factor - 1):.0%} {'higher' if factor > 1 else 'lower'}"


@frame.command()
@click.argument("memory", default="1")
@click.option("--recall", default="", metavar="ID", help="The recall to rate; default: the last one that showed it.")
@click.option("--because", default="", metavar="TEXT", help="The reason, in your own words.")
def up(screen: Screen, memory: str, recall: str, because: str) -> None:
    """Rate MEMORY as helpful: a number from `lane why`, or an id."""
    judge(screen, memory, "up", recall, because)


@frame.command()
@click.argument("memory", default="1")
@click.option("--recall", default="", metavar="ID", help="The recall to rate; default: the last one that showed it.")
@click.option("--because", default="", metavar="TEXT", help="The reason, in your own words.")
def down(screen: Screen, memory: str, recall: str, because: str) -> None:
    """Rate MEMORY as unhelpful: a number from `lane why`, or an id."""
    judge(screen, memory, "down", recall, because)


OUTCOMES = ("success", "failure")
OUTCOME_EXAMPLES = """
lane outcome success
lane outcome r_7f3k failure --because "the deploy was rolled back"
"""


@frame.command(examples=OUTCOME_EXAMPLES)
@click.argument("words", nargs=-1, required=True, metavar="[RUN] success|failure")
@click.option("--because", default="", metavar="TEXT", help="The reason, in your own words.")
def outcome(screen: Screen, words: tuple[str, ...], because: str) -> None:
    """Rate how RUN (default: the newest in this folder) went; the confidence of its memories follows."""
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
