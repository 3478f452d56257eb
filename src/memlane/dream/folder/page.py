"""A topic file: one Memory as a page in Claude Code's own format, and what a person made of it, read back.

Above the mark stands what a person may change; what is below it is written anew each time.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from memlane.domain import Memory, Scope, Trust, Type, door
from memlane.domain.fence import FENCE
from memlane.dream.folder.contents import MemoryPage

BORDER = "---"
_FIELDS = re.compile(r"(?P<indent> *)(?P<name>[A-Za-z][\w-]*):(?: +(?P<value>.*))?$")
_MARK = re.compile(rf"^.*<{FENCE} nonce=.*$", re.MULTILINE)
_OUR_FIELD = re.compile(r"^ *lane: *m_[a-z0-9]+ *$", re.MULTILINE)  # no page has it but in its head
_HINT = "A hint to check: reality wins."
_KNOWN = frozenset({"name", "description", "metadata", "type", "lane"})
KINDS: Mapping[str, tuple[Type, Scope | None]] = {
    "user": (Type.COMMITMENT, Scope.PERSON),
    "feedback": (Type.CORRECTION, None),
    "project": (Type.DECISION, None),
    "reference": (Type.LEARNING, None),
}


class UnreadablePageError(Exception):
    """A page that a person changed in a way nobody can take over: what is wrong with it."""


@dataclass(frozen=True, slots=True)
class PageParts:
    """What a page says, part by part."""

    description: str
    kind: str
    body: str
    tail: str
    beyond: tuple[str, ...] = ()  # fields we know nothing of

    def digests(self) -> dict[str, str]:
        return {name: digest(getattr(self, name)) for name in ("description", "kind", "body", "tail")}


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


# -- written -----------------------------------------------------------------------------------------------------------


def rendered(page: MemoryPage) -> str:
    memory = page.memory
    head = (
        BORDER,
        f"name: {page.name}",
        f"description: {json.dumps(one_line(memory.title), ensure_ascii=False)}",
        "metadata:",
        f"  type: {kind_of(memory)}",
        f"  lane: {memory.id}",
        BORDER,
    )
    return "\n".join((*head, "", _body(memory), "", _mark(memory), *_tail(page))) + "\n"


def kind_of(memory: Memory) -> str:
    row = memory.type.row
    return "user" if row.personal and memory.scope is Scope.PERSON else row.page_kind


def one_line(text: str) -> str:
    return door.quoted(door.one_line(text))


def _body(memory: Memory) -> str:
    said = door.quoted(memory.content).strip()
    return said or one_line(memory.title)


def _mark(memory: Memory) -> str:
    """Whoever reads this page in a transcript knows it as ours: it is never caught again."""
    return f'<!-- <{FENCE} nonce="{memory.id[2:]}"> what you change above is kept; below is written anew each time -->'


def _tail(page: MemoryPage) -> list[str]:
    memory, lines = page.memory, list[str]()
    if memory.reasoning:
        lines.append(f"**Why:** {one_line(memory.reasoning)}")
    lines.append(f"**How to apply:** {_where(memory)}")
    if page.links:
        lines.append(f"See also: {', '.join(f'[[{name}]]' for name in page.links)}")
    return [*lines, "", _origin(memory)]


def _where(memory: Memory) -> str:
    named = [f"`{one_line(one.slug)}`" for one in memory.related_entities if one.type == "file" and one.resolved][:3]
    where = "in this project" if memory.scope is Scope.PROJECT else "in every project"
    told = f" (only for {', '.join(map(one_line, memory.target_agents))})" if memory.target_agents else ""
    return f"{f'when {_listed(named)} is touched, ' if named else ''}{where}{told}. {_HINT}"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _origin(memory: Memory) -> str:
    seen = f"seen {memory.times_observed} times, last on" if memory.times_observed > 1 else "seen on"
    source = f", from {one_line(memory.evidence[0].step or memory.evidence[0].run)}" if memory.evidence else ""
    whose = {Trust.PERSON: "a person's word", Trust.AGENT: "an agent's word"}.get(memory.trust, "tool output")
    kind, day = memory.type.label.capitalize(), f"{memory.last_observed_at:%Y-%m-%d}"
    return f"{kind}, {whose}, {seen} {day}{source}. Kept by Memory Lane: `lane mem show {memory.id}`"


# -- read back ---------------------------------------------------------------------------------------------------------


def read(data: bytes) -> PageParts:
    """Also what a person changed: a page without its head has only a body."""
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise UnreadablePageError("it is not UTF-8") from None
    fields, text, beyond = _head(text)
    mark = _MARK.search(text)
    body, tail = (text[: mark.start()], text[mark.end() :]) if mark else (text, "")
    return PageParts(fields.get("description", ""), fields.get("type", ""), body.strip(), tail.strip(), beyond)


def _head(text: str) -> tuple[dict[str, str], str, tuple[str, ...]]:
    text = text.lstrip("\n")
    if text.split("\n", 1)[0].rstrip() != BORDER:
        if _OUR_FIELD.search(_MARK.split(text)[0]):
            raise UnreadablePageError(f"the line {BORDER} that begins its head is missing")
        return {}, text, ()
    fields, body = read_head(text)
    beyond = tuple(f"{name}: {value}".rstrip() for name, value in fields.items() if name not in _KNOWN)
    return {name: value for name, value in fields.items() if name in _KNOWN}, body, beyond


def read_head(text: str) -> tuple[dict[str, str], str]:
    """The plain fields between the two borders, also those inside of another, and what stands below."""
    first, _, rest = text.partition("\n")
    head, border, body = f"\n{rest}".partition(f"\n{BORDER}\n")
    if first.rstrip() != BORDER or not border:
        raise UnreadablePageError(
            f"the line {BORDER} that {'ends' if first.rstrip() == BORDER else 'begins'} its head is missing"
        )
    fields = dict[str, str]()
    for line in filter(str.strip, head.split("\n")):
        found = _FIELDS.match(line.rstrip())
        if found is None:
            raise UnreadablePageError(f"{line.strip()!r} in its head is not `name: value`")
        fields[found["name"]] = _scalar(found["value"] or "")
    return fields, body


def _scalar(value: str) -> str:
    value = value.strip()
    if value.startswith('"'):
        try:
            return str(cast(object, json.loads(value)))
        except ValueError:
            raise UnreadablePageError(f"{value!r} in its head does not end as it begins") from None
    if value.startswith("'"):
        if len(value) < 2 or not value.endswith("'"):
            raise UnreadablePageError(f"{value!r} in its head does not end as it begins")
        return value[1:-1].replace("''", "'")
    if value in ("|", ">", "|-", ">-", "|+", ">+"):
        raise UnreadablePageError("a value in its head that goes over several lines")
    return value.split(" #", 1)[0].rstrip()


def changes(found: PageParts, wrote: Sequence[Mapping[str, str]], page: MemoryPage) -> dict[str, str]:
    """What a person wants otherwise, in the words of `lane mem edit`. `wrote`: digests of what we may have written."""
    now, given = found.digests(), dict[str, str]()

    def changed(part: str) -> bool:
        return all(now[part] != known.get(part, "") for known in wrote)

    if found.description and changed("description"):
        given["title"] = door.unquoted(" ".join(found.description.split()))
    if found.kind and changed("kind"):
        given |= _kind(found.kind)
    added = _added(found.tail, page) if found.tail and changed("tail") else ""
    body = found.body if found.tail else _without_tail(found.body, page)
    if added or all(digest(body) != known.get("body", "") for known in wrote):
        if not body:
            raise UnreadablePageError("nothing is left of what it says")
        given["content"] = door.unquoted(f"{body}\n\n{added}" if added else body)
    return given


def _kind(kind: str) -> dict[str, str]:
    if kind not in KINDS:
        raise UnreadablePageError(f"type: {kind!r} is none of: {', '.join(KINDS)}")
    type_, scope = KINDS[kind]
    return {"type": type_.value, **({"scope": scope.value} if scope else {})}


def _added(tail: str, page: MemoryPage) -> str:
    """What a person wrote below the mark: nothing is lost, it goes above."""
    return "\n".join(line for line in tail.split("\n") if not _is_ours(line, page)).strip()


def _without_tail(body: str, page: MemoryPage) -> str:
    """The mark was taken out: what we wrote below it is still not what the Memory says."""
    lines = body.split("\n")
    while lines and _is_ours(lines[-1], page):
        lines.pop()
    return "\n".join(lines).strip()


def _is_ours(line: str, page: MemoryPage) -> bool:
    """As we write it now, or as it was before what it tells of changed."""
    said = line.strip()
    if said in {one.strip() for one in _tail(page)}:
        return True
    if said.startswith("**How to apply:** "):
        return said.endswith(_HINT)
    return said.endswith(f"Kept by Memory Lane: `lane mem show {page.memory.id}`") or said.startswith("See also: [[")
