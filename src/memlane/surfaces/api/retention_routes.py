"""What only Central answers about keeping and deleting: holds, retention rules, receipts."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.surfaces import schema
from memlane.surfaces.api import answers, policy, retention
from memlane.surfaces.api.router import Route
from memlane.surfaces.api.rules import knocks, reads, ships_nothing, takes
from memlane.surfaces.schema import given

_DAYS = schema.count("days after its last word that a run is kept; 0: for good", 0, 36_500)
_RULE = {
    "days": _DAYS,
    "person": schema.text("whose runs; everybody's without it", 64, least=0),
    "project": schema.text("of this project, by its name or key; of all without it", 1000, least=0),
}


def retention_routes() -> Sequence[Route]:
    return [
        Route(
            "GET",
            "/api/rules",
            "What your machine keeps to: holds, retention, policy.",
            ships_nothing(),
            retention.rules,
            gives=answers.RULES,
            own=True,
        ),
        Route(
            "POST",
            "/api/join/rules",
            "What the person of this code agrees to by joining. The code stays open.",
            knocks(),
            policy.before_joining,
            given("code", code=schema.text("as it was typed", 64)),
            answers.RULES,
            own=True,
        ),
        Route("GET", "/api/policy", "The policy.", reads(), policy.shown, gives=answers.POLICY, own=True),
        Route(
            "POST",
            "/api/policy",
            "Another policy in its place. For admins.",
            takes(),
            policy.change,
            given(
                "never",
                "sharing",
                "mask",
                never=schema.texts("patterns of what is never captured", 100, 300),
                sharing=schema.one_of(["everybody", "admins", "nobody"], "who may share"),
                mask=schema.yes_or_no("secrets are masked before anything is sent"),
            ),
            answers.POLICY,
            own=True,
        ),
        Route("GET", "/api/holds", "All holds; for admins.", reads(), retention.holds, gives=answers.HOLDS, own=True),
        Route(
            "POST",
            "/api/holds",
            "A hold: what it names is not deleted until it is released. For admins.",
            takes(),
            retention.hold,
            given(
                "kind",
                "what",
                "why",
                kind=schema.one_of(["run", "memory", "project", "person"], "what `what` names"),
                what=schema.text("an id, a project's name or key, a person", 1000),
                why=schema.text("the reason", 500),
            ),
            answers.HELD_BACK,
            own=True,
        ),
        Route(
            "POST",
            "/api/holds/release",
            "It may be deleted again. For admins.",
            takes(),
            retention.release,
            given("hold", hold=schema.text("its id, or the beginning of it", 15, least=4)),
            answers.RELEASED,
            own=True,
        ),
        Route(
            "GET",
            "/api/retention",
            "The retention rules that concern you.",
            reads(),
            retention.retention,
            gives=answers.RETENTIONS,
            own=True,
        ),
        Route(
            "POST",
            "/api/retention/plan",
            "What a rule would delete, by person. For admins.",
            takes(),
            retention.plan,
            given("days", **_RULE),
            answers.RETENTION_PLAN,
            own=True,
        ),
        Route(
            "POST",
            "/api/retention",
            "A retention rule; it deletes nothing for a day. For admins.",
            takes(),
            retention.keep,
            given("days", **_RULE),
            answers.RETAINED,
            own=True,
        ),
        Route(
            "POST",
            "/api/retention/end",
            "The rule counts no longer. For admins.",
            takes(),
            retention.end,
            given("rule", rule=schema.text("its id, or the beginning of it", 15, least=4)),
            answers.RETENTION_ENDED,
            own=True,
        ),
        Route(
            "GET",
            "/api/receipts",
            "What was deleted of yours for good, by which rule.",
            reads(),
            retention.receipts,
            gives=answers.RECEIPTS,
            own=True,
        ),
    ]
