"""How anything leaves us: JSON, lines, the person's pager; and the last list, so that `lane show 1` is its first."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

import click

from memlane.domain.door import in_json, plain
from memlane.errors import NotFoundError
from memlane.surfaces.cli.text import many
from memlane.surfaces.json_values import plain as json_value
from memlane.system.disk import message_of, private_folder

_OUR_STYLES = re.compile(r"(\x1b\[(?:(?:0|1|2|4|7|22|3[1-7]|9[0-7]);?)+m)")  # never 8 or 30: words that nobody sees


def print_line(text: str) -> None:
    sys.stdout.buffer.write(shown(text).encode("utf-8", "replace") + b"\n")


def say_line(text: str) -> None:
    click.echo(shown(text), err=True)


def shown(text: str) -> str:
    """The last step before a terminal: nothing that it would obey but the styles we use."""
    if "\x1b" not in text:
        return plain(text)
    return "".join(piece if n % 2 else plain(piece) for n, piece in enumerate(_OUR_STYLES.split(text)))


def encoded(value: object) -> str:
    """JSON as UTF-8, with nothing in it that a terminal would obey; valid whatever an agent wrote."""
    text = json.dumps(json_value(value), ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair
        return json.dumps(json_value(value), separators=(",", ":"))
    return in_json(text)


def through_pager(variables: Mapping[str, str], lines: Iterable[str]) -> None:
    _paged(_pager(variables), lines)


def show_from(variables: Mapping[str, str], lines: Sequence[str], begin: int) -> None:
    """From this line on, until they have read it: `less` jumps there and stays, any other pager is waited for."""
    program = _pager(variables)
    if re.match(r"(?:\S*/)?less(?:\s|$)", program):
        _paged(f"{program} -+F +{begin + 1}", lines)
        return
    _paged(program, lines[begin:])
    sys.stdout.write("\n(Enter: back)")
    sys.stdout.flush()
    sys.stdin.readline()


def _pager(variables: Mapping[str, str]) -> str:
    return variables.get("LANE_PAGER") or variables.get("PAGER") or "less -FRX"


def _paged(program: str, lines: Iterable[str]) -> None:
    sys.stdout.flush()
    pager = subprocess.Popen(program, shell=True, stdin=subprocess.PIPE)  # as git does: the person's own command line
    try:
        with cast(IO[bytes], pager.stdin) as pipe:
            for line in lines:
                pipe.write(shown(line).encode("utf-8", "replace") + b"\n")
    except BrokenPipeError:
        return  # they have read enough
    finally:
        pager.wait()


MOST_LISTS = 50
LISTS = "lane runs, lane search and lane mem list number their lines"


def terminal() -> str:
    """This terminal, or where there is none (an agent, a script) whoever started us."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            return re.sub(r"\W+", "-", os.ttyname(stream.fileno())).strip("-")
    return f"pid-{os.getppid()}"


def keep_list(home: Path, names: Sequence[str], of: str = "") -> str:
    """Only in a home that exists: printing a list never makes one. `of`: it lasts until its like is printed.

    Why it could not be kept, or "": what was printed is printed all the same.
    """
    folder = home / "run" / "lists"
    try:
        if home.is_dir():
            private_folder(folder)
            (folder / f"{terminal()}{of}").write_text("\n".join(names))
            for old in sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime)[:-MOST_LISTS]:
                old.unlink(missing_ok=True)
    except OSError as error:
        return message_of(error)
    return ""


def meant(home: Path, given: str, of: str = "") -> str:
    """What a number stands for; anything else stands for itself."""
    if not re.fullmatch(r"[1-9][0-9]{0,2}", given):
        return given
    hint = f"lane {of[1:]}" if of else LISTS
    try:
        names = (home / "run" / "lists" / f"{terminal()}{of}").read_text(errors="replace").splitlines()
    except OSError:
        raise NotFoundError(f"{given} means a line of the last list, but there is none", hint=hint) from None
    if int(given) > len(names):
        had = many(len(names), "line", "lines") if names else "no lines"
        raise NotFoundError(f"the last list had {had}, not {given}", hint=hint)
    return names[int(given) - 1]
