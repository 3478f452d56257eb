"""Our hooks, tools and skills in Codex: `hooks.json`, or `config.toml` for a person who keeps hooks there.

Codex runs a hook only after a person has trusted it, and asks once. What it remembers is the hook's own fields, so the
command line never changes. A plugin would lose that trust with every upgrade: its whole content counts.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from memlane.agents import hook_program
from memlane.agents.codex.config import CodexConfig, HookTable, has_hooks, trusted_hashes
from memlane.agents.hook_files import HookFile, NotOursError, SettingsFile
from memlane.agents.hook_install import AgentHome, HookEvent, HookInstall, group, wanted
from memlane.agents.plugin_names import PLUGIN_ID
from memlane.agents.skills import skill_files
from memlane.domain import Finding, Level
from memlane.system import files
from memlane.system.computer import Computer

NAME = "codex"
TITLE = "Codex"
HOME = AgentHome(".codex", "CODEX_HOME")
EVENTS = (
    HookEvent("SessionStart", "SessionStart", recalls=True),
    HookEvent("UserPromptSubmit", "UserPromptSubmit", recalls=True),
    HookEvent("PostToolUse", "PostToolUse", recalls=True, matcher="Bash|apply_patch"),
    HookEvent("PreCompact", "PreCompact"),
    HookEvent("Stop", "Stop"),
    HookEvent("SubagentStop", "SubagentStop"),
    HookEvent("SessionEnd", "SessionEnd", timeout=3),  # it cuts more down to that, and says so at every start
)
TRUST = "at its next start Codex shows `Hooks need review`: press 2, then Enter (once)"
UNTRUSTED = "start codex in a terminal, press 2 (Trust all and continue), then Enter"


def our_files(computer: Computer, recall: bool) -> Sequence[HookFile]:  # noqa: FBT001 - what HookInstall hands over
    folder, mark = HOME.path(computer), str(computer.hooks)
    events = wanted(EVENTS, recall=recall)
    commands = {event.ours: hook_program.command(computer, NAME, event.ours) for event in events}
    in_config = _keeps_hooks_in_config(folder, mark)
    tables = tuple(HookTable(e.event, commands[e.ours], e.timeout, e.matcher) for e in events)
    entries = tuple((("hooks", event.event), group(event, commands[event.ours])) for event in events)
    count = f"+ {len(events)} hooks"
    hooks = SettingsFile(folder / "hooks.json", mark, count, entries)
    if in_config:
        hooks = SettingsFile(folder / "hooks.json", mark, "- our hooks (they are in config.toml)", lists=(("hooks",),))
    config = CodexConfig(
        folder / "config.toml",
        "+ MCP server lane" + (f", {count}" if in_config else ""),
        hook_program.server(computer) if recall else "",
        tables if in_config else (),
        mark,
        lambda key: _is_our_trust(key, folder, mark),
    )
    skills = skill_files(folder / "skills") if recall else ()
    beside = in_config and mark.encode() not in (files.read(hooks.path) or b"")
    return (config, *(() if beside else (hooks,)), *skills)


def _keeps_hooks_in_config(folder: Path, mark: str) -> bool:
    try:
        return has_hooks(files.read(folder / "config.toml") or b"", mark)
    except (NotOursError, OSError):
        return False


# -- trust -------------------------------------------------------------------------------------------------------------


def _is_our_trust(key: str, folder: Path, mark: str) -> bool:
    """Of hooks in a file that is gone, too: nothing else reads it any more."""
    hooks = folder / "hooks.json"
    dead = key.startswith(f"{hooks}:") and not hooks.exists()
    return dead or PLUGIN_ID in key or key in {place for place, _hash in _our_places(folder, mark)}


def _our_places(folder: Path, mark: str) -> Iterator[tuple[str, str]]:
    """The key under which Codex keeps its trust in each hook of ours, and what it must be then."""
    for path, events in _hooks_of(folder):
        for event, groups in events.items():
            for n, one in enumerate(cast(list[Mapping[str, object]], groups) if isinstance(groups, list) else []):
                for m, hook in enumerate(cast(list[Mapping[str, object]], one.get("hooks") or [])):
                    if mark in str(hook.get("command")):
                        yield f"{path}:{_snake(event)}:{n}:{m}", _hash(event, str(one.get("matcher") or ""), hook)


def _hooks_of(folder: Path) -> Iterator[tuple[Path, Mapping[str, object]]]:
    import tomllib  # noqa: PLC0415 - only where a file is read

    for name, load in (("hooks.json", json.loads), ("config.toml", tomllib.loads)):
        try:
            found = cast(object, load((folder / name).read_text(encoding="utf-8")))
        except (OSError, ValueError):
            continue
        events = cast(Mapping[str, object], found).get("hooks") if isinstance(found, dict) else None
        if isinstance(events, dict):
            yield folder / name, cast(Mapping[str, object], events)


def _snake(event: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()


def _hash(event: str, matcher: str, hook: Mapping[str, object]) -> str:
    fields = {"async": False, "command": hook.get("command"), "timeout": hook.get("timeout"), "type": "command"}
    said = {"event_name": _snake(event), "hooks": [fields], **({"matcher": matcher} if matcher else {})}
    return "sha256:" + hashlib.sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def trouble(computer: Computer) -> Iterator[Finding]:
    folder = HOME.path(computer)
    try:
        trusted = trusted_hashes(files.read(folder / "config.toml") or b"")
    except NotOursError:
        return
    missing = [key for key, known in _our_places(folder, str(computer.hooks)) if trusted.get(key) != known]
    if missing:
        yield Finding("trust", Level.WARN, f"{TITLE} does not run Lane's hooks until you trust them", UNTRUSTED)


INSTALL = HookInstall(NAME, TITLE, "codex", HOME, our_files, afterwards=TRUST, trouble=trouble)
