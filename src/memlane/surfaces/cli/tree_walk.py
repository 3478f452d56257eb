"""`lane tree -i`: the tree on a screen of its own. Arrows walk and fold, Enter opens a run, q leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlane.errors import LaneError
from memlane.surfaces.cli.output import show_from
from memlane.surfaces.cli.picker import INTERRUPTED, needs_a_terminal
from memlane.surfaces.cli.runs import described
from memlane.surfaces.cli.text import one_line

if TYPE_CHECKING:
    from memlane.app.runs import RunBranch
    from memlane.surfaces.cli.frame import Screen
    from memlane.surfaces.cli.picker.lookup import PickerLookup
    from memlane.surfaces.cli.picker.paint import Picture
    from memlane.surfaces.cli.picker.terminal import Terminal

HELP = "↑↓ walk   → open a branch   ← fold it   Enter read   q leave"
PLAIN_HELP = "arrows: walk, open and fold a branch   Enter: read   q: leave"
LEAVES = ("q", "<esc>", "<ctrl-c>", "<ctrl-d>", "<gone>")
STEPS = {"<up>": -1, "k": -1, "<down>": 1, "j": 1, "<home>": -(10**9), "g": -(10**9), "<end>": 10**9, "G": 10**9}
PAGES = {"<pageup>": -1, "<ctrl-b>": -1, "<pagedown>": 1, "<ctrl-f>": 1, " ": 1}


@dataclass(frozen=True, slots=True)
class WalkRow:
    """A run that is in sight: its branch, and how deep it lies."""

    branch: RunBranch
    depth: int


class TreeWalk:
    """Which branches are open and where the person is; keys in, pictures out."""

    def __init__(self, screen: Screen, roots: Sequence[RunBranch]) -> None:
        self._screen, self._roots = screen, roots
        self._open = set[str]()
        self.row, self._top, self.note = 0, 0, ""

    @property
    def rows(self) -> list[WalkRow]:
        return [row for root in self._roots for row in self._in_sight(root, 0)]

    def _in_sight(self, branch: RunBranch, depth: int) -> Iterator[WalkRow]:
        yield WalkRow(branch, depth)
        for child in branch.children if branch.run.id in self._open else ():
            yield from self._in_sight(child, depth + 1)

    @property
    def here(self) -> RunBranch:
        return self.rows[self.row].branch

    def press(self, key: str, height: int) -> None:
        rows, self.note = self.rows, ""
        if key in STEPS or key in PAGES:
            step = STEPS.get(key, 0) + PAGES.get(key, 0) * max(1, height - 1)
            self.row = min(max(0, self.row + step), len(rows) - 1)
        elif key in ("<right>", "l") and self.here.children:
            self._open.add(self.here.run.id)
        elif key in ("<left>", "h"):
            self._fold(rows)

    def _fold(self, rows: Sequence[WalkRow]) -> None:
        """This branch; one that is folded already leads to where it came from."""
        run = self.here.run
        if run.id in self._open:
            self._open.discard(run.id)
            return
        above = (n for n in range(self.row - 1, -1, -1) if rows[n].depth < rows[self.row].depth)
        self.row = next(above, self.row)

    def picture(self, columns: int, height: int) -> Picture:
        from memlane.surfaces.cli.picker.paint import Picture, fitted

        shown, rows = max(1, height - 2), self.rows
        self._top = min(max(self._top, self.row - shown + 1), self.row)
        drawn = [
            [(0, fitted(self._line(row, here=n == self.row), columns))]
            for n, row in enumerate(rows[self._top : self._top + shown], self._top)
        ]
        help_ = HELP if self._screen.unicode else PLAIN_HELP
        below = f"{self.row + 1} of {len(rows)}   {self.note or help_}"
        empty: list[list[tuple[int, str]]] = [[] for _ in range(shown - len(drawn) + 1)]
        return Picture([*drawn, *empty, [(0, fitted(below, columns))]], (self.row - self._top, 0))

    def _line(self, row: WalkRow, *, here: bool) -> str:
        run, below = row.branch.run, len(row.branch.children)
        sign = ("-" if run.id in self._open else "+") if below else " "
        text = f"{'>' if here else ' '} {'  ' * row.depth}{sign} {described(self._screen, run)}"
        return self._screen.styled(text, "bold") if here else text


def walk(screen: Screen, roots: Sequence[RunBranch]) -> None:
    """Until they leave; the run they stood on is then printed as a command."""
    needs_a_terminal(screen)
    from memlane.surfaces.cli.picker.lookup import PickerLookup
    from memlane.surfaces.cli.picker.terminal import Terminal

    terminal, tree = Terminal(), TreeWalk(screen, roots)
    looking = PickerLookup(screen, terminal.wake)
    try:
        with terminal.taken():
            left = _walked(screen, tree, terminal, looking)
    finally:
        looking.close()
    if left in ("<ctrl-c>", "<gone>"):
        screen.leave(INTERRUPTED)
    screen.line(f"lane show {tree.here.run.id}")


def _walked(screen: Screen, tree: TreeWalk, terminal: Terminal, looking: PickerLookup) -> str:
    while True:
        columns, height = terminal.size
        terminal.show(tree.picture(columns, height))
        for key in terminal.pressed(None):
            if key in LEAVES:
                return key
            if key == "<enter>":
                _read(screen, tree, terminal, looking)
            elif key == "<ctrl-z>":
                terminal.suspend()
            else:
                tree.press(key, height)


def _read(screen: Screen, tree: TreeWalk, terminal: Terminal, looking: PickerLookup) -> None:
    try:
        lines, begin = looking.page(tree.here.run.id).result()
    except LaneError as error:
        tree.note = one_line(error.message)
        return
    with terminal.lent():
        show_from(screen.config.variables, lines, begin)
