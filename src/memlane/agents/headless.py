"""What an agent that reads for us is: the command line for one question, and what it prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast, runtime_checkable

import msgspec


@dataclass(frozen=True, slots=True)
class HeadlessOutput:
    """What an agent printed when it was asked one question. `dollars` is None where it does not say."""

    text: str
    failed: bool = False  # `text` says why
    cut: bool = False  # at the most tokens it may have
    refused: bool = False
    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float | None = None


@runtime_checkable
class Headless(Protocol):
    """An agent whose command reads for us: one question on its standard input, one answer, and no Run of it kept.

    `quiet` means with every option that makes it keep nothing, fire no hook and run no tool, and with the system
    prompt told apart; a version that does not know these is asked again without them. It runs in `folder`, the same
    one every time. `own` is a folder for this one question: it is removed afterwards, with all that is in it.
    """

    @property
    def command(self) -> str:
        """What is run, if the settings say no more: `claude -p`. Its first word is how its program is known."""
        ...

    @property
    def plan(self) -> str:
        """Who pays for it, as `lane catch setup` says it: `Claude plan`."""
        ...

    @property
    def company(self) -> str:
        """To whom the Windows go: `Anthropic`."""
        ...

    @property
    def usual_model(self) -> str:
        """The cheap model of it that reads well enough; "" for the one it is set to."""
        ...

    @property
    def priced_as(self) -> str:
        """The model whose price counts where none is named; "" where nobody knows."""
        ...

    def missing(self, variables: Mapping[str, str]) -> str:
        """What it would need to read without a trace; "" where it has that."""
        ...

    def options(self, model: str, system: str, own: Path, *, quiet: bool) -> Sequence[str]:
        """What is added to the command; `model` is "" for its usual one."""
        ...

    def files(self, system: str, folder: Path, own: Path) -> Mapping[Path, str]:
        """What it finds there when it starts."""
        ...

    def settings(self, system: str, own: Path) -> Mapping[str, str]:
        """Environment variables for this question."""
        ...

    def environment(self, most: int) -> Mapping[str, str]:
        """Set for an answer of at most so many tokens. Also for scripts of a person, which may run it."""
        ...

    def leftovers(self, folder: Path, variables: Mapping[str, str]) -> Sequence[Path]:
        """What it keeps elsewhere about what it did in `folder`, for removal."""
        ...

    def overhead(self, *, quiet: bool) -> int:
        """Tokens of its own that it puts in front of the question, at most."""
        ...

    def is_older(self, errors: str) -> bool:
        """Whether it says that it does not know an option."""
        ...

    def output(self, printed: bytes) -> HeadlessOutput | None:
        """None where this is not how it prints."""
        ...


class PlainHeadless:
    """What holds for an agent that needs nothing special."""

    __slots__ = ()

    def missing(self, variables: Mapping[str, str]) -> str:  # noqa: ARG002 - a verb of Headless
        return ""

    def files(self, system: str, folder: Path, own: Path) -> Mapping[Path, str]:  # noqa: ARG002
        return {}

    def settings(self, system: str, own: Path) -> Mapping[str, str]:  # noqa: ARG002
        return {}

    def environment(self, most: int) -> Mapping[str, str]:  # noqa: ARG002
        return {}

    def leftovers(self, folder: Path, variables: Mapping[str, str]) -> Sequence[Path]:  # noqa: ARG002
        return ()

    def is_older(self, errors: str) -> bool:  # noqa: ARG002
        return False


Event = Mapping[str, object]


def events(printed: bytes) -> Sequence[Event]:
    """One JSON object a line, each with a type; none where any line is something else."""
    try:
        return [*_objects(printed.splitlines())]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, TypeError):
        return ()


def _objects(lines: Sequence[bytes]) -> Iterator[Event]:
    for line in lines:
        if line.strip():
            found = msgspec.json.decode(line)
            if not isinstance(found, dict) or not isinstance(cast(Event, found).get("type"), str):
                raise TypeError("not an event")
            yield cast(Event, found)


def inner(event: Event, *names: str) -> Event:
    """The object under these names; an empty one where there is none."""
    for name in names:
        found = event.get(name)
        event = cast(Event, found) if isinstance(found, dict) else {}
    return event


def count(event: Event, *names: str) -> int:
    """The sum of these numbers."""
    found = (event.get(name) for name in names)
    return sum(max(0, int(value)) for value in found if isinstance(value, int | float))


def words(event: Event, name: str) -> str:
    found = event.get(name)
    return found if isinstance(found, str) else ""
