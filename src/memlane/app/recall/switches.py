"""Whether agents are told anything here: in settings, in a project's `.lane.toml`, or by a person in the run itself."""

from __future__ import annotations

import hashlib

from memlane.app.home import Home
from memlane.app.recall.place import FolderView
from memlane.domain import Query

OFF, ON = "off", "on"
COMMANDS = "/lane:"  # what is said to us needs no note, and `/lane:why` asks about what was said before
SWITCHES = {"/lane:off": OFF, "/lane:on": ON}  # as a person types them
OFF_HERE = "it is off for this run (/lane:off)"


class RecallSwitches:
    """Why it is off: the reason, or "": it is on."""

    def __init__(self, home: Home, place: FolderView) -> None:
        self._home, self._place = home, place

    def why_off(self, query: Query, run: str, *, off: bool) -> str:
        if query.agent in self._home.config.names("recall.off_for") and not off:
            return f"recall is off for {query.agent}"
        return self.why_off_in(query.cwd, run, off=off)

    def why_off_in(self, cwd: str, run: str, *, off: bool) -> str:
        config = self._home.config
        if off:
            return "LANE_OFF is set"
        if not config.switch("recall.enabled"):
            return "recall.enabled is false"
        if any(cwd == folder or cwd.startswith(folder.rstrip("/") + "/") for folder in config.names("recall.off_in")):
            return "recall is off in this project"
        if not self._place.recalls(cwd):
            return "turned off by its .lane.toml"
        return OFF_HERE if run and self._in_run(run) == OFF else ""

    def _in_run(self, run: str) -> str:
        """The newest recall of a run carries it on: nothing else has to be found again."""
        newest = self._home.storage().recalls.newest(1, self._home.reader, run=run)
        return newest[0].extra.get("switch", "") if newest else ""

    def held_out(self, run: str) -> bool:
        """The same share of runs every time, chosen by their id alone."""
        share = self._home.config.number("recall.holdout")
        return share > 0 and int(hashlib.sha256(run.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF < share
