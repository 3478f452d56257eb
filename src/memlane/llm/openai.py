"""Every endpoint that speaks as OpenAI's does: Ollama, llama.cpp, vLLM, OpenAI. Not all of them know all its words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec

from memlane.llm.http import ASKER, MOST, asked, decoded, is_fine, refused
from memlane.llm.model import LlmError, LlmQuestion, LlmReply, Price, Stop
from memlane.llm.spend import price_at
from memlane.system.http_client import Endpoint, HttpAnswer, NoAnswerError, TooLargeError, TooSlowError

USUAL = "https://api.openai.com/v1"
MODEL = "gpt-5-mini"
KEY = "OPENAI_API_KEY"
_BAD = (400, 415, 422, 501)
_OVERHEAD = 1_500
_TOO_FEW = 12  # characters for a token: fewer tokens than that were not all of the question
T = TypeVar("T", bound=msgspec.Struct)
_STOPS = {"length": Stop.CUT, "content_filter": Stop.REFUSED}


class _ChoiceText(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _CompletionChoice(msgspec.Struct):
    message: _ChoiceText
    finish_reason: str | None = None


class _OpenAIUsage(msgspec.Struct):
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0


class _Completion(msgspec.Struct):
    choices: list[_CompletionChoice]
    model: str = ""
    usage: _OpenAIUsage | None = None


class OpenAI:
    def __init__(self, name: str, url: str, key: str, timeout: float) -> None:
        self._model, self._timeout = name or MODEL, timeout
        self._endpoint = Endpoint(url or USUAL, ASKER, key=key, most=MOST)
        self._who = f"{self._model} at {self._endpoint.shown}"
        self._shapes = ["json_schema", "json_object", ""]  # how the answer's shape is asked for, the best first
        self._length = "max_tokens"
        self._cool = True  # the same answer again, where that can be asked for

    @property
    def name(self) -> str:
        return f"openai/{self._model}"

    @property
    def price(self) -> Price | None:
        return price_at(self._model, local=self._endpoint.local)

    @property
    def overhead(self) -> int:
        return _OVERHEAD

    def ask(self, question: LlmQuestion) -> LlmReply:
        path = f"{self._endpoint.path or '/v1'}/chat/completions"
        answer = asked(self._endpoint, path, self._body(question), self._timeout)
        while answer.status in _BAD and self._gives_way(answer):
            answer = asked(self._endpoint, path, self._body(question), self._timeout)
        if not is_fine(answer):
            raise refused(self._who, answer)
        return self._reply(decoded(self._who, answer, _Completion), question)

    def close(self) -> None:
        self._endpoint.close()

    def _body(self, question: LlmQuestion) -> Mapping[str, object]:
        system = {"role": "system", "content": question.system}
        body: dict[str, object] = {
            "model": self._model,
            "messages": [system, {"role": "user", "content": question.user}],
            self._length: question.most,
            "stream": False,
        }
        if self._cool:
            body["temperature"] = 0
        if self._shapes[0] == "json_schema":
            shape = {"name": question.name, "schema": question.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        elif self._shapes[0]:
            body["response_format"] = {"type": self._shapes[0]}
        return body

    def _gives_way(self, answer: HttpAnswer) -> bool:
        """Whether it stumbled over a word we can do without, and it is left out from now on."""
        said = answer.body.decode("utf-8", "replace")
        if "max_completion_tokens" in said and self._length == "max_tokens":
            self._length = "max_completion_tokens"
        elif "temperature" in said and self._cool:
            self._cool = False
        elif self._shapes[0] and any(word in said for word in ("response_format", "schema", "grammar", "json")):
            del self._shapes[0]
        else:
            return False
        return True

    def _reply(self, said: _Completion, question: LlmQuestion) -> LlmReply:
        if not said.choices:
            raise LlmError(f"{self._who} returned no choices")
        choice, used = said.choices[0], said.usage or _OpenAIUsage()
        tokens_in, tokens_out = max(0, used.prompt_tokens or 0), max(0, used.completion_tokens or 0)
        if 0 < tokens_in < len(question.user) // _TOO_FEW:
            raise LlmError(
                f"{self._who} read only {tokens_in:,} tokens of the question",
                "give it a longer context; for Ollama: OLLAMA_CONTEXT_LENGTH=32768",
                question=True,
            )
        stop = Stop.REFUSED if choice.message.refusal else _STOPS.get(choice.finish_reason or "", Stop.END)
        text = choice.message.content or choice.message.refusal or ""
        return LlmReply(text, said.model or self._model, stop, tokens_in, tokens_out)


_PATIENCE = 0.7  # seconds: what is on this computer answers at once, or somebody waits for nothing
_PORTS = {"ollama": 11434, "llama-server": 8080, "lm-studio": 1234}
_LOOPBACK = re.compile(r"(?:https?://)?(127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?/?")


class _OllamaModel(msgspec.Struct):
    name: str
    size: int = 0


class _OllamaModels(msgspec.Struct):
    models: list[_OllamaModel]


class _ServedModel(msgspec.Struct):
    id: str


class _ServedModels(msgspec.Struct):
    data: list[_ServedModel]


def local_endpoints(variables: Mapping[str, str]) -> Mapping[str, str]:
    """Where on this computer people run models. OLLAMA_HOST may name another place here; never one elsewhere."""
    usual = {name: f"http://127.0.0.1:{port}" for name, port in _PORTS.items()}
    if (moved := _LOOPBACK.fullmatch(variables.get("OLLAMA_HOST", ""))) and moved[2]:
        usual["ollama"] = f"http://{moved[1]}:{moved[2]}"
    return usual


def served(url: str) -> Sequence[str]:
    """Models that can read, the largest first where sizes are told; none where nobody answers."""
    tagged = _answered(url, "/api/tags", _OllamaModels)
    if tagged is not None:
        names = [each.name for each in sorted(tagged.models, key=lambda each: -each.size)]
    else:
        listed = _answered(url, "/v1/models", _ServedModels)
        names = [each.id for each in listed.data] if listed is not None else []
    return [name for name in names if "embed" not in name]


def title_of(served_name: str) -> str:
    """llama.cpp names a model by its file."""
    return served_name.rpartition("/")[2].removesuffix(".gguf") if served_name.endswith(".gguf") else served_name


def _answered(url: str, path: str, type: type[T]) -> T | None:
    endpoint = Endpoint(url, ASKER)
    try:
        return msgspec.json.decode(endpoint.once(path, None, _PATIENCE).body, type=type)
    except (NoAnswerError, TooSlowError, TooLargeError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    finally:
        endpoint.close()
