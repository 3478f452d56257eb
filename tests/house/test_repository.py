"""What is in the repository, and what must never be: this machine's paths, package indexes, unpinned packages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import memlane
from tests.house.tree import NOT_YET, ROOT, there, tracked_files

# Written in pieces, or this file would find itself.
MACHINE_FOLDERS = ("/wo" + "rk/", "/ro" + "ot/", "/tmp/" + "w/")
STANDS_ALONE = r"(?<![\w./~-])(?:%s)[\w.]"  # not a part of a longer path
INDEX_HOSTS = ("pypi" + ".org", "python" + "hosted", "npmjs" + ".org", "npmjs" + ".com", "deb" + ".debian")
PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==\S+ \\$", re.MULTILINE)
NAME = re.compile(r"^[A-Za-z0-9._-]+")


@cache
def contents() -> tuple[tuple[Path, bytes], ...]:
    return tuple((path, path.read_bytes()) for path in tracked_files())


def lines_with(words: Sequence[str], shape: str = "%s") -> list[str]:
    """Where one of the words stands in this shape. The words are looked for first: 40 MB of weights are kept too."""
    plain = [word.encode() for word in words]
    pattern = re.compile(shape.encode() % b"|".join(map(re.escape, plain)))
    found: list[str] = []
    for path, content in contents():
        lines = enumerate(content.splitlines(), 1) if any(word in content for word in plain) else ()
        found += [f"{path.relative_to(ROOT)}:{number}" for number, line in lines if pattern.search(line)]
    return found


def canonical(requirement: str) -> str:
    name = NAME.match(requirement)
    assert name, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def pins(name: str) -> set[str]:
    text = (ROOT / "requirements" / name).read_text()
    assert "://" not in text
    found = PIN.findall(text)
    assert text.count("--hash=sha256:") >= len(found) > 0
    return {canonical(pin) for pin in found}


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_no_path_of_a_developers_machine_is_kept() -> None:
    assert lines_with(MACHINE_FOLDERS, STANDS_ALONE) == []


def test_the_look_for_words_finds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = MACHINE_FOLDERS[0]
    kept = f"one\nin {folder}x\nin /home{folder}x\n".encode()
    monkeypatch.setattr("tests.house.test_repository.contents", lambda: ((ROOT / "page.md", kept),))
    assert lines_with(MACHINE_FOLDERS, STANDS_ALONE) == ["page.md:2"]
    assert lines_with(MACHINE_FOLDERS) == ["page.md:2", "page.md:3"]


def test_no_package_index_is_named() -> None:
    assert lines_with(INDEX_HOSTS) == []


@pytest.mark.fault("M5")
def test_what_memlane_needs_is_pinned_by_hash() -> None:
    needed = {canonical(requirement) for requirement in project()["dependencies"]}
    assert needed <= pins("runtime.txt") <= pins("dev.txt"), "run: python -m tools.pins"


@pytest.mark.fault("M5")
def test_what_developers_need_is_pinned_by_hash() -> None:
    lines = (ROOT / "requirements" / "dev.in").read_text().splitlines()
    needed = {canonical(line) for line in lines if line and line[0] not in "#-"}
    assert needed <= pins("dev.txt"), "run: python -m tools.pins"


def test_the_version_is_said_once_in_three_places() -> None:
    assert project()["version"] == memlane.__version__
    if there("CHANGELOG.md"):
        headings = re.findall(r"^## \[?v?(\d\S*?)\]?(?:\s|$)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
        assert headings[0] == memlane.__version__


def test_what_was_waited_for_is_not_waited_for_any_more() -> None:
    assert [name for name in sorted(NOT_YET) if (ROOT / name).exists()] == [], "take these out of NOT_YET"
