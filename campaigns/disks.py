"""Disks that watch themselves: each verb passes by with its name, and may be counted, killed or failed.

None of them syncs: what a sync is worth is the power campaign's question, and a kill leaves the page cache alone.
"""

from __future__ import annotations

import os
import re
import signal
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from memlane.system.disk import Disk, Stat

GENERATION = re.compile(r"^g\d+\.")
FOLDERS = {"runs", "journal", "files", "forgetting", "archive", "contents", "machines"}
BESIDE = {"contents": "register", "machines": "register card"}


def kind_of(path: Path) -> str:
    """A path as the report names it: `g1.raw`, `metadata.json.tmp`, `journal`, `files/…`, `run folder`."""
    name = path.name
    if name in FOLDERS:
        return f"{name}/"
    if path.parent.name == "files":
        return "side file" + ("~" if name.endswith("~") else "")
    if path.parent.name == "forgetting":
        return "forgetting/RUN"
    if name.startswith("r_"):
        return "run folder"
    if re.fullmatch(r"\d{4}-\d{2}", name):
        return "month folder"
    if path.parent.parent.name == "journal":
        return "journal" + (".tmp" if name.endswith(".tmp") else "")
    if path.parent.name in BESIDE or name.startswith("register.json"):
        return BESIDE.get(path.parent.name, "register head") + (".tmp" if name.endswith(".tmp") else "")
    if GENERATION.match(name) or name.startswith("metadata.json"):
        return name
    return "user folder" if path.parent.name == "archive" else "source"


class WatchedDisk(Disk):
    """Every verb passes `at(step)` before and after it is done; a step is its verb and the kind of file."""

    def __init__(self) -> None:
        super().__init__()
        self.open: dict[int, Path] = {}
        self.source_bytes = 0

    @contextmanager
    def step(self, verb: str, path: Path) -> Generator[None, None, None]:
        name = f"{verb} {kind_of(path)}"
        self.before(name)
        yield
        self.after(name)

    def before(self, step: str) -> None:
        """About to happen."""

    def after(self, step: str) -> None:
        """Has happened."""

    def of(self, descriptor: int) -> Path:
        return self.open[descriptor]

    def open_to_read(self, path: Path) -> int:
        with self.step("open", path):
            descriptor = super().open_to_read(path)
        self.open[descriptor] = path
        return descriptor

    def read(self, descriptor: int, length: int, offset: int) -> bytes:
        path = self.of(descriptor)
        with self.step("read", path):
            found = super().read(descriptor, length, offset)
        if kind_of(path) == "source":
            self.source_bytes += len(found)
        return found

    def stat(self, descriptor: int) -> Stat:
        return super().stat(descriptor)

    def list(self, folder: Path) -> Iterator[os.DirEntry[str]]:
        with self.step("list", folder):
            yield from super().list(folder)

    def make_folder(self, path: Path) -> None:
        with self.step("make", path):
            super().make_folder(path)

    def open_to_write(self, path: Path) -> int:
        with self.step("create" if not path.exists() else "open to write", path):
            descriptor = super().open_to_write(path)
        self.open[descriptor] = path
        return descriptor

    def write(self, descriptor: int, data: bytes, offset: int) -> None:
        with self.step("write", self.of(descriptor)):
            super().write(descriptor, data, offset)

    def truncate(self, descriptor: int, size: int) -> None:
        with self.step("truncate", self.of(descriptor)):
            super().truncate(descriptor, size)

    def sync(self, descriptor: int) -> None:
        with self.step("sync", self.of(descriptor)):
            pass

    def sync_folder(self, path: Path) -> None:
        with self.step("sync", path):
            pass

    def rename(self, source: Path, target: Path) -> None:
        with self.step("rename to", target):
            super().rename(source, target)

    def unlink(self, path: Path) -> None:
        with self.step("unlink", path):
            super().unlink(path)

    def remove_folder(self, path: Path) -> None:
        with self.step("remove", path):
            super().remove_folder(path)

    def close(self, descriptor: int) -> None:
        self.open.pop(descriptor, None)
        super().close(descriptor)


class CountingDisk(WatchedDisk):
    """Which steps there were, in order, and how often each was passed: `before` it and, if it did not fail, `after`."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[str] = []
        self.passed = Counter[str]()

    def before(self, step: str) -> None:
        self.steps.append(step)
        self.passed[f"before {step}"] += 1

    def after(self, step: str) -> None:
        self.passed[f"after {step}"] += 1


class FailingDisk(WatchedDisk):
    """The n-th verb that `which` picks fails once with this error; or from then on, if it is `for_good`."""

    def __init__(self, n: int, error: Callable[[], OSError], which: str = "", *, for_good: bool = False) -> None:
        super().__init__()
        self.left = n
        self.error = error
        self.which = re.compile(which)
        self.for_good = for_good
        self.failed = ""

    def before(self, step: str) -> None:
        if not self.which.match(step) or (self.failed and not self.for_good):
            return
        self.left -= 1
        if self.left < 0:
            self.failed = self.failed or step
            raise self.error()


class KillingDisk(WatchedDisk):
    """Ends the process, as a kill does, the n-th time it comes by here: `before write journal`, `after sync g1.raw`."""

    def __init__(self, here: str, n: int) -> None:
        super().__init__()
        self.here = here
        self.left = n

    def before(self, step: str) -> None:
        self.passing(f"before {step}")

    def after(self, step: str) -> None:
        self.passing(f"after {step}")

    def passing(self, where: str) -> None:
        if where == self.here:
            self.left -= 1
            if self.left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
