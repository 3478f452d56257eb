"""What a tool call was meant to reach, and where one that failed was reached in the end: a recovery.

Tells goals apart by the command and by the file; what an agent merely looked at has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memlane.catch.phrases import drops_it
from memlane.domain import Author, Kind, Signal, Spot, Step, ToolCall, Trigger

REACH = 12  # Steps from the first failure to what worked: nearer the end than that, a failure is another story
COMMANDS = ("command", "cmd", "script", "code")  # what shells call what they are given

_LOOKING_WORDS = """
ls cat grep rg find head tail which where type test diff echo printf pwd cd wc stat file tree less more sed
awk ps df du env printenv true false sleep history man whoami date kill pkill jobs jq sort uniq
"""
_WRAPPERS_WORDS = "sudo env time timeout nohup nice exec command npx bunx uvx xargs stdbuf"
_STARTS_ANOTHER_WORDS = "python python3 node bash sh zsh ruby perl php deno bun uv poetry pipenv mise just"
_HAVE_VERBS_WORDS = """
git npm pnpm yarn pip pip3 cargo go docker podman kubectl helm make gh glab brew apt apt-get dnf gem bundle
mvn gradle dotnet terraform aws gcloud az systemctl conda composer mix rails rake turbo nx vercel fly supabase
"""
_LOOKING = frozenset(_LOOKING_WORDS.split())
_WRAPPERS = frozenset(_WRAPPERS_WORDS.split())
_STARTS_ANOTHER = frozenset(_STARTS_ANOTHER_WORDS.split())
_HAVE_VERBS = frozenset(_HAVE_VERBS_WORDS.split())
_SAME_VERB = {"ci": "install", "i": "install", "add": "install", "t": "test", "up": "start", "get": "install"}
_APART = re.compile(r"&&|\|\||[;\n]")
_ASSIGNMENT = re.compile(r"\w+=\S*")
_FAILED_ANYWAY = re.compile(r"^\s*(?:Exit code|exit status|Command failed with exit code):? [1-9]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Goal:
    """Two calls are after the same if these are equal."""

    what: str
    verb: str = ""


@dataclass(frozen=True, slots=True)
class _Try:
    at: int
    spot: Spot
    goal: Goal
    said: str  # the command, else the tool's name
    failed: bool


def recoveries(steps: Sequence[tuple[Spot, Step]]) -> Iterator[Trigger]:
    """Failed, failed, then worked; or failed once, and another way worked. They never overlap."""
    failures: list[_Try] = []
    for at, (spot, step) in enumerate(steps):
        if step.kind is Kind.PROMPT and step.author is Author.PERSON and drops_it(step.text):
            failures = []
        for each in _tries(at, spot, step):
            if each.failed:
                failures.append(each)
                continue
            before = [other for other in failures if _belongs(other, each)]
            if _is_recovery(before, each):
                yield Trigger(Signal.RECOVERY, before[0].spot, each.spot)
                failures = []
            else:
                failures = [other for other in failures if other.goal != each.goal]


def _belongs(failure: _Try, worked: _Try) -> bool:
    near = worked.at - failure.at < REACH and worked.spot.turn - failure.spot.turn <= 1
    return near and failure.goal == worked.goal


def _is_recovery(failures: Sequence[_Try], worked: _Try) -> bool:
    ways = {each.said for each in (*failures, worked)}
    return len(failures) >= 2 or (len(failures) == 1 and len(ways) == 2 and worked.goal.verb != "")


def _tries(at: int, spot: Spot, step: Step) -> Iterator[_Try]:
    """A chain of commands is one try: at what it ends with."""
    if step.call is None:
        return
    goal, said = goal_of(step.call)
    if goal is not None:
        yield _Try(at, spot, goal, said, has_failed(step.call))


def has_failed(call: ToolCall) -> bool:
    return call.error or _FAILED_ANYWAY.match(call.result[:80]) is not None


def goal_of(call: ToolCall) -> tuple[Goal | None, str]:
    command = next((given for name in COMMANDS if isinstance(given := call.input.get(name), str)), None)
    if command is not None:
        return _goal_of_command(command), " ".join(command.split())
    if call.files:
        return (Goal(f"{call.name} {call.files[0]}") if call.changes or call.error else None), call.name
    return Goal(call.name), call.name


def _goal_of_command(command: str) -> Goal | None:
    parts = [words for part in _APART.split(command) if (words := _words(part))]
    telling = [words for words in parts if words[0] not in _LOOKING]
    if not telling:
        return None
    program, *rest = telling[-1]
    if program in _HAVE_VERBS:
        verb = next((word for word in rest if not word.startswith("-")), "")
        return Goal(program, _SAME_VERB.get(verb, verb))
    return Goal(program, "run")


def _words(part: str) -> list[str]:
    """Of one simple command, from its program on: what only starts another is left away."""
    words = part.split("|")[0].split()
    while words and (_ASSIGNMENT.fullmatch(words[0]) or words[0] in _WRAPPERS or words[0].isdigit()):
        words = words[1:]
    if len(words) > 1 and words[0] in _STARTS_ANOTHER:
        inner = [word for word in words[1:] if not word.startswith("-") and word not in ("run", "exec", "tool")]
        words = inner or words[:1]
    return [words[0].rsplit("/", 1)[-1], *words[1:]] if words else []
