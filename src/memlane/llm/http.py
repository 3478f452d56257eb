"""What the models behind an address have in common: how they are asked, and what their refusals mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from memlane.llm.limits import is_limit
from memlane.llm.model import LateAnswerError, LlmError, PlanLimitError
from memlane.system.http_client import (
    Asker,
    Endpoint,
    HttpAnswer,
    NoAnswerError,
    NotReachedError,
    TooLargeError,
    TooSlowError,
    said_in,
)

ASKER = Asker(LlmError, "catch")
MOST = 4 << 20  # bytes of an answer: a hundred times what one can mean
_OK, _DENIED, _UNKNOWN, _SLOW, _BUSY, _BROKEN = 200, (401, 403), 404, 408, 429, 500
LONG = 300.0  # seconds: who wants to be left alone for longer has a limit, and is not just busy
T = TypeVar("T")


def asked(endpoint: Endpoint, path: str, body: Mapping[str, object], timeout: float) -> HttpAnswer:
    """One time; a connection is not kept, the next question may be an hour away."""
    try:
        answer = endpoint.once(path, msgspec.json.encode(body), timeout)
    except TooSlowError as error:
        raise LateAnswerError(f"{error} (catch.timeout)", "lane config set catch.timeout SECONDS") from None
    except TooLargeError as error:
        raise LlmError(str(error), question=True) from None
    except NoAnswerError as error:
        unheard = isinstance(error, NotReachedError)
        raise LlmError(str(error), "is it running? lane config get catch", again=True, free=unheard) from None
    finally:
        endpoint.hang_up()
    return answer


def refused(who: str, answer: HttpAnswer) -> LlmError:
    """Nobody bills an error. What a stranger says is shown in part, in one line, never a key."""
    status, said = answer.status, said_in(answer)
    if status in _DENIED:  # what it says may quote the key
        return LlmError(f"{who} rejected the key ({status})", "lane config get catch.key_variable", free=True)
    if 300 <= status < 400:
        return LlmError(f"{who} redirects elsewhere ({status})", "lane config get catch.url", free=True)
    if status == _UNKNOWN:
        return LlmError(f"{who} was not found ({said})", "lane config get catch", free=True)
    if status in (_SLOW, _BUSY) or status >= _BROKEN:
        after = float(answer.retry_after) if answer.retry_after.isdecimal() else 0.0
        limit = status == _BUSY and (is_limit(said) or after > LONG)
        error = PlanLimitError if limit else LlmError
        return error(f"{who} answers {status}: {said}", again=True, after=after, free=status != _SLOW)
    return LlmError(f"{who} answers {status}: {said}", "lane config get catch", free=True, question=True)


def decoded(who: str, answer: HttpAnswer, type: type[T]) -> T:
    """Billed, whatever it is; nonsense around the answer is not asked for again at once."""
    try:
        return msgspec.json.decode(answer.body, type=type)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LlmError(f"{who} gave an unreadable answer ({error})") from None


def is_fine(answer: HttpAnswer) -> bool:
    return answer.status == _OK
