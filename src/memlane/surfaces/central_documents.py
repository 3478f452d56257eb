"""What is kept and written down on a Central, as programs read it: the audit, holds, retention, receipts, grants."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlane.app.control import (
        AuditBook,
        AuditLine,
        DeletionReceipt,
        Grant,
        GrantBook,
        GrantReceipt,
        Hold,
        Policy,
        RetentionRule,
    )
    from memlane.app.grant_wishes import GrantWish
    from memlane.app.insight import LearnedCount
    from memlane.app.retention import RetentionPlan

Document = dict[str, object]


def of_learned(one: LearnedCount) -> Document:
    """`project` is null for all that two people do not know by one name."""
    return {"week": one.week.isoformat(), "project": one.project or None, "type": one.type, "memories": one.memories}


def of_audit_line(one: AuditLine) -> Document:
    return {
        "n": one.n,
        "at": one.at,
        "who": one.who,
        "machine": one.machine,
        "act": one.act,
        "of": one.of,
        "what": one.what,
        "whom": one.whom,
        "count": one.count,
    }


def of_audit_faults(audit: AuditBook) -> Document:
    faults = [{"file": one.file, "n": one.n, "why": one.why, "gap": one.gap} for one in audit.faults()]
    return {"lines": audit.count(), "unclean": audit.unclean(), "faults": faults}


def of_hold(one: Hold) -> Document:
    return {
        "id": one.id,
        "kind": one.kind,
        "what": one.what,
        "why": one.why,
        "by": one.by,
        "since": one.since,
        "released": one.released or None,
        "released_by": one.released_by or None,
    }


def of_retention(one: RetentionRule) -> Document:
    return {
        "id": one.id,
        "days": one.days or None,
        "person": one.person,
        "project": one.project,
        "by": one.by,
        "since": one.since,
        "deletes_from": one.deletes_from,
        "says": one.words,
    }


def of_retention_plan(one: RetentionPlan) -> Document:
    return {"owner": one.owner, "runs": one.runs, "bytes": one.bytes, "held": one.held, "oldest": one.oldest}


def of_receipt(one: DeletionReceipt) -> Document:
    return {
        "id": one.id,
        "owner": one.owner,
        "name": one.name,
        "rule": one.rule,
        "at": one.at,
        "bytes": one.bytes,
        "content": one.content,
        "digest": one.digest,
    }


def of_policy(one: Policy) -> Document:
    return {
        "never": list(one.never),
        "sharing": one.sharing,
        "mask": one.mask,
        "by": one.by,
        "since": one.since,
        "says": list(one.words),
    }


def of_grant(one: Grant, now: datetime) -> Document:
    return {
        "id": one.id,
        "owner": one.owner,
        "type": one.type,
        "name": one.name,
        "title": one.title,
        "whom": one.whom,
        "group": one.group,
        "reading": one.reading,
        "since": one.since,
        "until": one.until or None,
        "revoked": one.revoked or None,
        "holds": one.holds(now),
    }


def of_grant_wish(one: GrantWish, now: datetime) -> Document:
    """As a share that is not there yet, and who wants it."""
    proposed = {"proposed_by": one.by, "proposed_at": one.at, "because": one.because}
    return {**of_grant(one.grant, now), "id": one.id, "holds": False, **proposed}


def asked_grant(one: Grant) -> Document:
    """A grant that is not made yet, as Central is asked for it."""
    fields = {"type": one.type.value, "name": one.name, "title": one.title, "whom": one.whom}
    return {**fields, "reading": one.reading.value, **({"until": one.until} if one.until else {})}


def of_grants(book: GrantBook, person: str, now: datetime) -> Document:
    """Of one person: both directions."""
    given, received = ([of_grant(one, now) for one in found] for found in (book.by(person), book.to(person)))
    return {"given": given, "received": received}


def of_grant_receipt(receipt: GrantReceipt, now: datetime) -> Document:
    reached, waiting = (
        [{"person": one.owner, "machine": one.title} for one in some] for some in (receipt.reached, receipt.waiting)
    )
    gone = {"gone": list(receipt.gone), "people": list(receipt.readers), "reached": reached, "waiting": waiting}
    return {"share": of_grant(receipt.grant, now), **gone}
