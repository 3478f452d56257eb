"""A secret in a transcript stands in the raw archive, and in no other byte we write or say."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import pytest

from memlane.app.capture import Capture
from memlane.app.search import Mode
from memlane.domain import RunFilter
from memlane.gate import Gate, SecretSample
from tests.flow.homes import a_lane, answer, called, prompt, returned, said, transcript, write

T = TypeVar("T")
ENCODINGS: dict[str, Callable[[str], str]] = {
    "plain": lambda s: s,
    "base64": lambda s: base64.b64encode(s.encode()).decode(),
    "url": lambda s: quote(s, safe=""),
    "json": lambda s: json.dumps(s)[1:-1],
}


@pytest.fixture(scope="module")
def samples() -> list[tuple[str, SecretSample]]:
    return list(Gate().samples(11))


@pytest.mark.fault("H1")
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_no_derived_byte_holds_a_secret(tmp_path: Path, samples: list[tuple[str, SecretSample]], encoding: str) -> None:
    """Every kind of secret in every field of a run, then every byte outside the archive is looked through."""
    path, encode = transcript(tmp_path), ENCODINGS[encoding]
    for n, (_rule, sample) in enumerate(samples):
        text, call = encode(sample.text), f"toolu_{n}"
        write(
            path,
            [
                prompt(f"here it is: {text} and so on", 10 * n),
                answer([said(f"I see {text} there")], 10 * n + 1),
                answer([called("Bash", {"command": f"echo {text}", "note": text}, call)], 10 * n + 2),
                returned(f"output\n{text}\nend", call, 10 * n + 3, error=n % 2 == 0),
            ],
        )
    write(path, [{"type": "custom-title", "customTitle": f"about {samples[0][1].text}", "sessionId": "x"}])
    lane = a_lane(tmp_path)
    lane.capture.sweep()
    (run,) = lane.runs.select(RunFilter())
    spoken = repr(run) + repr(list(lane.runs.show(run.id).turns))
    outside = [p for p in lane.config.home.rglob("*") if p.is_file() and lane.config.archive_base not in p.parents]
    derived = b"\n".join(p.read_bytes() for p in outside)
    leaked = {
        rule for rule, s in samples if s.secret in spoken or s.secret.encode() in derived or encode(s.secret) in spoken
    }
    allowed = 0 if encoding == "plain" else len(samples) * 5 // 100
    assert len(leaked) <= allowed, sorted(leaked)
    raw = b"".join(lane.runs.raw(run.id))
    assert raw == path.read_bytes()


def test_private_words_are_kept_and_never_shown(tmp_path: Path) -> None:
    path = transcript(tmp_path)
    write(path, [prompt("deploy with <private>the blue envelope</private> please"), answer([said("done")])])
    lane = a_lane(tmp_path)
    lane.capture.sweep()
    (run,) = lane.runs.select(RunFilter())
    assert "envelope" not in run.first.text
    assert lane.search.find("envelope", RunFilter(), 5, Mode.WORDS).search.best == []
    assert b"blue envelope" in b"".join(lane.runs.raw(run.id))


class OlderGate(Gate):
    """That of a release which did not know this kind of secret."""

    version = "older"

    def mask(self, text: str) -> str:
        return text

    def mask_values(self, value: T) -> T:
        return value


@pytest.mark.fault("H6")
@pytest.mark.parametrize("look", [Capture.tick, Capture.take_up], ids=["tick", "worker of a Central"])
def test_a_secret_the_gate_learns_later_is_masked_in_runs_that_are_over(
    look: Callable[[Capture], object], tmp_path: Path
) -> None:
    sample = next(sample for _rule, sample in Gate().samples(11) if "\n" not in sample.text)
    write(transcript(tmp_path), [prompt(f"the key is {sample.text} today"), answer([said("noted")])])
    lane = a_lane(tmp_path)
    lane.home.gate = OlderGate()
    lane.capture.sweep()
    (run,) = lane.runs.select(RunFilter())
    assert sample.secret in run.first.text
    lane.close()
    lane = a_lane(tmp_path)
    look(lane.capture)
    (run,) = lane.runs.select(RunFilter())
    assert sample.secret not in run.first.text
    assert sample.secret not in repr(lane.search.find("key", RunFilter(), 5, Mode.WORDS))
    assert list(lane.home.storage().work.masked_otherwise(lane.home.gate.version, 10)) == []


@pytest.mark.fault("H6")
def test_what_a_person_finds_to_be_a_secret_goes_with_its_run_and_its_memory(tmp_path: Path) -> None:
    secret = "the combination is left seven right twelve"
    write(transcript(tmp_path), [prompt(f"remember: {secret}"), answer([said("noted")])])
    lane = a_lane(tmp_path)
    lane.capture.sweep()
    (run,) = lane.runs.select(RunFilter())
    note = lane.memories.remember(f"Vault: {secret}", tmp_path / "home")
    lane.archive.forget_for_good(lane.archive.plan_forget(run.id))
    lane.memories.forget_for_good(lane.memories.plan_gone([note.id]))
    lane.close()
    held = [path for path in lane.config.home.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
    assert held == []
