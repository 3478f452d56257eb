"""How anything leaves us: JSON that no terminal obeys, lines as UTF-8, long text through the person's own pager."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, cast

from memlane.surfaces.plain import plain

_ALSO_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")  # JSON leaves them; a terminal may not


def print_line(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")


def encoded(value: object) -> str:
    """JSON as UTF-8, with nothing in it that a terminal would obey; valid whatever an agent wrote."""
    text = json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair
        return json.dumps(plain(value), separators=(",", ":"))
    return _ALSO_UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


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
                pipe.write(line.encode("utf-8", "replace") + b"\n")
    except BrokenPipeError:
        return  # they have read enough
    finally:
        pager.wait()
