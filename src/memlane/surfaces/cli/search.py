"""`lane search`: where was it said? By words and by meaning, over everything every agent wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from memlane.errors import UsageError
from memlane.surfaces.cli import frame, search_report
from memlane.surfaces.cli.filters import filters, named, step_filters
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.search_report import COLUMNS, TurnList, address_of
from memlane.surfaces.cli.search_screen import NEWEST_OF, NOTHING_HERE, SearchScreen, corrected, look, notes
from memlane.surfaces.cli.text import many, one_line
from memlane.surfaces.documents import of_hit

EXAMPLES = """
lane search "connection refused"
lane search why did we drop redis --mode meaning
lane search COPY --project . --tool Edit --since "last week"
lane search ENOENT --file Dockerfile --author tool
lane search -i deploy
"""


@frame.command(lists=True, examples=EXAMPLES)
@click.argument("query", nargs=-1)
@filters
@step_filters
@click.option(
    "--mode",
    type=click.Choice(search_report.MODES),
    default="auto",
    show_default=True,
    help="By words, by meaning, or both where meaning is indexed.",
)
@click.option(
    "--sort",
    type=click.Choice(["best", "new"]),
    default="best",
    show_default=True,
    help=f"new: the best {NEWEST_OF}, newest first.",
)
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="At most this many turns.")
@click.option("--here", is_flag=True, help="Only what this machine has; do not ask Central.")
@click.option("-i", "--interactive", "pick", is_flag=True, help="Interactive search as you type; ? lists the keys.")
@click.option("--fail-empty", is_flag=True, help="Exit with 1 if nothing is found.")
def command(screen: Screen, query: tuple[str, ...], pick: bool, fail_empty: bool, **given: Any) -> None:
    """Search all runs for words, names, paths, error codes or a topic; best first."""
    words = speakable(" ".join(query))
    if pick:
        from memlane.surfaces.cli.picker import pick as look_around

        look_around(screen, words, given)
        return
    if not words.strip():
        raise UsageError("the search is empty", hint='lane search "connection refused"')
    with screen.lane() as lane:
        looked = look(screen, lane, words, given)
        ids = lane.runs.short_ids([hit.run.id for hit in looked.best] if screen.terminal else [])
        ids = {**{hit.run.id: hit.run.id for hit in looked.best}, **ids}
    screen.remember_list([address_of(hit) for hit in looked.best])
    if screen.terminal and not screen.json and looked.best and not screen.form.asked:
        screen.paged(_screen(screen, words, looked, given, ids))
    else:
        screen.listing("lane.search/1", looked.best, of_hit, COLUMNS, _meta(words, looked))
    if not looked.best:
        _nothing(screen, words, looked, given)
        if fail_empty:
            screen.leave(1)
    elif not (screen.terminal or screen.json or screen.form.asked):
        for note in notes(words, looked, given["mode"]):
            screen.note(note)


def speakable(words: str) -> str:
    """What a shell hands over may be no text at all; what is not is left out."""
    return words.encode("utf-8", "replace").decode()


def _meta(words: str, looked: SearchScreen) -> Mapping[str, object]:
    return {
        "query": words,
        "turns": looked.turns,
        "runs": looked.runs,
        "mode": looked.mode,
        "meaning": search_report.meaning_document(looked.found, looked.meant),
        "indexed": looked.indexed,
        "archived": looked.archived,
        "meant": looked.found.search.meant,
        "ms": round(looked.ms, 1),
        "central": looked.central or None,
    }


def _screen(
    screen: Screen, words: str, looked: SearchScreen, given: Mapping[str, Any], ids: Mapping[str, str]
) -> Sequence[str]:
    best = looked.best
    newest = ", newest first" if given["sort"] == "new" else ""
    counts = f"{many(looked.runs, 'run')}, {many(looked.turns, 'turn')}"
    lines = [f"{counts}, {search_report.BY[looked.mode]}{newest}, {looked.ms:.0f} ms"]
    lines += [screen.styled(screen.cut(note, screen.columns), "dim") for note in notes(words, looked, given["mode"])]
    drawn = TurnList(screen, len({hit.run.machine for hit in best}) > 1)
    for number, hit in enumerate(best, 1):
        lines += ["", *drawn.lines(number, hit, ids[hit.run.id])]
    left = looked.turns - len(best)
    more = f"{many(left, 'more turn')} (--limit {min(1000, len(best) * 3)}).  " if left > 0 else ""
    return [*lines, "", f"{more}Read: lane show 1"]


def _nothing(screen: Screen, words: str, looked: SearchScreen, given: Mapping[str, Any]) -> None:
    if screen.json or screen.form.asked:
        return
    screen.say(f'No match for "{screen.cut(one_line(words), 200)}".')
    if meant := looked.found.search.meant:
        screen.say(f"  Did you mean: {corrected(words, meant)}?")
    filtered = named(given)
    everywhere = (
        "all agents and projects on this machine" if given["here"] or looked.central else "all agents and projects"
    )
    where = f"with {filtered}" if filtered else everywhere
    searched = f"{looked.indexed:,} of {looked.archived:,} runs" if looked.archived else "what there is"
    screen.say(f"  Searched {searched}, {where}.")
    if looked.empty:
        screen.say(f"  {NOTHING_HERE[:1].upper()}{NOTHING_HERE[1:]}.")
    if looked.central:
        screen.say(f"  {looked.central}")
    if note := looked.about_meaning(given["mode"]):
        screen.say(f"  {note[:1].upper()}{note[1:]}.")
