"""A person at a terminal with the real Claude Code in it: keys in, and its screen as they see it."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import pyte

from tests.clients.drive import ClaudeCode, installed

PATIENCE = 60  # seconds until a screen that does not come is a failure; nothing is measured by it
COLUMNS, ROWS = 140, 45
ENTER, BACKSPACE = "\r", "\x7f"
SOON, TRIES = 5, 6  # seconds, and how often
LOOKED_FOR = 40  # characters of a prompt
BETWEEN_KEYS = 0.3  # seconds: text and Enter in one piece are a paste


@dataclass(slots=True)
class AgentScreen:
    child: int
    terminal: int
    screen: pyte.Screen
    stream: pyte.ByteStream
    ended: bool = False

    @property
    def text(self) -> str:
        return "\n".join(line.replace("\xa0", " ").rstrip() for line in self.screen.display if line.strip())

    @property
    def band(self) -> str:
        """The rows of the screen with our name or our question in them, above the prompt."""
        ours = ("lane:", "lane ", "Which ")
        return "\n".join(line for line in self.text.splitlines() if line.strip().startswith(ours))

    def sees(self, *words: str) -> str:
        return self.waits(lambda: all(word in self.text for word in words), f"{words}")

    def sees_no(self, *words: str) -> str:
        return self.waits(lambda: all(word not in self.text for word in words), f"none of {words}")

    def comes(self, *words: str) -> bool:
        """Whether all of it is on the screen soon."""
        until = time.monotonic() + SOON
        while not all(word in self.text for word in words):
            if time.monotonic() > until:
                return False
            self._look()
        return True

    def asks_until_seen(self, prompt: str, *words: str) -> None:
        """On a crowded machine an answer of ours may come too late, and then nothing is shown: it is asked anew."""
        for _ in range(TRIES):
            self.says(prompt)
            if self.comes(*words):
                return
            self.says("/clear")
        self.sees(*words)

    def waits(self, holds: Callable[[], bool], what: str) -> str:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, f"not on the screen: {what}\n{self.text}"
            assert not self.ended, f"it ended before {what}\n{self.text}"
            self._look()
        return self.text

    def press(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())
        self.rests()

    def chooses(self, digit: str, *then: str) -> str:
        """On the card. It takes a digit once it has been seen for a moment; until then the prompt does."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.press(digit)
            self.rests()
            if f"❯ {digit}" not in self.text:
                break
            self.press(BACKSPACE)
        return self.sees(*then)

    def says(self, prompt: str) -> None:
        """Typed, seen, and sent: a busy client takes what comes in one piece for a paste."""
        self.press(prompt)
        self.sees(f"❯ {prompt[:LOOKED_FOR]}")
        self.rests()
        self.press(ENTER)

    def rests(self) -> None:
        """A moment in which the client may draw."""
        until = time.monotonic() + BETWEEN_KEYS
        while time.monotonic() < until and not self.ended:
            self._look()

    def _look(self) -> None:
        ready, _, _ = select.select([self.terminal], [], [], 0.05)
        if ready:
            try:
                self.stream.feed(os.read(self.terminal, 65536))
            except OSError:
                self.ended = True


def ready_for_a_person(agent: ClaudeCode) -> None:
    """Its first questions are answered: the theme, the key, and whether the folder is trusted."""
    file = agent.home / ".claude.json"
    known = json.loads(file.read_text()) if file.exists() else {}
    answered = {"hasCompletedOnboarding": True, "theme": "dark"}
    key = {"approved": [agent.environment()["ANTHROPIC_API_KEY"][-20:]], "rejected": []}
    trusted = {**known.get("projects", {}), str(agent.cwd): {"hasTrustDialogAccepted": True}}
    agent.cwd.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({**known, **answered, "customApiKeyResponses": key, "projects": trusted}))


@contextmanager
def at_screen(agent: ClaudeCode, *arguments: str) -> Generator[AgentScreen, None, None]:
    ready_for_a_person(agent)
    terminal, theirs = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    child = os.fork()
    if child == 0:
        os.login_tty(theirs)
        os.chdir(agent.cwd)
        os.execve(installed("claude"), ["claude", *arguments], dict(agent.environment()))
    os.close(theirs)
    screen = pyte.Screen(COLUMNS, ROWS)
    seat = AgentScreen(child, terminal, screen, pyte.ByteStream(screen))
    try:
        seat.sees("❯")
        yield seat
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
