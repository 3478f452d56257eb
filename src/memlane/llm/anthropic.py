"""Anthropic's Messages API. The answer is asked for as a call of one tool, whose input has the shape we want."""

from __future__ import annotations

import msgspec

from memlane.llm.http import ASKER, MOST, asked, decoded, is_fine, refused
from memlane.llm.model import LlmQuestion, LlmReply, Price, Stop
from memlane.llm.spend import price_at
from memlane.system.http_client import Endpoint

USUAL = "https://api.anthropic.com"
MODEL = "claude-haiku-5-5"
KEY = "ANTHROPIC_API_KEY"
_OVERHEAD = 1_500  # tokens a tool and its schema take
_STOPS = {"max_tokens": Stop.CUT, "model_context_window_exceeded": Stop.CUT, "refusal": Stop.REFUSED}


class _ReplyBlock(msgspec.Struct):
    type: str
    text: str = ""
    input: msgspec.Raw = msgspec.Raw(b"")


class _AnthropicUsage(msgspec.Struct):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int | None = 0
    cache_read_input_tokens: int | None = 0


class _AnthropicReply(msgspec.Struct):
    content: list[_ReplyBlock]
    model: str = ""
    stop_reason: str | None = None
    usage: _AnthropicUsage = msgspec.field(default_factory=_AnthropicUsage)


class Anthropic:
    def __init__(self, name: str, url: str, key: str, timeout: float) -> None:
        self._model, self._timeout = name or MODEL, timeout
        headers = {"x-api-key": key, "anthropic-version": "2023-06-01"}
        self._endpoint = Endpoint(url or USUAL, ASKER, key=key, headers=headers, most=MOST)
        self._who = f"{self._model} at {self._endpoint.shown}"

    @property
    def name(self) -> str:
        return f"anthropic/{self._model}"

    @property
    def price(self) -> Price | None:
        return price_at(self._model, local=self._endpoint.local)

    @property
    def overhead(self) -> int:
        return _OVERHEAD

    def ask(self, question: LlmQuestion) -> LlmReply:
        tool = {"name": question.name, "description": "The answer.", "input_schema": question.schema}
        body = {
            "model": self._model,
            "max_tokens": question.most,
            "system": question.system,
            "messages": [{"role": "user", "content": question.user}],
            "tools": [tool],
            "tool_choice": {"type": "tool", "name": question.name},
        }
        answer = asked(self._endpoint, f"{self._endpoint.path.removesuffix('/v1')}/v1/messages", body, self._timeout)
        if not is_fine(answer):
            raise refused(self._who, answer)
        return _reply(decoded(self._who, answer, _AnthropicReply), self._model)

    def close(self) -> None:
        self._endpoint.close()


def _reply(said: _AnthropicReply, model: str) -> LlmReply:
    called = next((bytes(block.input).decode() for block in said.content if block.type == "tool_use"), "")
    text = called or "\n".join(block.text for block in said.content if block.type == "text")
    used = said.usage
    tokens_in = used.input_tokens + (used.cache_creation_input_tokens or 0) + (used.cache_read_input_tokens or 0)
    stop = _STOPS.get(said.stop_reason or "", Stop.END)
    return LlmReply(text, said.model or model, stop, max(0, tokens_in), max(0, used.output_tokens))
