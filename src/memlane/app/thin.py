"""On a thin machine: what its agents' hooks say is asked of Central, within the hook's own stop; else silence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from memlane import __version__, identity
from memlane.agents.agent import HookCall, HookMoment
from memlane.app.home import Home
from memlane.app.home.link import CentralLine, LinkFile, line_to, understood
from memlane.domain import Recall
from memlane.domain.door import relayed
from memlane.domain.recall import PROBE

ON_THE_WAY = 0.03  # seconds of the hook's time that the answer needs to come back
PATIENCE = 4.0  # seconds that a person waits
LEAST = 0.02  # seconds; with less left Central is not asked
CAPTURED = (HookMoment.RUN_STOPPED, HookMoment.RUN_ENDED)
OF_TOOLS = (HookMoment.FILE_TOUCHED, HookMoment.COMMAND_RUN)


@dataclass(frozen=True, slots=True)
class ThinCall:
    """A hook call as its agent means it. `capture`: a transcript that has just grown; `asks`: Central is asked."""

    agent: str
    event: str
    given: Mapping[str, object]
    call: HookCall
    capture: str
    asks: bool


class ThinHooks:
    def __init__(self, home: Home) -> None:
        self._home = home

    def line(self) -> CentralLine:
        """One conversation with Central, for one thread."""
        return line_to(LinkFile(self._home).must(), self._home)

    def understood(self, agent: str, event: str, body: bytes, *, off: bool) -> ThinCall | None:
        """None: it is no call of an agent that we know, or one of an agent that works for us."""
        known, given = self._home.agents.get(agent), msgspec.json.decode(body, type=dict[str, object])
        call = known.hooks.hook_call(event, given) if known is not None and known.hooks is not None else None
        if call is None or any(call.cwd == own or call.cwd.startswith(f"{own}/") for own in self._home.ours):
            return None
        capture = call.transcript_path if call.moment in CAPTURED else ""
        empty = call.moment in OF_TOOLS and not (call.file or call.command)
        asks = not off and not empty and (not capture or call.forgets) and self._is_on(agent, call)
        return ThinCall(agent, event, given, call, capture, asks)

    def asked(self, one: ThinCall, line: CentralLine, within: float) -> bytes:
        """What the agent is to be given, as JSON; empty for silence. It raises what keeps Central from answering."""
        left = within - ON_THE_WAY
        if left < LEAST:
            return b""
        fields = {"given": one.given, "folder": self._told(one.call.cwd), "within": round(left * 1000)}
        said = line.ask(f"/api/hooks/{one.agent}/{one.event}", fields, within)
        output = understood(said, dict[str, dict[str, object]]).get("output", {})
        if PROBE in output:  # asked of this home, which Central does not know
            here = {"home": str(self._home.config.home), "version": __version__}
            output = {PROBE: {**msgspec.convert(output[PROBE], dict[str, object]), **here}}
        return msgspec.json.encode(relayed(output)) if output else b""

    def recall(self, prompt: str, cwd: str, file: str) -> Recall:
        """What would be recalled here, by Central. Nothing is written down."""
        fields = {"prompt": prompt, "cwd": cwd, "file": file, "folder": self._told(cwd)}
        with self.line() as line:
            return understood(line.ask("/api/views/recall", fields, PATIENCE), Recall)

    def _told(self, folder: str) -> Mapping[str, str]:
        project = identity.project_of(folder)
        return {"project": project.key, "name": project.name, "top": identity.root_of(folder) if folder else ""}

    def _is_on(self, agent: str, call: HookCall) -> bool:
        """The settings of this machine hold for its agents."""
        config, cwd = self._home.config, call.cwd
        if not config.switch("recall.enabled") or agent in config.names("recall.off_for"):
            return False
        if any(cwd == folder or cwd.startswith(folder.rstrip("/") + "/") for folder in config.names("recall.off_in")):
            return False
        return identity.narrowed(cwd).recall
