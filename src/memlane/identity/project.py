"""Which project does a folder belong to? Read from the checkout's own files; git itself is never run."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from memlane.domain import NO_PROJECT, Project

SETTINGS = ".lane.toml"
# Where tools put worktrees inside of a checkout, for those that are gone or on another computer.
_OF_A_WORKTREE = re.compile(r"[/\\](?:\.claude[/\\]worktrees|\.worktrees)[/\\].*$")
_TOP_OF_A_WORKTREE = re.compile(r"^(?:.*[/\\])?(?:\.claude[/\\]worktrees|\.worktrees)[/\\][^/\\]+[/\\](?=.)")
_URL = re.compile(r"^\s*url\s*=\s*(\S+)", re.MULTILINE)
_SECTION = re.compile(r'^\s*\[remote "([^"]+)"\]', re.MULTILINE)


def project_of(cwd: str, recorded_remote: str = "", *, look_on_disk: bool = True) -> Project:
    """Its git remote, else the remote the transcript recorded, else its path. `.lane.toml` may name it otherwise."""
    if not cwd and not recorded_remote:
        return NO_PROJECT
    root = _checkout(Path(cwd)) if look_on_disk and cwd else None
    if root is not None:
        named = _named_by_settings(root)
        if named:
            return Project(named, named)
        remote = _remote(root) or recorded_remote
    else:
        remote = recorded_remote
    if remote and is_named(found := from_remote(remote)):
        return found
    return at_path(str(_main(root)) if root is not None else without_worktrees(cwd)) if cwd else NO_PROJECT


def at_path(folder: str) -> Project:
    """The project of a folder without a remote; also of a path from Windows."""
    *_above, name = re.findall(r"[^/\\]+", folder) or [folder]
    return Project(name, folder)


def without_worktrees(folder: str) -> str:
    """The checkout that a worktree inside of it belongs to, by its path alone."""
    return _OF_A_WORKTREE.sub("", str(Path(folder)))


def is_named(project: Project) -> bool:
    """Not `.`, `..` or `github.com/.`: those name whatever folder git was run in."""
    return project.key.rpartition("/")[2] not in ("", ".", "..")


def is_path(key: str) -> bool:
    """Of a key that is a folder's path, here or on another computer: no remote, and no name from `.lane.toml`."""
    return bool(re.match(r"/|[A-Za-z]:[/\\]|\\\\", key))


def from_remote(url: str) -> Project:
    """`git@host:owner/repo.git` and `https://host/owner/repo` are the same project."""
    plain = re.sub(r"^[a-z+]+://", "", url.strip())
    plain = re.sub(r"^[^@/]+@", "", plain)
    plain = re.sub(r"^([^/:]+):(?:\d+/)?", r"\1/", plain)
    plain = plain.removesuffix("/").removesuffix(".git").lower()
    return Project("/".join(plain.split("/")[-2:]), plain)


def checkout_of(path: str) -> str:
    """The folder of the checkout it lies in, or ""."""
    found = _checkout(Path(path).parent)
    return str(found) if found else ""


def root_of(folder: str) -> str:
    """The checkout that this folder is or lies in, or ""."""
    found = _checkout(Path(folder))
    return str(found) if found else ""


def without_worktree(path: str) -> str:
    """`.worktrees/2/cmd/x.go` is `cmd/x.go` of the project, also when the worktree is gone."""
    return _TOP_OF_A_WORKTREE.sub("", path)


def main_checkout(folder: str) -> str:
    """Where git keeps what it lies in, a worktree's being the checkout it was made from; itself if git has none."""
    here = Path(folder)
    root = next((above for above in (here, *here.parents) if (above / ".git").exists()), None)
    return str(_main(root)) if root is not None else folder


def _checkout(folder: Path) -> Path | None:
    """The nearest folder with a `.git`. None for another computer's kind of path."""
    if not folder.is_absolute():
        return None
    for candidate in (folder, *folder.parents):
        try:
            if (candidate / ".git").exists() or (candidate / SETTINGS).is_file():
                return candidate
        except OSError:
            return None
    return None


def worktrees_of(folder: str) -> list[str]:
    """Folders that are worktrees of this checkout, as its git folder lists them; also those that are gone."""
    root = _checkout(Path(folder))
    listed = sorted((_git_folder(root) / "worktrees").glob("*/gitdir")) if root is not None else []
    found = list[str]()
    for file in listed:
        try:
            found.append(str(Path(file.read_text(errors="replace").strip()).parent))
        except OSError:
            continue
    return found


def _main(root: Path) -> Path:
    """The checkout a worktree was made from: what holds in one holds in the other."""
    if not (root / ".git").is_file():
        return root
    git = _git_folder(root).resolve()
    return git.parent if git.name == ".git" else root


def _git_folder(root: Path) -> Path:
    git = root / ".git"
    if git.is_dir():
        return git
    try:
        pointed = root / git.read_text().partition("gitdir:")[2].strip()
        common = pointed / "commondir"
        return (pointed / common.read_text().strip()) if common.is_file() else pointed
    except OSError:
        return git


def _remote(root: Path) -> str:
    try:
        text = (_git_folder(root) / "config").read_text(errors="replace")
    except OSError:
        return ""
    remotes = {
        section[1]: url[1]
        for section in _SECTION.finditer(text)
        if (url := _URL.search(text, section.end(), _end_of_section(text, section.end())))
    }
    return remotes.get("origin") or next(iter(remotes.values()), "")


def _end_of_section(text: str, start: int) -> int:
    following = re.compile(r"^\s*\[", re.MULTILINE).search(text, start)
    return following.start() if following else len(text)


def _settings(root: Path) -> Mapping[str, object]:
    try:
        with (root / SETTINGS).open("rb") as file:
            return tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError):
        return {}


def _named_by_settings(root: Path) -> str:
    name = _settings(root).get("project", "")
    return name if isinstance(name, str) else ""


@dataclass(frozen=True, slots=True)
class ProjectLimits:
    """What a checkout's `.lane.toml` forbids. It arrives with other people's repositories, so it can only forbid."""

    capture: bool = True
    recall: bool = True


def narrowed(cwd: str) -> ProjectLimits:
    root = _checkout(Path(cwd)) if cwd else None
    settings: Mapping[str, object] = _settings(root) if root else {}
    return ProjectLimits(capture=_allows(settings, "capture"), recall=_allows(settings, "recall"))


def _allows(settings: Mapping[str, object], key: str) -> bool:
    """`recall = false`, or as the setting is called elsewhere: `recall.enabled = false`."""
    said = settings.get(key)
    return said is not False and not (
        isinstance(said, dict) and cast(Mapping[str, object], said).get("enabled") is False
    )
