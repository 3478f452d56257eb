"""Is the right earlier run pointed at, and no other? `python -m benchmarks.earlier --sessions F --questions F`.

LongMemEval: all sessions are runs of one project, every question a prompt as the hook asks it, and no memory is known.
`right`: share of what is offered that is a run with the answer; `false`: share of questions for which something is
offered although every run with the answer is left out.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.longmemeval import DATE, Then, arguments, neutral, read
from campaigns.report import machine
from memlane import recall
from memlane.app import Lane
from memlane.app.recall.earlier import EarlierTurns
from memlane.config import load
from memlane.domain import EarlierTurn, Project, Query, RunFilter

CHOSEN = "the numbers of Sureness in round figures, on these very questions: no clean figure"
COMMAND = "python -m benchmarks.earlier --sessions sessions.jsonl.xz --questions questions-dev.json"


def main() -> None:
    asked = arguments(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        found = measured(list(read(asked.sessions)), json.loads(asked.questions.read_text()), Path(folder))
    kept = {"command": COMMAND, "benchmark": "earlier", "machine": machine(), **found, "chosen": CHOSEN}
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        for name, value in found.items():
            print(f"{name:<22}{value}")
    print(json.dumps(kept))


def measured(
    sessions: Sequence[Mapping[str, Any]], questions: Sequence[Mapping[str, Any]], folder: Path
) -> dict[str, Any]:
    clock = Then()
    asked = [question for question in questions if not question["abstention"]]
    with Lane(load({"HOME": str(folder), "LANE_HOME": str(folder / "lane")}), clock) as lane:
        runs, project = imported(sessions, folder, lane)
        turns = EarlierTurns(lane.home, lane.vectors)
        past = [question for question in asked if recall.about_the_past(question["question"])]
        gold = [{runs[name] for name in question["gold_sessions"]} for question in past]
        alike = [{runs[name] for name in question["pool_excluded"] if name in runs} for question in past]
        each = list(zip(past, gold, alike, strict=True))
        made = [(one, right) for q, right, out in each if (one := offered(q, turns, clock, project, out - right))]
        wrong = [one for q, right, out in each if (one := offered(q, turns, clock, project, out | right))]
        right = sum(one.run in theirs for one, theirs in made)
    return {
        "questions": len(asked),
        "about_the_past": len(past),
        "offered": _share(len(made), len(past)),
        "right": _share(right, len(made)),
        "false": _share(len(wrong), len(past)),
    }


def offered(
    question: Mapping[str, Any], turns: EarlierTurns, clock: Then, project: Project, without: set[str]
) -> EarlierTurn | None:
    clock.at = datetime.strptime(question["question_date"], DATE).replace(tzinfo=UTC)
    return turns.offered(Query(question["question"], project, "", "chat", "", ""), without)


def imported(sessions: Sequence[Mapping[str, Any]], folder: Path, lane: Lane) -> tuple[dict[str, str], Project]:
    """The Run each session became, all of one project."""
    path, place = folder / "sessions.jsonl", folder / "talks"
    place.mkdir()
    with path.open("w") as file:
        file.writelines(json.dumps(record) + "\n" for session in sessions for record in _here(session, place))
    lane.capture.imports.take([path])
    while lane.vectors.follow(60.0):
        pass
    found = lane.runs.select(RunFilter())
    return {run.native_id: run.id for run in found}, found[0].project


def _here(session: Mapping[str, Any], place: Path) -> Iterator[dict[str, str]]:
    for record in neutral(session):
        yield {**record, "cwd": str(place)} if record["type"] == "run" else record


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


if __name__ == "__main__":
    main()
