"""Every command that a hint, an error or a guide names can be typed: it resolves, and its options are there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from memlane.config import SETTINGS
from memlane.surfaces.cli import lane
from memlane.surfaces.cli.commands import ALIASES, COMMANDS
from tests.house.tree import ROOT

SOURCES = sorted((ROOT / "src" / "memlane").rglob("*.py"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# A command ends where prose goes on, where a shell reads another one, or with its line.
COMMAND = re.compile(r"(?<![\w./~-])lane((?: +(?:\"[^\"]*\"|'[^']*'|[^\s`|;,&()\"']+))+)")
WORD = re.compile(r"\"[^\"]*\"|'[^']*'|\S+")
SPAN = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"^```(?:sh|bash|console|text)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
NOT_A_COMMAND = re.compile(r"[A-Z<…]|X$")  # LANE_HOME, a placeholder, what a program fills in
ROOM = "X"  # for what an f-string fills in


def hints(tree: ast.AST) -> Iterator[str]:
    """What is handed over as `hint`, and the text of errors and findings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name.endswith("Error") or name in ("Finding", "done"):
                yield from filter(None, map(text_of, node.args))
            yield from (said for one in node.keywords if one.arg == "hint" and (said := text_of(one.value)))


def text_of(node: ast.AST) -> str:
    match node:
        case ast.Constant(value=str() as value):
            return value
        case ast.JoinedStr(values=values):
            return "".join(text_of(one) if isinstance(one, ast.Constant) else ROOM for one in values)
        case ast.IfExp(body=body, orelse=orelse):
            return f"{text_of(body)}\n{text_of(orelse)}"
        case _:
            return ""


def named(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        for found in COMMAND.finditer(line.partition("  #")[0]):
            yield [word.rstrip(".:?!") for word in WORD.findall(found[1])]


def wrong_with(words: list[str]) -> str:
    """Why it could not be typed; "": it could."""
    first, *rest = words
    if first in ALIASES and first not in COMMANDS:
        first, *more = ALIASES[first].split()
        rest = [*more, *rest]
    if first.startswith("-") or NOT_A_COMMAND.match(first):
        return ""
    if first not in COMMANDS:
        return f"there is no command {first!r}"
    command = lane.get_command(click.Context(lane), first)
    assert command is not None
    if isinstance(command, click.Group) and rest and re.fullmatch(r"[a-z-]+", rest[0]) and not rest[0].startswith("-"):
        if rest[0] not in command.commands:
            return f"lane {first} has no {rest[0]!r}"
        if first == "config" and rest[0] in ("get", "set") and (why := unknown_setting(rest[1:2])):
            return why
        command, rest = command.commands[rest[0]], rest[1:]
    if first == "tag":  # RUN +new -old
        return ""
    known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)} | {"--help", "-h"}
    given = [word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word, re.IGNORECASE)]
    missing = [option for option in given if option not in known]
    return f"lane {first} has no {missing[0]}" if missing else ""


def unknown_setting(named: list[str]) -> str:
    name = named[0] if named else ""
    there = any(one == name or one.startswith(f"{name}.") for one in SETTINGS)
    return "" if there or not re.fullmatch(r"[a-z_.]+", name) else f"there is no setting {name!r}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src" / "memlane")))
def test_every_command_of_a_hint_can_be_typed(path: Path) -> None:
    text = path.read_text()
    said = hints(ast.parse(text)) if "lane " in text else ()
    wrong = {" ".join(words): why for hint in said for words in named(hint) if (why := wrong_with(words))}
    assert wrong == {}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_of_a_page_can_be_typed(path: Path) -> None:
    text = path.read_text()
    pieces = [*SPAN.findall(BLOCK.sub("", text)), *BLOCK.findall(text)]
    starts = [piece for piece in pieces if re.search(r"(?:^|[$|&;\n] *)lane ", piece)]
    wrong = {" ".join(words): why for piece in starts for words in named(piece) if (why := wrong_with(words))}
    assert wrong == {}


def test_no_hint_or_page_names_a_pip_that_the_installation_does_not_have() -> None:
    """The README makes an environment without pip: a line must say whose packages are changed."""
    bare = re.compile(r"(?<!-m )\bpip install\b(?!.*(?:--python|python -m))|(?<!python3 )-m pip install")
    found = {
        str(path.relative_to(ROOT)): line.strip()
        for path in [*SOURCES, ROOT / "README.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]
        for line in path.read_text().splitlines()
        if "memlane" in line and bare.search(line) and "--python" not in line
    }
    assert found == {}


def test_a_command_that_is_not_there_is_found() -> None:
    assert wrong_with(["serach", "x"])
    assert wrong_with(["config", "list", "--nothing"])
    assert wrong_with(["config", "get", "embed.nothing"])
    assert wrong_with(["mem", "lst"])
    assert wrong_with(["search", "x", "--modus"])
    assert list(named("to move one: lane archive move FOLDER, then lane doctor")) == [
        ["archive", "move", "FOLDER"],
        ["doctor"],
    ]
    assert not wrong_with(["mem", "edit", "m_1", "--title", "x"])
