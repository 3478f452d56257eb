"""`python -m tools.sts FOLDER`: whether each session of an export keeps the rules of the Hub's page on STS.

The page (docs/hub/session-traces-format) is all there is: no schema is published. Fields it does not name are ignored
by the Hub in the session's line, and refused here in a message.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

ROLES = frozenset({"user", "assistant", "system", "tool"})
TEXTS = ("content", "reasoningContent", "toolCallId", "model")
FIELDS = frozenset({"role", "toolCalls", "timestamp", *TEXTS})


def problems(lines: Iterable[str]) -> Iterator[str]:
    made = set[str]()
    for n, line in enumerate(lines, 1):
        record: Any = json.loads(line)
        wrong = _of_a_session(record) if n == 1 else _of_a_message(record, made)
        if wrong:
            yield f"line {n}: {wrong}"


def _of_a_session(record: Any) -> str:
    named = all(isinstance(record.get(name), str) and record[name] for name in ("harness", "id"))
    good = record.get("type") == "session" and named and isinstance(record.get("name", ""), str)
    return "" if good else "the first line is no session with a harness and an id"


def _of_a_message(record: Any, made: set[str]) -> str:
    message: Any = record.get("message")
    if record.get("type") != "message" or not isinstance(message, dict):
        return "it is no message"
    if message.get("role") not in ROLES or "content" not in message or not set(cast(dict[str, Any], message)) <= FIELDS:
        return "a message has a role, a content, and what the page names"
    if not all(isinstance(message.get(name, ""), str) for name in TEXTS):
        return "a text is not text"
    if not isinstance(message.get("timestamp", 0), int):
        return "a time is not in milliseconds"
    return _of_its_calls(message, made)


def _of_its_calls(message: Any, made: set[str]) -> str:
    for call in message.get("toolCalls", ()):
        function = call["function"]
        if message["role"] != "assistant" or not isinstance(json.loads(function["arguments"]), dict):
            return "a call is the assistant's, and its arguments are an object in JSON"
        made.add(call["id"])
    if message["role"] == "tool" and message.get("toolCallId") not in made:
        return f"it answers the call {message.get('toolCallId')}, which was not made before"
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.sts", description=__doc__)
    parser.add_argument("folder", type=Path, help="made by `lane export FOLDER --format sts`")
    files = sorted(parser.parse_args(arguments).folder.glob("*/*.jsonl"))
    wrong = 0
    for file in files:
        found = list(problems(file.read_text().splitlines()))
        wrong += bool(found)
        for problem in found[:3]:
            print(f"{file}: {problem}")
    print(f"{len(files) - wrong} accepted, {wrong} refused")
    return int(bool(wrong or not files))


if __name__ == "__main__":
    sys.exit(main())
