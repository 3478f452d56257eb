"""Who wrote what in a Gemini CLI chat, as Turns and Steps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from memlane.agents.agent import Line, Transcript
from memlane.agents.gemini_cli.messages import Chat, Message, folded
from memlane.agents.records import Record, mapping, moment, number, plain, sequence, text
from memlane.domain import Author, Facts, Kind, Relation, Step, Tokens, ToolCall, Turn
from memlane.domain.fence import holds_a_brief, is_our_command, is_our_tool

_HOOKED = re.compile(r"<hook_context>(.*?)</hook_context>\s*", re.DOTALL)
_WORKSPACE = re.compile(r"\*\*Workspace Directories:\*\*\s*\n\s*-\s*(\S.*)")
_CHANGING = frozenset({"write_file", "replace", "edit"})
_SHELL = "run_shell_command"
_EXIT = re.compile(r"^Exit Code: -?[1-9]", re.MULTILINE)
_PATHS = ("file_path", "path", "absolute_path")
_CANCELLED = "Request cancelled."
_KNOWN = frozenset({"user", "gemini", "info", "error", "warning"})


def without_context(prompt: str) -> str:
    """What was typed, without what hooks put before it."""
    return _HOOKED.sub("", prompt).strip()


def workspace_told(words: str) -> str:
    """The folder Gemini CLI names when it sets the scene; its files do not record one."""
    found = _WORKSPACE.search(words)
    return found[1].strip() if found else ""


class GeminiParser:
    """A chat is folded whole before its first Turn: any line may change an earlier message."""

    append_only = False

    def __init__(self, lines: Iterable[Line], transcript: Transcript) -> None:
        self._lines = lines
        self._transcript = transcript
        self._chat = Chat()
        self._number = 0
        self._author = Author.SYSTEM
        self._at: datetime | None = None
        self._steps: list[Step] = []
        self._commands: dict[str, None] = {}

    def turns(self) -> Iterator[Turn]:
        self._chat = folded(self._lines)
        for message in self._chat.messages:
            if (prompt := self._prompt(message)) is not None:
                yield from self._finished()
                self._number += 1
                self._author = Author.PROGRAM if self._subagent else Author.PERSON
                self._at = moment(message.record.get("timestamp"))
                self._add(message, self._author, Kind.PROMPT, prompt)
            else:
                self._rest(message)
        yield from self._finished()

    @property
    def _subagent(self) -> bool:
        named = self._transcript.relation is Relation.SUBAGENT
        return named or self._chat.head.get("kind") == "subagent"

    def _finished(self) -> Iterator[Turn]:
        if self._steps:
            yield Turn(self._number, self._author, tuple(self._steps), self._at)
            self._steps = []

    def _prompt(self, message: Message) -> str | None:
        """What a person typed, without what hooks put before it. None: this message is something else."""
        if message.abandoned or message.record.get("type") != "user":
            return None
        words = without_context("\n".join(message.texts()))
        return None if not words or words.startswith(("/", "?", "<session_context>")) else words

    def _rest(self, message: Message) -> None:
        kind, words = text(message.record.get("type")), "\n".join(message.texts()).strip()
        if message.abandoned:
            self._add(message, Author.SYSTEM, Kind.META, f"taken back: {words[:200]}")
        elif kind == "gemini":
            self._answer(message, words)
        elif kind == "user":
            self._not_typed(message, words)
        elif kind == "error":
            self._add(message, Author.SYSTEM, Kind.ERROR, words)
        elif words == _CANCELLED:
            self._add(message, Author.PERSON, Kind.INTERRUPT, words)
        elif kind in _KNOWN:
            self._add(message, Author.SYSTEM, Kind.META, words)
        else:
            self._chat.unknown[kind[:80] or "no type"] += 1

    def _not_typed(self, message: Message, words: str) -> None:
        if words.startswith(("/", "?")):
            self._commands[words.split()[0]] = None
            self._add(message, Author.PERSON, Kind.COMMAND, words)
        elif words:
            self._add(message, Author.SYSTEM, Kind.META, words, ours=holds_a_brief(words))

    def _answer(self, message: Message, words: str) -> None:
        for thought in map(mapping, sequence(message.record.get("thoughts"))):
            said = f"{text(thought.get('subject'))}: {text(thought.get('description'))}".strip(": ")
            if said:
                self._add(message, Author.AGENT, Kind.THINKING, said)
        if words:
            self._add(message, Author.AGENT, Kind.TEXT, words)
        for call in map(mapping, sequence(message.record.get("toolCalls"))):
            self._call(message, call)

    def _call(self, message: Message, call: Record) -> None:
        name, given = text(call.get("name")), mapping(plain(call.get("args")))
        result = _result(call)
        files = tuple(dict.fromkeys(path for key in _PATHS if (path := text(given.get(key)))))
        ours = is_our_tool(name) or is_our_command(text(given.get("command"))) or holds_a_brief(result)
        failed = call.get("status") == "error" or (name == _SHELL and _EXIT.search(result) is not None)
        made = ToolCall(name, given, result, failed, files, name in _CHANGING)
        self._add(message, Author.TOOL, Kind.TOOL_CALL, "", call=made, ours=ours)

    def _add(
        self,
        message: Message,
        author: Author,
        kind: Kind,
        words: str,
        *,
        call: ToolCall | None = None,
        ours: bool = False,
    ) -> None:
        record = message.record
        self._steps.append(
            Step(
                n=len(self._steps) + 1,
                author=author,
                kind=kind,
                line=message.line,
                text=words,
                call=call,
                at=moment(record.get("timestamp")),
                native_id=text(record.get("id")),
                model=text(record.get("model")),
                ours=ours,
            )
        )

    def facts(self) -> Facts:
        messages = [m.record for m in self._chat.messages]
        told = (workspace_told(words) for m in self._chat.messages[:2] for words in m.texts())
        return Facts(
            title=text(self._chat.head.get("summary")),
            cwd=next((cwd for cwd in told if cwd), ""),
            models=tuple(dict.fromkeys(model for record in messages if (model := text(record.get("model"))))),
            tokens=_tokens(messages),
            parent_native_id=self._transcript.parent_native_id,
            relation=self._transcript.relation,
            commands=tuple(self._commands),
            headless=self._subagent,
            unknown=dict(self._chat.unknown),
            broken=tuple(self._chat.broken),
        )


def _result(call: Record) -> str:
    """What the model was given back; else what the person was shown."""
    given = [
        mapping(mapping(mapping(part).get("functionResponse")).get("response")) for part in sequence(call.get("result"))
    ]
    said = "\n".join(text(one.get("output")) or text(one.get("error")) for one in given).strip()
    return said or text(call.get("resultDisplay"))


def _tokens(messages: list[Record]) -> Tokens:
    used = [mapping(record.get("tokens")) for record in messages]
    return Tokens(
        input=sum(number(one.get("input")) for one in used),
        output=sum(number(one.get("output")) for one in used),
        cached=sum(number(one.get("cached")) for one in used),
    )
