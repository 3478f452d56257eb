"""Which sessions of an agent our code inside it serves: a mark for each, so that the command hooks stay quiet there.

The mark is a file, because a command hook looks for it before any program of ours starts. It lives as long as its
session and the daemon. Who served an agent last is kept for `lane doctor`.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from memlane.app.recall import COMMANDS
from memlane.surfaces.daemon.current_lane import given
from memlane.surfaces.daemon.protocol import HookRequest, ModSign

ENDED = "SessionEnd"  # the last that our code inside an agent says
MARKING = frozenset({"SessionStart", "UserPromptSubmit"})
FOLDER = "mods"
MARK = "s-"  # before a session's name: an empty name is no mark
_SESSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}")


class ModMarks:
    def __init__(self, run: Path) -> None:
        self._run = run
        self._last = dict[str, str]()  # of each agent, the session that its command hooks served last
        self.clear()

    def serves(self, request: HookRequest) -> bool:
        """Whether nobody else answers this call: the command hooks do where our code inside the agent has no mark."""
        if request.mod is None:
            return True
        try:
            said = given(request)
        except ValueError:
            return False
        session = str(said.get("session_id", ""))
        if request.event == ENDED:
            self.unmark(session)
            return True
        if str(said.get("prompt", "")).startswith(COMMANDS):  # no command hook is called for these
            return True
        # Under a policy only tools reach our code inside: it may mark a session only where it is told of prompts, too.
        if request.event not in MARKING or time.monotonic() >= request.until:
            return self.has(session)
        return self.mark(request.agent, session, request.mod)

    def has(self, session: str) -> bool:
        with suppress(OSError):
            return _SESSION.fullmatch(session) is not None and self._mark(session).read_bytes() != b""
        return False

    def mark(self, agent: str, session: str, mod: ModSign) -> bool:
        """Whether it is marked. If not, the command hooks serve this session, and we must stay silent."""
        if self.has(session):
            return True
        if _SESSION.fullmatch(session) is None:
            return False
        mark = self._mark(session)
        about = {"version": mod.version, "client": mod.client, "session": session}
        with suppress(OSError):
            mark.parent.mkdir(mode=0o700, exist_ok=True)
            mark.write_text("mod\n")
            self._note(f"mod-{agent}.json", about)
            return True
        return False

    def unmark(self, session: str) -> None:
        if _SESSION.fullmatch(session):
            with suppress(OSError):
                self._mark(session).unlink(missing_ok=True)

    def clear(self) -> None:
        """Without a daemon the command hooks serve: they start the next one."""
        with suppress(OSError):
            for mark in (self._run / FOLDER).glob(f"{MARK}*"):
                mark.unlink(missing_ok=True)

    def commanded(self, agent: str, session: str) -> None:
        """A command hook served this session."""
        if self._last.get(agent) != session:
            self._last[agent] = session
            with suppress(OSError):
                self._note(f"hook-{agent}.json", {"session": session})

    def _mark(self, session: str) -> Path:
        return self._run / FOLDER / f"{MARK}{session}"

    def _note(self, name: str, about: Mapping[str, object]) -> None:
        fresh = self._run / f"{name}.new"
        fresh.write_text(json.dumps({**about, "at": int(time.time())}))
        fresh.replace(self._run / name)
