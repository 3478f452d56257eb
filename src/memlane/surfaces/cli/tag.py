"""`lane tag`: tags on a run, put there and taken off by a person; without any it says which there are."""

from __future__ import annotations

import click

from memlane.domain import RunSummary
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.runs import title
from memlane.surfaces.cli.text import cut

EXAMPLES = """
lane tag 1 +release +area/billing
lane tag r_7f3k -release
lane runs --tag release
"""
HELP = ("-h", "--help")


class Signed(click.Command):
    """`-x` takes the tag x off: here a word behind one dash is no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f"--off={word[1:]}" if _minus(word) else word for word in args])


def _minus(word: str) -> bool:
    return len(word) > 1 and word[0] == "-" and word[1] != "-" and word not in HELP


@frame.command(examples=EXAMPLES, kind=Signed)
@click.argument("run")
@click.argument("tags", nargs=-1, metavar="[+TAG|-TAG]...")
@click.option("--off", multiple=True, metavar="TAG", help="Take it off: the same as -TAG.")
def command(screen: Screen, run: str, tags: tuple[str, ...], off: tuple[str, ...]) -> None:
    """Put tags on RUN (+TAG) or take them off (-TAG); without any, say which it has."""
    add = [tag.removeprefix("+") for tag in tags]
    if both := sorted(set(add) & set(off)):
        raise UsageError(f"{both[0]} cannot be put on and taken off at once", hint=f"lane tag {run} +{both[0]}")
    with screen.lane() as lane:
        before = lane.runs.get(lane.runs.address(screen.meant(run)).run)
        after = lane.runs.labels.tag(before.id, add, off) if add or off else before
    undo = _undo(before, after)
    kind = ("tagged" if after.tags != before.tags else "nothing-changed") if add or off else "tags"
    meta = {"run": after.id, "tags": after.tags, "before": before.tags, "undo": undo or None}
    acted(screen, "lane.tag/1", [done(kind, told(after), undo)], "undo", meta)


def told(run: RunSummary) -> str:
    words = f'{run.id} "{cut(title(run), 50)}"' if title(run) else run.id
    return f"{words}: {', '.join(run.tags) if run.tags else 'no tags'}"


def _undo(before: RunSummary, after: RunSummary) -> str:
    back = [f"-{tag}" for tag in after.tags if tag not in before.tags]
    back += [f"+{tag}" for tag in before.tags if tag not in after.tags]
    return f"lane tag {after.id} {' '.join(back)}" if back else ""
