"""The numbers recall works with, each named once. Values arrive from the settings; these are the defaults."""

from __future__ import annotations

from dataclasses import dataclass

LIKED = -0.5  # net thumbs down: fewer than this were up
BY_DOWNS = ((0.5, 1.0), (2.5, 0.9), (4.5, 0.7))  # up to so many, its score times this
NOT_WANTED = 4.5  # net thumbs down from which it is not told on such prompts


@dataclass(frozen=True, slots=True)
class RecallWeights:
    """How a score is made (SPEC 6) and what it must reach."""

    similarity: float = 0.60
    recency: float = 0.10  # a nudge: an old decision is still a decision
    half_life_days: float = 28.0
    confidence: float = 0.15
    observed: float = 0.10
    most_observed: int = 10
    high_type: float = 0.05
    intent: float = 0.15  # a word in the prompt hints at this type
    rare_word: float = 0.10
    time_window: float = 0.30  # instead of recency, where the prompt speaks of a time
    entity_floor: float = 0.40
    entity_share: float = 0.70  # of the likeness of the best about what is named, for the others
    floor: float = 0.50
    technical_floor: float = 0.55  # code, a path, an identifier or an error code in the prompt
    needed: float = 0.50  # how likely a note changes what the agent does, where a second look says so
    least_confidence: int = 60
    of_up: float = 1.0  # what a thumb up adds on prompts like that one, in log odds; a down multiplies, as in a score
    most_ups: float = 2.0

    def factor(self, downs: float) -> float:
        """What net thumbs down make of a score, and of what the floor sees."""
        if downs < LIKED:
            return 1.10
        return next((factor for most, factor in BY_DOWNS if downs <= most), 0.5)

    def not_wanted(self, downs: float) -> bool:
        """So many people's words against it that no likeness makes up for them."""
        return downs > NOT_WANTED


@dataclass(frozen=True, slots=True)
class Budget:
    """How much an agent is ever told. Noise is the problem, not the idea."""

    per_prompt: int = 3
    per_run: int = 8
    tokens_per_run: int = 1500
    start_rules: int = 7  # standing rules, when a context begins
    start_characters: int = 1200  # of all of them, whole
    for_files: int = 1  # of a run's notes, kept for a file that is touched
    near_misses: int = 3


@dataclass(frozen=True, slots=True)
class Specificity:
    """How much one shared word says that a Memory fits, by how common the word is in everything indexed.

    Two specific words reach the floor, one does not; an identifier alone does.
    """

    identifier: float = 0.85
    rare: float = 0.55
    uncommon: float = 0.38
    common: float = 0.15
    everywhere: float = 0.0
    rare_share: float = 0.01
    uncommon_share: float = 0.05
    common_share: float = 0.20
    enough_chunks: int = 400  # below this, shares mean nothing and a word counts as uncommon


WEIGHTS = RecallWeights()
BUDGET = Budget()
SPECIFICITY = Specificity()
