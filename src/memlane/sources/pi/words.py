"""Who wrote it, and what? The contents of Pi's messages, and what a person typed where Pi wrote more in its place."""

from __future__ import annotations

from dataclasses import dataclass

from memlane.sources.records import mapping, sequence, text

IMAGE = "[image]"
_SKILL = '<skill name="'
_SKILL_END = "\n</skill>"


@dataclass(frozen=True, slots=True)
class Typed:
    """What a person typed, and the skill it called."""

    words: str
    skill: str = ""


def said(content: object) -> str:
    """A message's words: a string, or blocks of text and images."""
    if isinstance(content, str):
        return text(content)
    blocks = [mapping(block) for block in sequence(content)]
    words = "\n".join(filter(None, (text(block.get("text")) for block in blocks)))
    images = " ".join(IMAGE for block in blocks if block.get("type") == "image")
    return words or images


def typed(words: str) -> Typed:
    """`/skill:name words` stands in the file as the whole skill, then the words."""
    if not words.startswith(_SKILL):
        return Typed(words.strip())
    name = words[len(_SKILL) :].partition('"')[0]
    _, end, rest = words.partition(_SKILL_END + "\n\n")
    if not name or "\n" in name or not (end or words.endswith(_SKILL_END)):
        return Typed(words.strip())
    return Typed(f"/skill:{name} {rest.strip()}".strip(), name)
