"""What each route answers, as JSON Schema: the documents of `surfaces/documents.py`, said for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from memlane.domain import Author, Kind, Maturity, Scope, State, Trust, Type
from memlane.surfaces.schema import Schema, one_of

JSON = "application/json"
BYTES = "application/octet-stream"
NO_BODY = 202

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
WHETHER: Schema = {"type": "boolean"}
PERHAPS: Schema = {"type": ["string", "null"]}
NUMBERS: Schema = {"type": "object", "additionalProperties": NUMBER}


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def some(one: Schema) -> Schema:
    return {"type": "array", "items": one}


def thing(**always: Schema) -> Schema:
    """An object with all of these."""
    return {"type": "object", "required": list(always), "properties": always}


def perhaps(made: Schema, **more: Schema) -> Schema:
    """It may have these too."""
    return {**made, "properties": {**cast(Mapping[str, Schema], made["properties"]), **more}}


def document(data: Schema) -> Schema:
    return thing(data=data, _links=ref("Links"))


_SAID = thing(text=TEXT, at=PERHAPS)
_RUN: Mapping[str, Schema] = {
    **dict.fromkeys(
        ("id", "owner", "agent", "machine", "account", "project", "project_key", "cwd", "branch", "title"), TEXT
    ),
    **dict.fromkeys(("turns", "person_turns", "steps", "tool_calls", "errors", "generation", "bytes"), COUNT),
    **dict.fromkeys(("started", "ended", "parent", "relation"), PERHAPS),
    **dict.fromkeys(("first", "last"), _SAID),
    **dict.fromkeys(("session_id", "source_path", "kind", "version"), TEXT),
    **dict.fromkeys(("files", "skills", "commands", "entities", "models", "tags"), some(TEXT)),
    "tokens": thing(input=COUNT, output=COUNT, cached=COUNT),
    "headless": WHETHER,
    "pinned": WHETHER,
    "_links": ref("Links"),
}
_CALL = thing(name=TEXT, input={"type": "object"}, result=TEXT, error=WHETHER, files=some(TEXT))
_STEP = perhaps(
    thing(
        n=COUNT,
        address=TEXT,
        author=one_of(list(Author), "who"),
        kind=one_of(list(Kind), "what"),
        at=PERHAPS,
        line=COUNT,
        ours=WHETHER,
    ),
    text=TEXT,
    tool_call=_CALL,
)
_MEMORY: Mapping[str, Schema] = {
    **dict.fromkeys(("id", "owner", "title", "content", "category", "source_chunk", "project", "project_key"), TEXT),
    **dict.fromkeys(("formed_at", "saved_at", "first_observed_at", "last_observed_at"), TEXT),
    **dict.fromkeys(("reasoning", "maker", "superseded_by", "held_because", "when"), TEXT),
    **dict.fromkeys(("confidence", "times_observed", "recall_count"), COUNT),
    **dict.fromkeys(("target_agents", "alternatives", "cues"), some(TEXT)),
    "type": one_of(list(Type), "what sort"),
    "scope": one_of(list(Scope), "where it applies"),
    "trust": one_of(list(Trust), "who said it"),
    "state": one_of(list(State), "its state"),
    "maturity": one_of(list(Maturity), "its maturity"),
    "evidence": some(thing(run=TEXT, generation=COUNT, line=COUNT, step=TEXT, quote=TEXT)),
    "related_entities": some(thing(type=TEXT, raw=TEXT, slug=TEXT, resolved=WHETHER)),
    "pinned": WHETHER,
    "always": WHETHER,
}
_RECALLED = perhaps(  # these only where recall is on
    thing(silent=WHETHER, why=TEXT, shown=some(ref("Match"))), recall=TEXT, ms=NUMBER, brief=TEXT
)

SCHEMAS: Mapping[str, Schema] = {
    "MemoryRecord": {"allOf": [ref("Memory"), thing(embedding_model=PERHAPS, embedded_at=PERHAPS)]},
    "Links": {"type": "object", "additionalProperties": thing(href=TEXT)},
    "Error": thing(error=perhaps(thing(kind=TEXT, message=TEXT, hint=TEXT), id=TEXT)),
    "Run": thing(**_RUN),
    "Branch": {"allOf": [ref("Run"), thing(depth=COUNT, children=some(ref("Branch")))]},
    "Turn": thing(
        n=COUNT,
        address=TEXT,
        at=PERHAPS,
        author=one_of(list(Author), "who"),
        person=TEXT,
        agent=TEXT,
        steps=some(_STEP),
    ),
    "Hit": thing(
        **dict.fromkeys(("run", "address", "agent", "machine", "project", "title", "snippet"), TEXT),
        **dict.fromkeys(("turn", "step"), COUNT),
        author=one_of(list(Author), "who"),
        at=PERHAPS,
        score=NUMBER,
        lexical=NUMBER,
        semantic={"type": ["number", "null"]},
        hits=some(some(COUNT)),
        _links=ref("Links"),
    ),
    "Memory": thing(**_MEMORY),
    "Match": thing(
        **dict.fromkeys(("id", "owner", "title", "content", "source"), TEXT),
        type=one_of(list(Type), "what sort"),
        similarity=NUMBER,
        score=NUMBER,
        parts=NUMBERS,
        note={"type": ["number", "null"]},
        cue={"type": ["object", "null"], "properties": {"text": TEXT, "similarity": NUMBER}},
        _links=ref("Links"),
    ),
}


@dataclass(frozen=True, slots=True)
class ReplySchema:
    """What comes back when all is well: by status what it means, in which form, as what."""

    schema: Schema
    statuses: Mapping[int, str]
    type: str = JSON


OK = {200: "Done."}
MADE = {201: "Saved."}
ANYTHING = ReplySchema({"type": "object"}, OK)
SAVED = ReplySchema({"type": "object"}, MADE)
A_PAGE = ReplySchema(
    document({"type": "object", "description": "what the page shows, by the names its template has for it"}), OK
)
RUNS = ReplySchema(document(some(ref("Run"))), OK)
FOREST = ReplySchema(document(some(ref("Branch"))), OK)
ONE_RUN = ReplySchema(document(thing(run=ref("Run"), turns=some(ref("Turn")))), OK)
RAW = ReplySchema({"type": "string", "format": "binary"}, OK, BYTES)
HITS = ReplySchema(document(some(ref("Hit"))), OK)
RECALLED = ReplySchema(document(_RECALLED), OK)
MEMORY = ReplySchema(document(ref("MemoryRecord")), OK)
MEMORIES = ReplySchema(document(some(ref("Memory"))), OK)
REMEMBERED = ReplySchema(document(ref("Memory")), {200: "It already existed.", 201: "It is held."})
JUDGED = ReplySchema(
    document(thing(feedback=TEXT, recall=TEXT, factor=thing(before=NUMBER, after=NUMBER), undo=TEXT)), MADE
)
SCORED = ReplySchema(
    document(thing(run=TEXT, memories=some(TEXT), changed=some(thing(id=TEXT, confidence=COUNT)), undo=TEXT)), MADE
)
MESSAGES = ReplySchema(
    {"type": ["object", "array"]},
    {200: "The answer.", NO_BODY: "A notification has none.", 400: "It is not a message."},
)
_MACHINE = thing(
    **dict.fromkeys(("id", "owner", "name", "title", "kind", "joined"), TEXT),
    thin=WHETHER,
    revoked=PERHAPS,
    last_seen=PERHAPS,
    behind={"type": "object"},
)
_ANSWERED = perhaps(
    thing(answer=one_of(["taken", "have", "conflict", "damaged", "refused"], "what became of it")),
    **{
        **dict.fromkeys(("run", "name", "last", "why"), TEXT),
        **dict.fromkeys(("n", "size"), COUNT),
    },
)
JOINED = ReplySchema(
    document(thing(central=TEXT, owner=TEXT, token=TEXT, at=TEXT, machine=_MACHINE)),
    {201: "The token; shown this once."},
)
SHIPPED = ReplySchema(document(some(_ANSWERED)), OK)
HELD = ReplySchema(document({"type": "object"}), OK)
LINES = ReplySchema({"type": "string", "format": "binary"}, OK, BYTES)
MACHINES = ReplySchema(document(some(_MACHINE)), OK)
MACHINE = ReplySchema(document(_MACHINE), OK)
CODE = ReplySchema(document(thing(code=TEXT, owner=TEXT, until=TEXT)), {201: "The code; shown this once."})
_PERSON = perhaps(
    thing(name=TEXT, role=one_of(["member", "admin", "auditor"], "what they may do"), state=TEXT),
    since=TEXT,
    limits={"type": "object"},
)
_GROUP = thing(name=TEXT, people={"type": "array", "items": TEXT})
PEOPLE = ReplySchema(document(some(_PERSON)), OK)
LEARNED = ReplySchema(document(some(thing(week=TEXT, project=PERHAPS, type=TEXT, memories=COUNT))), OK)
PERSON = ReplySchema(document(_PERSON), OK)
GROUPS = ReplySchema(document(some(_GROUP)), OK)
GROUP = ReplySchema(document(_GROUP), OK)
HOOK_OUTPUT = ReplySchema(document(thing(output={"type": "object"})), OK)
_IDENTITY = thing(person=TEXT, issuer=TEXT, subject=TEXT, shown=TEXT, linked=TEXT, ended=PERHAPS)
IDENTITIES = ReplySchema(document(some(_IDENTITY)), OK)
IDENTITY = ReplySchema(document(_IDENTITY), OK)
SIGN_INS = ReplySchema(document(thing(atproto={"type": ["object", "null"]}, oidc={"type": ["object", "null"]})), OK)
_GRANT = thing(
    **dict.fromkeys(("id", "owner", "type", "name", "title", "whom", "reading", "since"), TEXT),
    **dict.fromkeys(("group", "holds"), WHETHER),
    **dict.fromkeys(("until", "revoked"), PERHAPS),
)
SHARES = ReplySchema(document(thing(given=some(_GRANT), received=some(_GRANT))), OK)
SHARED = ReplySchema(document(_GRANT), {201: "It is shared."})
_PLACE = thing(person=TEXT, machine=TEXT)
RECEIPT = ReplySchema(
    document(thing(share=_GRANT, gone=some(TEXT), people=some(TEXT), reached=some(_PLACE), waiting=some(_PLACE))), OK
)
LENT_MARK = ReplySchema(document(thing(version=TEXT, given=some(_GRANT))), OK)
LENT = ReplySchema(document({"type": "object"}), OK)
VIEW = ReplySchema(document({"type": "object"}), OK)
VIEWS = ReplySchema(document(some({"type": "object"})), OK)
_AUDITED = perhaps(
    thing(n=COUNT, at=TEXT, who=TEXT, act=TEXT),
    machine=TEXT,
    of={"type": "object", "additionalProperties": some(TEXT)},
    what=TEXT,
    whom=TEXT,
    count=COUNT,
)
AUDIT = ReplySchema(document(some(_AUDITED)), OK)
AUDIT_FAULTS = ReplySchema(
    document(thing(lines=COUNT, unclean=COUNT, faults=some(thing(file=TEXT, n=COUNT, why=TEXT, gap=WHETHER)))), OK
)
_HOLD = thing(
    **dict.fromkeys(("id", "kind", "what", "why", "by", "since"), TEXT), released=PERHAPS, released_by=PERHAPS
)
_RETENTION = thing(
    **dict.fromkeys(("id", "person", "project", "by", "since", "deletes_from", "says"), TEXT),
    days={"type": ["integer", "null"]},
)
HOLDS = ReplySchema(document(some(_HOLD)), OK)
HELD_BACK = ReplySchema(document(_HOLD), MADE)
RELEASED = ReplySchema(document(_HOLD), OK)
RETENTIONS = ReplySchema(document(some(_RETENTION)), OK)
RETAINED = ReplySchema(document(_RETENTION), MADE)
RETENTION_ENDED = ReplySchema(document(_RETENTION), OK)
RETENTION_PLAN = ReplySchema(document(some(thing(owner=TEXT, runs=COUNT, bytes=COUNT, held=COUNT, oldest=PERHAPS))), OK)
RECEIPTS = ReplySchema(
    document(
        some(thing(**dict.fromkeys(("id", "owner", "name", "rule", "at", "content", "digest"), TEXT), bytes=COUNT))
    ),
    OK,
)
RULES = ReplySchema(document({"type": "object"}), OK)
POLICY = ReplySchema(
    document(thing(never=some(TEXT), sharing=TEXT, mask=WHETHER, by=TEXT, since=TEXT, says=some(TEXT))), OK
)
