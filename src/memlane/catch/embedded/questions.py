"""What the agent had asked, the options it gave, and which of them a person's answer means. Never a guess."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memlane.catch.embedded.features import content_words
from memlane.catch.embedded.sentences import capital, clipped, plain

_QUESTION = re.compile(r"[^.!?\n]*\?(?=\W*(?:\n|$|\s[A-Z(]))")
_MARK = r"([A-Da-d1-6])"
_LISTED = re.compile(
    rf"^\s*(?:[-*]\s+)?(?:\*\*)?(?:option\s+)?{_MARK}(?:\*\*)?\s*[.):—-]+\s*(?:\*\*)?\s*(\S.*)$", re.M | re.I
)
_LEADS_TO_IT = r"(?:ok|okay|yes|yeah|sure|i think|let'?s (?:do|go with|go|use)|go with|i'd go with|i prefer)"
_PICKED = re.compile(
    rf"^\W*(?:{_LEADS_TO_IT}[,\s]+)*(?:option\s+|number\s+|#)?{_MARK}\b"
    r"(?=\s*(?:$|[.,;:)!–-]|\s(?:please|but|and|is|sounds|with|since|because|as|it)))",
    re.I,
)
_CHOOSES = re.compile(r"\b(?:which|options?|prefer\w*|either|approach(?:es)?|choose|pick|choices?)\b", re.I)
_ORDINAL = {"first": 0, "former": 0, "second": 1, "latter": 1, "third": 2, "fourth": 3}
_WANTS = r"(?:should|shall|do you want(?: me)?|would you (?:like|prefer|rather)(?: me)?|want me|can|may|will)"
_OR_WANTS = r"(?:(?:should|shall) (?:i|we) |do you (?:want|prefer) (?:me )?(?:to )?|(?:would|do) you rather )?"
_EITHER = re.compile(
    rf"^(?:.*?\b{_WANTS}\s+(?:i|we|to|it|me|for me)?\s*(?:to\s+)?)(?P<one>.+?),?\s+or\s+{_OR_WANTS}(?P<other>.+?)\?$",
    re.I,
)
_LONGEST_OPTION, _LONGEST_QUESTION = 160, 300


@dataclass(frozen=True, slots=True)
class AgentQuestion:
    """`options` in the order the agent gave them; `picked` counts from 0 and is None where the answer names none."""

    text: str
    options: tuple[str, ...] = ()
    picked: int | None = None

    @property
    def chosen(self) -> str:
        return "" if self.picked is None else self.options[self.picked]

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(option for n, option in enumerate(self.options) if n != self.picked)


def question(before: str, answer: str) -> AgentQuestion | None:
    """The last one, if the agent's words end with it."""
    found = [plain(each[0]) for each in _QUESTION.finditer(before) if not _LISTED.match(each[0])]
    if not found or before.rstrip()[-400:].find("?") < 0:
        return None
    text = found[-1]
    listed = [(mark.lower(), clipped(_bare(option), _LONGEST_OPTION)) for mark, option in _LISTED.findall(before)]
    if len(listed) > 1 and len(dict(listed)) == len(listed) and _CHOOSES.search(before):
        return AgentQuestion(text, tuple(option for _mark, option in listed), _by_mark(answer, listed))
    if len(text) <= _LONGEST_QUESTION and (either := _EITHER.match(text)):
        options = (clipped(_bare(either["one"]), _LONGEST_OPTION), clipped(_bare(either["other"]), _LONGEST_OPTION))
        return AgentQuestion(text, options, _by_words(answer, options))
    return AgentQuestion(text)


def _bare(option: str) -> str:
    return re.sub(r"\s+(?:—|–|-|\()\s*.*$", "", plain(option)) if len(option) > _LONGEST_OPTION else plain(option)


def _by_mark(answer: str, listed: list[tuple[str, str]]) -> int | None:
    marks = [mark for mark, _option in listed]
    if (picked := _PICKED.match(answer)) and picked[1].lower() in marks:
        return marks.index(picked[1].lower())
    for word, place in _ORDINAL.items():
        if re.search(rf"\b(?:the )?{word} (?:one|option|approach|way)\b", answer, re.I) and place < len(listed):
            return place
    return _by_words(answer, tuple(option for _mark, option in listed))


def _by_words(answer: str, options: tuple[str, ...]) -> int | None:
    """The one whose own words the answer uses, if it is only one, and the answer does not say "not"."""
    if re.search(r"\b(?:not|don'?t|neither|none|no)\b", answer[:80], re.I):
        return None
    said = content_words(answer)
    own = [content_words(o) - frozenset().union(*(content_words(x) for x in options if x != o)) for o in options]
    shares = [len(said & words) / max(1, len(words)) for words in own]
    best = max(shares, default=0.0)
    fits = [n for n, share in enumerate(shares) if share == best]
    return fits[0] if best >= 0.5 and len(fits) == 1 else None


def chose(asked: AgentQuestion) -> str:
    """ "Start fresh, not migrate the old ones"."""
    chosen = capital(asked.chosen.rstrip(".?!:"))
    return f"{chosen}, not {asked.others[0].rstrip('.?!:')}" if len(asked.options) == 2 else chosen
