"""Which files and branches tell a project from others? Not those that every project has. Pure: names alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

# Names that tools and templates give, in every project that uses them.
_USUAL = """
app main index layout page utils util helpers helper config settings setup types type constants test tests conftest lib
mod __init__ __main__ models model views view urls admin apps forms routes router server client globals style styles
theme schema api auth store hooks common base core errors error logger log db database readme license changelog
contributing makefile dockerfile package tsconfig vite next tailwind jest eslint pyproject cargo go gemfile requirements
manifest favicon logo env build gradle pom program startup button card input dialog header footer navbar sidebar home
about login
"""
USUAL = frozenset(_USUAL.split())
# Folders of tools, and of what is copied into a project from elsewhere.
_FOREIGN = re.compile(r"(?:^|/)(?:\.[^/]+|node_modules|vendor|dist|build|target|__pycache__|site-packages)/")
_COPIED = re.compile(r"(?:^|/)components/ui/")
_PLAIN_BRANCH = re.compile(r"^(?:[^/]+/)?[a-z]+$|^v?\d[\d.]*$|^HEAD$", re.IGNORECASE)
_HOME = re.compile(
    r"(?:/(?:home|Users)/[^/]+|/root|/|/[^/]+|[A-Za-z]:\\(?:Users\\[^\\]+)?|[A-Za-z]:/(?:Users/[^/]+)?)/?$"
)


def specific(files: Iterable[str]) -> frozenset[str]:
    """Those in a folder, with a name that no template gives."""
    return frozenset(file for file in files if _is_specific(file))


def _is_specific(file: str) -> bool:
    path = PurePosixPath(file)
    stem = path.name.lower().partition(".")[0]
    return len(path.parts) > 1 and bool(path.suffix) and stem not in USUAL and not _foreign(file)


def _foreign(file: str) -> bool:
    return bool(_FOREIGN.search(file) or _COPIED.search(file) or file.startswith(("../", "/")))


def common_branches(one: Iterable[str], other: Iterable[str]) -> frozenset[str]:
    """`ada/fix-tide-table`, not `main` or `dev`."""
    return frozenset(branch for branch in frozenset(one) & frozenset(other) if not _PLAIN_BRANCH.match(branch))


def is_shared_folder(path: str) -> bool:
    """A home directory or what is above it: people start agents there for whatever comes up."""
    return bool(_HOME.fullmatch(path))


def within(path: str, folder: str) -> str:
    """A file's path from this folder on, with slashes; "" where it does not lie in it."""
    file, top = (one.replace("\\", "/") for one in (path, folder.rstrip("/\\")))
    if not file.startswith("/") and not re.match(r"[A-Za-z]:/", file):
        return file.removeprefix("./")
    return file[len(top) + 1 :] if top and file.startswith(f"{top}/") else ""
