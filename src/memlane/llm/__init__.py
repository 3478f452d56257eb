"""Which language model reads for us? One interface: a prompt in, an answer of a given shape and its cost out."""

from memlane.llm.factory import MODELS, LlmSpec, llm
from memlane.llm.guard import GuardedLlm, LlmBreaker
from memlane.llm.model import FREE, Llm, LlmError, LlmQuestion, LlmReply, NotAskedError, Price, Stop
from memlane.llm.openai import OLLAMA, models
from memlane.llm.spend import Caps, DaySpend, Spend, SpendByDay, price_of
from memlane.system.breaker import BreakerState

__all__ = [
    "FREE",
    "MODELS",
    "OLLAMA",
    "BreakerState",
    "Caps",
    "DaySpend",
    "GuardedLlm",
    "Llm",
    "LlmBreaker",
    "LlmError",
    "LlmQuestion",
    "LlmReply",
    "LlmSpec",
    "NotAskedError",
    "Price",
    "Spend",
    "SpendByDay",
    "Stop",
    "llm",
    "models",
    "price_of",
]
