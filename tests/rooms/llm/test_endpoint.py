"""What an endpoint says went wrong, as a person reads it."""

from __future__ import annotations

import pytest

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
