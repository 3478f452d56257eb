"""Prompts typed while the agent was busy: each is sent once, but written down in up to three ways.

`dequeue`: it comes again as a user record. `remove`: it went to the agent in the middle of a turn; newer builds write
it down again as an attachment, older ones nowhere else. `popAll`: the person took it back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from memlane.agents.records import Record, moment, text

MOST_WAITING = 256  # nobody types more ahead; keeps a hostile file from filling memory
T = TypeVar("T")
DELIVERED = ("", "absorbed_mid_turn")  # any other reason to remove a prompt means it was never sent


@dataclass(frozen=True, slots=True)
class QueuedPrompt:
    """A prompt and when it left the queue."""

    text: str
    line: int
    at: datetime | None


@dataclass(slots=True)
class PromptQueue:
    """What was typed ahead and where it went."""

    _typed: list[str] = field(default_factory=list[str])
    _sent: list[QueuedPrompt] = field(default_factory=list[QueuedPrompt])  # out of the queue, not yet in a turn
    _attached: list[str] = field(default_factory=list[str])  # attachments whose removal is still to come
    _placed: list[str] = field(default_factory=list[str])  # removals whose attachment is still to come
    _due: int = 0  # prompts dequeued whose user record is still to come

    def note(self, record: Record, line: int) -> None:
        said = text(record.get("content")).strip()
        match record.get("operation"):
            case "enqueue":
                _wait(self._typed, said)
            case "dequeue":
                self._due += 1
            case "popAll":
                _drop(self._typed, said)
            case "remove":
                self._remove(said, record, line)
            case _:
                return

    def _remove(self, said: str, record: Record, line: int) -> None:
        said = said or next((each for each in self._typed if _is_prompt(each)), "")
        _drop(self._typed, said)
        sent = text(record.get("reason")) in DELIVERED and _is_prompt(said)
        if sent and not _drop(self._attached, said):
            _wait(self._sent, QueuedPrompt(said, line, moment(record.get("timestamp"))))

    def repeated(self, said: str) -> None:
        """A user record came; what it repeats waits no longer."""
        if _drop(self._typed, said.strip()):
            self._due = max(0, self._due - 1)
        elif self._due and self._typed:
            self._due -= 1
            self._typed.pop(0)

    def attached(self, said: str) -> bool:
        """An attachment came; whether it is news."""
        said = said.strip()
        _drop(self._typed, said)
        if _drop(self._placed, said):
            return False
        for queued in self._sent:
            if queued.text == said:
                self._sent.remove(queued)
                return True
        _wait(self._attached, said)
        return True

    def leave(self, now: datetime | None) -> list[QueuedPrompt]:
        """What the agent has been told by now, for it is answering; None: everything."""
        gone = [queued for queued in self._sent if now is None or queued.at is None or queued.at <= now]
        for queued in gone:
            self._sent.remove(queued)
            _wait(self._placed, queued.text)
        return gone

    def __bool__(self) -> bool:
        return bool(self._sent)


def _is_prompt(said: str) -> bool:
    """Notices of background work wait in the same queue."""
    return bool(said) and not said.startswith(("{", "<task-notification"))


def _wait(waiting: list[T], each: T) -> None:
    waiting.append(each)
    del waiting[:-MOST_WAITING]


def _drop(texts: list[str], said: str) -> bool:
    if said not in texts:
        return False
    texts.remove(said)
    return True
