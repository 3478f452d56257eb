"""A new type of Memory is one line in the table of types: every room that says, draws or asks for types has it then."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import memlane
from memlane.domain import Type

ROOT = Path(__file__).parents[2]
SOURCE = Path(memlane.__file__).parent
LINE = (
    'RUMOUR = ("rumour", TypeRow(mark="RU", weight=Weight.MEDIUM, meaning="what somebody heard", reason="You heard it",'
    ' intents=(Intent.PROBLEM,), page_kind="project", colour=("#123456", "#fedcba"), patch=_points("0 0, 9 0, 0 9"),'
    ' shape=_points("0 0, 1 0, 0 1")))'
)
BEFORE = "    GAP = (\n"


@pytest.fixture(scope="module")
def surfaces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What each of them says, asked in a copy of the package that has one line more."""
    folder = tmp_path_factory.mktemp("t")
    copy = folder / "src" / "memlane"
    copy.mkdir(parents=True)
    for part in SOURCE.iterdir():
        if part.name != "domain":
            (copy / part.name).symlink_to(part)
    shutil.copytree(SOURCE / "domain", copy / "domain", ignore=shutil.ignore_patterns("__pycache__"))
    table = copy / "domain" / "memory_types.py"
    text = table.read_text()
    assert text.count(BEFORE) == 1
    table.write_text(text.replace(BEFORE, f"    {LINE}\n{BEFORE}"))
    path = os.pathsep.join((str(folder / "src"), str(ROOT)))
    asked = subprocess.run(
        (sys.executable, "-B", "-m", "tests.flow.type_surfaces", str(folder)),
        env={**os.environ, "PYTHONPATH": path},
        cwd=folder,
        check=True,
        capture_output=True,
        timeout=120,
    )
    return json.loads(asked.stdout)


def test_the_copy_is_what_was_asked(surfaces: dict[str, Any]) -> None:
    assert surfaces["types"] == [*(type_.value for type_ in Type if type_ is not Type.GAP), "rumour", "gap"]


def test_whoever_reads_transcripts_is_told_of_it(surfaces: dict[str, Any]) -> None:
    assert "| rumour | what somebody heard |\n| gap |" in surfaces["prompt"]
    assert "rumour" in surfaces["answer"]


def test_it_is_kept_with_its_reason_and_recalled_when_it_is_hinted_at(surfaces: dict[str, Any]) -> None:
    assert surfaces["reason"] == "You heard it."
    assert "rumour" in surfaces["boosted"]


def test_its_page_in_a_folder_has_its_kind(surfaces: dict[str, Any]) -> None:
    assert surfaces["page kind"] == "project"


def test_pages_name_it_and_draw_it(surfaces: dict[str, Any]) -> None:
    assert "  --rumour: light-dark(#123456, #fedcba);" in surfaces["css"]
    assert ".t-rumour { --type: var(--rumour); }" in surfaces["css"]
    assert ".patch.dot-rumour { clip-path: polygon(0 0, 9% 0, 0 9%); }" in surfaces["css"]
    assert 'class="patch dot-rumour t-rumour"' in surfaces["map"]
    assert "[&#34;rumour&#34;,[[0.0,0.0],[1.0,0.0],[0.0,1.0]],false]" in surfaces["map"]
    assert surfaces["dot"] == surfaces["types"].index("rumour")
    assert {"name": "rumour", "mark": "RU", "ink": "t-rumour", "value": "rumour"} in surfaces["river"]
    assert '<option value="rumour">rumour</option>' in surfaces["memories"]
    assert 'href="/memories?type=rumour"' in surfaces["memories"]


def test_programs_and_agents_may_give_it(surfaces: dict[str, Any]) -> None:
    assert surfaces["api"] == surfaces["mcp"] == surfaces["cli"] == surfaces["types"]
