"""What certainly is not YAML. Not a parser: it never calls YAML broken that a parser would read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

_KEY = re.compile(r"(?:[^\s\-#'\"{}\[\]&*!|>%@`,:][^#\n]*?|\"[^\"\n]*\"|'[^'\n]*')\s*:(?=\s|$)")
_SCALAR = re.compile(r"(?:^|[:\-?]\s+)(?:[!&]\S+\s+)*[|>][0-9+-]*\s*(?:#.*)?$")
_OPENERS = {"{": "}", "[": "]"}


def cannot_be_yaml(text: str) -> bool:
    lines = list(_own_lines(text))
    if any(line.lstrip(" ").startswith("\t") and line.strip() for line in lines):
        return True
    return _open_at_the_end("\n".join(lines)) or any(map(_two_mappings, lines)) or _loose(lines)


def _own_lines(text: str) -> Iterator[str]:
    """Without what stands in block scalars, where anything may."""
    inside: int | None = None
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip(" "))
        if inside is not None and (not line.strip() or indent > inside):
            continue
        inside = indent if _SCALAR.search(line) else None
        yield line


def _open_at_the_end(text: str) -> bool:
    """Brackets or quotation marks that begin a value and are never closed."""
    waiting, quote, before = list[str](), "", "\n"
    skip = False
    for at, character in enumerate(text):
        if skip:
            skip = False
        elif quote:
            if quote == '"' and character == "\\":
                skip = True
            elif character == quote:
                quote = ""
        elif character == "#" and before in " \n":
            return _open_at_the_end(_without_comment(text, at)) if not waiting else _still_open(text, at, waiting)
        elif character in "\"'" and (before in " \n[{,(:-" and _begins_a_value(text, at, waiting)):
            quote = character
        elif character in _OPENERS and (waiting or _begins_a_value(text, at, waiting)):
            waiting.append(_OPENERS[character])
        elif waiting and character == waiting[-1]:
            waiting.pop()
        before = character
    return bool(waiting or quote)


def _begins_a_value(text: str, at: int, waiting: list[str]) -> bool:
    """Not in the middle of a plain scalar, where quotation marks and brackets are only characters."""
    if waiting:
        return text[:at].rstrip(" \n")[-1:] in ("[", "{", ",", ":")
    line = text[text.rfind("\n", 0, at) + 1 : at].rstrip(" ")
    return not line.strip() or (line.endswith((":", "-")) and line.lstrip(" -") in ("", line.lstrip(" -").strip()))


def _without_comment(text: str, at: int) -> str:
    end = text.find("\n", at)
    return text[:at].rstrip(" ") + (text[end:] if end >= 0 else "")


def _still_open(text: str, at: int, waiting: list[str]) -> bool:
    return _open_at_the_end(_without_comment(text, at)) and bool(waiting)


def _two_mappings(line: str) -> bool:
    """`a: b: c` on one line, outside quotation marks and brackets."""
    rest = re.sub(r"^\s*(?:-\s+)*", "", re.sub(r"\s#.*$", "", line))
    found = _KEY.match(rest)
    if found is None or not rest[found.end() :].strip():
        return False
    value = rest[found.end() :].strip()
    return value[0] not in "\"'{[&*!|>" and re.search(r"\S:\s", value + "\n") is not None and ": " in value


def _loose(lines: list[str]) -> bool:
    """A word by itself between keys of the same indentation."""
    said = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    for first, second in pairwise(said):
        same = len(first) - len(first.lstrip()) == len(second) - len(second.lstrip())
        plain = re.fullmatch(r"\s*\w+", second) is not None
        whole = re.fullmatch(r"\s*[\w.-]+:\s+[\w.-]+", first) is not None
        if same and plain and whole:
            return True
    return False
