"""When no Window is open, the model of the settings is asked when those Memories matter of which nobody has said it.

What it answers is masked and checked like an agent's. Each Memory is asked about once, whatever the answer was.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from memlane.app.catch.claims import Claims
from memlane.app.catch.questions import MemoryQuestions
from memlane.app.catch.windows import CatchWindows
from memlane.app.home import Home
from memlane.app.home.language_model import chosen_llm, kept, spend
from memlane.catch.model.occasions import MOST_ASKED, answered, asked, occasions_prompt, occasions_schema
from memlane.domain import Memory
from memlane.errors import LaneError
from memlane.llm import BreakerState, GuardedLlm, LlmBreaker, LlmQuestion, Stop

MOST = 4_000  # tokens of an answer


def improved_by_model(home: Home, catch: CatchWindows) -> Sequence[Memory]:
    """Up to ten of them, as they are now; none where there is nothing to ask, or the model does not answer."""
    claims = Claims(home)
    questions, done = MemoryQuestions(home, catch, claims), set(claims.read().asked)
    waiting = [memory for memory in questions.waiting() if memory.id not in done][:MOST_ASKED]
    if not waiting:
        return ()
    try:
        model = chosen_llm(home)
    except LaneError:
        return ()  # `lane catch` and `lane doctor` say why, about Windows
    breaker = LlmBreaker(kept(home, "breaker", BreakerState), model.name, home.clock)
    llm = GuardedLlm(model, spend(home), breaker, Random())
    try:
        return () if llm.why_not() else _asked(llm, waiting, questions, claims, home)
    finally:
        llm.close()


def _asked(
    llm: GuardedLlm, memories: Sequence[Memory], questions: MemoryQuestions, claims: Claims, home: Home
) -> Sequence[Memory]:
    question = LlmQuestion(occasions_prompt(), home.gate.mask(asked(memories)), occasions_schema(), "memories", MOST)
    try:
        reply = llm.ask(question)
    except LaneError:
        return ()  # the breaker has noted it; these are asked about again
    ids = [memory.id for memory in memories]
    found = answered(home.gate.mask(reply.text), ids, home.gate) if reply.stop is Stop.END else None
    with claims.changed() as changed:
        changed.asked = list(dict.fromkeys((*changed.asked, *ids)))
    if found is None or (found.problems and not found.occasions):
        llm.useless("it did not say when memories matter")
        return ()
    llm.useful()
    return questions.keep(found.occasions, "lane")
