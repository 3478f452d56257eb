"""What an endpoint says went wrong, as a person reads it."""

from __future__ import annotations

import pytest

from memlane.llm import title_of
from memlane.system.http_client import HttpAnswer, said_in


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"error": {"message": "model not found", "type": "invalid", "code": 7}}', "model not found"),
        (
            b'{"error": "model \\"qwen\\" not found, try pulling it first"}',
            'model "qwen" not found, try pulling it first',
        ),
        (b'{"type": "error", "error": {"type": "overloaded", "message": "Overloaded"}}', "Overloaded"),
        (b'{"detail": [{"loc": ["body"], "msg": "field required"}]}', "field required"),
        (b'{"message": "no such\\nroute"}', "no such route"),
        (b"<html>502 Bad Gateway</html>", "<html>502 Bad Gateway</html>"),
        (b'{"code": 5}', '{"code": 5}'),
        (b"[" * 100_000, "[" * 160),
        (b'{"error": "\xff', '{"error": "\ufffd'),
        (b"", "nothing"),
    ],
)
def test_the_sentence_in_it_is_told_and_not_its_braces(body: bytes, said: str) -> None:
    assert said_in(HttpAnswer(400, body)) == said


@pytest.mark.parametrize(
    ("served", "title"),
    [("/home/kit/models/Qwen3-4B.Q4.gguf", "Qwen3-4B.Q4"), ("qwen3:4b", "qwen3:4b"), ("org/small", "org/small")],
)
def test_a_model_that_is_named_by_its_file_is_shown_by_its_name(served: str, title: str) -> None:
    assert title_of(served) == title
