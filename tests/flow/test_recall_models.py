"""A model from a folder understands prompts: fitted once on the sample notes, in the languages it reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.home.model_fit import FILE
from memlane.domain import Finding, Level, Outcome
from memlane.recall.fit import SampleMemory, samples
from tests.flow.homes import a_lane
from tests.flow.test_recall import ask, context
from tests.rooms.embed import tiny_onnx

pytest.importorskip("onnxruntime")

PARTS = re.compile(r"\w+|[^\w\s]+")
NOTE = "Clear the price cache after a change of prices"


def model_that_reads(folder: Path, *codes: str) -> Path:
    """A word of these languages means the notes it belongs to; any other word means nothing."""
    meanings: dict[str, list[float]] = {}
    for code in codes:
        known = [*samples(code, cues=True)]
        for number, note in enumerate(known):
            for part in PARTS.findall(" ".join(said(note))):
                meanings.setdefault(part, [0.0] * len(known))[number] += 1.0
    nothing = [0.1] * 20
    rows: Sequence[Sequence[float]] = [nothing, nothing, *meanings.values()]
    return tiny_onnx.write(folder, rows, ["[PAD]", "[UNK]", *meanings])


def said(note: SampleMemory) -> Iterator[str]:
    yield from (note.text, *note.cues, *note.probes)


def a_home(folder: Path, model: Path) -> Lane:
    lane = a_lane(folder, LANE_RECALL_MODEL="onnx", LANE_RECALL_FOLDER=str(model))
    for note in samples("en", cues=False):
        title, _, content = note.text.partition("\n")
        lane.memories.remember(f"{title}\n\n{content}", folder / "home")
    return lane


def of_recall(lane: Lane) -> Finding:
    return next(one for one in lane.health.doctor.findings() if one.kind == "recall")


def test_a_note_is_found_in_a_language_that_only_this_model_reads(tmp_path: Path) -> None:
    probe = next(one.probes[0] for one in samples("ja", cues=False) if one.text.startswith(NOTE))
    german = next(one.probes[0] for one in samples("de", cues=False) if one.text.startswith(NOTE))
    with a_home(tmp_path, model_that_reads(tmp_path / "reads-two", "en", "ja")) as lane:
        assert NOTE in context(ask(lane, probe)), "no memory has a cue"
        found = ask(lane, german).recall
        assert found is not None
        assert found.outcome is Outcome.SILENT
        assert "does not read German" in found.why
        assert "reads English, Japanese" in of_recall(lane).what
        kept = (lane.config.home / FILE).read_bytes()
    with a_lane(tmp_path, LANE_RECALL_MODEL="onnx", LANE_RECALL_FOLDER=str(tmp_path / "reads-two")) as again:
        assert of_recall(again).level is Level.OK
        assert (again.config.home / FILE).read_bytes() == kept


def test_a_model_that_tells_nothing_apart_is_not_used_and_doctor_says_so(tmp_path: Path) -> None:
    with a_home(tmp_path, tiny_onnx.write(tmp_path / "tiny")) as lane:
        found = of_recall(lane)
        assert (found.level, "does not tell sample notes apart" in found.what) == (Level.WARN, True)
        recalled = ask(lane, "why does the shop show old prices after a change of prices?").recall
        assert recalled is not None
        assert "sample notes" in recalled.extra["fallback"], "words answer meanwhile"


def test_a_model_without_a_folder_says_which_setting_is_missing(tmp_path: Path) -> None:
    with a_lane(tmp_path, LANE_RECALL_MODEL="onnx") as lane:
        lane.memories.remember(NOTE, tmp_path / "home")
        assert of_recall(lane).hint == "lane config set recall.folder FOLDER"
