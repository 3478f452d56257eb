"""A stand-in for Claude Code's `plugin` commands, as 2.1.325 was seen to do them.

settings.json is written anew in its own order and spacing, two lists and a cached copy appear in plugins/, and not all
of it goes away again. It runs as a program of its own, or as a function where many examples want to be quick.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

ORDER = ("cleanupPeriodDays", "permissions", "hooks", "enabledPlugins", "extraKnownMarketplaces")


def plugin(folder: Path, words: list[str]) -> None:
    settings = _read(folder / "settings.json")
    installed = _read(folder / "plugins" / "installed_plugins.json") or {"version": 2, "plugins": {}}
    markets = _read(folder / "plugins" / "known_marketplaces.json")
    match words:
        case ["marketplace", "add", place]:
            source = {"source": {"source": "directory", "path": place}}
            settings.setdefault("extraKnownMarketplaces", {})["lane-local"] = source
            markets["lane-local"] = source
        case ["install", name]:
            settings.setdefault("enabledPlugins", {})[name] = True
            installed["plugins"][name] = [{"scope": "user"}]
            cache = folder / "plugins" / "cache" / "lane-local" / "lane"
            cache.mkdir(parents=True, exist_ok=True)
            (folder / "plugins" / "marketplaces").mkdir(exist_ok=True)
            (cache / "plugin.json").write_text("{}")
        case ["uninstall", name]:
            settings.get("enabledPlugins", {}).pop(name, None)
            installed["plugins"].pop(name, None)
        case ["marketplace", "remove", name]:
            settings.get("extraKnownMarketplaces", {}).pop(name, None)
            markets.pop(name, None)
        case _:
            raise SystemExit(1)
    first = [key for key in ORDER if key in settings]
    _write(folder / "settings.json", {key: settings[key] for key in (*first, *(k for k in settings if k not in first))})
    _write(folder / "plugins" / "installed_plugins.json", installed)
    _write(folder / "plugins" / "known_marketplaces.json", markets)


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text() or "{}") if path.exists() else {}


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))


if __name__ == "__main__":
    if "FAKE_MIGRATES" in os.environ:
        path = Path(os.environ["HOME"], ".claude", "settings.json")
        _write(path, {**_read(path), "new in this version": 1})
    if os.environ.get("FAKE_FAILS_TO") == sys.argv[2]:
        raise SystemExit(1)
    plugin(Path(os.environ.get("CLAUDE_CONFIG_DIR") or os.environ["HOME"] + "/.claude"), sys.argv[2:])
