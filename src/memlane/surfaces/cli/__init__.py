"""`lane`: the command line. Each command is one module here, imported when it is used.

This file has their names and reports errors; the modules do the work.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from types import TracebackType

import click

from memlane import __version__
from memlane.errors import LaneError, UsageError
from memlane.surfaces.cli.commands import ALIASES, COMMANDS, SECTIONS, alike
from memlane.system.process import seldom_collect

INTERRUPTED = 130


class Commands(click.Group):
    """Names first, modules late: `lane --version` and `lane --help` import no room."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        shared = COMMANDS[cmd_name].module
        module = import_module(f"memlane.surfaces.cli.{shared or cmd_name}")
        found: click.Command = getattr(module, name_of(cmd_name) if shared else "command")
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, rest = args[0], args[1:]
        if name in ALIASES and name not in COMMANDS:
            real, *more = ALIASES[name].split()
            if len(name) > 1:  # a single letter is a short form, not a mistake
                click.echo(f'note: "{name}" is "{ALIASES[name]}"', err=True)
            name, rest = real, [*more, *rest]
        if name not in COMMANDS and not name.startswith("-"):
            raise unknown(name)
        return super().resolve_command(ctx, [name, *rest])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for section in SECTIONS:
            with formatter.section(section):
                formatter.write_dl([(name, about.what) for name, about in COMMANDS.items() if about.section == section])


def name_of(command: str) -> str:
    """`import` is a word of Python's: there it is `import_`."""
    return command.replace("-", "_") + "_" * iskeyword(command)


def unknown(name: str) -> UsageError:
    near = alike(name, [*COMMANDS, *ALIASES])
    named = dict.fromkeys(f"{word} (lane {ALIASES[word]})" if word in ALIASES else word for word in near)
    meant = f"did you mean {' or '.join(named)}? " if named else ""
    return UsageError(f"there is no command {name!r}", hint=f"{meant}`lane --help` lists them all")


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="lane", message="%(prog)s %(version)s")
@click.pass_context
def lane(ctx: click.Context) -> None:
    """Memory Lane: one memory for every coding agent.

    Keeps every transcript, finds anything in them, and puts the right note in front of an agent.
    """
    if ctx.invoked_subcommand is None:
        import_module("memlane.surfaces.cli.status").glance()


def main() -> None:
    """What the installed `lane` calls."""
    arguments = sys.argv[1:]
    seldom_collect()
    sys.excepthook = _never_a_traceback(arguments)
    code = run(arguments)
    _ship_behind(arguments)
    sys.exit(code)


def _ship_behind(arguments: Sequence[str]) -> None:
    """A machine that has joined a Central is in contact with it after any command, without waiting for it."""
    if arguments[:1] in (["ship"], ["leave"], ["serve"], ["work"]):
        return
    from memlane.system.environment import home_folder, variables

    home = Path(home_folder(variables()))
    if not (home / "central.json").exists():
        return
    from memlane.app.home import contact

    if (wait := contact.book(home)) is not None:
        command = [sys.executable, "-P", "-m", "memlane", "ship", "--background", "--after", str(wait), "--json"]
        nothing = [(os.POSIX_SPAWN_OPEN, n, os.devnull, os.O_RDWR, 0) for n in (0, 1, 2)]
        try:
            os.posix_spawn(command[0], command, variables(), file_actions=nothing, setsid=True)
        except OSError:  # the next command, hook or tick sends it
            return


def run(arguments: Sequence[str]) -> int:
    """One command, its exit code. Whatever went wrong on purpose is said here, once."""
    try:
        try:
            return _invoked(arguments)
        finally:
            sys.stdout.flush()
    except LaneError as error:
        return tell(error, arguments)
    except click.ClickException as error:
        return tell(_in_our_words(error), arguments)
    except BrokenPipeError:
        return _nobody_reads()
    except OSError as error:
        return tell(_from_the_disk(error), arguments)
    except (KeyboardInterrupt, click.Abort, EOFError):
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second one ends it here and now
        click.echo("interrupted: finished work is kept; run the same command again to continue", err=True)
        return INTERRUPTED


def _invoked(arguments: Sequence[str]) -> int:
    try:
        with lane.make_context("lane", list(arguments)) as ctx:
            lane.invoke(ctx)
    except click.exceptions.Exit as done:
        return done.exit_code
    return 0


def tell(error: LaneError, arguments: Sequence[str]) -> int:
    """`error:` and `hint:` for people, one object for programs; both on stderr."""
    from memlane.surfaces.cli.output import encoded, say_line

    if wants_json(arguments):
        found = {"kind": error.kind, "message": error.message, "hint": error.hint, "retryable": error.retryable}
        say_line(encoded({"error": found}))
    else:
        say_line(f"error: {error.message}")
        for line in error.hint.splitlines():
            say_line(f"  hint: {line}")
    return error.exit_code


def wants_json(arguments: Sequence[str]) -> bool:
    """Asked of the words themselves: the error may be that they could not be understood."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return not {"--json", "--jsonl"}.isdisjoint(arguments[:end])


def _in_our_words(error: click.ClickException) -> LaneError:
    context = error.ctx if isinstance(error, click.UsageError) else None
    hint = f"{context.command_path} --help" if context is not None else "lane --help"
    message = error.format_message().rstrip(".")
    return UsageError(message[:1].lower() + message[1:], hint=hint)


def _from_the_disk(error: OSError) -> LaneError:
    from memlane.system.disk import advice_for, message_of

    return LaneError(message_of(error), hint=advice_for(error))


def _nobody_reads() -> int:
    """`lane runs | head -1`: the reader has what it wanted. Python must not complain again at its own end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _never_a_traceback(
    arguments: Sequence[str],
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    def hook(kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        from memlane.surfaces.cli.logs import write_down

        place = write_down(error)
        tell(LaneError(f"unexpected error ({kind.__name__})", hint=place), arguments)

    return hook
