"""Central answers for a thin machine: as that machine would, with what it says about its folder."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from memlane.surfaces.api.http import HttpReply, document
from memlane.surfaces.api.router import RouteRequest

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.recall import ToldFolder

LONGEST_HOOK = 5000  # milliseconds


def recalled(lane: Lane, want: RouteRequest) -> HttpReply:
    """What `lane recall` shows there."""
    import msgspec  # noqa: PLC0415 - loaded with the first question

    prompt, cwd, file = (str(want.fields[name]) for name in ("prompt", "cwd", "file"))
    found = lane.thin_recalls.asked(want.who.machine, prompt, cwd, file, _folder(want))
    return document(msgspec.to_builtins(found), self="/api/views/recall")


def hook(lane: Lane, want: RouteRequest) -> HttpReply:
    """What its agent is given; what is to be written down is, afterwards."""
    from memlane.app.recall import ThinQuestion  # noqa: PLC0415 - loaded with the first question
    from memlane.domain.door import leaving  # noqa: PLC0415 - loaded with the first question

    until = time.monotonic() + min(LONGEST_HOOK, int(str(want.fields["within"]))) / 1000
    given = cast(Mapping[str, object], want.fields["given"])
    agent, event = want.named["agent"], want.named["event"]
    asked = ThinQuestion(want.who.machine, agent, event, given, _folder(want), until)
    answer = lane.thin_recalls.answer(asked)
    reply = document({"output": leaving(answer.output)}, self="/api/hooks")
    return replace(reply, after=lambda: lane.thin_recalls.keep(asked.machine, answer))


def _folder(want: RouteRequest) -> ToldFolder:
    from memlane.app.recall import ToldFolder  # noqa: PLC0415 - loaded with the first question
    from memlane.domain import Project  # noqa: PLC0415 - loaded with the first question

    told = cast(Mapping[str, object], want.fields["folder"])
    name, key, top = (str(told.get(part, "")) for part in ("name", "project", "top"))
    return ToldFolder(Project(name, key), top)
