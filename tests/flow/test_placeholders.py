"""`entire explain <commit-sha>` is a command with a gap, not a tag: it is kept, shown and given back as it was said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memlane.catch.checks import check
from memlane.catch.embedded import EmbeddedExtractor
from memlane.catch.embedded.features import own_words
from memlane.catch.model.prompt import rendered
from memlane.domain import Draft, Quote, Scope, Spot, Type
from memlane.gate import Gate
from memlane.surfaces.mcp import AgentDesk
from memlane.surfaces.mcp.protocol import answered
from tests.flow.folders import QUICK, folder, topics, written
from tests.flow.homes import a_lane
from tests.hostile import PLACEHOLDER
from tests.rooms.catch.small_runs import agent, prompt, run, window

RULE = f"No, never read the raw log. Always run {PLACEHOLDER} to see what a checkpoint holds, in every repository."


@pytest.mark.parametrize(
    ("said", "own"),
    [
        (f"run {PLACEHOLDER} first", f"run {PLACEHOLDER} first"),
        ("use `git show <sha>:<path>` here", "use `git show <sha>:<path>` here"),
        ("cd <your project folder> and wait", "cd <your project folder> and wait"),
        ("it is <b>bold</b> now", "it is bold now"),
        ("<task>do this</task> please", "do this please"),
        ("make the <div> wide", "make the wide"),
        ('the <Route path="/x" element={x}> breaks', "the breaks"),
    ],
)
def test_what_a_person_types_keeps_its_gaps_and_loses_pasted_markup(said: str, own: str) -> None:
    assert " ".join(own_words(said).split()) == own


def test_the_built_in_classifier_keeps_it() -> None:
    turns = run(
        prompt("what is in the last checkpoint?"), agent("I read the raw log."), prompt(RULE), agent("You are right.")
    )
    drafts = EmbeddedExtractor().read(window(turns), ()).drafts
    assert drafts
    assert all(PLACEHOLDER in f"{draft.title} {draft.content}" for draft in drafts)


def test_an_extractor_that_copies_the_escaped_form_gives_back_what_was_said() -> None:
    turns = run(prompt("what is in the last checkpoint?"), agent("I read the raw log."), prompt(RULE))
    shown = rendered(seen := window(turns), ())
    escaped = PLACEHOLDER.replace("<", "&lt;")
    assert escaped in shown
    draft = Draft(
        Type.CORRECTION,
        f"Run {escaped} to see what a checkpoint holds",
        f"The raw log is never read: {escaped} shows a checkpoint.",
        (Quote(Spot(2, 1), f"Always run {escaped} to see what a checkpoint holds"),),
        "the person corrected the agent",
        90,
    )
    for each in (draft, replace(draft, quotes=(Quote(Spot(2, 1), f"Always run {PLACEHOLDER} to see"),))):
        kept = check(each, seen, Gate())
        assert isinstance(kept, Draft), kept
        assert PLACEHOLDER in kept.title
        assert PLACEHOLDER in kept.content
        assert PLACEHOLDER in kept.quotes[0].words


def test_a_page_that_a_person_edits_gives_it_back(tmp_path: Path) -> None:
    with a_lane(tmp_path, **QUICK) as lane:
        made = lane.memories.remember(
            f"Checkpoints: {PLACEHOLDER} shows one", Path("/home/dev/app"), scope=Scope.PROJECT
        )
        written(lane)
        (name, text), *_ = topics(folder(lane)).items()
        assert PLACEHOLDER.replace("<", "&lt;") in text
        page = folder(lane) / name
        page.write_text(text.replace(" shows one", " shows the newest one"))
        written(lane)
        after = lane.memories.get(made.id)
        assert (after.title, after.content) == (f"Checkpoints: {PLACEHOLDER} shows the newest one",) * 2


def test_an_agent_that_copies_a_note_into_remember_keeps_it(tmp_path: Path) -> None:
    with a_lane(tmp_path, **QUICK) as lane:
        desk = AgentDesk(lambda: lane, tmp_path, "claude-code")
        told = {"text": f"A checkpoint is shown by {PLACEHOLDER.replace('<', '&lt;')} alone."}
        call = {"name": "remember", "arguments": told}
        answered({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}, desk)
        (memory,) = lane.memories.all()
        assert PLACEHOLDER in memory.content
