"""What an agent gets for one hook call, and what is to be done once it has gone out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memlane.app.home.recall_model import STILL_OPENING
from memlane.app.recall.card import PromptCard
from memlane.app.recall.taught import TaughtPrompt
from memlane.app.runs.outcomes import SaidOutcome
from memlane.domain import Recall, RecallMoment


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """The Recall is written down once it has gone out."""

    output: Mapping[str, object]  # {}: nothing
    recall: Recall | None = None
    capture: str = ""  # a transcript that has just grown
    ahead: Recall | None = None  # written down before it: the rules of a new context, or a prompt no hook told us of
    taught: TaughtPrompt | None = None  # a prompt that teaches something: to be written down too
    outcome: SaidOutcome | None = None  # how the agent says that its run went
    card: PromptCard | None = None  # what the person sees of it, where the agent can show it

    @property
    def by_words(self) -> bool:
        """The prompt was looked up while the model was being opened: once it is open, there may be more to say."""
        found = self.recall
        if found is None or found.query.moment is not RecallMoment.PROMPT:
            return False
        return found.extra.get("fallback") == STILL_OPENING


NOTHING = HookAnswer({})
