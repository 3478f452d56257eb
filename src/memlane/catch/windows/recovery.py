"""Where something failed and was reached in the end, and what a tool call was meant to reach."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from memlane.catch.phrases import drops_it
from memlane.domain import Author, Kind, Signal, Spot, Step, ToolCall, Trigger

REACH = 12  # Steps from the first failure to what worked: farther back, a failure is another story
_FAILED_ANYWAY = re.compile(r"^\s*(?:Exit code|exit status|Command failed with exit code):? [1-9]", re.IGNORECASE)


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
    changed = 0  # where a file was last changed
    for at, (spot, step) in enumerate(steps):
        if step.kind is Kind.PROMPT and step.author is Author.PERSON and drops_it(step.text):
            failures = []
        if step.call is not None and step.call.changes:
            changed = at
        each = _try(at, spot, step)
        if each is None:
            continue
        if each.failed:
            failures.append(each)
            continue
        before = [other for other in failures if _belongs(other, each)]
        if _is_recovery(before, each, changed):
            yield Trigger(Signal.RECOVERY, before[0].spot, each.spot)
            failures = []
        else:
            failures = [other for other in failures if not other.goal.same(each.goal)]


def _belongs(failure: _Try, worked: _Try) -> bool:
    near = worked.at - failure.at < REACH and worked.spot.turn - failure.spot.turn <= 1
    return near and failure.goal.same(worked.goal)


def _is_recovery(failures: Sequence[_Try], worked: _Try, changed: int) -> bool:
    """Once red, then mended, then green is work as usual; once red, then green in another way is not."""
    if len(failures) != 1:
        return len(failures) > 1
    (failure,) = failures
    return failure.said != worked.said and worked.goal.verb != "" and not failure.at < changed < worked.at


def _try(at: int, spot: Spot, step: Step) -> _Try | None:
    """A chain of commands is one try, at what it ends with."""
    if step.call is None:
        return None
    goal, said = goal_of(step.call)
    return None if goal is None else _Try(at, spot, goal, said, has_failed(step.call))


def has_failed(call: ToolCall) -> bool:
    return call.error or _FAILED_ANYWAY.match(call.result[:80]) is not None


ALIKE = 0.5  # of the words of the shorter command
COMMANDS = ("command", "cmd", "script", "code")  # what shells call what they are given

_LOOKING_WORDS = """
ls nl netstat journalctl lsof ss top Get-Content Get-ChildItem
cat grep rg find head tail which where type test diff echo printf pwd cd wc stat file tree less more sed
awk ps df du env printenv true false sleep history man whoami date kill pkill jobs jq sort uniq
"""
_WRAPPERS_WORDS = "& sudo env time timeout nohup nice exec command npx bunx uvx xargs stdbuf"
_STARTS_ANOTHER_WORDS = "python python3 node bash sh zsh ruby perl php deno uv poetry pipenv mise just"
_HAVE_VERBS_WORDS = """
git npm pip cargo go docker podman kubectl helm make gh glab brew apt apt-get dnf gem bundle
mvn gradle dotnet terraform aws gcloud az systemctl conda composer mix rails rake turbo nx vercel fly supabase
"""
_LOOKING = frozenset(_LOOKING_WORDS.split())
_WRAPPERS = frozenset(_WRAPPERS_WORDS.split())
_STARTS_ANOTHER = frozenset(_STARTS_ANOTHER_WORDS.split())
_HAVE_VERBS = frozenset(_HAVE_VERBS_WORDS.split())
_DEEP_VERBS_WORDS = "gh glab aws gcloud az"  # `gh pr diff` and `gh pr view` are two things
_DEEP_VERBS = frozenset(_DEEP_VERBS_WORDS.split())
_INSTALLING_WORDS = "npm pip cargo go composer gem bundle brew apt dnf dotnet"
_INSTALLING = frozenset(_INSTALLING_WORDS.split())
_SAME_VERB = {"ci": "install", "i": "install", "add": "install", "t": "test", "up": "start", "get": "install"}
_SAME_PROGRAM = {"pnpm": "npm", "yarn": "npm", "bun": "npm", "pip3": "pip", "conda": "pip", "apt-get": "apt"}
_VALUED = re.compile(r"(?:^|(?<= ))(?:-C|--prefix|--filter|--cwd|-w|-n|--namespace|--context) \S+")
_WORD = re.compile(r"[\w.]+")
_APART = re.compile(r"&&|\|\||[;\n]")
_HERE = re.compile(r"<<-?\s*['\"\\]?\w")  # what follows is text, not commands
_SCRIPT = re.compile(r".+\.(?:sh|py|js|ts|rb|pl|mjs|ps1)")
_ASSIGNMENT = re.compile(r"\w+=\S*")


@dataclass(frozen=True, slots=True)
class Goal:
    """Program and verb, or tool and file; where we know no verbs of a program, its words have to be alike too."""

    what: str
    verb: str = ""
    words: frozenset[str] = frozenset()

    def same(self, other: Goal) -> bool:
        if (self.what, self.verb) != (other.what, other.verb):
            return False
        return not self.words or len(self.words & other.words) > ALIKE * min(len(self.words), len(other.words))


def goal_of(call: ToolCall) -> tuple[Goal | None, str]:
    command = next((given for name in COMMANDS if (given := _command(call.input.get(name)))), "")
    if command:
        return _goal_of_command(command), " ".join(command.split())
    if call.files:
        return (Goal(f"{call.name} {call.files[0]}") if call.changes or call.error else None), call.name
    return Goal(call.name), call.name


def _command(given: object) -> str:
    """As a line, or in words: `["bash", "-lc", "npm ci"]`."""
    if isinstance(given, list):
        words = [str(word) for word in cast("list[object]", given)]
        return words[-1] if words[:1] in (["bash"], ["sh"], ["zsh"]) else " ".join(words)
    return given if isinstance(given, str) else ""


def _goal_of_command(command: str) -> Goal | None:
    parts = [words for part in _APART.split(_HERE.split(command)[0]) if (words := _words(part))]
    telling = [words for words in parts if words[0] not in _LOOKING]
    if not telling:
        return None
    program, *rest = telling[-1]
    program = _SAME_PROGRAM.get(program, program)
    plain = [word for word in _VALUED.sub("", " ".join(rest)).split() if not word.startswith("-")]
    if program in _DEEP_VERBS:
        return Goal(program, " ".join(plain[:2]))
    if program in _HAVE_VERBS or _SCRIPT.fullmatch(program):
        verb = next(iter(plain), "")
        return Goal(program, _SAME_VERB.get(verb, verb) if program in _INSTALLING else verb)
    return Goal(program, "run", frozenset(_WORD.findall(" ".join((program, *rest)))))


def _words(part: str) -> list[str]:
    """Of one simple command, from its program on: what only starts another is left away."""
    words = part.split("|")[0].replace('"', " ").replace("'", " ").split()
    while words and (_ASSIGNMENT.fullmatch(words[0]) or words[0] in _WRAPPERS or words[0].isdigit()):
        words = words[1:]
    if words[:1] == ["ssh"] and len(words) > 2:  # what is done there, wherever it is
        words = [word for word in words[1:] if not word.startswith("-")][1:]
    if len(words) > 1 and words[0] in _STARTS_ANOTHER:
        inner = [word for word in words[1:] if not word.startswith("-") and word not in ("run", "exec", "tool")]
        words = inner or words[:1]
    return [re.split(r"[/\\]", words[0])[-1], *words[1:]] if words else []
