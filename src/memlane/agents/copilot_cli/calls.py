"""Tool calls of Copilot CLI: arguments, files, result, and what a person said inside a result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from memlane.agents.builders import StepBuilder
from memlane.agents.records import Record, inner, mapping, number, plain, sequence, text, whole_path
from memlane.domain import ToolCall
from memlane.domain.fence import is_our_command, is_our_tool

WRITERS = frozenset({"apply_patch", "create", "edit", "str_replace", "write"})
READERS = frozenset({"view"})
SHELLS = frozenset({"bash", "local_shell", "powershell", "read_bash", "read_powershell"})
_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.{1,4096}?)\s*$", re.MULTILINE)
_EXIT = re.compile(
    r"<(?:shellId: \S{1,100} |command with shellId: \S{1,100} )?(?:completed|exited) with exit code (-?\d{1,9})>\Z"
)
_LONGEST_ENDING = 300


def opened(name: str, arguments: object, cwd: str) -> ToolCall:
    """Arguments are an object; those of a tool with a grammar of its own, such as a patch, are one text."""
    decoded = mapping(arguments) or mapping(inner(arguments))
    given = mapping(plain(decoded)) if decoded else ({"input": plain(arguments)} if arguments else {})
    files = tuple(dict.fromkeys(whole_path(path, cwd) for path in _paths(name, given)))
    return ToolCall(name, given, files=files, changes=bool(files) and name in WRITERS)


def _paths(name: str, given: Mapping[str, object]) -> Iterator[str]:
    if name not in WRITERS | READERS:
        return
    yield from filter(None, (text(given.get(key)) for key in ("path", "file_path")))
    for value in given.values() if name == "apply_patch" else ():
        yield from _PATCHED.findall(text(value))


def is_ours(call: ToolCall) -> bool:
    return is_our_tool(call.name) or (call.name in SHELLS and is_our_command(text(call.input.get("command"))))


def outcome(data: Record) -> str:
    """What the model was told: the result, or why there is none."""
    result = mapping(data.get("result"))
    return text(result.get("content")) or text(mapping(data.get("error")).get("message"))


def failed(name: str, data: Record, told: str) -> bool:
    """A command that ran and failed says `success`; how it ended stands beside it, before 1.0.100 in its last line."""
    if data.get("success") is False:
        return True
    if name and name not in SHELLS:  # without a name: its call is not known yet
        return False
    shell = mapping(data.get("shellExecution"))
    if "exitCode" in shell:
        return number(shell["exitCode"]) != 0
    ending = _EXIT.search(told.rstrip()[-_LONGEST_ENDING:])
    return ending is not None and int(ending[1]) != 0


def end(part: StepBuilder, data: Record, cwd: str) -> None:
    """A call's end: its result, its error, and the files the client says it wrote."""
    call = part.call
    if call is None:
        return
    edited = [text(mapping(edit).get("path")) for edit in sequence(data.get("fileEdits"))]
    if any(edited):
        files = dict.fromkeys((*call.files, *(whole_path(path, cwd) for path in edited if path)))
        part.call = replace(call, files=tuple(files), changes=True)
    told = outcome(data)
    part.ended(told, failed=failed(call.name, data, told))


QUESTION = "ask_user"
PLAN = "exit_plan_mode"
BY_HAND = "human_response"
REFUSED = "denied-interactively-by-user"
_ANSWERED = ("User responded: ", "User selected: ")
_NOBODY = "The user is not available to respond"  # what autopilot answers in the person's place
_FEEDBACK = "User feedback:\n\n"
_ADVICE = "\n\nPlease update the plan"


def recorded(data: Record) -> str:
    """Of a `human_response.recorded`; nothing when a program answered."""
    response = mapping(data.get("response"))
    if data.get("actor") != BY_HAND:
        return ""
    answers = {text(key): _value(value) for key, value in mapping(response.get("content")).items()}
    return text(response.get("feedback")).strip() or text(response.get("answer")).strip() or _listed(answers)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    several = sequence(value)
    return ", ".join(_value(each) for each in several) if several else text(value) or _number(value)


def _number(value: object) -> str:
    return str(value)[:100] if isinstance(value, int | float) else ""


def _listed(answers: Mapping[str, str]) -> str:
    given = {key: value for key, value in answers.items() if value}
    if len(given) == 1:
        return next(iter(given.values()))
    return "\n".join(f"{key}: {value}" for key, value in given.items())


def told(name: str, result: str) -> str:
    """Before answers were recorded: read from what the tool gave back to the model."""
    if name == QUESTION:
        opening = next((each for each in _ANSWERED if result.startswith(each)), "")
        said = result[len(opening) :].strip() if opening else ""
        return "" if said.startswith(_NOBODY) else said
    if name == PLAN:
        return result.partition(_FEEDBACK)[2].rpartition(_ADVICE)[0].strip()
    return ""


def refusal(data: Record) -> str:
    """Of a `permission.completed`: what the person said when they refused a call."""
    result = mapping(data.get("result"))
    return text(result.get("feedback")).strip() if result.get("kind") == REFUSED else ""
