"""Another person's part of Central has Central's settings, and none of those that are the operator's own."""

from __future__ import annotations

from pathlib import Path

from memlane.app.control import of_owner
from memlane.config import load


def test_the_operators_own_folders_and_wishes_stay_theirs(tmp_path: Path) -> None:
    mine = {"LANE_ENTITIES_FOLDERS": "person=~/people", "LANE_RECALL_ENABLED": "false", "LANE_RECALL_OFF_IN": "/diary"}
    central = load({"HOME": str(tmp_path), "LANE_USER": "operator", "LANE_CATCH_WITH": "model", **mine})
    theirs = of_owner(central, "noor")
    assert theirs.names("entities.folders") == theirs.names("recall.off_in") == ()
    assert theirs.switch("recall.enabled")
    assert theirs.text("catch.with") == "model"  # who reads for thin machines is Central's to say
    assert of_owner(central, "operator") is central
