"""Nobody waits for what they do not use: which modules a command loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"numpy", "tantivy", "onnxruntime", "tokenizers", "psycopg", "httpx2", "re2", "tomlkit", "watchfiles"}
ROOMS = {"memlane.agents", "memlane.gate", "memlane.capture", "memlane.archive", "memlane.app.setup"}


def loaded_by(code: str) -> set[str]:
    told = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return set(told.stdout.splitlines()[-1].split())


def test_who_opens_a_lane_loads_no_engine_no_model_and_no_room_it_does_not_enter() -> None:
    assert not loaded_by("from memlane import Lane") & (HEAVY | ROOMS)


def test_who_names_the_package_or_a_word_of_it_loads_no_room() -> None:
    assert {name for name in loaded_by("import memlane") if name.startswith("memlane.")} == set()
    rooms = {name.split(".")[1] for name in loaded_by("from memlane import RunFilter") if name.startswith("memlane.")}
    assert rooms == {"domain"}


@pytest.mark.parametrize("words", [["--help"], ["runs"], ["search", "--help"]])
def test_a_command_that_looks_nothing_up_loads_no_engine(words: list[str], tmp_path: object) -> None:
    code = (
        f"import os; os.environ['LANE_HOME'] = {str(tmp_path)!r}\nfrom memlane.surfaces.cli import run; run({words!r})"
    )
    assert not loaded_by(code) & HEAVY


def test_who_takes_in_a_turn_loads_no_model_and_no_room_that_only_looks_back() -> None:
    later = {f"memlane.{room}" for room in ("catch", "entities", "llm", "search", "app.setup", "demo")}
    assert not loaded_by("import memlane.app.capture.sweep") & (HEAVY | later)


LISTENING = """
import os
from memlane.surfaces.daemon import __main__ as daemon, files
os.mkdir("home")
daemon.home_folder(daemon.variables())
files.enter("home/run")
assert files.claim(os.getcwd()) and files.token() and files.listen()
"""


def test_a_daemon_listens_before_it_loads_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook that has started it waits until then; on a thin machine that is all it waits for."""
    monkeypatch.chdir(tmp_path)
    ours = {"memlane", "memlane.surfaces", "memlane.surfaces.daemon", "memlane.system", "memlane.system.environment"}
    ours |= {"memlane.surfaces.daemon.__main__", "memlane.surfaces.daemon.files"}
    assert loaded_by(LISTENING) - loaded_by("pass") == ours | {"__future__", "_socket", "fcntl", "gc", "resource"}
