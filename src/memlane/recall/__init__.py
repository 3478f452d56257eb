"""What should the agent know now? Usually nothing; sometimes one note, and why."""

from memlane.recall.again import Again, Meaning, looked_again
from memlane.recall.brief import brief, opening, question
from memlane.recall.calibration import AS_IT_IS, UNFITTED, Calibration
from memlane.recall.choose import NO_NEED, Choice, Chooser, Said, said_before, tokens_of
from memlane.recall.cited import symbols
from memlane.recall.earlier import OFFERED, SURENESS, about_the_past, covered, offer
from memlane.recall.feedback import net_downs
from memlane.recall.gather import BEFORE, Asked, Gather, Looked, Meant, Unclear, weighed
from memlane.recall.need import Need, needed
from memlane.recall.score import Likely
from memlane.recall.weights import BUDGET, SPECIFICITY, WEIGHTS, Budget, Specificity, Weights

__all__ = [
    "AS_IT_IS",
    "BEFORE",
    "BUDGET",
    "NO_NEED",
    "OFFERED",
    "SPECIFICITY",
    "SURENESS",
    "UNFITTED",
    "WEIGHTS",
    "Again",
    "Asked",
    "Budget",
    "Calibration",
    "Choice",
    "Chooser",
    "Gather",
    "Likely",
    "Looked",
    "Meaning",
    "Meant",
    "Need",
    "Said",
    "Specificity",
    "Unclear",
    "Weights",
    "about_the_past",
    "brief",
    "covered",
    "looked_again",
    "needed",
    "net_downs",
    "offer",
    "opening",
    "question",
    "said_before",
    "symbols",
    "tokens_of",
    "weighed",
]
