"""Where a cue brought a note, the page says which, as data like anything a person wrote."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from memlane.domain import Occasion, Scope
from tests.flow.homes import a_lane
from tests.rooms.api.http_home import served

NOTE = "Add every new workspace package to the Dockerfile COPY list"
CUE = "the image cannot find <b>my module</b>"


def test_a_page_names_the_cue_that_the_prompt_is_like(tmp_path: Path) -> None:
    with a_lane(tmp_path) as lane:
        lane.memories.remember(NOTE, tmp_path / "home", scope=Scope.GLOBAL, occasion=Occasion(cues=(CUE,)))
    with served(tmp_path) as http:
        page = http.ask("GET", f"/lane/try?prompt={quote(CUE)}", accept="text/html").body.decode()
    assert "like its cue “the image cannot find &lt;b&gt;my module&lt;/b&gt;”" in page
