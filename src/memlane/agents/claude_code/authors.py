"""Who wrote a `user` record. Most of them nobody typed: harness text, summaries, notices, other agents.

Judges by the record's own fields first and by the client's wrappings second; knows nothing of turns or tool results.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from memlane.agents.records import Record, mapping, text
from memlane.domain import Author, Kind
from memlane.domain.fence import is_our_command

INTERRUPTED = "[Request interrupted by user"
TYPED = ("typed", "queued", "suggestion_accepted")
_REMINDER = "system-reminder"
_TEAMMATE = "<teammate-message"
# What editors and the windows of other programs (Conductor) put before a prompt.
_WINDOW = re.compile(r"\s*<system_instruction>\s*You are working inside Conductor\b")
_HEADER = re.compile(r"<(ide_[a-z_]+|system_instruction)[\s>]")
_WRAPPING = re.compile(r"<([a-z][a-z0-9]*(?:[-_][a-z0-9]+)+)[\s>]")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_SLASH = re.compile(r"/[A-Za-z][\w:-]*(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Utterance:
    """A stretch of a record with one author; `starts` when it begins a Turn."""

    author: Author
    kind: Kind
    text: str
    starts: bool = False
    command: str = ""  # the slash command it invokes
    ours: bool = False
    relayed: bool = False  # another program passed it on; whether a person typed it there, its timing shows


def speaker(record: Record, *, subagent: bool) -> Author:
    """Whose prompt it is, if it is one. Newer builds say so; in older ones only the way in tells."""
    origin = text(mapping(record.get("origin")).get("kind"))
    source = text(record.get("promptSource"))
    if origin in ("task-notification", "auto-continuation") or source == "system":
        return Author.SYSTEM
    if origin == "human":
        return Author.PERSON
    if origin or source == "sdk":
        return Author.PROGRAM
    if subagent or text(record.get("entrypoint")).startswith("sdk"):
        return Author.PROGRAM
    return Author.PERSON


def is_relayed(record: Record, *, subagent: bool) -> bool:
    """It came through an SDK and nothing says who typed it: a script's prompt, or a person's in another window."""
    if subagent or text(mapping(record.get("origin")).get("kind")):
        return False
    return text(record.get("promptSource")) == "sdk" or text(record.get("entrypoint")).startswith("sdk")


def words_in(record: Record, said: str, *, subagent: bool) -> Iterator[Utterance]:
    """What a record's text is made of, in order."""
    relayed = is_relayed(record, subagent=subagent) and not said.startswith(_TEAMMATE)
    relayed = relayed and not text(record.get("planContent"))
    typist = Author.PERSON if _WINDOW.match(said) else Author.PROGRAM
    for words in _words_in(record, said, subagent=subagent):
        yield replace(words, author=typist, relayed=True) if relayed and words.author is Author.PROGRAM else words


def _words_in(record: Record, said: str, *, subagent: bool) -> Iterator[Utterance]:
    if record.get("isCompactSummary") is True:
        yield Utterance(Author.AGENT, Kind.SUMMARY, said)
        return
    said = without_wrappings(said)
    if record.get("isMeta") is True:
        yield from _harness(said)
        return
    if said.startswith(INTERRUPTED):
        marker, _, said = said.partition("]")
        yield Utterance(speaker(record, subagent=False), Kind.INTERRUPT, marker + "]")
        said = said.strip()
    author = speaker(record, subagent=subagent)
    if not said:
        return
    if author is Author.SYSTEM:
        yield from _harness(said)
    elif text(record.get("planContent")):
        yield Utterance(Author.PROGRAM, Kind.PROMPT, said, starts=True)
    elif text(record.get("promptSource")) not in TYPED and (wrapped := _WRAPPING.match(said)):
        yield from _unwrapped(wrapped[1], said, author)
    else:
        yield Utterance(author, Kind.PROMPT, said, starts=True)


def queued_words(record: Record, said: str, *, subagent: bool) -> Iterator[Utterance]:
    """The same for a prompt typed while the agent was busy; a command among them starts nothing."""
    if slash := _SLASH.match(said):
        yield Utterance(speaker(record, subagent=subagent), Kind.COMMAND, said, command=slash[0])
    else:
        yield from words_in(record, said, subagent=subagent)


def without_wrappings(said: str) -> str:
    """Without what the harness and the editor put around or into a prompt."""
    said = _without(said, _REMINDER).strip()
    while header := _HEADER.match(said):
        closing = said.find(f"</{header[1]}>")
        if closing < 0:
            break
        said = said[closing + len(header[1]) + 3 :].strip()
    return said


def _without(said: str, tag: str) -> str:
    opening, closing = f"<{tag}>", f"</{tag}>"
    kept: list[str] = []
    position = 0
    while (start := said.find(opening, position)) >= 0:
        end = said.find(closing, start)
        if end < 0:
            break
        kept.append(said[position:start])
        position = end + len(closing)
    return "".join((*kept, said[position:])) if kept else said[position:]


def _harness(said: str) -> Iterator[Utterance]:
    if said and not said.startswith("<local-command-caveat>"):
        yield Utterance(Author.SYSTEM, Kind.META, said)


def _unwrapped(tag: str, said: str, author: Author) -> Iterator[Utterance]:
    inside = _inside(said, tag)
    match tag:
        case "command-name" | "command-message":
            yield _command(said, author, starts=tag == "command-message")
        case "bash-input":
            yield Utterance(author, Kind.PROMPT, f"!{inside}", starts=True, ours=is_our_command(inside))
        case "user-memory-input":
            yield Utterance(author, Kind.PROMPT, f"#{inside}", starts=True)
        case "teammate-message":
            yield Utterance(Author.PROGRAM, Kind.PROMPT, said, starts=True)
        case "bash-stdout" | "bash-stderr":
            yield from _output(Author.TOOL, _inside(said, "bash-stdout"), _inside(said, "bash-stderr"))
        case "local-command-stdout" | "local-command-stderr":
            yield from _output(Author.SYSTEM, inside)
        case _ if f"</{tag}>" in said:
            yield from _harness(said)
        case _:  # a person may well begin with a tag of their own
            yield Utterance(author, Kind.PROMPT, said, starts=True)


def _command(said: str, author: Author, *, starts: bool) -> Utterance:
    """The message stands first when the command is a prompt for the agent, the name when the client runs it itself."""
    name = _inside(said, "command-name")
    asked = f"{name} {_inside(said, 'command-args')}".strip()
    return Utterance(author, Kind.COMMAND, asked, starts=starts, command=name)


def _output(author: Author, *streams: str) -> Iterator[Utterance]:
    shown = "\n".join(stream for stream in streams if stream)
    if shown and shown != "(no content)":
        yield Utterance(author, Kind.META, shown)


def _inside(said: str, tag: str) -> str:
    start = said.find(f"<{tag}>")
    if start < 0:
        return ""
    start += len(tag) + 2
    end = said.find(f"</{tag}>", start)
    return _COLOUR.sub("", said[start : end if end >= 0 else len(said)]).strip()
