"""Tool calls and their results: which files, whether it failed, and what a person said inside the result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast

from memlane.agents.records import Record, mapping, plain, sequence, text
from memlane.domain.fence import is_our_command, is_our_tool

WRITERS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
FILE_TOOLS = WRITERS | {"Read", "NotebookRead"}
SHELLS = frozenset({"Bash", "PowerShell"})
QUESTION = "AskUserQuestion"
_PAIR = re.compile(r'"[^"\n]+"="([^"\n]+)"')  # `"Which one?"="The first"`: how a dialog writes its answers down
_LONGEST_ANSWER = 1000  # characters; a longer result is a report
_REJECTED = "The user doesn't want to proceed with this tool use."
_SAID = "the user said:\n"
_ADVICE = "\n\nNote: The user's next message may contain a correction"
_TEMPLATE = "The user wants to clarify these questions."
_KIND_SINCE = (2, 1, 205)  # from here on `toolDenialKind` says who refused, so text alone proves nothing
_VERSION = re.compile(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})")


def input_of(block: Record) -> Mapping[str, object]:
    return cast(Mapping[str, object], plain(mapping(block.get("input"))))  # a mapping stays one


def files_of(name: str, given: Mapping[str, object]) -> tuple[str, ...]:
    if name not in FILE_TOOLS:
        return ()
    named = (text(given.get(key)) for key in ("file_path", "notebook_path"))
    return tuple(file for file in named if file)


def is_ours(name: str, given: Mapping[str, object]) -> bool:
    return is_our_tool(name) or (name in SHELLS and is_our_command(text(given.get("command"))))


def result_text(content: object) -> str:
    """What a tool gave back: a string, or blocks of text, images and names of tools."""
    if isinstance(content, str):
        return text(content)
    return "\n".join(_shown(mapping(block)) for block in sequence(content))


def _shown(block: Record) -> str:
    match block.get("type"):
        case "text":
            return text(block.get("text"))
        case "tool_reference":
            return text(block.get("tool_name"))
        case kind:
            return f"[{text(kind) or 'unknown'}]"


def reason_of(record: Record, result: str) -> str:
    """What the person said when they refused a call. Who refused is told by the record, never by the tool's text."""
    if not _refused_by_person(record, result):
        return ""
    said = text(record.get("userFeedback")) or result.partition(_SAID)[2].partition(_ADVICE)[0]
    said = said.strip()
    return "" if said.startswith(_TEMPLATE) else said


def _refused_by_person(record: Record, result: str) -> bool:
    if "toolDenialKind" in record:
        return record["toolDenialKind"] == "user-rejected"
    return result.startswith(_REJECTED) and _version(record) < _KIND_SINCE


def _version(record: Record) -> tuple[int, ...]:
    found = _VERSION.match(text(record.get("version")))
    return tuple(int(part) for part in found.groups()) if found else ()


def is_question(name: str) -> bool:
    """The client's own dialog, or the one that another program's window puts in its place."""
    return name == QUESTION or (name.startswith("mcp__") and name.endswith(f"__{QUESTION}"))


def answers_of(record: Record, result: str) -> str:
    """What a person answered, if the call is a question; the questions are in the call's input."""
    given = mapping(record.get("toolUseResult"))
    notes = (mapping(note).get("notes") for note in mapping(given.get("annotations")).values())
    said = "\n".join(_strings(*mapping(given.get("answers")).values(), *notes))
    return said or "\n".join(_PAIR.findall(result))


def dialog_answer(name: str, record: Record, result: str) -> str:
    """The same of any question dialog: another program's may write down nothing but the answer."""
    return answers_of(record, result) or (result.strip() if name != QUESTION and len(result) <= _LONGEST_ANSWER else "")


def _strings(*values: object) -> Iterator[str]:
    for value in values:
        for each in sequence(value) or (value,):
            if said := text(each).strip():
                yield said
