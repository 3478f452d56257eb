"""How an extractor did so far, and whether its word is enough yet. Pure: the Journal is read elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

ANSWERS = 20  # the first ones of a model that nobody knows
AGREEING = 14  # of them: labelled answers agree with the classifier in 83 of 100, keeping everything in 45
TELLING = 3  # of them have something to remember: whoever says nothing twenty times has shown nothing
LOOKED_AT = 5  # Memories a person has answered before their answers say something
BAD_FROM = 10  # Memories a person has answered before half of them rejected is no accident
BAD_SHARE = 0.5
INVENTED_SHARE = 0.5  # of its answers hold a quote that is not in the Window
# Models and agents whose reading was measured, or that are of the same make. By how their name begins.
_KNOWN_MODELS = ("claude", "gpt-4", "gpt-5", "gemini-2.5", "gemini-3")
_KNOWN_PROGRAMS = frozenset({"claude", "codex", "gemini", "copilot"})


@dataclass(frozen=True, slots=True)
class ExtractorRecord:
    """`answers` and below are Windows it read; `accepted` and below are Memories of it that a person answered."""

    name: str  # model/openai/qwen-1.5b
    answers: int = 0
    agreeing: int = 0  # of the first ANSWERS, those that agree with the classifier
    telling: int = 0  # of these, those with something to remember
    inventing: int = 0  # with a quote that is not in the Window
    accepted: int = 0  # kept or edited
    rejected: int = 0  # forgotten or retired

    @property
    def looked_at(self) -> int:
        return self.accepted + self.rejected

    @property
    def approval(self) -> float:
        """Of what a person looked at; half where nobody has."""
        return self.accepted / self.looked_at if self.looked_at >= LOOKED_AT else 0.5

    @property
    def invention(self) -> float:
        return self.inventing / self.answers if self.answers else 0.0

    @property
    def called(self) -> str:
        """As a person knows it: qwen-1.5b."""
        return self.name.rpartition("/")[2]


def name_of(maker: str) -> str:
    """`model@3/openai/qwen-1.5b` → `model/openai/qwen-1.5b`: another prompt is no other reader."""
    extractor, _, version = maker.partition("@")
    return "/".join(filter(None, (extractor, version.partition("/")[2])))


def on_probation(record: ExtractorRecord) -> bool:
    """Its Memories wait for a person: it is new and unknown, or what it wrote turned out badly."""
    if has_failed(record):
        return True
    if _is_known(record.name):
        return False
    agrees = record.answers >= ANSWERS and record.agreeing >= AGREEING and record.telling >= TELLING
    liked = record.looked_at >= LOOKED_AT and record.accepted > record.rejected
    return not (agrees or liked)


def has_failed(record: ExtractorRecord) -> bool:
    rejected = record.looked_at >= BAD_FROM and record.rejected >= BAD_SHARE * record.looked_at
    invents = record.answers >= BAD_FROM and record.invention > INVENTED_SHARE
    return rejected or (invents and record.accepted <= record.rejected)


def why_on_probation(record: ExtractorRecord) -> str:
    """One sentence for a person; "" where it is not on probation."""
    if not on_probation(record):
        return ""
    waits = "its memories wait for your review"
    if record.looked_at >= BAD_FROM and record.rejected >= BAD_SHARE * record.looked_at:
        said = f"you rejected {record.rejected} of {record.looked_at} of its memories"
        return f"{record.called} is on probation again: {said}; {waits}"
    if record.answers >= BAD_FROM and record.invention > INVENTED_SHARE:
        said = f"{record.inventing} of its {record.answers} answers quote words that nobody said"
        return f"{record.called} is on probation: {said}; {waits}"
    if record.answers < ANSWERS:
        return f"{record.called} is on probation: {record.answers} of {ANSWERS} read; {waits}"
    said = f"{record.agreeing} of its first {ANSWERS} answers agree with the built-in reader, {AGREEING} are needed"
    return f"{record.called} is on probation: {said}; {waits}"


def _is_known(name: str) -> bool:
    """Whoever is no model (the classifier, a person's own agent), and models and agents we know."""
    extractor, _, model = name.partition("/")
    if extractor != "model" or not model:
        return True
    kind, *parts = model.split("/")
    if kind == "command" and parts[:1] and parts[0] in _KNOWN_PROGRAMS:
        return True
    return any(part.startswith(_KNOWN_MODELS) for part in parts)
