"""What a hook call comes to: what the agent gets, what its person sees, and what is written down afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memlane.app.recall.card import PromptCard
from memlane.app.recall.taught import TaughtPrompt
from memlane.app.runs.outcomes import SaidOutcome
from memlane.domain import Recall


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """What an agent gets, and the Recall to write down once it has gone out."""

    output: Mapping[str, object]  # {}: nothing
    recall: Recall | None = None
    capture: str = ""  # a transcript that has just grown
    ahead: Recall | None = None  # written down before it: the rules of a new context, or a prompt no hook told us of
    taught: TaughtPrompt | None = None  # a prompt that teaches something: to be written down too
    outcome: SaidOutcome | None = None  # how the agent says that its run went
    card: PromptCard | None = None  # what the person sees of it, where the agent can show it


NOTHING = HookAnswer({})
