"""What thin machines ask of Central, which has their index: hook calls, and what would be recalled."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.surfaces import schema
from memlane.surfaces.api import answers, thin
from memlane.surfaces.api.router import Route
from memlane.surfaces.api.rules import HOOK, takes
from memlane.surfaces.schema import Schema, given

_FOLDER: Schema = {"type": "object", "description": "the project, its name and the top folder of its files"}


def thin_routes() -> Sequence[Route]:
    return [
        Route(
            "POST",
            "/api/views/recall",
            "What `lane recall` shows on a thin machine.",
            takes(),
            thin.recalled,
            given(
                "prompt",
                "cwd",
                "file",
                "folder",
                prompt=schema.text("the task or question", 4000),
                cwd=schema.text("where it is asked", 4000),
                file=schema.text("that was touched", 4000, least=0),
                folder=_FOLDER,
            ),
            answers.VIEW,
            live=True,
            audit="recall",
        ),
        Route(
            "POST",
            "/api/hooks/{agent}/{event}",
            "A hook call on a thin machine: what its agent is to be given.",
            takes(HOOK),
            thin.hook,
            given(
                "given",
                "folder",
                "within",
                given={"type": "object", "description": "what the agent says at this event"},
                folder=_FOLDER,
                within=schema.count("milliseconds that somebody waits", 1, 5000),
            ),
            answers.HOOK_OUTPUT,
            live=True,
            audit="recall",
        ),
    ]
