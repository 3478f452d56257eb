"""What should the agent know now? Usually nothing; sometimes one note and its reason."""

from memlane.recall.brief import age, brief, question
from memlane.recall.choose import NO_NEED, Chooser, PriorBriefs, RecallChoice, said_before, tokens_of
from memlane.recall.earlier_runs import OFFERED, SURENESS, about_the_past, covered, offer
from memlane.recall.foreign import CueLookup, nothing_in, with_cue_words
from memlane.recall.gather import (
    BEFORE,
    PERSON,
    AmbiguousName,
    MemoryLookup,
    PromptEntity,
    PromptVector,
    Shortlist,
    for_agent,
    sharing,
    weighed,
)
from memlane.recall.go_on import goes_on
from memlane.recall.language import in_other_script, language_of
from memlane.recall.need import Need, needed
from memlane.recall.proposal import proposed
from memlane.recall.score import AS_IT_IS, Calibration, LikelyMemory, net_downs
from memlane.recall.second_look import (
    OddsCalibration,
    SecondLookOdds,
    text_to_read,
    texts_to_read,
    with_second_look,
)
from memlane.recall.small_talk import SURER
from memlane.recall.start_rules import most_used_first, opening
from memlane.recall.statement import stated
from memlane.recall.weights import BUDGET, SPECIFICITY, WEIGHTS, Budget, RecallWeights, Specificity
from memlane.recall.words import symbols

__all__ = [
    "AS_IT_IS",
    "BEFORE",
    "BUDGET",
    "NO_NEED",
    "OFFERED",
    "PERSON",
    "SPECIFICITY",
    "SURENESS",
    "SURER",
    "WEIGHTS",
    "AmbiguousName",
    "Budget",
    "Calibration",
    "Chooser",
    "CueLookup",
    "LikelyMemory",
    "MemoryLookup",
    "Need",
    "OddsCalibration",
    "PriorBriefs",
    "PromptEntity",
    "PromptVector",
    "RecallChoice",
    "RecallWeights",
    "SecondLookOdds",
    "Shortlist",
    "Specificity",
    "about_the_past",
    "age",
    "brief",
    "covered",
    "for_agent",
    "goes_on",
    "in_other_script",
    "language_of",
    "most_used_first",
    "needed",
    "net_downs",
    "nothing_in",
    "offer",
    "opening",
    "proposed",
    "question",
    "said_before",
    "sharing",
    "stated",
    "symbols",
    "text_to_read",
    "texts_to_read",
    "tokens_of",
    "weighed",
    "with_cue_words",
    "with_second_look",
]
