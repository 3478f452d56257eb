"""How Gemini CLI goes on with a Run: a file in the folder of its project, whose name it keeps in a list of its own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import cast

from memlane.agents.agent import Line, Surroundings
from memlane.agents.gemini_cli.messages import folded
from memlane.agents.gemini_cli.source import GeminiCli
from memlane.agents.records import mapping, text
from memlane.agents.resume import FileCopy, Placement, RunCopy, behind, placed

OWNER = ".project_root"  # in a project's folder: whose it is
_UNSAFE = re.compile(r"[^a-z0-9]+")


class GeminiResume:
    by_folder = True
    chain = ("", "")

    def command(self, handle: str, prompt: str = "") -> tuple[str, ...]:
        return ("gemini", "--resume", handle, *(("--prompt-interactive", prompt) if prompt else ()))

    def begin(self, prompt: str) -> tuple[str, ...]:
        return ("gemini", "--prompt-interactive", prompt)

    def place(self, run: RunCopy, around: Surroundings) -> Placement:
        (base,) = GeminiCli().places(around)
        own = _folder(base, run.folder)

        def where(file: FileCopy) -> Path | None:
            _project, *inside = behind(file.path, ("tmp",), GeminiCli().recognise) or ("",)
            if inside:
                return own.joinpath(*inside)
            if file is not run.transcript:
                return None
            short = re.split("[-/]", run.native_id.removesuffix(".json"))[-1]
            return own / "chats" / f"session-{run.started:%Y-%m-%dT%H-%M}-{short}{file.path.suffix or '.jsonl'}"

        found = placed(run, _session(run), where)
        owner = FileCopy(own / OWNER, lambda: iter((run.folder.encode(),)))
        return Placement(found.handle, (owner, *found.files))


def _session(run: RunCopy) -> str:
    """The whole id, which the name of the file does not hold."""
    lines = b"".join(run.transcript.data()).splitlines()
    return text(folded(Line(n, data) for n, data in enumerate(lines, 1)).head.get("sessionId"))


def _folder(base: Path, root: str) -> Path:
    """The one it has for this checkout, by its list or by what the folder says; else a new one of the same kind."""
    known = _known(base.parent / "projects.json")
    if root in known:
        return base / known[root]
    for owner in sorted(base.glob(f"*/{OWNER}")):
        if owner.read_text(errors="replace").strip() == root:
            return owner.parent
    name = _UNSAFE.sub("-", Path(root).name.lower()).strip("-") or "project"
    names = (name, *(f"{name}-{n}" for n in range(1, 1000)))
    return next(base / one for one in names if one not in known.values() and not (base / one).exists())


def _known(path: Path) -> dict[str, str]:
    try:
        said = mapping(mapping(cast(object, json.loads(path.read_bytes()))).get("projects"))
    except (OSError, ValueError):
        return {}
    return {root: text(name) for root, name in said.items() if text(name)}
