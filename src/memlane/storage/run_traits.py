"""What a Run is asked for by, as engines keep it: its skills, commands, account and kind of work."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.domain import RunFilter, RunSummary

OUTCOMES = ("success", "failure", "none")


def traits_of(run: RunSummary) -> set[tuple[str, str]]:
    """Trait and value."""
    every = (
        *(("skill", one) for one in run.skills),
        *(("command", one) for one in run.commands),
        ("account", run.account),
        ("kind", run.kind),
    )
    return {(trait, plain) for trait, value in every if (plain := _plain(value))}


def asked(which: RunFilter) -> Iterator[tuple[str, str]]:
    given = (("skill", which.skill), ("command", which.command), ("account", which.account), ("kind", which.kind))
    return ((trait, _plain(value)) for trait, value in given if value)


def _plain(value: str) -> str:
    return value.strip().removeprefix("/").casefold()
