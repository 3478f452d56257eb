"""Which sorts of Memory are there? One row a type: all that any room says, draws or decides by it stands here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import cos, pi, sin
from typing import Self

Points = tuple[tuple[float, float], ...]


class Weight(StrEnum):
    """How much a type counts when Memories are chosen."""

    HIGH = "high"
    MEDIUM = "medium"
    LOWER = "lower"


class Intent(StrEnum):
    """What the words of a prompt hint at; types that answer it are looked for first."""

    CHOICE = "choice"
    PREFERENCE = "preference"
    LIKING = "liking"
    CUSTOM = "custom"
    MISTAKE = "mistake"
    PROBLEM = "problem"
    HABIT = "habit"
    DISCOVERY = "discovery"


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeRow:
    """One type: what it means, what is said of it, how it is drawn. What is left out is as with most."""

    mark: str  # two letters, where there is no room for the word
    weight: Weight
    meaning: str  # as whoever reads a transcript is told; a change needs a new version of the prompt
    reason: str = "It looked worth keeping"  # why it was kept, where a person said it
    agent_reason: str = "The agent said so in answer to you"  # and where the agent did
    intents: tuple[Intent, ...] = ()
    page_kind: str = "reference"  # of the four that Claude Code's own notes have
    personal: bool = False  # one that holds for the person everywhere is a page about them
    habit: bool = False  # seen in several Runs it may become a Skill
    unsure: bool = False  # a question is no answer, a guess is no rule: it joins only its like
    colour: tuple[str, str]  # on a light page, on a dark one
    shape: Points = ()  # of its dot on the map, around the middle; none: round
    patch: Points = ()  # of its patch in a legend, in percent; none: round like the dot, or a plain square
    hollow: bool = False


def _points(text: str) -> Points:
    """ "0 -1.1, 1.05 0.8": as many points as there are commas, and one."""
    pairs = (point.split() for point in text.split(","))
    return tuple((float(x), float(y)) for x, y in pairs)


_STAR = tuple(
    (sin(n * pi / 5) * reach, -cos(n * pi / 5) * reach) for n in range(10) for reach in [0.55 if n % 2 else 1.25]
)


class Type(StrEnum):
    """What sort of Memory, in the order of their weight."""

    row: TypeRow  # a new type is a new row, and nothing else

    def __new__(cls, value: str, row: TypeRow) -> Self:
        made = str.__new__(cls, value)
        made._value_, made.row = value, row
        return made

    @property
    def label(self) -> str:
        """As people say it."""
        return self.value.replace("_", " ")

    CORRECTION = (
        "correction",
        TypeRow(
            mark="CO",
            weight=Weight.HIGH,
            meaning="the person corrected the agent, or the agent the person (say who corrected whom)",
            reason="You corrected the agent",
            agent_reason="The agent said so when you questioned it",
            intents=(Intent.PREFERENCE, Intent.LIKING, Intent.MISTAKE, Intent.PROBLEM),
            page_kind="feedback",
            personal=True,
            colour=("#b3261e", "#ff9a8f"),
        ),
    )
    DECISION = (
        "decision",
        TypeRow(
            mark="DE",
            weight=Weight.HIGH,
            meaning="a choice that was made, with its reason",
            reason="You made a choice",
            agent_reason="The agent said so when you made a choice",
            intents=(Intent.CHOICE, Intent.PREFERENCE, Intent.LIKING),
            page_kind="project",
            personal=True,
            colour=("#1d4ed8", "#9dbdff"),
            shape=_points("-0.85 -0.85, 0.85 -0.85, 0.85 0.85, -0.85 0.85"),
        ),
    )
    COMMITMENT = (
        "commitment",
        TypeRow(
            mark="CM",
            weight=Weight.HIGH,
            meaning="a preference or a promise the person expressed",
            reason="You said how you want it",
            agent_reason="The agent said so when you told it how you want it",
            intents=(Intent.PREFERENCE, Intent.LIKING, Intent.CUSTOM, Intent.HABIT),
            page_kind="feedback",
            personal=True,
            colour=("#0f6b3a", "#7fd6a2"),
            shape=_points("0 -1.1, 1.05 0.8, -1.05 0.8"),
            patch=_points("50 0, 100 100, 0 100"),
        ),
    )
    INSIGHT = (
        "insight",
        TypeRow(
            mark="IN",
            weight=Weight.MEDIUM,
            meaning="a connection that was not obvious",
            reason="You saw a connection",
            intents=(Intent.DISCOVERY,),
            colour=("#7a1fa2", "#d9a6f5"),
            shape=_points("0 -1.2, 1.2 0, 0 1.2, -1.2 0"),
            patch=_points("50 0, 100 50, 50 100, 0 50"),
        ),
    )
    LEARNING = (
        "learning",
        TypeRow(
            mark="LE",
            weight=Weight.MEDIUM,
            meaning="new knowledge; what finally worked, and what was tried before and did not",
            reason="You and the agent found something out",
            intents=(Intent.PROBLEM, Intent.DISCOVERY),
            colour=("#00616e", "#74d3e0"),
            shape=_points("-1.05 -0.8, 1.05 -0.8, 0 1.1"),
            patch=_points("0 0, 100 0, 50 100"),
        ),
    )
    CONFIDENCE = (
        "confidence",
        TypeRow(
            mark="CF",
            weight=Weight.MEDIUM,
            meaning="strong confidence in an approach or an outcome",
            page_kind="project",
            unsure=True,
            colour=("#5b5300", "#d8cd5c"),
            shape=_points("-0.55 -1, 0.55 -1, 1.1 0, 0.55 1, -0.55 1, -1.1 0"),
            patch=_points("25 5, 75 5, 100 50, 75 95, 25 95, 0 50"),
        ),
    )
    PATTERN_SEED = (
        "pattern_seed",
        TypeRow(
            mark="PS",
            weight=Weight.LOWER,
            meaning="a repeated behaviour worth formalising",
            reason="You did what looks like a habit",
            intents=(Intent.CUSTOM, Intent.HABIT),
            page_kind="feedback",
            personal=True,
            habit=True,
            colour=("#8a3d00", "#f3b27a"),
            shape=_STAR,
            patch=_points("50 0, 62 36, 100 36, 69 58, 81 96, 50 73, 19 96, 31 58, 0 36, 38 36"),
        ),
    )
    CROSS_AGENT = (
        "cross_agent",
        TypeRow(
            mark="XA",
            weight=Weight.LOWER,
            meaning="something other agents should know (name them in target_agents)",
            colour=("#4a4fb5", "#b7b9ff"),
            shape=_points(
                "-0.4 -1.1, 0.4 -1.1, 0.4 -0.4, 1.1 -0.4, 1.1 0.4, 0.4 0.4, "
                "0.4 1.1, -0.4 1.1, -0.4 0.4, -1.1 0.4, -1.1 -0.4, -0.4 -0.4"
            ),
            patch=_points("33 0, 67 0, 67 33, 100 33, 100 67, 67 67, 67 100, 33 100, 33 67, 0 67, 0 33, 33 33"),
        ),
    )
    WORKFLOW_NOTE = (
        "workflow_note",
        TypeRow(
            mark="WN",
            weight=Weight.LOWER,
            meaning="an observation about how work is done",
            reason="You said how work is done here",
            page_kind="feedback",
            habit=True,
            colour=("#44546a", "#b8c6da"),
            shape=_points("-1.2 -0.55, 1.2 -0.55, 1.2 0.55, -1.2 0.55"),
            patch=_points("0 25, 100 25, 100 75, 0 75"),
        ),
    )
    GAP = (
        "gap",
        TypeRow(
            mark="GA",
            weight=Weight.LOWER,
            meaning="a missing capability; two parts that should know of each other and do not",
            intents=(Intent.MISTAKE, Intent.PROBLEM),
            page_kind="project",
            unsure=True,
            colour=("#9c1458", "#ff9cc7"),
            hollow=True,
        ),
    )


HIGH = frozenset(type_ for type_ in Type if type_.row.weight is Weight.HIGH)
SAID = Type.COMMITMENT  # what a person says without saying of which type
PROPOSED = Type.LEARNING  # and what a program or an agent does
