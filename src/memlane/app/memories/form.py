"""A Memory as a small text form: what a person may change of it, and what is wrong with what they wrote.

Knows text and rules; neither editors nor storage.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TypeVar

from memlane.app.home.memory_rules import LONGEST_CONTENT, LONGEST_TITLE
from memlane.domain import LONGEST_CUE, LONGEST_WHEN, MOST_CUES, Memory, Occasion, Project, Scope, Type, cues_of

FIELDS = ("title", "type", "scope", "project", "category", "confidence", "agents", "when", "always", "cue")
CUE = "cue"  # each on a line of its own
BORDER = "---"
SENTENCE_ENDS_TEXT = ".!?。"
SENTENCE_ENDS = tuple(SENTENCE_ENDS_TEXT)
_HELP = (
    "# Edit, save and close. Lines that begin with # are ignored; the text is below the ---.",
    f"# type: {', '.join(Type)}",
    "# when: where it matters, in one phrase. always: yes for a standing rule, else no.",
    "# cue: what you may type where it matters; each on a line of its own",
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
    lines = [f"{name}: {values[name]}".rstrip() for name in FIELDS if name != CUE]
    return [*lines, *(f"{CUE}: {cue}".rstrip() for cue in memory.cues or ("",))]


def values_of(memory: Memory) -> dict[str, str]:
    return {
        "title": memory.title,
        "type": memory.type.value,
        "scope": memory.scope.value,
        "project": memory.project,
        "category": memory.category,
        "confidence": str(memory.confidence),
        "agents": ", ".join(memory.target_agents),
        "when": memory.when,
        "always": "yes" if memory.always else "no",
        "cues": "\n".join(memory.cues),
        "content": memory.content,
    }


def read_form(text: str) -> tuple[dict[str, str], list[str]]:
    """What it says, and what cannot be understood."""
    head, border, content = text.replace("\r\n", "\n").partition(f"\n{BORDER}\n")
    found, wrong = (
        {"content": content.strip(), "cues": ""},
        [] if border else [f"the line {BORDER} above the text is missing"],
    )
    for line in head.split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, value = line.partition(":")
        if not colon or name.strip() not in FIELDS:
            wrong.append(f"{line.strip()!r} is not one of: {', '.join(FIELDS)}")
        elif name.strip() == CUE:
            found["cues"] = f"{found.get('cues', '')}\n{value.strip()}".strip()
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
    wanted_then = Occasion(told["when"], _yes(told["always"], wrong), tuple(told["cues"].splitlines()))
    wrong += too_long(wanted_then)
    return matters(made, wanted_then), wrong


def matters(memory: Memory, then: Occasion) -> Memory:
    return replace(memory, when=" ".join(then.when.split()), always=then.always, cues=cues_of(then.cues))


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


def _yes(given: str, wrong: list[str]) -> bool:
    if given not in ("yes", "no"):
        wrong.append(f"always: {given[:20]!r} is not yes or no")
    return given == "yes"


def too_long(then: Occasion) -> list[str]:
    """What is wrong with how it was written, in the words of the form."""
    when, cues = then.when, then.cues
    wrong = [f"when: at most {LONGEST_WHEN} characters, not {len(when)}"] if len(when) > LONGEST_WHEN else []
    if (count := len([cue for cue in cues if cue.strip()])) > MOST_CUES:
        wrong.append(f"cue: at most {MOST_CUES}, not {count}")
    longest = max(map(len, cues), default=0)
    return wrong + ([f"cue: at most {LONGEST_CUE} characters each, not {longest}"] if longest > LONGEST_CUE else [])


def _project(memory: Memory, given: str, project_called: FindProject, wrong: list[str]) -> Project:
    was = Project(memory.project, memory.project_key)
    if given in (was.name, was.key):
        return was
    found = project_called(given)
    if found is None:
        wrong.append(f"project: {given!r} is not known here; you can give its folder: ~/code/app")
    return found or was
