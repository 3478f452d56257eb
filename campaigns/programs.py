"""Random programs of what agents, people and file systems do to transcripts, against a model that knows every byte.

`python -m campaigns.programs --n 100000`. Nothing that was there at a sweep is lost, nothing is there twice, each
generation is what the file was at some moment, and a sweep of what has not changed reads no byte of it.
"""

from __future__ import annotations

import os
import shutil
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from campaigns import report
from campaigns.disks import WatchedDisk
from campaigns.model import ModelRun
from campaigns.plain import line
from campaigns.world import World, everything, scratch, sweep_of
from memlane.app import Lane
from memlane.capture import SourceFile
from memlane.flow import capture
from memlane.flow.journal import catch_up
from memlane.flow.tools import Tools
from memlane.system.disk import stat_of

NAMES = st.sampled_from(["a", "b", "c"])
PLACES = st.sampled_from(["notes", "notes/deep", "old"])
SWEEPERS = st.sampled_from([0, 1])
LINES = st.lists(st.sampled_from(["one", "two", "ünï → 漢字", "x" * 700]), min_size=1, max_size=4)
REBUILT = 3  # one in so many


class Programs(RuleBasedStateMachine):
    """Three Runs at three places, two sweepers."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = scratch()
        self.world = World(self.folder).prepare()
        (self.world.home / "notes" / "deep").mkdir()
        self.disks = [WatchedDisk(), WatchedDisk()]
        self.lanes = [self.world.lane(disk) for disk in self.disks]
        self.model: dict[str, ModelRun] = defaultdict(ModelRun)
        self.looked_at: dict[Path, str] = {}  # a file that is as it was is not looked at again, but by an audit
        self.written = 0  # makes every line its own, so that no two contents are alike by chance

    # -- what happens to files -----------------------------------------------------------------------------------------

    def fresh(self, words: Sequence[str]) -> bytes:
        self.written += 1
        return b"".join(line(f"{word} {self.written} {n}") for n, word in enumerate(words))

    @initialize(words=LINES)
    def there_is_a_file(self, words: list[str]) -> None:
        self.world.path("a").write_bytes(self.fresh(words))

    @rule(name=NAMES, place=PLACES, words=LINES)
    def append(self, name: str, place: str, words: list[str]) -> None:
        with self.world.path(name, place).open("ab") as file:
            file.write(self.fresh(words))

    @rule(name=NAMES, place=PLACES, share=st.floats(0, 1))
    def append_half_a_line(self, name: str, place: str, share: float) -> None:
        whole = self.fresh(["half"])
        with self.world.path(name, place).open("ab") as file:
            file.write(whole[: max(1, int(len(whole) * share))])

    @rule(name=NAMES, place=PLACES, share=st.floats(0, 1))
    def truncate(self, name: str, place: str, share: float) -> None:
        path = self.world.path(name, place)
        if path.exists():
            os.truncate(path, int(path.stat().st_size * share))

    @rule(name=NAMES, place=PLACES, words=LINES, same_size=st.booleans(), old_time=st.booleans())
    def rewrite_in_place(self, name: str, place: str, words: list[str], *, same_size: bool, old_time: bool) -> None:
        path = self.world.path(name, place)
        if not path.exists():
            return
        before, content = path.stat(), self.fresh(words)
        if same_size:
            content = (content * (before.st_size // len(content) + 1))[: before.st_size]
        with path.open("r+b") as file:
            file.write(content)
            file.truncate()
        if old_time:
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(name=NAMES, place=PLACES, words=LINES)
    def replace_by_rename(self, name: str, place: str, words: list[str]) -> None:
        beside = self.world.home / "notes" / "unfinished"
        beside.write_bytes(self.fresh(words))
        beside.replace(self.world.path(name, place))

    @rule(name=NAMES, place=PLACES, to=PLACES)
    def move(self, name: str, place: str, to: str) -> None:
        path = self.world.path(name, place)
        if path.exists():
            path.replace(self.world.path(name, to))

    @rule(name=NAMES, place=PLACES, words=LINES)
    def rotate(self, name: str, place: str, words: list[str]) -> None:
        path, old = self.world.path(name, place), self.world.path(name, "old")
        if path.exists() and path != old:
            path.replace(old)
            path.write_bytes(self.fresh(words))

    @rule(name=NAMES, place=PLACES)
    def delete(self, name: str, place: str) -> None:
        self.world.path(name, place).unlink(missing_ok=True)

    @rule(name=NAMES, other=NAMES, place=PLACES, to=PLACES, share=st.floats(0, 1), words=LINES)
    def fork(self, name: str, other: str, place: str, to: str, share: float, words: list[str]) -> None:
        path = self.world.path(name, place)
        if path.exists():
            head = path.read_bytes()
            self.world.path(other, to).write_bytes(head[: int(len(head) * share)] + self.fresh(words))

    @rule(name=NAMES, place=PLACES)
    def copy_elsewhere(self, name: str, place: str) -> None:
        path, old = self.world.path(name, place), self.world.path(name, "old")
        if path.exists() and path != old:
            shutil.copyfile(path, old)

    @rule(name=NAMES, place=PLACES)
    def repeat_rows(self, name: str, place: str) -> None:
        path = self.world.path(name, place)
        if path.exists() and path.stat().st_size < 20_000:
            rows = path.read_bytes().splitlines(keepends=True)
            with path.open("ab") as file:
                file.write(b"".join(rows[: len(rows) // 2 + 1]))

    @rule(name=NAMES, place=PLACES)
    def touch(self, name: str, place: str) -> None:
        path = self.world.path(name, place)
        if path.exists():
            os.utime(path)

    # -- what we do ----------------------------------------------------------------------------------------------------

    @rule(who=SWEEPERS, audit=st.booleans())
    def sweep(self, who: int, *, audit: bool) -> None:
        for path in self.in_the_order_of_a_sweep():
            signature = stat_of(path.stat()).signature
            if audit or self.looked_at.get(path) != signature:
                self.model[path.stem].take(path, path.read_bytes())
                self.looked_at[path] = signature
        report = self.lanes[who].capture.sweep(audit=audit)
        assert report.set_aside == []
        self.compare()
        before = self.disks[who].source_bytes
        assert self.lanes[who].capture.sweep().bytes == 0
        assert self.disks[who].source_bytes == before, "an unchanged sweep read bytes of a transcript"

    @rule(order=st.lists(SWEEPERS, max_size=8), late=st.none() | NAMES, words=LINES)
    def two_sweepers_at_once(self, order: list[int], late: str | None, words: list[str]) -> None:
        """Both have looked; one file grows after that; then they take what they saw, in any order."""
        sides = [self.begin_sweep(lane) for lane in self.lanes]
        if late and self.world.path(late).exists():
            with self.world.path(late).open("ab") as file:
                file.write(self.fresh(words))
        for who in [*order, *([0] * 9), *([1] * 9)]:
            sweep, tools, waiting = sides[who]
            if waiting:
                self.take(waiting.pop(0), sweep, tools)
        self.compare()

    def begin_sweep(self, lane: Lane) -> tuple[capture.Sweep, Tools, list[SourceFile]]:
        sweep, tools = sweep_of(lane), lane.home.tools()
        catch_up(tools)
        return sweep, tools, capture.changed(sweep, tools)[0]

    def take(self, seen: SourceFile, sweep: capture.Sweep, tools: Tools) -> None:
        if seen.path.exists():
            self.model[seen.path.stem].take(seen.path, seen.path.read_bytes())
            self.looked_at[seen.path] = seen.signature
        taken = list(capture.take(seen, sweep, tools))
        assert all(isinstance(one, capture.CapturedRun) for one in taken), taken

    @rule(who=SWEEPERS)
    def restart(self, who: int) -> None:
        self.lanes[who].close()
        self.disks[who] = WatchedDisk()
        self.lanes[who] = self.world.lane(self.disks[who])

    @precondition(lambda self: self.world.index.exists())
    @rule()
    def lose_the_index(self) -> None:
        for who in (0, 1):
            self.lanes[who].close()
        self.world.lose_index()
        self.looked_at.clear()
        for who in (0, 1):
            self.restart(who)

    # -- what must be so -----------------------------------------------------------------------------------------------

    def in_the_order_of_a_sweep(self) -> list[Path]:
        """The newest first, then by name."""
        files = [path for path in self.world.home.rglob("*.jsonl") if path.is_file()]
        return sorted(files, key=lambda path: (-path.stat().st_mtime_ns, path))

    def compare(self) -> None:
        for name, run in self.model.items():
            archived = self.world.archived(name)
            assert archived == run.contents, f"{name}: the generations are not those of the model"
            assert all(content in run.visible for content in archived), f"{name}: a generation that never was"
            lost = [c for c in run.visible if not any(kept.startswith(c) for kept in archived)]
            assert lost == [], f"{name}: bytes that were there at a sweep are not in the archive"
        assert self.world.complaints() == []

    def compare_index(self) -> None:
        """After some of the programs: it takes longer than a program does. Which, the program itself says."""
        if self.written % REBUILT:
            return
        live = everything(self.lanes[0])
        self.lanes[0].archive.rebuild()
        assert everything(self.lanes[0]) == live, "rebuilt from the archive, the index says something else"

    def teardown(self) -> None:
        try:
            self.lanes[0].capture.sweep()
            self.compare_index()
        finally:
            for lane in self.lanes:
                lane.close()
            shutil.rmtree(self.folder)


def settings_for(n: int, steps: int) -> settings:
    return settings(
        max_examples=n,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def main() -> None:
    parser = report.arguments(__doc__)
    parser.add_argument("--n", type=int, default=1000, help="programs")
    parser.add_argument("--steps", type=int, default=30, help="of one program, at most")
    chosen = parser.parse_args()
    began = time.monotonic()
    run_state_machine_as_test(seed(chosen.seed)(Programs), settings=settings_for(chosen.n, chosen.steps))
    told = {"programs": chosen.n, "steps": chosen.steps, "violations": 0, "seconds": round(time.monotonic() - began)}
    report.tell(f"python -m campaigns.programs --n {chosen.n}", told, {}, chosen)


if __name__ == "__main__":
    main()
