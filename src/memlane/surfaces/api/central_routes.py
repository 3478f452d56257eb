"""What only Central answers: machines that join, what they leave and fetch, its records and its audit."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.surfaces import schema
from memlane.surfaces.api import answers, audit, central
from memlane.surfaces.api.people_routes import people_routes
from memlane.surfaces.api.retention_routes import retention_routes
from memlane.surfaces.api.router import Route
from memlane.surfaces.api.rules import MESSAGE, anybody, knocks, reads, ships, ships_nothing, takes
from memlane.surfaces.api.thin_routes import thin_routes
from memlane.surfaces.schema import given

_AUDIT = {
    "of": schema.text("out of whose runs, or whom it concerns", 64),
    "by": schema.text("who did it or was told", 64),
    "act": schema.text("what was done: search, read, list, machine, …", 40),
    "since": schema.text("not older than this time", 40),
    "limit": schema.count("at most this many", 1, 10_000),
}
LARGEST_SHIPMENT = 16 << 20  # bytes as sent; packed, they unpack to several times that
_NAME = r"^[\w][\w.@-]{0,63}$"
_MACHINE = r"^[\w][\w .@-]{0,63}$"


def central_routes() -> Sequence[Route]:
    """What only Central answers: machines that join, what they leave and fetch, and each other."""
    return [
        Route(
            "POST",
            "/api/join",
            "A one-time code for a token.",
            knocks(),
            central.join,
            given(
                "code",
                "user",
                "machine",
                code=schema.text("as it was typed", 64),
                user=schema.matching(_NAME, "whose runs are on this machine", 64),
                machine=schema.matching(_NAME, "its name", 64),
                computer=schema.text("what tells this computer from a copy of its home", 64, least=0),
                fresh=schema.yes_or_no("nothing was captured there yet"),
                thin=schema.yes_or_no("it has no index of its own"),
            ),
            answers.JOINED,
            own=True,
        ),
        Route(
            "GET",
            "/api/sign-in",
            "How somebody without a code may join: by an AT Protocol account, or by OpenID Connect.",
            anybody(),
            central.sign_ins,
            gives=answers.SIGN_INS,
            own=True,
        ),
        Route(
            "POST",
            "/api/sign-in",
            "The word of a PDS or an OpenID issuer for a one-time code.",
            knocks(),
            central.sign_in,
            given(
                atproto=schema.text("what the PDS gave for this Central", 4096),
                oidc=schema.text("the id_token", 32768),
                user=schema.matching(_NAME, "whose runs are on this machine", 64),
                fresh=schema.yes_or_no("nothing was captured there yet"),
            ),
            answers.CODE,
            own=True,
            outside=True,
        ),
        Route(
            "POST",
            "/api/ship",
            "Pieces of runs and journals; one answer for each, `taken` only when durable.",
            ships(LARGEST_SHIPMENT),
            central.ship,
            None,
            answers.SHIPPED,
        ),
        Route("GET", "/api/ship", "How much of each run is held.", ships_nothing(), central.held, gives=answers.HELD),
        Route(
            "POST",
            "/api/lines",
            "Journal lines of all your machines that you do not have, as frames.",
            takes(MESSAGE),
            central.lines,
            given(files=schema.several("name, size and last line of each file you have", 4000)),
            answers.LINES,
        ),
        Route(
            "POST",
            "/api/runs/{run}/frames",
            "What you do not have of a run, as frames.",
            takes(MESSAGE),
            central.frames,
            given(
                held={"type": "object", "description": "bytes and SHA-256 of each generation you have"},
                files=schema.texts("SHA-256 of each side file and patch you have", 50_000, 64),
                begun={"type": "object", "description": "bytes of each side file or patch you have a part of"},
            ),
            answers.LINES,
            audit="read",
        ),
        Route(
            "POST",
            "/api/views/search",
            "What `lane search` shows, for your other machines.",
            takes(),
            central.found,
            given(
                "query",
                "which",
                query=schema.text("words, an error, a question", 1000),
                which={"type": "object", "description": "which runs, as `RunFilter` has it"},
                limit=schema.count("at most this many", 1, 1000),
                mode=schema.one_of(["auto", "words", "meaning"], "how to look"),
            ),
            answers.VIEW,
            audit="search",
        ),
        Route(
            "POST",
            "/api/views/runs",
            "What `lane runs` and `lane tree` show, for your other machines.",
            takes(),
            central.listed,
            given("which", which={"type": "object", "description": "which runs, as `RunFilter` has it"}),
            answers.VIEWS,
            audit="list",
        ),
        Route(
            "POST",
            "/api/views/run",
            "What the page of a run shows: a part of it, masked, and through which shares others read it.",
            takes(),
            central.shown,
            given(
                "run",
                "at",
                "first",
                "most",
                run=schema.matching(schema.RUN, "its id"),
                at=schema.matching(schema.STEP, "the step in the middle: t41.7; else"),
                first=schema.count("the place of the first step", 0, 10_000_000),
                most=schema.count("so many steps", 1, 200),
            ),
            answers.VIEW,
            audit="read",
        ),
        Route(
            "GET",
            "/api/audit",
            "Who read, searched or was told something of yours, and what you did; of everybody for an auditor.",
            reads(),
            audit.lines,
            given(**_AUDIT),
            answers.AUDIT,
            own=True,
            audit="audit",
        ),
        Route(
            "GET",
            "/api/audit/faults",
            "Lines of the audit that are not as they were written.",
            reads(),
            audit.faults,
            gives=answers.AUDIT_FAULTS,
            own=True,
        ),
        Route("GET", "/api/machines", "Your machines.", reads(), central.machines, gives=answers.MACHINES, own=True),
        Route(
            "POST",
            "/api/machines/invite",
            "A one-time code for one more machine of yours.",
            takes(),
            central.invite,
            given(ship_only=schema.yes_or_no("its token may send and read nothing")),
            answers.CODE,
            own=True,
        ),
        Route(
            "POST",
            "/api/machines/revoke",
            "Its token ends with the next request.",
            takes(),
            central.revoke,
            given("machine", machine=schema.matching(_MACHINE, "its title, name or id", 64)),
            answers.MACHINE,
            own=True,
        ),
        Route(
            "POST",
            "/api/machines/rename",
            "Another title for it.",
            takes(),
            central.rename,
            given(
                "machine",
                "title",
                machine=schema.matching(_MACHINE, "its title, name or id", 64),
                title=schema.matching(_MACHINE, "the new one", 64),
            ),
            answers.MACHINE,
            own=True,
        ),
        *thin_routes(),
        *people_routes(),
        *retention_routes(),
    ]
