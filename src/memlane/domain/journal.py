"""One line of the Journal: who did what, when, on which machine, on whose behalf."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Entry:
    """`kind` says what `data` holds; every kind is written down in docs/formats/journal.md."""

    kind: str
    id: str
    at: datetime
    owner: str
    machine: str
    actor: str  # person, agent:NAME, lane (a rule of ours), dream
    data: Mapping[str, object]


# Every kind there is, also those that later issues write: the schema is decided once.
MEMORY = "memory"  # a whole Memory, as made, edited or merged: the newest line of an id wins
STATE = "state"  # a Memory's state changed: forget, restore, pause, supersede
OBSERVATION = "observation"  # one more time a Memory was seen
MENTIONS = "mentions"  # what a Memory names was resolved anew: the directory of Entities changed
RECALL = "recall"
FEEDBACK = "feedback"
CAUGHT = "caught"  # windows of a run were read, by which extractor and prompt
REFUSAL = "refusal"  # a memory the gate or the validator refused: rule and place, never the text
ENTITY = "entity"
OUTCOME = "outcome"
TOMBSTONE = "tombstone"  # a Run is forgotten, or restored
LEFT_OUT = "left-out"  # a Run grew while capture was paused: not read beyond an offset
MARK = "mark"  # a person's title, tags or pin on a Run
UNDO = "undo"
WISH = "wish"  # an agent asks for a Memory to be forgotten; the person's no to it
SHARE_WISH = "share-wish"  # an agent asks for something to be shared; the person's answer
PROJECT = "project"  # a key means the same project as another, or stands alone: the newest line of a key holds
DONATION = "donation"  # Runs were given away: which, to where, under which licence
DREAM = "dream"  # the report of a Dream: the last line of its write
GONE = "gone"  # a Run or a Memory is forgotten for good: every machine takes its words out
# In the journal of Central's own records (owner CONTROL):
CONTROL = "+control"  # no User is called so: a name may not begin with a plus
CENTRAL = "central"  # which Central this is
PERSON = "person"  # somebody whose machines may join: with their role, and whether they left
GROUP = "group"  # names of people
GRANT = "grant"  # what somebody shares with a person or a group: given, or revoked
CODE = "code"  # a one-time code to join with: made, or used
HOLD = "hold"  # something that must not be deleted, or may be again
RETENTION = "retention"  # how long runs are kept
POLICY = "policy"  # what Central demands of its machines
DELETED = "deleted"  # a receipt: what was deleted for good, by which rule
IDENTITY = "identity"  # an account elsewhere is a person here, or no longer
SIGN_IN = "sign-in"  # a word of another service was accepted: never again
JOINED = "machine"  # a machine with the hash of its token: joined, renamed, revoked

KINDS = frozenset(
    {
        MEMORY,
        STATE,
        OBSERVATION,
        MENTIONS,
        RECALL,
        FEEDBACK,
        CAUGHT,
        REFUSAL,
        ENTITY,
        OUTCOME,
        TOMBSTONE,
        LEFT_OUT,
        MARK,
        UNDO,
        WISH,
        SHARE_WISH,
        PROJECT,
        DONATION,
        DREAM,
        GONE,
        CENTRAL,
        PERSON,
        GROUP,
        GRANT,
        CODE,
        IDENTITY,
        SIGN_IN,
        JOINED,
        HOLD,
        RETENTION,
        POLICY,
        DELETED,
    }
)
