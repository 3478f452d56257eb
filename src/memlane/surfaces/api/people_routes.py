"""What Central answers about who belongs to it: people and groups."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.surfaces import schema
from memlane.surfaces.api import answers, people
from memlane.surfaces.api.router import Route
from memlane.surfaces.api.rules import reads, takes
from memlane.surfaces.schema import given

NAME = r"^[\w][\w.@-]{0,63}$"
_PERSON = {"person": schema.matching(NAME, "their name", 64)}
_ROLE = schema.one_of(["member", "admin", "auditor"], "what they may do; none of them opens what others keep")
_SUBJECT = schema.text("a DID, or the OpenID issuer's name (`sub`) for somebody", 255)
_GROUP = {
    "group": schema.matching(NAME, "its name", 64),
    "people": schema.texts("their names", 1000, 64),
}


def people_routes() -> Sequence[Route]:
    return [
        Route(
            "GET", "/api/people", "Who belongs to this Central.", reads(), people.people, gives=answers.PEOPLE, own=True
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
    ]
