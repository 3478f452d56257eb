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
from itertools import pairwise

import msgspec

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
class CodeBlock:
    language: str
    info: str
    above: str  # the last line before it that says anything
    text: str


def blocks(text: str) -> Iterator[CodeBlock]:
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


def _block(info: str, above: str, lines: list[str]) -> CodeBlock:
    language, _, rest = info.strip("{}. ").partition(" ")
    return CodeBlock(language.strip(",{}").lower(), rest, above, "\n".join(lines) + "\n")


def broken(text: str) -> str | None:
    """The language of the first block that claims one, does not parse, and does not say why."""
    for block in blocks(text):
        parses = _PARSERS.get(block.language)
        if parses is not None and not parses(block.text) and not shown_as_such(block):
            return block.language
    return None


def shown_as_such(block: CodeBlock) -> bool:
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


_KEY = re.compile(r"(?:[^\s\-#'\"{}\[\]&*!|>%@`,:][^#\n]*?|\"[^\"\n]*\"|'[^'\n]*')\s*:(?=\s|$)")
_SCALAR = re.compile(r"(?:^|[:\-?]\s+)(?:[!&]\S+\s+)*[|>][0-9+-]*\s*(?:#.*)?$")
_OPENERS = {"{": "}", "[": "]"}


def cannot_be_yaml(text: str) -> bool:
    own = _plain("\n".join(_own_lines(text)))
    if own is None:
        return True
    lines = own.splitlines()
    tabbed = any(line.lstrip(" ").startswith("\t") and line.strip() for line in lines)
    return tabbed or any(map(_two_mappings, lines)) or _loose(lines)


def _own_lines(text: str) -> Iterator[str]:
    """Without what stands in block scalars, where anything may."""
    inside: int | None = None
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip(" "))
        if inside is not None and (not line.strip() or indent > inside):
            continue
        inside = indent if _SCALAR.search(line) else None
        yield line


def _plain(text: str) -> str | None:
    """One letter for what is in quotation marks or brackets, comments left out. None: something is never closed."""
    waiting, kept, at = list[str](), list[str](), 0
    while at < len(text):
        character, before = text[at], text[at - 1] if at else "\n"
        if character == "#" and before in " \n":
            at = _until(text, "\n", at) - 1
        elif character in "\"'" and _begins_a_value(text, at, waiting):
            at = _until(text, character, at + 1)
            if at == len(text):
                return None
            kept.append("" if waiting else "x")
        elif character in _OPENERS and _begins_a_value(text, at, waiting):
            waiting.append(_OPENERS[character])
        elif waiting and character == waiting[-1]:
            waiting.pop()
            kept.append("" if waiting else "x")
        elif not waiting:
            kept.append(character)
        at += 1
    return None if waiting else "".join(kept)


def _until(text: str, mark: str, at: int) -> int:
    """Where the mark stands next, or the end. What is escaped in double quotation marks is no mark."""
    while at < len(text) and text[at] != mark:
        at += 2 if mark == '"' and text[at] == "\\" else 1
    return min(at, len(text))


def _begins_a_value(text: str, at: int, waiting: list[str]) -> bool:
    """Not in the middle of a plain scalar, where quotation marks and brackets are only characters."""
    if waiting:
        return text[max(0, at - 200) : at].rstrip(" \n")[-1:] in ("[", "{", ",", ":")
    line = text[text.rfind("\n", 0, at) + 1 : at].rstrip(" ")
    return not line.strip(" -?") or (line.endswith(":") and text[at - 1] == " ")


def _two_mappings(line: str) -> bool:
    """`a: b: c` on one line, outside quotation marks and brackets."""
    rest = re.sub(r"^\s*(?:-\s+)*", "", line)
    found = _KEY.match(rest)
    if found is None or not rest[found.end() :].strip():
        return False
    value = rest[found.end() :].strip()
    return value[0] not in "\"'{[&*!|>" and re.search(r"\S:\s", value + "\n") is not None and ": " in value


def _loose(lines: list[str]) -> bool:
    """A word by itself between keys of the same indentation."""
    said = [line for line in lines if line.strip()]
    for first, second in pairwise(said):
        same = len(first) - len(first.lstrip()) == len(second) - len(second.lstrip())
        plain = re.fullmatch(r"\s*\w+", second) is not None
        whole = re.fullmatch(r"\s*[\w.-]+:\s+[\w.-]+", first) is not None
        if same and plain and whole:
            return True
    return False
