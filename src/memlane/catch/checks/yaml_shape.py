"""What certainly is not YAML. Not a parser: it never calls YAML broken that a parser would read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

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
    return not line.strip(" -") or (line.endswith(":") and text[at - 1] == " ")


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
