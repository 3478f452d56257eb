"""What does a sentence claim? Do two say the same, speak of the same things, deny each other? No storage, no model."""

from memlane.claims.added import added
from memlane.claims.agreement import agree, claim, names_of, same_claim, same_subject
from memlane.claims.alone import stands_alone
from memlane.claims.dates import absolute
from memlane.claims.denial import opposed
from memlane.claims.meaning import meaning
from memlane.claims.meant import made_exact
from memlane.claims.paraphrase import paraphrase
from memlane.claims.reported import claimed
from memlane.claims.said import says

__all__ = [
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
    "same_subject",
    "says",
    "stands_alone",
]
