"""What is not worth remembering because a checkout, git or the terminal says it, or because it is over by tomorrow.

Every sentence of a Draft has to be of that sort, and none may give a reason or a rule: precision first. The sentences
are in `unstored.toml`.
"""

from __future__ import annotations

import re

from memlane.catch.worded import worded
from memlane.claims import claimed

SHARE_OF_LOG = 0.5  # of the lines: an error quoted in a lesson is less
SHORT = 4  # lines: fewer have to be a log from the first to the last
_FILE = "checks/unstored.toml"
_RULES = ("code-structure", "history", "task-state")
_SENTENCES = re.compile(r"(?<=[.!?])[)\"'’”]*\s+|\n+|;\s+")
_SAYING = re.compile(
    r"^(?:the )?(?:person|user|agent|assistant|they|he|she)(?: \w+)? (?:said|says|wrote|asked|typed|noted|reported)"
    r"(?: that)?[:,]? +(?=[\"'“‘`]|\w)",
    re.IGNORECASE,
)
_EDGES = " \t-*#>\"'“”‘’.!?:,()"


def unstored(title: str, content: str) -> str | None:
    """The name of the rule that says no."""
    if _is_log(title, content):
        return "log"
    text = claimed(f"{title}\n{content}")
    if lasts(text):
        return None
    rules = [_rule(sentence) for sentence in _SENTENCES.split(text) if re.search(r"\w", sentence)]
    return rules[0] if rules and None not in rules else None


def lasts(text: str) -> bool:
    """Whether it gives a reason or a rule."""
    return worded(_FILE)["lasts"].search(text) is not None


def _rule(sentence: str) -> str | None:
    plain = sentence.strip(" \t-*#>")
    said = (plain.strip(_EDGES), _SAYING.sub("", plain).strip(_EDGES))
    return next((rule for rule in _RULES if any(map(worded(_FILE)[rule].search, said))), None)


def _is_log(title: str, content: str) -> bool:
    logged = worded(_FILE)["log"]
    lines = [line for line in content.splitlines() if line.strip() and not line.lstrip().startswith(("```", "~~~"))]
    printed = sum(logged.search(line) is not None for line in lines)
    if len(lines) < SHORT:
        return bool(lines) and printed == len(lines) and (title in content or logged.search(title) is not None)
    return printed > SHARE_OF_LOG * len(lines)
