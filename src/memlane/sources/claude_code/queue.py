"""Prompts typed while the agent was busy: each is sent once, but written down in up to three ways.

`dequeue`: it comes again as a user record. `remove`: it went to the agent in the middle of a turn; newer builds write
it down again as an attachment, older ones nowhere else. `popAll`: the person took it back.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from datetime import datetime

from memlane.sources.records import Record, moment, text

MOST_WAITING = 256  # nobody types more ahead; keeps a hostile file from filling memory
DELIVERED = ("", "absorbed_mid_turn")  # any other reason to remove a prompt means it was never sent


@dataclass(frozen=True, slots=True)
class Queued:
    """A prompt and when it left the queue."""

    text: str
    line: int
    at: datetime | None


class Queue:
    """What was typed ahead and where it went."""

    def __init__(self) -> None:
        self._typed: deque[str] = deque(maxlen=MOST_WAITING)
        self._sent: deque[Queued] = deque(maxlen=MOST_WAITING)  # out of the queue, not yet in a turn
        self._attached: deque[str] = deque(maxlen=MOST_WAITING)  # attachments whose removal is still to come
        self._placed: deque[str] = deque(maxlen=MOST_WAITING)  # removals whose attachment is still to come
        self._due = 0  # prompts dequeued whose user record is still to come

    def note(self, record: Record, line: int) -> None:
        said = text(record.get("content")).strip()
        match record.get("operation"):
            case "enqueue":
                self._typed.append(said)
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
            self._sent.append(Queued(said, line, moment(record.get("timestamp"))))

    def repeated(self, said: str) -> None:
        """A user record came; what it repeats waits no longer."""
        if _drop(self._typed, said.strip()):
            self._due = max(0, self._due - 1)
        elif self._due and self._typed:
            self._due -= 1
            self._typed.popleft()

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
        self._attached.append(said)
        return True

    def leave(self, now: datetime | None) -> list[Queued]:
        """What the agent has been told by now, for it is answering; None: everything."""
        gone = [queued for queued in self._sent if now is None or queued.at is None or queued.at <= now]
        for queued in gone:
            self._sent.remove(queued)
            self._placed.append(queued.text)
        return gone

    def __bool__(self) -> bool:
        return bool(self._sent)


def _is_prompt(said: str) -> bool:
    """Notices of background work wait in the same queue."""
    return bool(said) and not said.startswith(("{", "<task-notification"))


def _drop(texts: deque[str], said: str) -> bool:
    if said not in texts:
        return False
    texts.remove(said)
    return True
