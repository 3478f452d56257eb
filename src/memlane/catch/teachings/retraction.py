"""Finds where a person takes a Teaching back in prose: "forget what I said about release days".

Says what it is about, in their words; which Memory that is, and whether it is forgotten, others decide.
"""

from __future__ import annotations

from memlane.catch.teachings.language import language_of, rules_for
from memlane.catch.teachings.own_text import FILLER
from memlane.catch.teachings.sentence import sentences

_ENDS = " \t,.;:!?。、，！？\"'"


def retractions(prompt: str) -> list[str]:
    """What each of them is about, in order."""
    said = sentences(prompt)
    language = language_of(" ".join(one.text.replace(FILLER, "") for one in said))
    found = list[str]()
    for one in said:
        rules = rules_for(one.text, language)
        match = rules.forget.search(one.text)
        if match is None or rules.question.search(one.text) or one.text.rstrip().endswith(("?", "？")):
            continue
        groups = match.groupdict()
        about = (groups.get("about") or groups.get("about2") or "").replace(FILLER, " ").strip(_ENDS)
        found += [about] if about else []
    return found
