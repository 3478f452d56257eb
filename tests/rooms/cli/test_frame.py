"""What every command stands on: columns, forms of a list, numbers of the last one, and what is imported when."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click
import pytest

from memlane.config import load
from memlane.errors import NotFoundError, UsageError
from memlane.surfaces.cli import lane, output, unknown
from memlane.surfaces.cli.commands import ALIASES, COMMANDS, SECTIONS, alike
from memlane.surfaces.cli.frame import Column, Form, Screen
from memlane.surfaces.cli.output import encoded
from memlane.surfaces.cli.text import width


def a_screen(columns: int) -> Screen:
    config = load({"HOME": "/nowhere"})
    return Screen(config, json=False, terminal=True, colour=False, unicode=True, columns=columns, form=Form())


ROWS = [
    ("1", "worker could not find its package", "r_7f3k"),
    ("12", "日本語のタイトルはとても長いことがあります", "r_2c9d"),
]
COLUMNS = [
    Column(lambda row: row[0], lambda row: row[0], right=True),
    Column(lambda _row: "acme/api", None, from_width=60),
    Column(lambda row: row[1], lambda row: row[1], stretch=True),
    Column(lambda row: row[2], lambda row: row[2]),
]


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_columns_stay_straight_whatever_the_width_of_their_characters(columns: int) -> None:
    lines = list(a_screen(columns).table(COLUMNS, ROWS))
    assert {width(line) for line in lines} == {columns}
    assert all(line.endswith(row[2]) for line, row in zip(lines, ROWS, strict=True))
    assert ("acme/api" in lines[0]) == (columns >= 60)


def test_a_list_can_be_had_by_fields_or_by_a_line_of_ones_own() -> None:
    document = {"id": "r_1", "title": "two\nlines", "first": {"text": "hello"}, "parent": None, "files": ["a"]}
    assert Form(fields=("id", "first.text")).chosen(document) == {"id": "r_1", "first.text": "hello"}
    assert Form(template=r"{id}\t{title} {parent}{files}").filled(document) == 'r_1\ttwo lines ["a"]'
    with pytest.raises(UsageError) as error:
        Form(template="{nmae}").filled(document)
    assert "title" in error.value.hint


def test_json_holds_nothing_a_terminal_would_obey_and_is_always_valid() -> None:
    text = encoded({"a": "\x1b[31m \x9b2J \u202e 日本", "b": "\udc80"})
    assert not [c for c in text if not c.isprintable()]
    assert json.loads(encoded({"a": "\x9b日本"})) == {"a": "\x9b日本"}
    assert "日本" in encoded({"a": "日本"})


def test_a_number_is_a_line_of_the_last_list_and_everything_else_is_itself(tmp_path: Path) -> None:
    output.keep_list(tmp_path, ["r_one#t1.2", "r_two"])
    assert output.meant(tmp_path, "2") == "r_two"
    assert output.meant(tmp_path, "r_one") == "r_one"
    with pytest.raises(NotFoundError):
        output.meant(tmp_path, "3")


def test_a_number_without_a_list_says_so_and_no_home_is_made_for_one(tmp_path: Path) -> None:
    home = tmp_path / "none"
    output.keep_list(home, ["r_one"])
    assert not home.exists()
    with pytest.raises(NotFoundError):
        output.meant(home, "1")


def test_old_lists_make_room(tmp_path: Path) -> None:
    folder = tmp_path / "run" / "lists"
    folder.mkdir(parents=True)
    for number in range(output.MOST_LISTS + 10):
        (folder / f"pid-{number}").write_text("r_old")
    output.keep_list(tmp_path, ["r_new"])
    assert len(list(folder.iterdir())) == output.MOST_LISTS
    assert output.meant(tmp_path, "1") == "r_new"


def test_without_a_question_only_yes_is_a_yes() -> None:
    screen = replace(a_screen(80), terminal=False)
    assert screen.confirmed("sure?", yes=True)
    with pytest.raises(UsageError) as error:
        screen.confirmed("sure?", yes=False)
    assert "--yes" in error.value.hint


def test_every_command_has_a_section_and_every_alias_leads_somewhere() -> None:
    assert {about.section for about in COMMANDS.values()} == set(SECTIONS)
    assert {alias.split()[0] for alias in ALIASES.values()} <= set(COMMANDS)
    assert not set(ALIASES) & set(COMMANDS)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("serach", "search"), ("lst", "list"), ("statsu", "status"), ("doc", "doctor"), ("mems", "mem")],
)
def test_a_slip_of_the_finger_is_recognised(typed: str, meant: str) -> None:
    assert alike(typed, [*COMMANDS, *ALIASES])[0] == meant


@pytest.mark.parametrize("typed", ["purge", "upload", "x", "", "delete"])
def test_nothing_unlike_it_is_proposed(typed: str) -> None:
    assert alike(typed, [*COMMANDS, *ALIASES]) == []
    assert "did you mean" not in unknown(typed).hint


def test_what_is_proposed_is_spelt_like_what_was_typed() -> None:
    hint = unknown("resume").hint
    assert "title" not in hint  # an alias of it, `rename`, looks like it; itself does not
    assert "uninstall" not in hint
    assert "resume-capture (lane pause --off)" in hint


def groups() -> dict[str, click.Group]:
    ctx = click.Context(lane, info_name="lane")
    found = {name: lane.get_command(ctx, name) for name in COMMANDS}
    return {name: command for name, command in found.items() if isinstance(command, click.Group)}


@pytest.mark.parametrize("name", sorted(groups()))
def test_a_misspelt_verb_of_a_group_is_recognised(name: str) -> None:
    verb = max(groups()[name].commands, key=len)
    with pytest.raises(UsageError) as error, lane.make_context("lane", [name, verb[1:]]) as ctx:
        lane.invoke(ctx)
    proposed = error.value.hint.partition("?")[0]
    assert f"lane {name} {verb}" in proposed


def test_every_group_with_a_list_lists_when_it_stands_alone() -> None:
    for name, group in groups().items():
        if "list" in group.commands:
            assert getattr(group, "bare", "") == "list", name
