"""Memories get their cues by id, and none that would tell the answer."""

from __future__ import annotations

import json
from pathlib import Path

from training.memories import read, with_cues


def test_a_cue_that_is_one_of_the_memorys_own_prompts_is_left_out(data: Path) -> None:
    first, second, *_others = read(data / "recall-train.jsonl")
    asked = [first.probes[0].text.upper(), first.non_probes[0].text, "is the port free?"]
    (data / "recall-cues.jsonl").write_text(json.dumps({"id": first.id, "cues": asked}) + "\n")
    with_some, without = with_cues([first, second], data / "recall-cues.jsonl")
    assert with_some.cues == ("is the port free?",)
    assert without.cues == ()
