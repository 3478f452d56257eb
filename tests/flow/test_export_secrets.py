"""A secret of every kind, in every place a transcript has: none of its bytes leaves, in any format."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.handover import Span, first_prompt, markdown, recap_page, story_page
from memlane.domain import RunFilter
from memlane.errors import LaneError
from memlane.gate import Gate
from memlane.surfaces.documents import of_hand_over, of_recap, of_story, of_wrapped
from memlane.surfaces.web.html import kept_story, kept_wrapped
from tests.flow.homes import SESSION, a_lane, answer, called, prompt, returned, said, transcript, write

FORMATS = ("neutral", "sts", "atif", "markdown", "html", "native", "parquet")
SEED = 23
PLANTED = [(rule, sample) for rule, sample in Gate().samples(SEED) if "\n" not in sample.text]
HIDING = [(rule, sample) for rule, sample in PLANTED if rule.startswith(("github-", "aws-", "openai-", "slack-"))]


def everywhere(folder: Path) -> None:
    """One kind after the other, in each place that is not said, called or answered."""
    kinds = (sample.text for _ in range(9) for _rule, sample in HIDING)
    path = transcript(folder)
    thought = {"type": "thinking", "thinking": f"I have {next(kinds)} here", "signature": "abcd"}
    deep = {"list": [{"inner": next(kinds)}], f"key {next(kinds)}": 1, "file_path": f"/home/dev/app/{next(kinds)}.txt"}
    hidden = base64.b64encode(next(kinds).encode()).decode()
    lines: list[dict[str, object]] = [
        prompt(f"go {next(kinds)}", 1, cwd=f"/home/dev/{next(kinds)}", gitBranch=f"fix/{next(kinds)}"),
        answer([thought, called("Edit", deep, "toolu_x"), said(f"and {hidden}")], 2),
        returned(json.dumps({"token": next(kinds)}), "toolu_x", 3, error=True),
        {"type": "ai-title", "aiTitle": f"Rotate {next(kinds)}", "sessionId": SESSION},
        {"type": "summary", "summary": f"About {next(kinds)}", "leafUuid": "x"},
        {"type": "nobody-knows-this", "payload": {"deep": [f"curl -H 'Authorization: Bearer {next(kinds)}'"]}},
    ]
    write(path, lines)
    agent = path.with_suffix("") / "subagents" / "agent-a1b2c3.jsonl"
    agent.parent.mkdir(parents=True)
    write(agent, [prompt(f"look for {next(kinds)}", 6, isSidechain=True, agentId="a1b2c3")])
    todos = folder / "home" / ".claude" / "todos" / f"{SESSION}-agent-{SESSION}.json"
    todos.parent.mkdir(parents=True)
    todos.write_text(json.dumps([{"content": f"revoke {next(kinds)}", "status": "pending"}]))


def said_called_and_answered(folder: Path) -> None:
    records = list[dict[str, object]]()
    for n, (_rule, sample) in enumerate(PLANTED, 10):
        call = f"toolu_{n}"
        records += [
            prompt(f"here it is: {sample.text} and so on", 10 * n),
            answer([called("Bash", {"command": f"echo {sample.text}"}, call)], 10 * n + 1),
            returned(f"output\n{sample.text}\nend", call, 10 * n + 2),
        ]
    write(transcript(folder), records)


@pytest.fixture(scope="module")
def lane(tmp_path_factory: pytest.TempPathFactory) -> Lane:
    folder = tmp_path_factory.mktemp("secrets")
    everywhere(folder)
    said_called_and_answered(folder)
    made = a_lane(folder)
    made.capture.sweep()
    for _rule, sample in HIDING:
        made.recall.keep(made.recall.asked(f"what is {sample.text} for?", folder))
        try:
            made.memories.remember(f"The key of the harbour is {sample.text}, keep it.", folder)
        except LaneError:
            continue
    return made


def texts(folder: Path) -> Iterator[bytes]:
    """As a reader of the files sees them: a table is compressed, so its values are looked at."""
    from pyarrow import parquet

    for file in folder.rglob("*"):
        if file.suffix == ".parquet":
            yield json.dumps(parquet.read_table(file).to_pylist(), default=str, ensure_ascii=False).encode()
        elif file.is_file():
            data = file.read_bytes()
            yield unescape(data.decode()).encode() if file.suffix == ".html" else data


def is_masked(left: bytes) -> None:
    assert [rule for rule, sample in PLANTED if sample.secret.encode() in left] == []
    hidden = [base64.b64encode(sample.text.encode()) for _rule, sample in HIDING]
    assert [code for code in hidden if code in left] == []


@pytest.mark.parametrize("form", FORMATS)
def test_no_secret_leaves_in_any_format(lane: Lane, tmp_path: Path, form: str) -> None:
    runs = lane.exports.choose((), RunFilter())
    folder = lane.exports.write(runs, form, tmp_path / "out", lambda *_: None).folder
    left = b"\n".join(texts(folder))
    assert len(PLANTED) >= 250
    assert len(HIDING) >= 12
    assert len(runs) == 2
    assert b"here it is" in left
    is_masked(left)


def of_a_hand_over(lane: Lane, _folder: Path) -> Iterator[str]:
    over = lane.handovers.of(lane.runs.select(RunFilter()))
    yield from (markdown(over), first_prompt(over), str(of_hand_over(over)))


def of_a_story(lane: Lane, _folder: Path) -> Iterator[str]:
    story = lane.handovers.story([run.id for run in lane.runs.select(RunFilter())])
    yield from (*story_page(story), unescape(kept_story(story)), str(of_story(story)))


def of_a_year(lane: Lane, _folder: Path) -> Iterator[str]:
    span = Span("2026", datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))
    recap, wrapped = lane.handovers.recap(span), lane.handovers.wrapped(span)
    yield from (*recap_page(recap), str(of_recap(recap)), str(of_wrapped(wrapped)))
    yield unescape(kept_wrapped(wrapped))


def of_a_sync(lane: Lane, folder: Path) -> Iterator[str]:
    lane.syncs.sync(str(folder / "nas"))
    yield from (data.decode() for data in texts(folder / "nas"))


def of_a_donation(lane: Lane, folder: Path) -> Iterator[str]:
    """What leaves, and what a person is shown of it before."""
    for form in ("sts", "neutral", "atif"):
        plan = lane.donations.plan(lane.runs.select(RunFilter()), form, ())
        lane.donations.give(plan, str(folder / form), "CC0-1.0")
        yield plan.changes.read_text()
        lane.donations.drop(plan)
    yield from (data.decode() for data in texts(folder))


@pytest.mark.parametrize("way", [of_a_hand_over, of_a_story, of_a_year, of_a_sync, of_a_donation])
def test_no_secret_leaves_by_any_other_way(
    lane: Lane, tmp_path: Path, way: Callable[[Lane, Path], Iterator[str]]
) -> None:
    left = "\n".join(way(lane, tmp_path))
    assert "[masked: " in left, "what was planted is in it"
    is_masked(left.encode("utf-8", "replace"))
