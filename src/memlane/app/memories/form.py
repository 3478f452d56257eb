"""A Memory as a small text form: what a person may change of it, and what is wrong with what they wrote.

Knows text and rules; neither editors nor storage.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TypeVar

from memlane.app.home.memory_rules import LONGEST_CONTENT, LONGEST_TITLE
from memlane.domain import Memory, Project, Scope, Type

FIELDS = ("title", "type", "scope", "project", "category", "confidence", "agents")
BORDER = "---"
SENTENCE_ENDS_TEXT = ".!?。"
SENTENCE_ENDS = tuple(SENTENCE_ENDS_TEXT)
_HELP = (
    "# Edit, save and close. Lines that begin with # are ignored; the text is below the ---.",
    f"# type: {', '.join(Type)}",
    f"# scope: {', '.join(Scope)}. confidence: 0 to 100, recalled from 60. agents: only for these (codex, …)",
)
Word = TypeVar("Word", bound=StrEnum)
FindProject = Callable[[str], Project | None]


def form(memory: Memory, wrong: Sequence[str] = ()) -> str:
    """What the editor opens."""
    return framed("\n".join((*_filled(memory), BORDER, memory.content)) + "\n", memory.id, wrong)


def framed(text: str, memory: str, wrong: Sequence[str]) -> str:
    """The person's own text under a fresh head: what was wrong stands there."""
    body = [line for line in text.split("\n") if not line.startswith("#")] if BORDER not in text else _headless(text)
    return "\n".join((f"# {memory}", *_HELP, *(f"# WRONG: {what}" for what in wrong), *body))


def _headless(text: str) -> list[str]:
    head, border, content = text.partition(f"\n{BORDER}\n")
    return [*(line for line in head.split("\n") if not line.startswith("#")), border.strip("\n"), *content.split("\n")]


def _filled(memory: Memory) -> list[str]:
    values = values_of(memory)
    return [f"{name}: {values[name]}".rstrip() for name in FIELDS]


def values_of(memory: Memory) -> dict[str, str]:
    return {
        "title": memory.title,
        "type": memory.type.value,
        "scope": memory.scope.value,
        "project": memory.project,
        "category": memory.category,
        "confidence": str(memory.confidence),
        "agents": ", ".join(memory.target_agents),
        "content": memory.content,
    }


def read_form(text: str) -> tuple[dict[str, str], list[str]]:
    """What it says, and what cannot be understood."""
    head, border, content = text.replace("\r\n", "\n").partition(f"\n{BORDER}\n")
    found, wrong = {"content": content.strip()}, [] if border else [f"the line {BORDER} above the text is missing"]
    for line in head.split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, value = line.partition(":")
        if not colon or name.strip() not in FIELDS:
            wrong.append(f"{line.strip()!r} is not one of: {', '.join(FIELDS)}")
        else:
            found[name.strip()] = value.strip()
    return found, wrong


def edited(memory: Memory, wanted: Mapping[str, str], project_called: FindProject) -> tuple[Memory, list[str]]:
    """The Memory as wanted, and all that is wrong with it; unnamed fields stay."""
    was = values_of(memory)
    told = was | {name: value.strip() for name, value in wanted.items() if value.strip() != was[name].strip()}
    told |= _in_step(was, told)
    wrong: list[str] = []
    project = _project(memory, told["project"], project_called, wrong)
    made = replace(
        memory,
        title=_title(told["title"], wrong),
        content=_content(told["content"], wrong),
        type=_word(Type, "type", told["type"], memory.type, wrong),
        scope=_word(Scope, "scope", told["scope"], memory.scope, wrong),
        project=project.name,
        project_key=project.key,
        category=told["category"],
        confidence=_confidence(told["confidence"], wrong),
        target_agents=tuple(filter(None, (name.strip() for name in told["agents"].split(",")))),
    )
    return made, wrong


def _in_step(was: Mapping[str, str], told: Mapping[str, str]) -> dict[str, str]:
    """Where title and text are the same sentence, a change of one is a change of both."""
    (old, new), (text, now) = (was["title"], told["title"]), (was["content"].strip(), told["content"].strip())
    if new and new != old and now == text and old and old in text:
        before, _old, behind = text.partition(old)
        ended = new.endswith(SENTENCE_ENDS) and behind.startswith(SENTENCE_ENDS)
        return {"content": f"{before}{new}{behind[1:] if ended else behind}"}
    if now != text and new == old and text.rstrip(SENTENCE_ENDS_TEXT) == old.rstrip(SENTENCE_ENDS_TEXT):
        one_line = " ".join(now.split())
        return {"title": one_line} if 0 < len(one_line) <= LONGEST_TITLE else {}
    return {}


def _title(given: str, wrong: list[str]) -> str:
    if not given:
        wrong.append("title: missing")
    if len(given) > LONGEST_TITLE:
        wrong.append(f"title: at most {LONGEST_TITLE} characters, not {len(given)}")
    return " ".join(given.split())


def _content(given: str, wrong: list[str]) -> str:
    if not given:
        wrong.append("the text below the --- is empty; to remove a memory: lane mem forget")
    if len(given) > LONGEST_CONTENT:
        wrong.append(f"the text is at most {LONGEST_CONTENT} characters, not {len(given)}")
    return given


def _word(words: type[Word], name: str, given: str, was: Word, wrong: list[str]) -> Word:
    try:
        return words(given.lower())
    except ValueError:
        wrong.append(f"{name}: {given!r} is not one of: {', '.join(words)}")
        return was


def _confidence(given: str, wrong: list[str]) -> int:
    if given.isdecimal() and len(given) <= 3 and int(given) <= 100:
        return int(given)
    wrong.append(f"confidence: {given[:20]!r} is not a number from 0 to 100")
    return 0


def _project(memory: Memory, given: str, project_called: FindProject, wrong: list[str]) -> Project:
    was = Project(memory.project, memory.project_key)
    if given in (was.name, was.key):
        return was
    found = project_called(given)
    if found is None:
        wrong.append(f"project: {given!r} is not known here; you can give its folder: ~/code/app")
    return found or was
