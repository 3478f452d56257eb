"""Disks as they are found: read-only, small, or without room for one more file. Mounted for one test."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

WRITE = 0o222


@contextmanager
def read_only(folder: Path) -> Generator[None, None, None]:
    """By the mount where root may do that, else by permissions: root is stopped by none."""
    if os.getuid():
        with _without_permission(folder):
            yield
        return
    if subprocess.run(["mount", "--bind", folder, folder], check=False, capture_output=True).returncode:
        pytest.skip("may not mount here")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


@contextmanager
def _without_permission(folder: Path) -> Generator[None, None, None]:
    modes = {path: path.stat().st_mode for path in (folder, *folder.rglob("*"))}
    for path, mode in modes.items():
        path.chmod(mode & ~WRITE)
    try:
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


@contextmanager
def small_disk(folder: Path, options: str) -> Generator[None, None, None]:
    if os.getuid():
        pytest.skip("needs root to mount a small disk")
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("may not mount here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def resize(folder: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", folder], check=True)
