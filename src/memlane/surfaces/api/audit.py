"""The Audit over HTTP: each person's own part of it; all of it for an auditor."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memlane.errors import NotAllowedError, UsageError
from memlane.surfaces.api.http import HttpReply, document
from memlane.surfaces.api.router import RouteRequest
from memlane.surfaces.central_documents import of_audit_faults, of_audit_line

if TYPE_CHECKING:
    from memlane.app import Lane

LISTED = 100


def lines(lane: Lane, want: RouteRequest) -> HttpReply:
    from memlane.app.control import AuditWanted  # noqa: PLC0415 - loaded with the first question

    fields, asks = {name: str(value) for name, value in want.fields.items()}, want.who.owner
    which = AuditWanted(
        "" if lane.control.reads_whole_audit(asks) else asks,
        fields.get("of", ""),
        fields.get("by", ""),
        fields.get("act", ""),
        _time(fields["since"]) if fields.get("since") else None,
        int(fields.get("limit", str(LISTED))),
    )
    found = [of_audit_line(one) for one in lane.control.audit.lines(which)]
    return document(found, self="/api/audit", faults="/api/audit/faults")


def faults(lane: Lane, want: RouteRequest) -> HttpReply:
    if not lane.control.reads_whole_audit(want.who.owner):
        raise NotAllowedError("only an auditor may verify the audit", hint="lane audit")
    return document(of_audit_faults(lane.control.audit), self="/api/audit/faults")


def _time(said: str) -> datetime:
    try:
        at = datetime.fromisoformat(said)
    except ValueError:
        raise UsageError(f"{said!r} is no time", hint="for example 2026-11-18T09:00:00Z") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
