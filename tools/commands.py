"""The page of every command, from what the commands say of themselves: `python -m tools.pages` writes it anew."""

from __future__ import annotations

from collections.abc import Iterator

import click

from memlane.surfaces.cli import lane
from memlane.surfaces.cli.commands import ALIASES, COMMANDS, SECTIONS
from memlane.surfaces.cli.help import EXIT_CODES
from tools.check import ROOT

COLUMNS = 100
SCHEMAS = ROOT / "docs" / "reference" / "schemas"


def commands_page() -> str:
    """Every command with its help, in the order of `lane --help`."""
    lines: list[str] = []
    for section in SECTIONS:
        lines += [f"## {section}", ""]
        for name in (name for name, about in COMMANDS.items() if about.section == section):
            lines += _command(name)
    lines += ["## Exit codes", "", "| code | meaning |", "|---|---|"]
    lines += [f"| {code} | {meaning} |" for code, meaning in EXIT_CODES]
    lines += ["", "## Other words for them", "", "| typed | is |", "|---|---|"]
    lines += [f"| `lane {alias}` | `lane {real}` |" for alias, real in ALIASES.items()]
    return "\n".join(lines)


def _command(name: str) -> Iterator[str]:
    root = click.Context(
        lane,
        info_name="lane",
        terminal_width=COLUMNS,
        max_content_width=COLUMNS,
        help_option_names=["-h", "--help"],
    )
    command = lane.get_command(root, name)
    assert command is not None
    yield from _help(command, click.Context(command, info_name=name, parent=root), f"lane {name}", "###")
    if isinstance(command, click.Group):
        above = click.Context(command, info_name=name, parent=root)
        for verb, child in command.commands.items():
            yield from _help(child, click.Context(child, info_name=verb, parent=above), f"lane {name} {verb}", "####")


def _help(command: click.Command, context: click.Context, words: str, heading: str) -> Iterator[str]:
    yield from (f"{heading} `{words}`", "", "```text", command.get_help(context), "```", "")
    schema = words.replace(" ", ".")
    if (SCHEMAS / f"{schema}.json").exists():
        yield from (f"With `--json`: [`{schema}/1`](schemas/{schema}.json).", "")
