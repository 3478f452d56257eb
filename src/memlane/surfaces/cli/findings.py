"""Findings on a screen: what was looked at, how it stands, what to do. The same for every command that reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memlane.domain import Finding, Level
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import one_line, width, wrapped
from memlane.surfaces.documents import of_finding

_STYLES = {Level.OK: "green", Level.NOTE: "cyan", Level.WARN: "yellow", Level.FAIL: "bold red"}


def done(kind: str, what: str, hint: str = "") -> Finding:
    return Finding(kind, Level.OK, what, hint)


def told(screen: Screen, schema: str, findings: Sequence[Finding], meta: Mapping[str, object] | None = None) -> None:
    """In whichever form was asked for."""
    if screen.json:
        screen.emit(schema, [of_finding(finding) for finding in findings], meta)
    elif screen.terminal:
        for finding in findings:
            for line in drawn(screen, finding):
                screen.line(line)
    else:
        for finding in findings:
            screen.record(finding.level.value, finding.kind, finding.what, finding.hint)


def acted(
    screen: Screen, schema: str, findings: Sequence[Finding], label: str, meta: Mapping[str, object] | None = None
) -> None:
    """What a command did, as a sentence, and behind `label` what can be done about it: undo, next, later."""
    if screen.json or not screen.terminal:
        told(screen, schema, findings, meta)
        return
    for finding in findings:
        name = finding.kind.replace("-", " ").capitalize()
        for line in wrapped(f"{name}: {one_line(finding.what)}", screen.columns):
            screen.line(line)
        if finding.hint:
            screen.line(f"  {label}: {finding.hint}")


def drawn(screen: Screen, finding: Finding, name_width: int = 14) -> Iterator[str]:
    name = finding.kind
    lead = f"{screen.styled(f'{finding.level.value:<4}', _STYLES[finding.level])}  {name:<{name_width}}"
    indent = " " * (6 + max(name_width, width(name)))
    room = screen.columns - len(indent) - 1
    first, *rest = [*wrapped(one_line(finding.what), room)] or [""]
    yield f"{lead} {first}".rstrip()
    yield from (f"{indent} {line}" for line in rest)
    for line in finding.hint.splitlines():
        for n, part in enumerate(wrapped(one_line(line), room - 5)):
            yield f"{indent} {'fix: ' if n == 0 else '     '}{part}"
