"""The picker at work: keys in, pictures out, and a question asked whenever the typing rests for a moment."""

from __future__ import annotations

import time
from concurrent.futures import Future
from dataclasses import replace

from memlane.errors import LaneError
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.output import show_from
from memlane.surfaces.cli.picker.bindings import ViewBounds, pressed
from memlane.surfaces.cli.picker.lookup import PickerLookup
from memlane.surfaces.cli.picker.paint import plain
from memlane.surfaces.cli.picker.panes import PickerFrame
from memlane.surfaces.cli.picker.terminal import GONE, Terminal
from memlane.surfaces.cli.picker.view import Focus, PickerAnswer, PickerQuestion, PickerView, Preview
from memlane.surfaces.cli.text import one_line

REST = 0.06  # seconds without a key after which a question is asked


class PickerLoop:
    def __init__(self, screen: Screen, terminal: Terminal, looking: PickerLookup, view: PickerView) -> None:
        self._screen, self._terminal, self._looking = screen, terminal, looking
        self.view = view
        self._answer: PickerAnswer | None = None
        self._asked: tuple[PickerQuestion, Future[PickerAnswer]] | None = None
        self._preview = Preview()
        self._reading: tuple[str, Future[Preview]] | None = None
        self._width = 0  # of the preview that was read
        self._last_key = 0.0

    def run(self) -> str:
        """Until they leave: how they left."""
        while True:
            self._take_answers()
            self._ask()
            self._terminal.show(self._drawing().picture())
            for key in self._terminal.pressed(self._wait()):
                self._last_key = time.monotonic()
                if key == GONE:
                    return "stop"
                self.view = pressed(self.view, key, self._around())
                if act := self._acted():
                    return act

    # -- asking ------------------------------------------------------------------------------------------------------

    def _rested(self) -> bool:
        return time.monotonic() - self._last_key >= REST

    def _wait(self) -> float | None:
        """Until the typing has rested, if something is to be asked then; else for a key or an answer."""
        return REST if self._wants_answer() or self._wants_preview() else None

    def _wants_answer(self) -> bool:
        return self._asked is None and (self._answer is None or self._answer.question != self.view.question)

    def _wants_preview(self) -> bool:
        columns = self._preview_width()
        if self._reading is not None or not self._address() or not columns:
            return False
        return (self._preview.address, self._width) != (self._address(), columns)

    def _ask(self) -> None:
        if not self._rested():
            return
        if self._wants_answer():
            self._asked = (self.view.question, self._looking.ask(self.view.question))
        elif self._asked is None and self._wants_preview():
            self._width = self._preview_width()
            wanted = self._answer.wanted if self._answer else frozenset[str]()
            self._reading = (self._address(), self._looking.read(self._address(), wanted, self._width))

    def _take_answers(self) -> None:
        if self._asked and self._asked[1].done():
            self._answer, self._asked = self._asked[1].result(), None
            self.view = replace(self.view, row=min(self.view.row, max(0, len(self._answer.hits) - 1)))
        if self._reading and self._reading[1].done():
            self._preview, self._reading = self._reading[1].result(), None
            self.view = replace(self.view, scroll=self._preview.begin)

    def _address(self) -> str:
        hits = self._answer.hits if self._answer else ()
        return hits[self.view.row].address if self.view.row < len(hits) else ""

    # -- drawing and doing -------------------------------------------------------------------------------------------

    def _drawing(self) -> PickerFrame:
        columns, rows = self._terminal.size
        return PickerFrame(self._screen, self.view, self._answer, self._preview, columns, rows)

    def _preview_width(self) -> int:
        """Read once for the room it has while the hits are looked at; other panes may hide it for a while."""
        drawing = self._drawing()
        return replace(drawing, view=replace(self.view, focus=Focus.HITS)).panes.preview.width

    def _around(self) -> ViewBounds:
        panes = self._drawing().panes
        here = self._preview.address == self._address()
        return ViewBounds(
            hits=len(self._answer.hits) if self._answer else 0,
            hits_shown=panes.hits_shown,
            preview=[plain(line) for line in self._preview.lines] if here else (),
            preview_rows=panes.preview.height,
            machine=self._screen.config.machine,
        )

    def _acted(self) -> str:
        """Does what the last key asked for; what is returned ends the loop."""
        act, self.view = self.view.act, replace(self.view, act="")
        if act in ("leave", "stop"):
            return act
        if act == "redraw":
            self._terminal.forget()
        elif act == "suspend":
            self._terminal.suspend()
        elif self._address() and act == "copy":
            self._terminal.copy(self._address())
            self.view = replace(self.view, note=f"{self._address()} copied, if the terminal allows it")
        elif self._address() and act == "open":
            self._open()
        return ""

    def _open(self) -> None:
        """The whole run at that turn."""
        try:
            lines, begin = self._looking.page(self._address()).result()
        except LaneError as error:
            self.view = replace(self.view, note=one_line(error.message))
            return
        with self._terminal.lent():
            show_from(self._screen.config.variables, lines, begin)
