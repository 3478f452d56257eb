"""A Skill drafted from a request that came again and again: SKILL.md as agents read it, and the rules it must keep.

It is a draft: it says what was asked, what the Runs did, and leaves the rest to a person.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memlane.domain import Step
from memlane.domain.door import one_line, quoted
from memlane.dream.folder.page import UnreadablePageError, read_head
from memlane.dream.skills import RESERVED, PersonRequest, RequestGroup

FILE = "SKILL.md"
LONGEST_NAME, LONGEST_DESCRIPTION, MOST_LINES = 64, 1024, 500
MOST_STEPS, MOST_ASKED, LONGEST_STEP, LONGEST_QUOTE = 12, 10, 160, 200
FIELDS = frozenset(
    re.findall(
        r"\S+",
        """
        name description license compatibility metadata version allowed-tools disable-model-invocation user-invocable
        argument-hint model context agent hooks
        """,
    )
)
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[\w./-]+")
_SAID = ("command", "file_path", "path", "pattern", "query", "url", "skill", "description")


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing a Run did: which tool, with what; `like` is what makes it the same thing in another Run."""

    tool: str
    with_what: str
    like: str


# -- what the runs did -------------------------------------------------------------------------------------------------


def did(steps: Sequence[Step]) -> list[Deed]:
    """Its calls that went well, each once, in order; what only looks at our own things is left out."""
    found = dict[str, Deed]()
    for step in steps:
        if step.call is not None and not step.call.error and not step.ours:
            given = _given(step.call.input)
            one = Deed(step.call.name, _short(given, LONGEST_STEP), _like(step.call.name, given))
            found.setdefault(one.like, one)
    return list(found.values())


def _given(given: Mapping[str, object]) -> str:
    return next((str(given[name]) for name in _SAID if given.get(name)), "")


def _like(tool: str, given: str) -> str:
    """`git log v1..v2` is the same as `git log v2..v3`."""
    return " ".join((tool.casefold(), *_WORD.findall(_NUMBER.sub("0", given.casefold()))[:2]))


# -- the draft ---------------------------------------------------------------------------------------------------------


def draft(found: RequestGroup, done: Mapping[str, Sequence[Deed]]) -> str:
    """`done`: what each Run did in answer, by Run."""
    wish = _short(found.wish, LONGEST_QUOTE)
    times = f"{len(found.requests)} times in {len(found.runs)} runs"
    description = f"Use when asked for something like: {wish}. Drafted from what was asked {times}."
    head = ("---", f"name: {found.name}", f"description: {json.dumps(description, ensure_ascii=False)}", "---")
    body = (
        f"# {_short(wish, 80)}",
        "",
        f"A draft by Memory Lane: it was asked for {times}{_by(found)}. Read it, change what is wrong, and put the",
        "folder where your agent looks for skills. Nothing installs it for you.",
        "",
        "## When to use it",
        "",
        "It was asked for in these words:",
        "",
        *_asked(found.requests),
        "",
        "## Steps",
        "",
        *_steps(found, done),
    )
    return "\n".join((*head, "", *body, *_minded(found))).rstrip() + "\n"


def _by(found: RequestGroup) -> str:
    agents, machines = ", ".join(found.agents), ", ".join(found.machines)
    return f" ({agents}{f' on {machines}' if machines else ''})" if agents else ""


def _asked(requests: Sequence[PersonRequest]) -> list[str]:
    newest = list(reversed(requests))
    lines = [f'- "{_short(one.text, LONGEST_QUOTE)}" ({_cited(one)})' for one in newest[:MOST_ASKED]]
    rest = [f"{one.run}#t{one.turn}" for one in newest[MOST_ASKED:]]
    return [*lines, *([f"- and in {', '.join(rest)}"] if rest else [])]


def _cited(one: PersonRequest) -> str:
    where = f", {one.agent}{f' on {one.machine}' if one.machine else ''}" if one.agent else ""
    return f"{one.run}#t{one.turn}{where}{f', {one.at:%Y-%m-%d}' if one.at else ''}"


def _steps(found: RequestGroup, done: Mapping[str, Sequence[Deed]]) -> list[str]:
    """In the order of the newest Run that did something; how many others did the same is said."""
    did_something = [run for run in found.runs if done.get(run)]
    if not did_something:
        return ["The runs called no tool: write down here how you want it done."]
    counted = Counter(one.like for run in did_something for one in {d.like: d for d in done[run]}.values())
    newest = done[did_something[-1]]
    often = [one for one in newest if counted[one.like] > 1] or list(newest)
    lines = [f"As {did_something[-1]} did it; what only one run did is left out where others agree.", ""]
    for n, one in enumerate(often[:MOST_STEPS], 1):
        with_what = f": `{one.with_what.replace('`', chr(39))}`" if one.with_what else ""
        lines.append(f"{n}. {_short(one.tool, 60)}{with_what} ({counted[one.like]} of {len(did_something)} runs)")
    return lines


def _minded(found: RequestGroup) -> list[str]:
    if not found.memories:
        return []
    lines = [f"- {_short(m.title, LONGEST_QUOTE)}: {_short(m.content, 400)} ({m.id})" for m in found.memories]
    return ["", "## Related memories", "", *lines]


def _short(text: str, most: int) -> str:
    line = quoted(one_line(text))
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


# -- the rules ---------------------------------------------------------------------------------------------------------


def problems(data: bytes, folder: str) -> list[str]:
    """What an agent that reads this folder would mind; nothing: it is a Skill."""
    try:
        text = data.decode("utf-8")
        fields, body = read_head(text)
    except UnicodeDecodeError:
        return ["it is not UTF-8"]
    except UnreadablePageError as error:
        return [str(error)]
    name, description = fields.get("name", ""), fields.get("description", "")
    found = {
        "there is no name": not name,
        f"name: {name!r} is not small letters, digits and single hyphens": bool(name) and not _NAME.fullmatch(name),
        f"name: at most {LONGEST_NAME} characters": len(name) > LONGEST_NAME,
        f"name: {name!r} is not what its folder is called ({folder!r})": bool(name) and name != folder,
        f"name: {' and '.join(RESERVED)} are reserved": any(word in name for word in RESERVED),
        "there is no description": not description.strip(),
        f"description: at most {LONGEST_DESCRIPTION} characters": len(description) > LONGEST_DESCRIPTION,
        "description: it has a tag in it": _TAG.search(description) is not None,
        "there is nothing below its head": not body.strip(),
        f"at most {MOST_LINES} lines": text.count("\n") > MOST_LINES,
    }
    unknown = sorted(set(fields) - FIELDS)
    return [
        *(what for what, wrong in found.items() if wrong),
        *(f"unknown field {name!r}" for name in unknown),
    ]
