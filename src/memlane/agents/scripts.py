"""Programs of ours in an agent's own language: small files that carry its events to the hook program, rendered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.agents import hook_program

if TYPE_CHECKING:
    from memlane.system.computer import Computer

PLACE = '"{{RUN}}"'  # where the path of the hook program belongs
SERVER = '"{{MCP}}"'
MARK = "Memory Lane: written by `lane init`"


def rendered(template: Path, computer: Computer, *, recall: bool) -> str:
    text = template.read_text(encoding="utf-8")
    text = text.replace(PLACE, json.dumps(hook_program.program(computer)))
    text = text.replace(SERVER, json.dumps(hook_program.server(computer)))
    return text.replace('"{{RECALL}}"', "true" if recall else "false")
