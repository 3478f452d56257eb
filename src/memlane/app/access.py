"""Letting a browser in: a code that opens once, soon, and only for whoever could write into this home."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import time
from contextlib import suppress
from pathlib import Path

from memlane.app.home import Home

HOLDS = 300  # seconds
_CODE = re.compile(r"[A-Za-z0-9_-]{22}")


class Access:
    def __init__(self, home: Home) -> None:
        self._folder = home.run_folder / "codes"

    def code(self) -> str:
        """A fresh one. Only what it hashes to is written down."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._drop_old()
        code = secrets.token_urlsafe(16)
        os.close(os.open(self._place(code), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        return code

    def accept(self, code: str) -> bool:
        """Whether it opens: the first time, within its time. Taking the file away is what uses it up."""
        if not _CODE.fullmatch(code):
            return False
        place = self._place(code)
        try:
            made = place.stat().st_mtime
            place.unlink()
        except FileNotFoundError:
            return False
        return time.time() - made < HOLDS

    def _place(self, code: str) -> Path:
        return self._folder / hashlib.sha256(code.encode()).hexdigest()

    def _drop_old(self) -> None:
        for place in self._folder.iterdir():
            with suppress(FileNotFoundError):
                if time.time() - place.stat().st_mtime >= HOLDS:
                    place.unlink()
