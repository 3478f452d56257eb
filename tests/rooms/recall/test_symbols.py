"""Which names a note says are there: only plain statements count, in whatever else it is written."""

from __future__ import annotations

import pytest

from memlane.recall import symbols


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("`read_port` in config.py takes the first free one", ["read_port"]),
        ("`Mailer.send()` keeps the connection; `MAX_TRIES` is 3", ["send", "MAX_TRIES"]),
        ("The class `MailQueue` holds what waits, see `src/mail/queue.py` and `settings.toml`", ["MailQueue"]),
        ("`std::sort_by(key)` decides the order", ["sort_by"]),
        ("Never call `retry_all` here", []),
        ("Don't use `requests.get`, it has no timeout", []),
        ("Add `max_retries` to the settings", []),
        ("`old_name` was renamed to `new_name`", []),
        ("Nie `retry_all` aufrufen", []),
        ("the `worker` starts with `make`", []),
        ("no code at all", []),
    ],
)
def test_only_what_is_said_to_be_there_counts(text: str, names: list[str]) -> None:
    assert list(symbols(text)) == names


def test_one_sentence_that_forbids_does_not_silence_the_next() -> None:
    assert symbols("Never retry on a 4xx. `should_retry` has the list.") == ("should_retry",)
