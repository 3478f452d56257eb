"""What is written can be followed: links lead somewhere, commands exist, every decision is in its list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from memlane.surfaces.cli.commands import ALIASES, COMMANDS
from tests.house.tree import ROOT, tracked_files

LINK = re.compile(r"\[[^\]]*\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)")
CODE = re.compile(r"^```(?:sh|text|console)?\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
NAMED_TEST = re.compile(r"`(test_\w+)`")
TYPED = re.compile(r"(?:^|[\s/($;&])lane ([a-z][a-z-]+)")
FOR_PEOPLE = ("README.md", "CHANGELOG.md", "docs/guides/", "docs/adr/", "docs/formats/")


def pages() -> list[Path]:
    return [path for path in tracked_files() if path.suffix == ".md" and "fixtures" not in path.parts]


def commands_in(text: str) -> Iterator[str]:
    for block, span in CODE.findall(text):
        yield from TYPED.findall(block or span)


def test_every_link_leads_somewhere() -> None:
    dead = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in pages()
        for link in LINK.findall(page.read_text())
        if not (page.parent / link).exists()
    ]
    assert dead == []


def test_every_command_a_page_names_exists() -> None:
    known = {*COMMANDS, *ALIASES}
    named = {
        f"{page.relative_to(ROOT)}: lane {word}"
        for page in pages()
        if str(page.relative_to(ROOT)).startswith(FOR_PEOPLE)
        for word in commands_in(page.read_text())
        if word not in known
    }
    assert sorted(named) == []


def test_every_test_that_a_guide_names_is_there() -> None:
    tests = "\n".join(path.read_text() for path in tracked_files() if path.name.startswith("test_"))
    named = {name for page in pages() for name in NAMED_TEST.findall(page.read_text())}
    assert named
    assert sorted(name for name in named if f"def {name}(" not in tests) == []


def test_the_look_for_commands_finds_them() -> None:
    page = "Try `lane search x`.\n\n```sh\n.venv/bin/lane demo   # then\n```\nThe lane ends here; `a lane` too.\n"
    assert list(commands_in(page)) == ["search", "demo"]


def test_every_decision_is_in_the_list() -> None:
    folder = ROOT / "docs" / "adr"
    listed = set(LINK.findall((folder / "README.md").read_text()))
    assert listed == {path.name for path in folder.glob("[0-9]*.md")}
