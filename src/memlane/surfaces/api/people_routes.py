"""What Central answers about who belongs to it: people, groups, and what they share."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.surfaces import schema
from memlane.surfaces.api import answers, people, shares
from memlane.surfaces.api.router import Route
from memlane.surfaces.api.rules import reads, takes
from memlane.surfaces.schema import given

_SHARE = schema.matching(r"^x_[a-z2-7]{2,13}$", "its id")
_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}(Z|[+-][0-9]{2}:[0-9]{2})$"
_PERSON = {"person": schema.matching(schema.NAME, "their name", 64)}
_ROLE = schema.one_of(["member", "admin", "auditor"], "what they may do; none of them opens what others keep")
_SUBJECT = schema.text("a DID, or the OpenID issuer's name (`sub`) for somebody", 255)
_GROUP = {
    "group": schema.matching(schema.NAME, "its name", 64),
    "people": schema.texts("their names", 1000, 64),
}


def people_routes() -> Sequence[Route]:
    return [
        Route(
            "GET", "/api/people", "Who belongs to this Central.", reads(), people.people, gives=answers.PEOPLE, own=True
        ),
        Route(
            "GET",
            "/api/people/insight",
            "How many memories were formed, by week, project and type; admins only.",
            reads(),
            people.insight,
            gives=answers.LEARNED,
            own=True,
            audit="insight",
        ),
        Route(
            "POST",
            "/api/people/invite",
            "A one-time code for somebody's first machine; admins only.",
            takes(),
            people.invite,
            given("person", **_PERSON, role=_ROLE),
            answers.CODE,
            own=True,
        ),
        Route(
            "GET",
            "/api/people/identities",
            "Whom accounts elsewhere belong to: yours; all of them for an admin.",
            reads(),
            people.identities,
            gives=answers.IDENTITIES,
            own=True,
        ),
        Route(
            "POST",
            "/api/people/link",
            "Let somebody sign in with an account elsewhere; admins only.",
            takes(),
            people.link,
            given("person", "subject", **_PERSON, subject=_SUBJECT),
            answers.IDENTITY,
            own=True,
        ),
        Route(
            "POST",
            "/api/people/unlink",
            "That account opens nothing here from now on; admins only.",
            takes(),
            people.unlink,
            given("subject", subject=_SUBJECT),
            answers.IDENTITY,
            own=True,
        ),
        Route(
            "POST",
            "/api/people/role",
            "Another role; admins only.",
            takes(),
            people.role,
            given("person", "role", **_PERSON, role=_ROLE),
            answers.PERSON,
            own=True,
        ),
        Route(
            "POST",
            "/api/people/limit",
            "How many machines they may have; admins only.",
            takes(),
            people.limit,
            given("person", "machines", **_PERSON, machines=schema.count("at most; 0: any number", 0, 10_000)),
            answers.PERSON,
            own=True,
        ),
        Route(
            "GET", "/api/groups", "Groups and who is in them.", reads(), people.groups, gives=answers.GROUPS, own=True
        ),
        Route(
            "POST",
            "/api/groups/add",
            "More people in a group; a new name begins one. Admins only.",
            takes(),
            people.add_to_group,
            given("group", "people", **_GROUP),
            answers.GROUP,
            own=True,
        ),
        Route(
            "POST",
            "/api/groups/remove",
            "These people leave the group; without names, the group ends. Admins only.",
            takes(),
            people.remove_from_group,
            given("group", **_GROUP),
            answers.GROUP,
            own=True,
        ),
        Route(
            "GET",
            "/api/shares",
            "What you share, and what is shared with you.",
            reads(),
            shares.given,
            gives=answers.SHARES,
            own=True,
        ),
        Route(
            "POST",
            "/api/shares",
            "Share something of yours with a person or a group.",
            takes(),
            shares.share,
            given(
                "type",
                "name",
                "whom",
                type=schema.one_of(["run", "tree", "project", "tag", "memory"], "what"),
                name=schema.text("a whole id, the key of a project, or a tag", 1000),
                title=schema.text("what people call it", 200),
                whom=schema.matching(schema.NAME, "a person or a group", 64),
                reading=schema.one_of(["lessons", "transcripts"], "memories without their evidence, or the runs too"),
                until=schema.matching(_TIME, "when it ends by itself", 40),
            ),
            answers.SHARED,
            own=True,
        ),
        Route(
            "POST",
            "/api/shares/revoke",
            "It ends with the next request; the receipt says where it is gone.",
            takes(),
            shares.revoke,
            given("share", share=_SHARE),
            answers.RECEIPT,
            own=True,
        ),
        Route(
            "POST",
            "/api/shares/mark",
            "Whether a machine has all memories that others share with you, and no others; and what you share.",
            takes(),
            shares.lent_mark,
            given("version", version=schema.text("of those it has", 64, least=0)),
            answers.LENT_MARK,
        ),
        Route(
            "GET",
            "/api/shares/lent",
            "All memories that others share with you, for recall on a machine.",
            reads(),
            shares.lent,
            gives=answers.LENT,
            audit="lend",
        ),
        Route(
            "POST",
            "/api/shares/receipt",
            "Where a share that ended is gone by now.",
            takes(),
            shares.receipt,
            given("share", share=_SHARE),
            answers.RECEIPT,
            own=True,
        ),
    ]
