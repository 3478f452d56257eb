"""`lane tag`, `lane title` and `lane pin`: what a person puts on a run."""

from __future__ import annotations

import click

from memlane.domain import RunSummary
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.runs import run_title
from memlane.surfaces.cli.text import cut

TAG_EXAMPLES = """
lane tag 1 +release +area/billing
lane tag r_7f3k -release
lane runs --tag release
"""
HELP = ("-h", "--help")


class TagCommand(click.Command):
    """`-x` takes the tag x off: here a word behind one dash is no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f"--off={word[1:]}" if _minus(word) else word for word in args])


def _minus(word: str) -> bool:
    return len(word) > 1 and word[0] == "-" and word[1] != "-" and word not in HELP


@frame.command(examples=TAG_EXAMPLES, kind=TagCommand)
@click.argument("run")
@click.argument("tags", nargs=-1, metavar="[+TAG|-TAG]...")
@click.option("--off", multiple=True, metavar="TAG", help="Remove this tag, like -TAG.")
def tag(screen: Screen, run: str, tags: tuple[str, ...], off: tuple[str, ...]) -> None:
    """Add (+TAG) or remove (-TAG) tags of RUN; without any, list them."""
    add = [tag.removeprefix("+") for tag in tags]
    if both := sorted(set(add) & set(off)):
        raise UsageError(f"{both[0]} cannot be added and removed at once", hint=f"lane tag {run} +{both[0]}")
    with screen.lane() as lane:
        before = lane.runs.get(lane.runs.address(screen.meant(run)).run)
        after = lane.runs.labels.tag(before.id, add, off) if add or off else before
    undo = _undo(before, after)
    kind = ("tagged" if after.tags != before.tags else "nothing-changed") if add or off else "tags"
    meta = {"run": after.id, "tags": after.tags, "before": before.tags, "undo": undo or None}
    acted(screen, "lane.tag/1", [done(kind, told(after), undo)], "undo", meta)


def told(run: RunSummary) -> str:
    words = f'{run.id} "{cut(run_title(run), 50)}"' if run_title(run) else run.id
    return f"{words}: {', '.join(run.tags) if run.tags else 'no tags'}"


def _undo(before: RunSummary, after: RunSummary) -> str:
    back = [f"-{tag}" for tag in after.tags if tag not in before.tags]
    back += [f"+{tag}" for tag in before.tags if tag not in after.tags]
    return f"lane tag {after.id} {' '.join(back)}" if back else ""


TITLE_EXAMPLES = """
lane title 1 the release that went wrong
lane title r_7f3k
lane title r_7f3k --clear
lane title r_7f3k --ask
"""


@frame.command(examples=TITLE_EXAMPLES)
@click.argument("run")
@click.argument("text", nargs=-1)
@click.option("--clear", is_flag=True, help="Restore the agent's own title.")
@click.option("--ask", is_flag=True, help="Let the model from `lane catch setup` write one.")
def title(screen: Screen, run: str, text: tuple[str, ...], clear: bool, ask: bool) -> None:
    """Give RUN your own title; without TEXT, print its title."""
    if bool(text) + clear + ask > 1:
        raise UsageError("give a TEXT, --ask or --clear, only one of them", hint=f"lane title {run} --clear")
    with screen.lane() as lane:
        found = lane.runs.get(lane.runs.address(screen.meant(run)).run)
        before = lane.runs.labels.own_title(found.id)
        after = lane.runs.labels.title(found.id, " ".join(text)) if text or clear else found
        after = lane.runs.labels.ask_title(found.id) if ask else after
        own = lane.runs.labels.own_title(found.id)
    kind = ("titled" if own else "not-titled-any-more") if own != before else "nothing-changed"
    if not (text or clear or ask):
        kind = "title"
    undo = f"lane undo {after.id}" if own != before else ""
    what = f'{after.id} "{cut(after.title, 80)}"' if after.title else after.id
    meta = {"run": after.id, "title": after.title, "own": own or None, "before": before or None, "undo": undo or None}
    acted(screen, "lane.title/1", [done(kind, what, undo)], "undo", meta)


@frame.command()
@click.argument("run")
@click.option("--off", is_flag=True, help="Unpin it.")
def pin(screen: Screen, run: str, off: bool) -> None:
    """Pin RUN; `lane runs` marks it."""
    with screen.lane() as lane:
        before = lane.runs.get(lane.runs.address(screen.meant(run)).run)
        after = lane.runs.labels.pin(before.id, on=not off)
    undo = f"lane pin {after.id}{' --off' * after.pinned}" if before.pinned != after.pinned else ""
    kind = ("pinned" if after.pinned else "not-pinned-any-more") if undo else "nothing-changed"
    words = f'{after.id} "{cut(run_title(after), 50)}"' if run_title(after) else after.id
    acted(
        screen,
        "lane.pin/1",
        [done(kind, words, undo)],
        "undo",
        {"run": after.id, "pinned": after.pinned, "undo": undo or None},
    )
