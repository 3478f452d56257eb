"""A real client in a terminal: keys in, and what it wrote out. What a client asks its terminal is answered."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 60  # seconds until a screen that does not come is a failure
ROWS, COLUMNS = 40, 120
# What a client asks its terminal, and what one says: where the cursor is, what it can do, its colours.
ANSWERS = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62;c",
    b"\x1b[>c": b"\x1b[>0;1;0c",
    b"\x1b[?u": b"\x1b[?0u",
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
}
_ORDER = re.compile(rb"\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[=>()][A-Z0-9]?")


@dataclass(slots=True)
class ClientTerminal:
    """One client, and everything it wrote."""

    child: int
    terminal: int
    raw: bytes = b""

    @property
    def words(self) -> str:
        """Without what moves and colours them; where a client jumps instead of writing spaces, they stand together."""
        return re.sub(r"\s+", "", _ORDER.sub(b"", self.raw).decode("utf-8", "replace"))

    def sees(self, *any_of: str) -> str:
        """Waits until these words, or one of several, were written since the last press; which."""
        end = time.monotonic() + PATIENCE
        while True:
            for words in any_of:
                if re.sub(r"\s+", "", words) in self.words:
                    return words
            assert time.monotonic() < end, f"{any_of} did not come:\n{self.words[-3000:]}"
            self.look()

    def press(self, keys: str) -> None:
        self.raw = b""
        os.write(self.terminal, keys.encode())

    def press_until(self, keys: str, words: str) -> None:
        """A client that has just drawn its screen may throw away what was typed before it listens."""
        end, wanted = time.monotonic() + PATIENCE, re.sub(r"\s+", "", words)
        while wanted not in self.words:
            assert time.monotonic() < end, f"{words!r} did not come:\n{self.words[-3000:]}"
            self.press(keys)
            for _ in range(10):
                self.look()

    def look(self) -> None:
        """Takes in what it has written meanwhile."""
        ready, _, _ = select.select([self.terminal], [], [], 0.05)
        if not ready:
            return
        with suppress(OSError):
            piece = os.read(self.terminal, 65536)
            self.raw += piece
            for asked, answer in ANSWERS.items():
                if asked in piece:
                    os.write(self.terminal, answer)


@contextmanager
def in_terminal(
    command: Sequence[str | Path], cwd: Path, env: Mapping[str, str]
) -> Generator[ClientTerminal, None, None]:
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(cwd)
        os.execve(str(command[0]), [str(word) for word in command], dict(env))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    try:
        yield ClientTerminal(child, terminal)
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
        _end_what_it_started(env["HOME"])


def _end_what_it_started(home: str) -> None:
    """In a terminal Codex starts servers that outlive it: every process of this home goes, ours excepted."""
    mine = f"HOME={home}".encode()
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            theirs = entry.name.isdigit() and mine in (entry / "environ").read_bytes().split(b"\0")
            if theirs and b"memlane" not in (entry / "cmdline").read_bytes():
                os.kill(int(entry.name), signal.SIGKILL)
