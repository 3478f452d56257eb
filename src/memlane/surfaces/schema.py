"""What a tool may be given: JSON Schema for the agent, and the same enforced. What is not named is refused.

Only ids and words, never a path: no pattern here lets one through, and nothing given is ever opened.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import cast

Schema = Mapping[str, object]

RUN = r"^r_[a-z2-7]{2,13}$"
ADDRESS = r"^r_[a-z2-7]{2,13}(#t[0-9]{1,6}(\.[0-9]{1,6})?)?$"
STEP = r"^(t[0-9]{1,6}(\.[0-9]{1,6})?)?$"  # in a run that is named beside it; or none
MEMORY = r"^m_[a-z2-7]{2,13}$"
RECALL = r"^l_[a-z2-7]{2,13}$"
WINDOW = r"^w_[a-z2-7]{2,13}$"
ACT = r"^a_[a-z2-7]{2,13}$"
DREAM = r"^d_[a-z2-7]{2,13}$"
SLUG = r"^[a-z0-9][a-z0-9._-]{0,80}$"
SHA = r"^[0-9a-f]{8}$"
DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
FILE = r"^[a-z0-9-]{1,40}\.(css|js|svg)$"
QUESTION = r"^[a-z0-9_]{4,16}$"
EVENT = r"^[A-Za-z]{1,40}$"
PROJECT = r"^\w[\w .@+-]*(/\w[\w .@+-]*)*$"
NAME = r"^[\w][\w.@-]{0,63}$"
SHARED = PROJECT.replace("^", "^(tag:)?", 1)
SHARE_WISH = r"^w_[a-z2-7]{2,13}$"
LONGEST = 8000  # characters of a text


def text(what: str, most: int = LONGEST, *, least: int = 1) -> Schema:
    return {"type": "string", "description": what, "minLength": least, "maxLength": most}


def matching(pattern: str, what: str, most: int = 40) -> Schema:
    return {"type": "string", "description": what, "pattern": pattern, "maxLength": most}


def any_of(names: Iterable[str]) -> str:
    """A pattern: some of these, with commas between them."""
    one = f"({'|'.join(names)})"
    return f"^{one}(,{one})*$"


def maybe(pattern: str, what: str, most: int = 200) -> Schema:
    """The same, or empty: what a form sends of a field nobody filled in."""
    return matching(f"^(?:{pattern.removeprefix('^').removesuffix('$')})?$", what, most)


def one_of(names: Sequence[str], what: str) -> Schema:
    return {"type": "string", "description": what, "enum": list(names)}


def count(what: str, least: int, most: int) -> Schema:
    return {"type": "integer", "description": what, "minimum": least, "maximum": most}


def several(what: str, most: int) -> Schema:
    return {"type": "array", "description": what, "items": {"type": "object"}, "maxItems": most}


def texts(what: str, most: int, longest: int) -> Schema:
    items = {"type": "string", "maxLength": longest}
    return {"type": "array", "description": what, "items": items, "maxItems": most}


def yes_or_no(what: str) -> Schema:
    return {"type": "boolean", "description": what}


def project(otherwise: str = "the current one") -> Schema:
    return matching(PROJECT, f"its name, like acme/api; default: {otherwise}", 200)


def given(*required: str, **fields: Schema) -> Schema:
    made: dict[str, object] = {"type": "object", "properties": fields, "additionalProperties": False}
    return {**made, "required": list(required)} if required else made


def problems(schema: Schema, value: object) -> Iterator[str]:
    """All that is wrong with it, in words an agent can act on."""
    if not isinstance(value, dict):
        yield "arguments must be an object"
        return
    known, found = cast(Mapping[str, Schema], schema["properties"]), cast(Mapping[str, object], value)
    for name in cast(Sequence[str], schema.get("required", ())):
        if name not in found:
            yield f"{name} is missing"
    for name, one in found.items():
        if name not in known:
            yield f"there is no argument {name[:40]!r}; it takes {', '.join(known) or 'none'}"
        else:
            yield from (f"{name} {wrong}" for wrong in _wrong(known[name], one))


def _wrong(schema: Schema, value: object) -> Iterator[str]:
    type_ = str(schema["type"])
    if type_ not in _TYPES or not _TYPES[type_](value):
        yield f"must be of type {type_}"
    elif isinstance(value, str):
        yield from _wrong_text(schema, value)
    elif isinstance(value, bool):
        return
    elif isinstance(value, int):
        least, most = cast(int, schema["minimum"]), cast(int, schema["maximum"])
        if not least <= value <= most:
            yield f"must be from {least} to {most}"
    elif isinstance(value, list):
        yield from _wrong_list(schema, cast(list[object], value))


def _wrong_list(schema: Schema, value: Sequence[object]) -> Iterator[str]:
    items = cast(Schema, schema["items"])
    if len(value) > cast(int, schema["maxItems"]):
        yield f"has more than {schema['maxItems']} parts"
    elif not all(_TYPES[str(items["type"])](one) for one in value):
        yield f"must be a list of parts of type {items['type']}"
    elif items["type"] == "string":
        yield from (f"part {n} {wrong}" for n, one in enumerate(value) for wrong in _wrong_text(items, str(one)))


def _wrong_text(schema: Schema, value: str) -> Iterator[str]:
    if "\0" in value or len(value) > cast(int, schema.get("maxLength", LONGEST)):
        yield f"must be at most {schema.get('maxLength', LONGEST)} characters of text"
    elif len(value.strip()) < cast(int, schema.get("minLength", 0)):
        yield "must not be empty"
    elif "enum" in schema and value not in cast(list[str], schema["enum"]):
        yield f"must be one of {', '.join(cast(list[str], schema['enum']))}"
    elif "pattern" in schema and re.fullmatch(str(schema["pattern"]), value) is None:
        yield "is not a name of that kind"


_TYPES: Mapping[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
}
