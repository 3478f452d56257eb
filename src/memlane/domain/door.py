"""The one way out: whatever a hook, MCP, a page or a terminal shows passes here first.

A text can hide words from a person, move a cursor, close our fence or pass for the harness that reads it. None of
that leaves. Knows characters and tags; secrets are the Gate's work, HTML is the pages'.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import cast

from memlane.domain.fence import FENCE

# Orders to a terminal: colours, cursor moves, the clipboard (OSC 52), the title.
_ESCAPES = re.compile(
    r"(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]{0,8192}(?:\x07|\x1b\\|\x9c)"  # OSC, up to its end
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c\n]{0,8192}(?:\x1b\\|\x9c)"  # DCS, SOS, PM, APC
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI
    r"|\x1b[ -/]*[0-~]?"  # the short ones, and what is left of a torn one
)
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")  # what some reader takes for the end of a line
# Characters that draw nothing or turn the reading order: controls, fillers, zero width, directions, variation
# selectors, tags, private use, halves of a pair. A test compares them with the Unicode tables.
_UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0xF0000, 0x10000))
)
_HIDDEN = re.compile(f"[{_UNSEEN}]+")
# Families of emoji, Persian and Indic words are written with these; anywhere else they carry bits that are not drawn.
_JOINTS = re.compile("[\u200c\u200d\ufe0e\ufe0f]+")
_ODD = re.compile(f"[{_UNSEEN}\u200c\u200d\ufe0e\ufe0f]")
_JOINED_SCRIPTS = ((0x0600, 0x0DFF), (0x1000, 0x109F), (0x1780, 0x18AF))
_KEYCAP = "\u20e3"
# `<` in any of its widths where it begins a tag, closes one, or is a model's own mark (`<|im_start|>`); not `a < b`.
_TAG = re.compile(r"[<＜﹤](?=[!?|｜]|[^\W\d_]|\s*[/／]|\s+[^\W\d_][\w:.-]*\s*(?:[>＞﹥]|\w+\s*=))")
_ESCAPED_TAG = re.compile(r"&lt;(?=[!?|]|[^\W\d_]|\s*/|\s+[^\W\d_])")


class FencedText(str):
    """Text that has its fence already: every tag inside is escaped, and the fence itself must stay."""

    __slots__ = ()


def plain(text: str) -> str:
    """As a person sees it: lines and tabs stay, whatever moves a cursor or is not drawn goes."""
    if not _ODD.search(text):
        return text
    shown = _HIDDEN.sub("", _ESCAPES.sub("", _LINE_ENDS.sub("\n", text)))
    return _JOINTS.sub(_joint, shown)


def one_line(text: str) -> str:
    return " ".join(plain(text).split())


def named(text: str) -> str:
    """The same for somebody who wants to know what was hidden: it is named instead of dropped."""
    if not _ODD.search(text):
        return text
    shown = _HIDDEN.sub(lambda found: _name(found[0]), _LINE_ENDS.sub("\n", text))
    return _JOINTS.sub(lambda found: _joint(found) or _name(found[0]), shown)


def quoted(text: str) -> str:
    """For a model: plain, and no tag in it is one. `<commit-sha>` is still read, as `&lt;commit-sha>`."""
    return _TAG.sub("&lt;", plain(text))


def unquoted(text: str) -> str:
    """What a person or a model gives back of it, as it was."""
    return _ESCAPED_TAG.sub("<", text)


def fenced(text: str, nonce: str, *, tag: str = FENCE, note: str = "", marks: Iterable[str] = ()) -> FencedText:
    """Known as ours by its fence. `text` is quoted here; `note` and `marks` (`index="yes"`) are our own words."""
    said = "".join(f" {mark}" for mark in (*marks, *([f'note="{note}"'] if note else [])))
    return FencedText(f'<{tag} nonce="{nonce}"{said}>\n{quoted(text)}\n</{tag} nonce="{nonce}">')


def relayed(value: object) -> object:
    """What another door of ours has let out already, at any depth: fences stay, what nobody sees does not."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, Mapping):
        return {plain(str(key)): relayed(inner) for key, inner in cast(Mapping[object, object], value).items()}
    if isinstance(value, list | tuple):
        return [relayed(inner) for inner in cast(Iterable[object], value)]
    return value


def leaving(value: object) -> object:
    """An answer for an agent, every string in it fit to be read by a model: names too, at any depth."""
    if isinstance(value, FencedText):
        return str(plain(value))
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        pairs = cast(Mapping[object, object], value).items()
        return {quoted(str(key)): leaving(inner) for key, inner in pairs}
    if isinstance(value, list | tuple):
        return [leaving(inner) for inner in cast(Iterable[object], value)]
    return value


def in_json(text: str) -> str:
    """JSON for a program, nothing lost: what is not drawn is written as `\\u202e`. A terminal may show it."""
    return _ODD.sub(lambda found: _escape(found[0]), text)


def is_hidden(character: str) -> bool:
    return _HIDDEN.match(character) is not None


def _joint(found: re.Match[str]) -> str:
    """A joiner or a selector that draws something where it is; else nothing."""
    before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
    match found[0]:
        case "\ufe0e" | "\ufe0f":
            keeps = _is_symbol(before) or (before in "0123456789#*" and before != "" and after == _KEYCAP)
        case "\u200d" if _is_symbol(before) and _is_symbol(after):
            keeps = True
        case "\ufe0f\u200d":
            keeps = _is_symbol(before) and _is_symbol(after)
        case "\u200c" | "\u200d":
            keeps = _joins(before) and _joins(after)
        case _:
            keeps = False
    return found[0] if keeps else ""


def _is_symbol(character: str) -> bool:
    return bool(character) and not character.isascii() and unicodedata.category(character) in ("So", "Sk", "Sm", "Po")


def _joins(character: str) -> bool:
    return bool(character) and any(first <= ord(character) <= last for first, last in _JOINED_SCRIPTS)


def _name(hidden: str) -> str:
    first = unicodedata.name(hidden[0], "").lower() or f"U+{ord(hidden[0]):04X}"
    return f"⟨{first} +{len(hidden) - 1}⟩" if len(hidden) > 1 else f"⟨{first}⟩"


def _escape(character: str) -> str:
    pair = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{pair[n : n + 2].hex()}" for n in range(0, len(pair), 2))
