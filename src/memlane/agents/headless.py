"""What an agent that reads for us is: the command line for one question, and what it prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


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
    prompt as an option; a version that does not know these is asked again without them.
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
    def priced_as(self) -> str:
        """The model whose price counts where none is named."""
        ...

    def options(self, model: str, system: str, *, quiet: bool) -> Sequence[str]:
        """What is added to the command; `model` is "" for its usual one."""
        ...

    def environment(self, most: int) -> Mapping[str, str]:
        """Set for an answer of at most so many tokens. Also for scripts of a person, which may run it."""
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
