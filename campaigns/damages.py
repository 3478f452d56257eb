"""Every kind of file in a home, and every way it can be damaged: what is done to which path, and what could heal it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

AGENT, ARCHIVE, INDEX, NOBODY = "the agent's file", "the archive", "the index", ""


@dataclass(frozen=True, slots=True)
class Kind:
    """Files of one sort, by pattern. `source`: who still has what is in them. `twin`: a plausible name for another."""

    name: str
    pattern: str
    source: str
    twin: str = ""
    lines: bool = False
    hooked: bool = False  # only in a home whose hooks are installed

    def paths(self, home: Path) -> list[Path]:
        """The largest first: it has most to lose."""
        found = [path for path in home.glob(self.pattern) if path.is_file() and not path.is_symlink()]
        return sorted(found, key=lambda path: (-path.stat().st_size, path))


RUN = "archive/*/runs/*/*"
TERMS = "index/*.terms/*"
VECTORS = "vectors/*/*"
KINDS = (
    Kind("raw", f"{RUN}/g1.raw", AGENT, "g2.raw"),
    Kind("patch", f"{RUN}/g*.patch", AGENT, "g9.patch"),
    Kind("metadata", f"{RUN}/metadata.json", AGENT, "metadata.json.damaged"),
    Kind("side file", f"{RUN}/files/*", AGENT, "another.json"),
    Kind("journal", "archive/*/journal/*/*.jsonl", INDEX, "desktop.jsonl", lines=True),
    Kind("register", "archive/*/contents/*.jsonl", ARCHIVE, "desktop.jsonl", lines=True),
    Kind("card", "archive/*/machines/*.json", ARCHIVE, "desktop.json"),
    Kind("register head", "register.json", ARCHIVE),
    Kind("settings", "config.toml", NOBODY),
    Kind("index pointer", "index/CURRENT", ARCHIVE, "CURRENT~"),
    Kind("index rows", "index/*.db", ARCHIVE, "v7-90.db"),
    Kind("terms meta", f"{TERMS}/meta.json", ARCHIVE),
    Kind("terms list", f"{TERMS}/.managed.json", ARCHIVE),
    *(
        Kind(f"terms {end}", f"{TERMS}/*.{end}", ARCHIVE)
        for end in ("idx", "pos", "store", "term", "fast", "fieldnorm")
    ),
    Kind("vectors about", f"{VECTORS}/about.json", ARCHIVE),
    *(Kind(f"vectors {name}", f"{VECTORS}/{name}", ARCHIVE) for name in ("bits", "hashes", "rows")),
    Kind("map", "map.json", ARCHIVE),
    Kind("hook list", "run/paths", ARCHIVE),
    Kind("memory page", "memory/*/*.md", INDEX, "another.md", lines=True),
    Kind("memory record", "memory/.written/*.json", INDEX),
    Kind("memory stamp", "memory/stamp", INDEX),
    Kind("setup record", "setup.json", NOBODY, hooked=True),
    Kind("hook script", "plugin/**/*.py", NOBODY, hooked=True),
    Kind("hook home", "plugin/**/home.txt", NOBODY, hooked=True),
)
FOLDERS = (
    Kind("archive", "archive", NOBODY),  # it may only be unmounted: nothing is built on its absence
    Kind("user folder", "archive/*", NOBODY),
    Kind("all runs", "archive/*/runs", AGENT),
    Kind("month of runs", "archive/*/runs/*", AGENT),
    Kind("run", "archive/*/runs/*/r_*", AGENT),
    Kind("side files", f"{RUN}/files", AGENT),
    Kind("whole journal", "archive/*/journal", INDEX),
    Kind("month of the journal", "archive/*/journal/*", INDEX),
    Kind("registers", "archive/*/contents", ARCHIVE),
    Kind("cards", "archive/*/machines", ARCHIVE),
    Kind("index", "index", ARCHIVE),
    Kind("terms", "index/*.terms", ARCHIVE),
    Kind("vectors", "vectors", ARCHIVE),
    Kind("memory folder", "memory", INDEX),
    Kind("run state", "run", ARCHIVE),
    Kind("plugin", "plugin", NOBODY, hooked=True),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One damage to one file."""

    kind: Kind
    damage: str
    do: Callable[[Path, Sequence[Path]], None]
    n: int = 0  # which of the kind

    @property
    def name(self) -> str:
        return f"{self.kind.name} {self.damage}"

    @property
    def can_heal(self) -> bool:
        """Somebody has it still. What is there twice is for a person to remove: we delete nothing of theirs."""
        return bool(self.kind.source) and "twice" not in self.damage

    def carry_out(self, home: Path, spared: Collection[str] = ()) -> Path:
        """Rather not to one of the Runs to be `spared`."""
        found = self.kind.paths(home) or sorted(home.glob(self.kind.pattern))
        found.sort(key=lambda path: not spared or any(part in spared for part in path.parts))
        target = found[self.n % len(found)]
        self.do(target, [path for path in found if path != target])
        return target


# -- what is done ------------------------------------------------------------------------------------------------------


def _delete(path: Path, _others: Sequence[Path]) -> None:
    path.unlink()


def _delete_folder(path: Path, _others: Sequence[Path]) -> None:
    shutil.rmtree(path)


def _empty(path: Path, _others: Sequence[Path]) -> None:
    path.write_bytes(b"")


def _truncate(path: Path, _others: Sequence[Path]) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def _flip(path: Path, _others: Sequence[Path]) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x04
    path.write_bytes(data)


def _swap(path: Path, others: Sequence[Path]) -> None:
    mine, theirs = path.read_bytes(), others[0].read_bytes()
    path.write_bytes(theirs)
    others[0].write_bytes(mine)


def _line_gone(path: Path, _others: Sequence[Path]) -> None:
    lines = _lines(path)
    path.write_bytes(b"".join(lines[: len(lines) // 2] + lines[len(lines) // 2 + 1 :]))


def _last_line_gone(path: Path, _others: Sequence[Path]) -> None:
    path.write_bytes(b"".join(_lines(path)[:-1]))


def _line_twice(path: Path, _others: Sequence[Path]) -> None:
    lines = _lines(path)
    path.write_bytes(b"".join([*lines, lines[len(lines) // 2]]))


def _lines_reordered(path: Path, _others: Sequence[Path]) -> None:
    lines = _lines(path)
    path.write_bytes(b"".join([*lines[1:], lines[0]]))


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


WHOLE = (("deleted", _delete), ("empty", _empty), ("cut in half", _truncate), ("a bit flipped", _flip))
BY_LINES = (
    ("a line gone", _line_gone),
    ("the last line gone", _last_line_gone),
    ("a line twice", _line_twice),
    ("lines reordered", _lines_reordered),
)


def cells(home: Path) -> Iterator[Cell]:
    """All there are in a home like this one."""
    for kind in KINDS:
        found = kind.paths(home)
        if not found:
            continue
        yield from (Cell(kind, name, do) for name, do in WHOLE)
        if len(found) > 1:
            yield Cell(kind, "swapped with another", _swap)
        if kind.twin:
            yield Cell(kind, "there twice", _twin(kind.twin))
        if kind.lines and all(len(_lines(path)) > 2 for path in found[:1]):
            yield from (Cell(kind, name, do) for name, do in BY_LINES)
    for folder in FOLDERS:
        if any(home.glob(folder.pattern)):
            yield Cell(folder, "folder deleted", _delete_folder)
    settings = next(kind for kind in KINDS if kind.name == "settings")
    yield Cell(settings, "with another user", _misspelt(b"noor", b"nooR"))
    yield Cell(settings, "with another machine", _misspelt(b"laptop", b"laptoP"))
    run = next(kind for kind in FOLDERS if kind.name == "run")
    yield Cell(run, "folder there twice", _in_another_month)


def _twin(name: str) -> Callable[[Path, Sequence[Path]], None]:
    def copy(path: Path, _others: Sequence[Path]) -> None:
        shutil.copy2(path, path.with_name(name))

    return copy


def _misspelt(word: bytes, by: bytes) -> Callable[[Path, Sequence[Path]], None]:
    def write(path: Path, _others: Sequence[Path]) -> None:
        path.write_bytes(path.read_bytes().replace(word, by))

    return write


def _in_another_month(path: Path, _others: Sequence[Path]) -> None:
    month = path.parent.with_name("2025-01")
    month.mkdir(exist_ok=True)
    shutil.copytree(path, month / path.name)
