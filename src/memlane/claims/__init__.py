"""What does a sentence claim? Do two say the same, speak of the same things, deny each other? No storage, no model."""

from memlane.claims.agreement import agree, claim, same_claim, same_subject
from memlane.claims.dates import absolute
from memlane.claims.meaning import meaning
from memlane.claims.reported import claimed

__all__ = ["absolute", "agree", "claim", "claimed", "meaning", "same_claim", "same_subject"]
