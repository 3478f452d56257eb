"""Which language model reads for us? One interface: a prompt in, an answer of a given shape and its cost out."""

from memlane.llm.factory import MAILBOX, MODELS, LlmSpec, llm
from memlane.llm.guard import GuardedLlm, LlmBreaker
from memlane.llm.model import (
    FREE,
    LateAnswerError,
    Llm,
    LlmError,
    LlmQuestion,
    LlmReply,
    NotAskedError,
    PlanLimitError,
    Price,
    Stop,
)
from memlane.llm.openai import local_endpoints, served, title_of
from memlane.llm.session import SessionAnswer, SessionMailbox, SessionQuestion
from memlane.llm.spend import Caps, DaySpend, Spend, SpendByDay, price_of
from memlane.system.breaker import BreakerState

__all__ = [
    "FREE",
    "MAILBOX",
    "MODELS",
    "BreakerState",
    "Caps",
    "DaySpend",
    "GuardedLlm",
    "LateAnswerError",
    "Llm",
    "LlmBreaker",
    "LlmError",
    "LlmQuestion",
    "LlmReply",
    "LlmSpec",
    "NotAskedError",
    "PlanLimitError",
    "Price",
    "SessionAnswer",
    "SessionMailbox",
    "SessionQuestion",
    "Spend",
    "SpendByDay",
    "Stop",
    "llm",
    "local_endpoints",
    "price_of",
    "served",
    "title_of",
]
