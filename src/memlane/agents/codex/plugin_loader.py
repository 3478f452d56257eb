"""Our plugin in Codex, once a person has added it: where that is written, and how it is taken out again.

Codex keeps a copy of the plugin, and names it in tables of its `config.toml`. They are cut out as text, so that the
rest of the file stays as the person wrote it, and only if nothing else changes by that.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from memlane.agents.plugin_loader import MARKETPLACE, PLUGIN, PLUGIN_ID
from memlane.system.plan import FileChange, FolderRemoval, Obstacle, Plan

if TYPE_CHECKING:
    from memlane.agents.agent import Surroundings
    from memlane.system.computer import Computer

NAME = "codex"
REMOVE = f"codex plugin remove {PLUGIN_ID} && codex plugin marketplace remove {MARKETPLACE}"
_TRUST = "hooks.state."  # what a person answered when Codex asked about our hooks
_HEADER = re.compile(r"\s*\[\[?(.+?)\]\]?\s*(?:#.*)?$")
Table = Mapping[str, object]

longest = {"SessionEnd": 3}  # it cuts more down to that, and says so at every start
afterwards = "then start codex and trust the hooks when it asks (or later: /hooks)"


def is_here(computer: Computer) -> bool:
    return bool(computer.which("codex"))


def add_command(plugin: str) -> str:
    return f"codex plugin marketplace add {plugin} && codex plugin add {PLUGIN_ID}"


def loads(around: Surroundings) -> bool:
    try:
        return PLUGIN_ID in _table(tomllib.loads(_config(around).read_text(encoding="utf-8")).get("plugins"))
    except (OSError, ValueError):
        return False


def is_current(around: Surroundings, plugin: Path) -> bool:
    ours = plugin / "plugins" / PLUGIN / "hooks" / "hooks.json"
    copies = sorted((_copies(around) / PLUGIN).glob("*/hooks/hooks.json"))
    try:
        return any(copy.read_bytes() == ours.read_bytes() for copy in copies)
    except OSError:
        return False


def plan_removal(around: Surroundings) -> Plan:
    path, copies = _config(around), _copies(around)
    gone = (FolderRemoval(NAME, copies, "- its copy of the plugin"),) if copies.exists() else ()
    try:
        before = path.read_bytes()
        after = without_plugin(before.decode())
    except FileNotFoundError:
        return Plan(gone)
    except (OSError, ValueError) as error:
        return Plan(left_alone=(Obstacle(NAME, f"{path} cannot be edited: {error}", REMOVE),))
    changed = (FileChange(NAME, path, before, after.encode(), "- plugin lane"),) if after.encode() != before else ()
    return Plan((*changed, *gone))


def without_plugin(text: str) -> str:
    """ValueError where our tables cannot be cut out without touching another."""
    after = "".join(_kept(text.splitlines(keepends=True)))
    if tomllib.loads(after) != _bare(tomllib.loads(text)):
        raise ValueError("its tables are not where Codex writes them")
    return after


def _kept(lines: list[str]) -> list[str]:
    kept, ours = list[str](), False
    for line in lines:
        header = _HEADER.match(line)
        if header:
            ours = _is_ours(header[1])
            if ours and kept and not kept[-1].strip():
                kept.pop()  # the empty line that Codex puts before a table
        elif not line.strip() or line.lstrip().startswith("#"):
            ours = False  # whatever follows is somebody else's
        if not ours:
            kept.append(line)
    return kept


def _is_ours(header: str) -> bool:
    plain = header.replace('"', "").replace("'", "")
    if plain.startswith(_TRUST):
        return _names_us(plain)
    return plain in (f"marketplaces.{MARKETPLACE}", f"plugins.{PLUGIN_ID}") or plain.startswith(f"plugins.{PLUGIN_ID}.")


def _names_us(key: str) -> bool:
    return PLUGIN_ID in key or f"/{MARKETPLACE}/" in key


def _bare(document: Table) -> Table:
    """What it says without us; a table that held nothing else is not there any more."""
    left = _less(document, ("marketplaces",), lambda key: key == MARKETPLACE)
    left = _less(left, ("plugins",), lambda key: key == PLUGIN_ID)
    return _less(left, ("hooks", "state"), _names_us)


def _less(document: Table, keys: tuple[str, ...], ours: Callable[[str], bool]) -> Table:
    first, *rest = keys
    inside = _table(document.get(first))
    left = _less(inside, tuple(rest), ours) if rest else {key: v for key, v in inside.items() if not ours(key)}
    if left == inside:
        return document
    kept = {key: value for key, value in document.items() if key != first}
    return {**kept, first: left} if left else kept


def _table(value: object) -> Table:
    return cast(Table, value) if isinstance(value, dict) else {}


def _config(around: Surroundings) -> Path:
    return _home(around) / "config.toml"


def _copies(around: Surroundings) -> Path:
    return _home(around) / "plugins" / "cache" / MARKETPLACE


def _home(around: Surroundings) -> Path:
    return Path(around.variables.get("CODEX_HOME") or around.home / ".codex")
