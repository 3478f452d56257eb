"""Nobody waits for what they do not use: which modules a command loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"numpy", "tantivy", "onnxruntime", "tokenizers", "psycopg", "httpx2", "re2", "tomlkit", "watchfiles"}
ROOMS = {"memlane.agents", "memlane.gate", "memlane.capture", "memlane.archive", "memlane.app.setup"}


def loaded_by(code: str) -> set[str]:
    told = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return set(told.stdout.splitlines()[-1].split())


def test_who_opens_a_lane_loads_no_engine_no_model_and_no_room_it_does_not_enter() -> None:
    assert not loaded_by("import memlane.app") & (HEAVY | ROOMS)


@pytest.mark.parametrize("words", [["--help"], ["runs"], ["search", "--help"]])
def test_a_command_that_looks_nothing_up_loads_no_engine(words: list[str], tmp_path: object) -> None:
    code = (
        f"import os; os.environ['LANE_HOME'] = {str(tmp_path)!r}\nfrom memlane.surfaces.cli import run; run({words!r})"
    )
    assert not loaded_by(code) & HEAVY


def test_who_takes_in_a_turn_loads_no_model_and_no_room_that_only_looks_back() -> None:
    later = {f"memlane.{room}" for room in ("catch", "entities", "llm", "search", "app.setup", "demo")}
    assert not loaded_by("import memlane.app.capture.sweep") & (HEAVY | later)
