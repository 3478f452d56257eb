"""Who reads for us? Models behind one question: a prompt in, an answer of a given shape out, with what it cost."""

from memlane.llm.breaker import Breaker, Trouble
from memlane.llm.careful import Careful
from memlane.llm.llm import FREE, Llm, LlmError, NotAskedError, Price, Question, Reply, Stop
from memlane.llm.make import MODELS, Spec, llm
from memlane.llm.ollama import OLLAMA, models
from memlane.llm.prices import price_of
from memlane.llm.spend import Caps, Day, Days, Spend

__all__ = [
    "FREE",
    "MODELS",
    "OLLAMA",
    "Breaker",
    "Caps",
    "Careful",
    "Day",
    "Days",
    "Llm",
    "LlmError",
    "NotAskedError",
    "Price",
    "Question",
    "Reply",
    "Spec",
    "Spend",
    "Stop",
    "Trouble",
    "llm",
    "models",
    "price_of",
]
