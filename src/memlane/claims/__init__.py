"""What does a sentence claim? Do two sentences agree, share a subject, or contradict? No storage, no model."""

from memlane.claims.agreement import Claim, agree, claim, names_of, same_claim, same_denied, same_subject, same_times
from memlane.claims.dates import absolute
from memlane.claims.denial import opposed
from memlane.claims.files import says
from memlane.claims.paraphrase import paraphrase
from memlane.claims.pronouns import made_exact, stands_alone
from memlane.claims.verbatim import verbatim
from memlane.claims.words import GRAMMAR, added, claimed, meaning

__all__ = [
    "GRAMMAR",
    "Claim",
    "absolute",
    "added",
    "agree",
    "claim",
    "claimed",
    "made_exact",
    "meaning",
    "names_of",
    "opposed",
    "paraphrase",
    "same_claim",
    "same_denied",
    "same_subject",
    "same_times",
    "says",
    "stands_alone",
    "verbatim",
]
