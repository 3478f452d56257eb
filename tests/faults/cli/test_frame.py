"""What a command imports before it does anything."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("apsw", "msgspec", "re2", "tomlkit", "watchfiles", "zstandard", "memlane.app", "memlane.config")


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["serach"]])
def test_saying_what_we_are_imports_no_room(words: list[str]) -> None:
    script = (
        "import sys; from memlane.surfaces.cli import run; run(sys.argv[1:]);"
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[]"
