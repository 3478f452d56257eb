"""Is a thumb felt? `python -m benchmarks.votes [--json]`: prompt × votes × shown, with the model that ships.

One note of the guide's bank is rated on one prompt, thumb by thumb, and asked for again there, in other words, and on a
prompt of another meaning that brings it too or is near to it. Votes are net: 3 is three down, -1 is one up.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.guide import fill, lane_in, place
from campaigns.report import machine
from memlane.app import Lane
from memlane.domain import Match, Query, Recall

COMMAND = "python -m benchmarks.votes"
VOTES = (0, 1, 2, 3, 4, 5, 6, -1, -2)


@dataclass(frozen=True, slots=True)
class RatedNote:
    """Which note is rated on the first of these prompts; the last one means something else."""

    note: str
    prompts: tuple[str, ...]


RATED = (
    RatedNote(
        "M35",
        (
            "How should I handle email filtering?",
            "set up filters for my mailing lists",
            "sort my mailing lists by name",
        ),
    ),
    RatedNote("M6", ("Help me reply to Amy's email", "draft an answer to Amy", "what tone does Amy Hoy like?")),
    RatedNote(
        "M13",
        (
            "the MCP server does not pick up my change",
            "my change to the MCP server is ignored",
            "Any past issues with MCP servers?",
        ),
    ),
    RatedNote(
        "M23",
        (
            "which day do I send the follow-up to Dana?",
            "when do I send the follow-up to Dana?",
            "set up the newsletter for this week",
        ),
    ),
    RatedNote(
        "M15",
        (
            "compose a short message for all members",
            "write a short message to all members",
            "how long may a message be?",
        ),
    ),
    RatedNote("M24", ("how do I triage my email?", "What's my approach to email triage?", "triage the open bugs")),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the table in this file")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        fill(home := Path(folder) / "bank")
        with lane_in(home) as lane:
            rows = [row for one in RATED for row in rated(one, lane, home)]
    kept: dict[str, Any] = {"command": COMMAND, "benchmark": "votes", "machine": machine(), "rows": rows}
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        table(rows)
    print(json.dumps(kept))


def rated(one: RatedNote, lane: Lane, home: Path) -> list[dict[str, Any]]:
    """One row for each prompt: by votes, whether the note is told, and how sure recall is of it before they count."""
    rows: list[dict[str, Any]] = [{"note": one.note, "prompt": prompt, "shown": {}} for prompt in one.prompts]
    first = ask(lane, home, one.prompts[0])
    lane.recall.keep(first)
    given = 0
    for net in VOTES:
        while given != net:
            lane.recall.feedback.judge(f"m_{one.note}", up=net < given, recall=first.id)
            given += 1 if net > given else -1
        for row in rows:
            found = ask(lane, home, row["prompt"])
            row["shown"][str(net)] = f"m_{one.note}" in [match.memory.id for match in found.shown]
            row["because"] = {**row.get("because", {}), str(net): _because(found, one.note)}
    return rows


def ask(lane: Lane, home: Path, prompt: str) -> Recall:
    return lane.recall.recall(Query(prompt, place(home), str(home), "claude-code", "", ""))


def _because(found: Recall, note: str) -> str:
    match = next((match for match in (*found.shown, *found.near) if match.memory.id == f"m_{note}"), None)
    return "" if match is None else f"{_sure(match):.0%} {match.because}".strip()


def _sure(match: Match) -> float:
    return match.similarity if match.needed is None else match.needed


def table(rows: Sequence[Mapping[str, Any]]) -> None:
    print(f"{'note':<6}{'prompt':<50}" + "".join(f"{net:>5}" for net in VOTES))
    for row in rows:
        marks = "".join(f"{'yes' if row['shown'][str(net)] else '-':>5}" for net in VOTES)
        print(f"{row['note']:<6}{row['prompt'][:48]:<50}{marks}   {row['because']['0']}")


if __name__ == "__main__":
    main()
