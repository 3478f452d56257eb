"""Fenced blocks that claim a language: do they parse? What is shown as wrong, or as an excerpt, need not.

Shown as wrong or as an excerpt is a block whose info string, whose own comment or the line above it says so, or one
with `...` where something was left out. YAML is not parsed (no parser ships with memlane): what cannot be YAML is
found by its indentation, its brackets and its quotation marks, and everything else passes.
"""

from __future__ import annotations

import ast
import re
import tomllib
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import msgspec

from memlane.catch.checks.yaml_shape import cannot_be_yaml

_FENCE = re.compile(r"^ {0,3}(?:> ?)?(?P<ticks>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$")
_MARKED = re.compile(
    r"\b(wrong|bad|broken|invalid|incorrect|not like|never|do ?n[o']t|avoid|instead of|fails?|failed|rejected|bug(gy)?"
    r"|before|old|excerpts?|extracts?|fragments?|part of|parts? from|partial|snippet of|shortened|cut|abridged"
    r"|incomplete|truncated|malformed|syntax error|falsch|ausschnitt|auszug)\b",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"^\s*(#|//|/\*|<!--|--|;)(?P<says>.*)$", re.MULTILINE)
_STRINGS = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_LEFT_OUT = re.compile(r"\.{3}|…")
_PROMPT = re.compile(r"^(?:>>>|\.\.\.)(?: |$)(.*)$")


@dataclass(frozen=True, slots=True)
class Block:
    language: str
    info: str
    above: str  # the last line before it that says anything
    text: str


def blocks(text: str) -> Iterator[Block]:
    """Fenced blocks; one that nobody closed goes on to the end."""
    above, opened, ticks, lines = "", "", "", list[str]()
    for line in text.splitlines():
        fence = _FENCE.match(line)
        if not ticks:
            if fence:
                ticks, opened, lines = fence["ticks"], fence["info"].strip(), []
            elif line.strip():
                above = line
        elif fence and not fence["info"].strip() and fence["ticks"].startswith(ticks):
            yield _block(opened, above, lines)
            above, ticks = "", ""
        else:
            lines.append(line)
    if ticks:
        yield _block(opened, above, lines)


def _block(info: str, above: str, lines: list[str]) -> Block:
    language, _, rest = info.strip("{}. ").partition(" ")
    return Block(language.strip(",{}").lower(), rest, above, "\n".join(lines) + "\n")


def broken(text: str) -> str | None:
    """The language of the first block that claims one, does not parse, and does not say why."""
    for block in blocks(text):
        parses = _PARSERS.get(block.language)
        if parses is not None and not parses(block.text) and not shown_as_such(block):
            return block.language
    return None


def shown_as_such(block: Block) -> bool:
    if _MARKED.search(block.info) or _MARKED.search(block.above[-160:]):
        return True
    if any(_MARKED.search(comment["says"]) for comment in _COMMENT.finditer(block.text)):
        return True
    return _LEFT_OUT.search(_STRINGS.sub('""', block.text)) is not None


def _json(text: str) -> bool:
    return _runs(lambda: msgspec.json.decode(text.encode("utf-8", "surrogatepass")), msgspec.DecodeError)


def _toml(text: str) -> bool:
    return _runs(lambda: tomllib.loads(text), tomllib.TOMLDecodeError)


def _yaml(text: str) -> bool:
    return not cannot_be_yaml(text)


def _python(text: str) -> bool:
    typed = [found[1] for line in text.splitlines() if (found := _PROMPT.match(line.strip()))]
    source = "\n".join(typed) if typed and text.lstrip().startswith(">>>") else _dedented(text)

    def parse() -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return ast.parse(source, feature_version=None)

    return _runs(parse, SyntaxError, ValueError, MemoryError)


def _dedented(text: str) -> str:
    """A method cut out with its indentation is still Python."""
    lines = [line for line in text.splitlines() if line.strip()]
    indent = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return "\n".join(line[indent:] for line in text.splitlines())


def _runs(parse: Callable[[], object], *faults: type[BaseException]) -> bool:
    try:
        parse()
    except (*faults, RecursionError):
        return False
    return True


_PARSERS: Mapping[str, Callable[[str], bool]] = {
    "json": _json, "toml": _toml, "yaml": _yaml, "yml": _yaml, "python": _python, "py": _python, "python3": _python,
}  # fmt: skip
