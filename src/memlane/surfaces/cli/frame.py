"""What every command stands on: an opened Lane, and one way to print for people, for pipes and for programs.

A command is a module with a click object named `command`:

    @frame.command()
    @click.argument("run")
    def command(screen: Screen, run: str) -> None:
        \"\"\"One line for the help.\"\"\"
        with screen.lane() as lane:
            found = lane.runs.get(screen.meant(run))
        screen.emit("lane.thing/1", {...}) if screen.json else screen.line(...)

`--json` and `--no-color` are added to each. Data goes to stdout (`emit`, `line`, `listing`), words to stderr (`say`).
Errors are raised as LaneError and said in one place; `screen.leave(6)` ends a command with another code than 0.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from textwrap import indent
from typing import Any, cast

import click

from memlane.errors import UsageError
from memlane.surfaces.cli.commands import alike
from memlane.surfaces.cli.screen import Column, Form, Screen, screen

# -- making commands ---------------------------------------------------------------------------------------------------

Function = Callable[..., None]


def command(
    name: str = "",
    of: click.Group | None = None,
    *,
    lists: bool = False,
    examples: str = "",
    kind: type[click.Command] = click.Command,
) -> Callable[[Function], click.Command]:
    """A command of its own, or one of a group; `lists` adds the three other forms of a list."""

    def made(function: Function) -> click.Command:
        @functools.wraps(function)
        def run(**given: Any) -> None:
            if click.get_current_context().invoked_subcommand is not None:
                return  # one of its own verbs was meant
            form = Form(
                given.pop("jsonl", False),
                tuple(filter(None, given.pop("fields", "").split(","))),
                given.pop("format", ""),
            )
            function(screen(json=given.pop("json"), no_colour=given.pop("no_color"), form=form), **given)

        options = click.option("--json", is_flag=True, help="One JSON document.")(run)
        options = click.option("--no-color", is_flag=True, help="No colours.")(options)
        if lists:
            options = click.option("--jsonl", is_flag=True, help="One JSON object per line.")(options)
            options = click.option("--fields", default="", metavar="A,B", help="Only these fields.")(options)
            options = click.option(
                "--format", default="", metavar="TEXT", help="One line each, for example '{id} {title}'."
            )(options)
        # click's own help text comes from the docstring; the order of options as written, ours last
        params = cast(list[click.Parameter], getattr(options, "__click_params__", []))
        ours = 5 if lists else 2
        cast(Any, options).__click_params__ = params[-ours:] + params[:-ours]
        called = name or ("" if of is None else function.__name__)
        epilog = f"\b\nExamples:\n{indent(examples.strip(), '  ')}" if examples else None
        made_command = click.command(called or None, cls=kind, epilog=epilog)(options)
        if of is not None:
            of.add_command(made_command, called)
        return made_command

    return made


class NounGroup(click.Group):
    """A group whose unknown words are answered like unknown commands; `bare` is the verb it means when it has none."""

    def __init__(self, *args: Any, bare: str = "", **given: Any) -> None:
        super().__init__(*args, **given)
        self.bare = bare

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if self.bare and not set(args) & set(ctx.help_option_names) and all(word.startswith("-") for word in args[:1]):
            args = [self.bare, *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            raise unknown_verb(ctx.command_path, args[0], self.commands)
        return super().resolve_command(ctx, args)


def unknown_verb(group: str, word: str, verbs: Iterable[str]) -> UsageError:
    near = alike(word, verbs)
    meant = f"did you mean {' or '.join(f'{group} {one}' for one in near)}? " if near else ""
    return UsageError(f"{group} has no {word!r}", hint=f"{meant}one of: {', '.join(verbs)}")


class VerbGroup(NounGroup):
    """A verb with verbs of its own; alone it does what it says."""

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given, invoke_without_command=True)


def group(what: str, bare: str = "") -> click.Group:
    """A noun with its verbs; alone it does what `bare` names, or prints its help."""

    def alone() -> None:
        ctx = click.get_current_context()
        if ctx.invoked_subcommand is None:
            click.echo(ctx.get_help())

    return NounGroup(help=what, callback=alone, invoke_without_command=True, bare=bare)


__all__ = ["Column", "Form", "Screen", "VerbGroup", "command", "group", "screen"]


INTERRUPTED = 130


@contextmanager
def until_interrupted(screen: Screen) -> Generator[None, None, None]:
    try:
        yield
    except KeyboardInterrupt:
        screen.leave(INTERRUPTED)
