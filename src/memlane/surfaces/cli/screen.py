"""Where a command prints and who reads there: a person at a terminal, a pipe, or a program that asked for JSON."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click

from memlane.config import Config, load
from memlane.errors import UsageError
from memlane.surfaces.cli import output
from memlane.surfaces.cli.output import encoded, print_line, say_line, through_pager
from memlane.surfaces.cli.text import cut, one_line, padded, width, wrapped

if TYPE_CHECKING:
    from memlane.app import Lane

NARROWEST = 40
COERCED = ("C.UTF-8", "C.utf8")  # PEP 538


@dataclass(frozen=True, slots=True)
class Form:
    """How a list was asked for: `--jsonl`, `--fields a,b`, `--format '{id} {title}'`."""

    lines: bool = False
    fields: tuple[str, ...] = ()
    template: str = ""

    @property
    def asked(self) -> bool:
        return self.lines or bool(self.template)

    def chosen(self, document: Mapping[str, object]) -> Mapping[str, object]:
        if not self.fields:
            return document
        return {name: _field(document, name) for name in self.fields}

    def filled(self, document: Mapping[str, object]) -> str:
        template = self.template.replace("\\t", "\t").replace("\\n", "\n")
        return re.sub(r"\{([\w.]+)\}", lambda found: one_line(_shown(_field(document, found[1]))), template)


def _field(document: Mapping[str, object], name: str) -> object:
    value: object = document
    for part in name.split("."):
        if not isinstance(value, dict) or part not in value:
            raise UsageError(f"there is no field {name!r}", hint=f"one of: {', '.join(document)}")
        value = cast(Mapping[str, object], value)[part]
    return value


def _shown(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else encoded(value)


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a list: what people see, and what a pipe gets (None: nothing)."""

    people: Callable[[Any], str] | None
    pipe: Callable[[Any], str] | None
    style: str = ""
    right: bool = False
    stretch: bool = False  # takes the room that is left; only one
    from_width: int = 0  # left out on narrower screens
    most: int = 0


@dataclass(frozen=True, slots=True)
class Screen:
    """Where a command prints, and who reads there."""

    config: Config
    json: bool
    terminal: bool
    colour: bool
    unicode: bool
    columns: int
    form: Form

    # -- the home --------------------------------------------------------------------------------------------------

    @contextmanager
    def lane(self, *, heal: bool = True) -> Generator[Lane, None, None]:
        """`heal`: an index that this version cannot read is built anew before anything is asked of it."""
        from memlane.app import Lane

        with Lane(self.config) as opened:
            if heal:
                opened.home.heal = lambda: self._rebuild(opened)
            yield opened

    def _rebuild(self, lane: Lane) -> None:
        from memlane.surfaces.cli.progress import ProgressBar, ProgressStep

        self.note("there is no index that this version can read; it is built anew from the archive")
        with ProgressBar(self.columns, quiet=self.json) as progress:
            lane.archive.rebuild(lambda n, of: progress.show(ProgressStep("indexing", n, of, n / max(1, of))))

    @property
    def now(self) -> datetime:
        return datetime.now(UTC)

    def meant(self, given: str, of: str = "") -> str:
        """A number is a line of the last list printed in this terminal, or the last `of` a sort."""
        return output.meant(self.config.home, given, of)

    def remember_list(self, names: Sequence[str], of: str = "") -> None:
        why = output.keep_list(self.config.home, names, of)
        if why and names and not (self.json or self.form.lines or of):
            self.note(f"the numbers of this list cannot be kept, use ids ({why})")

    # -- words, on stderr ------------------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        lines = wrapped(text, self.columns) if sys.stderr.isatty() else [text]
        for line in lines:
            say_line(line)

    def note(self, text: str) -> None:
        self.say(f"note: {text}")

    @property
    def can_ask(self) -> bool:
        return sys.stdin.isatty() and sys.stderr.isatty()

    def confirmed(self, question: str, *, yes: bool) -> bool:
        """Asks on a terminal; without one, only `--yes` is a yes."""
        if yes:
            return True
        if not self.can_ask:
            raise UsageError("this terminal cannot answer questions (no TTY)", hint="--yes goes ahead as planned")
        return click.confirm(output.shown(question), err=True)

    # -- data, on stdout -------------------------------------------------------------------------------------------

    def emit(self, schema: str, data: object, meta: Mapping[str, object] | None = None) -> None:
        """The one document of `--json`."""
        print_line(encoded({"schema": schema, "data": data, "meta": dict(meta or {})}))

    def line(self, text: str = "") -> None:
        print_line(text)

    def record(self, *values: object) -> None:
        """One line of a pipe: tab-separated, whole."""
        print_line("\t".join(one_line(str(value)) for value in values))

    def styled(self, text: str, style: str) -> str:
        if not self.colour or not style or not text:
            return text
        names = set(style.split())
        colour = next(iter(names - {"bold", "dim", "underline"}), None)
        return click.style(text, fg=colour, bold="bold" in names or None, dim="dim" in names or None)

    def cut(self, text: str, columns: int) -> str:
        return cut(text, columns, self.ellipsis)

    @property
    def ellipsis(self) -> str:
        return "…" if self.unicode else "..."

    def listing(
        self,
        schema: str,
        items: Sequence[Any],
        document: Callable[[Any], Mapping[str, object]],
        columns: Sequence[Column],
        meta: Mapping[str, object] | None = None,
    ) -> None:
        """A list in whichever form was asked for."""
        if self.form.template:
            for item in items:
                print_line(self.form.filled(document(item)))
        elif self.form.lines:
            for item in items:
                print_line(encoded(self.form.chosen(document(item))))
        elif self.json:
            self.emit(schema, [self.form.chosen(document(item)) for item in items], meta)
        elif self.terminal:
            self.paged(self.table(columns, items))
        else:
            for item in items:
                self.record(*(column.pipe(item) for column in columns if column.pipe))

    def table(self, columns: Sequence[Column], items: Sequence[Any]) -> Iterable[str]:
        """Aligned, cut to the screen."""
        shown = [column for column in columns if column.people and self.columns >= column.from_width]
        rows = [[one_line(cast(Callable[[Any], str], c.people)(item)) for c in shown] for item in items]
        widths = [max((width(row[n]) for row in rows), default=0) for n in range(len(shown))]
        widths = [min(w, c.most) if c.most else w for w, c in zip(widths, shown, strict=True)]
        used = sum(w for w, c in zip(widths, shown, strict=True) if not c.stretch) + 2 * (len(shown) - 1)
        widths = [max(8, self.columns - used) if c.stretch else w for w, c in zip(widths, shown, strict=True)]
        for row in rows:
            cells = [
                self.styled(padded(self.cut(cell, w), w, right=c.right), c.style)
                for cell, w, c in zip(row, widths, shown, strict=True)
            ]
            yield "  ".join(cells).rstrip()

    def paged(self, lines: Iterable[str], *, pager: bool = True) -> None:
        """Through the person's pager once it is longer than the screen."""
        height = shutil.get_terminal_size().lines
        begun: list[str] = []
        rest = iter(lines)
        for line in rest:
            begun.append(line)
            if len(begun) >= height:
                break
        if len(begun) < height or not (pager and self.terminal and sys.stdin.isatty()):
            for line in (*begun, *rest):
                print_line(line)
            return
        through_pager(self.config.variables, (*begun, *rest))

    def flush(self) -> None:
        sys.stdout.flush()

    def again(self) -> Screen:
        """With the settings as they are now."""
        return replace(self, config=load())

    def leave(self, code: int) -> NoReturn:
        raise click.exceptions.Exit(code)


def screen(*, json: bool, no_colour: bool = False, form: Form | None = None) -> Screen:
    config = load()
    variables, terminal = config.variables, sys.stdout.isatty()
    dumb = variables.get("TERM", "") == "dumb"
    forced = variables.get("CLICOLOR_FORCE", "0") not in ("", "0")
    off = no_colour or bool(variables.get("NO_COLOR")) or dumb
    return Screen(
        config=config,
        json=json,
        terminal=terminal,
        colour=not off and (terminal or forced) and not json,
        unicode=_speaks_unicode(variables) and not dumb,
        columns=max(NARROWEST, shutil.get_terminal_size().columns),
        form=form or Form(),
    )


def _speaks_unicode(variables: Mapping[str, str]) -> bool:
    language, characters = variables.get("LANG", ""), variables.get("LC_CTYPE", "")
    if language in ("", "C", "POSIX") and characters in COERCED:
        characters = ""  # Python itself put it there: the person's locale is the plain one
    locale = variables.get("LC_ALL") or characters or language
    return "utf" in locale.lower() and variables.get("LANE_ASCII", "") in ("", "0")
