"""Codex's `config.toml`: our tables in it, put in and cut out as text, so that the rest stays as the person wrote it.

Codex itself writes there too, what a person answered when it asked about our hooks among it. A cut counts only if
nothing else of what the file says changes by it.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from memlane.agents.hook_files import NotOursError
from memlane.agents.plugin_names import MARKETPLACE, PLUGIN_ID
from memlane.system.plan import Keys

SERVER = "lane"
STATE = "state"  # in `hooks`: what a person trusts
_HEADER = re.compile(r"\s*\[\[?(.+?)\]\]?\s*(?:#.*)?$")
Table = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class HookTable:
    """One hook, as a table of its own."""

    event: str
    command: str
    timeout: int
    matcher: str = ""

    @property
    def text(self) -> str:
        matcher = f"matcher = {json.dumps(self.matcher)}\n" if self.matcher else ""
        head = f"[[hooks.{self.event}]]\n{matcher}[[hooks.{self.event}.hooks]]\n"
        return f'{head}type = "command"\ncommand = {json.dumps(self.command)}\ntimeout = {self.timeout}\n'


@dataclass(frozen=True, slots=True)
class CodexConfig:
    """Our MCP server in it, and our hooks if the person keeps theirs there: Codex complains about two places."""

    path: Path
    what: str
    server: str  # the program; "": none
    hooks: tuple[HookTable, ...]
    mark: str  # in every command of ours
    trusted: Callable[[str], bool]  # whether this key of `hooks.state` is about a hook of ours
    theirs: bool = True

    def is_current(self, now: bytes) -> bool:
        document = parsed(now)
        known = _table(_table(document.get("mcp_servers")).get(SERVER))
        served = not self.server or bool(known)  # one of the person's own serves as well
        found = self._found(document)
        same = len(found) == len(self.hooks) and set(found) == set(self.hooks)
        return served and same and not _has_plugin(document)

    def filled(self, bare: bytes | None) -> bytes:
        text = (bare or b"").decode()
        document, blocks = parsed(bare or b""), list[str]()
        if self.server and SERVER not in _table(document.get("mcp_servers")):
            blocks.append(f"[mcp_servers.{SERVER}]\ncommand = {json.dumps(self.server)}\n")
        blocks += [hook.text for hook in self.hooks]
        ended = text if not text or text.endswith("\n") else f"{text}\n"
        after = "\n".join([*([ended] if ended else []), *blocks]) if blocks else text
        parsed(after.encode())
        return after.encode()

    def made(self, bare: bytes | None, after: bytes) -> tuple[Keys, ...]:  # noqa: ARG002 - a verb of HookFile
        return ()

    def bare(self, now: bytes, made: tuple[Keys, ...] | None) -> bytes | None:  # noqa: ARG002
        text, document = now.decode(), parsed(now)
        after = "".join(self._kept(_blocks(text.splitlines(keepends=True))))
        after = _without_empty_state(after) if f"hooks.{STATE}" in text else after
        if tomllib.loads(after) != self._less(document):
            raise NotOursError("our tables are not where Codex writes them")
        return after.encode() if after.strip() else None

    # -- what is ours ------------------------------------------------------------------------------------------------

    def _found(self, document: Table) -> list[HookTable]:
        events = {name: value for name, value in _table(document.get("hooks")).items() if name != STATE}
        return [
            HookTable(event, _text(hook, "command"), cast(int, hook.get("timeout", 0)), _text(group, "matcher"))
            for event, groups in events.items()
            for group in _tables(groups)
            for hook in _tables(group.get("hooks"))
            if self.mark in _text(hook, "command")
        ]

    def _kept(self, blocks: Sequence[list[str]]) -> Iterator[str]:
        kept, skip = list[str](), False
        for n, block in enumerate(blocks):
            following = blocks[n + 1] if n + 1 < len(blocks) else []
            ours = skip or self._is_ours(block) or self._opens_ours(block, following)
            skip = not skip and self._opens_ours(block, following)
            if ours and kept and not kept[-1].strip():
                kept.pop()  # the empty line before a table
            rest = next((i for i, line in enumerate(block) if i and _is_apart(line)), len(block))
            kept += block[rest:] if ours else block  # an empty line or a comment behind it is somebody else's
        yield from kept

    def _opens_ours(self, block: list[str], following: list[str]) -> bool:
        """`[[hooks.Stop]]` without a hook is nothing: it goes with the one in it."""
        event, inner = _key(block), _key(following)
        whole = inner == f"{event}.hooks" and event.startswith("hooks.")
        return whole and self.mark in "".join(following).replace("\\\\", "\\")

    def _is_ours(self, block: list[str]) -> bool:
        key = _key(block)
        if key == f"mcp_servers.{SERVER}":
            return self.mark in "".join(block)
        if key.startswith(f"hooks.{STATE}."):
            return self.trusted(key.removeprefix(f"hooks.{STATE}."))
        return key in (f"marketplaces.{MARKETPLACE}", f"plugins.{PLUGIN_ID}") or key.startswith(f"plugins.{PLUGIN_ID}.")

    def _less(self, document: Table) -> Table:
        """What it says without us; a table that held nothing else is not there any more."""
        left = _less(document, ("marketplaces",), lambda key, _value: key == MARKETPLACE)
        left = _less(left, ("plugins",), lambda key, _value: key == PLUGIN_ID)
        left = _less(left, ("hooks", STATE), lambda key, _value: self.trusted(key))
        left = _less(left, ("mcp_servers",), lambda key, value: key == SERVER and self.mark in json.dumps(value))
        for event in [name for name in _table(left.get("hooks")) if name != STATE]:
            groups = _tables(_table(left.get("hooks")).get(event))
            others = [group for group in groups if self.mark not in json.dumps(group)]
            hooks = {**_table(left.get("hooks")), event: others} if len(others) < len(groups) else left.get("hooks")
            kept = {name: value for name, value in _table(hooks).items() if value != []}
            left = {name: value for name, value in {**left, "hooks": kept}.items() if (name, value) != ("hooks", {})}
        return left


def parsed(data: bytes) -> Table:
    try:
        return tomllib.loads(data.decode())
    except ValueError as error:
        raise NotOursError(f"it is not valid TOML: {error}") from None


def has_hooks(data: bytes, mark: str) -> bool:
    """Whether the person keeps hooks of their own in it."""
    events = {name: value for name, value in _table(parsed(data).get("hooks")).items() if name != STATE}
    return any(mark not in json.dumps(group) for groups in events.values() for group in _tables(groups))


def trusted_hashes(data: bytes) -> Mapping[str, str]:
    """By the key of a hook: what a person trusted there."""
    state = _table(_table(parsed(data).get("hooks")).get(STATE))
    return {key: _text(_table(value), "trusted_hash") for key, value in state.items()}


def _has_plugin(document: Table) -> bool:
    return PLUGIN_ID in _table(document.get("plugins"))


def _blocks(lines: Sequence[str]) -> list[list[str]]:
    """What is before the first header, then each header with all up to the next."""
    blocks: list[list[str]] = [[]]
    for line in lines:
        if _HEADER.match(line):
            blocks.append([])
        blocks[-1].append(line)
    return blocks


def _without_empty_state(text: str) -> str:
    """Codex writes `[hooks.state]` above its first line there; with the last one it goes too."""
    if _table(_table(tomllib.loads(text).get("hooks")).get(STATE)):
        return text
    kept = list[str]()
    for block in _blocks(text.splitlines(keepends=True)):
        if _key(block) == f"hooks.{STATE}":
            block = [line for line in block[1:] if line.strip()]
            while kept and not kept[-1].strip():
                kept.pop()
        kept += block
    return "".join(kept)


def _key(block: list[str]) -> str:
    found = _HEADER.match(block[0]) if block else None
    return found[1].replace('"', "").replace("'", "") if found else ""


def _is_apart(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _less(document: Table, keys: tuple[str, ...], ours: Callable[[str, object], bool]) -> Table:
    first, *rest = keys
    inside = _table(document.get(first))
    if rest:
        left = _less(inside, tuple(rest), ours)
    else:
        left = {key: value for key, value in inside.items() if not ours(key, value)}
    if left == inside:
        return document
    kept = {key: value for key, value in document.items() if key != first}
    return {**kept, first: left} if left else kept


def _table(value: object) -> Table:
    return cast(Table, value) if isinstance(value, dict) else {}


def _tables(value: object) -> list[Table]:
    return [_table(one) for one in cast(list[object], value)] if isinstance(value, list) else []


def _text(table: Table, name: str) -> str:
    found = table.get(name)
    return found if isinstance(found, str) else ""
