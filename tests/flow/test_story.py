"""Several runs as one story: in the order things happened, what a fork repeats once, only what belongs to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.handover import story_page
from memlane.domain import RunFilter
from memlane.errors import NotFoundError
from memlane.surfaces.web.html import kept_story
from tests.flow.homes import SESSION, a_lane, answer, called, prompt, returned, said, transcript, write

FORK = "22222222-2222-4333-8444-555555555555"
OTHER = "33333333-2222-4333-8444-555555555555"


def two_runs(folder: Path) -> Lane:
    lane = a_lane(folder)
    edit = called("Edit", {"file_path": "/home/dev/app/login.py", "old_string": "a", "new_string": "b"})
    first = [prompt("fix the login", 1), answer([edit], 2), returned("ok", n=3), answer([said("fixed")], 4)]
    write(transcript(folder), [*first, prompt("thank Ana Silva", 20), answer([said("done")], 21)])
    copied = [line | {"sessionId": FORK} for line in first]
    write(transcript(folder, FORK), [*copied, prompt("now the logout", 10) | {"sessionId": FORK}])
    lane.capture.sweep()
    return lane


def named(lane: Lane, native_id: str) -> str:
    return next(run.id for run in lane.runs.select() if run.native_id == native_id)


def test_a_tree_is_told_in_order_and_a_copied_turn_once(tmp_path: Path) -> None:
    lane = two_runs(tmp_path)
    story = lane.handovers.story_of_tree(named(lane, FORK))
    assert [one.person for one in story.turns] == ["fix the login", "now the logout", "thank Ana Silva"]
    assert story.repeated == 1
    assert story.turns[0].run.native_id == SESSION, "it is of the run that told it first"
    assert story.turns[0].changed == ("/home/dev/app/login.py",)
    page = "\n".join(story_page(story))
    assert page.index("> fix the login") < page.index("> now the logout") < page.index("> thank Ana Silva")
    assert page.count("> fix the login") == 1


def test_each_run_has_a_heading_that_the_list_of_runs_leads_to(tmp_path: Path) -> None:
    """Also where another run comes between: in Markdown by the name of the heading, in HTML by its id."""
    lane = two_runs(tmp_path)
    story = lane.handovers.story_of_tree(named(lane, FORK))
    first, fork = (named(lane, one) for one in (SESSION, FORK))
    page = "\n".join(story_page(story))
    assert re.findall(r"\[Run \d\]\((#\S+)\)", page) == ["#run-1", "#run-2"]
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == ["Run 1", "Run 2", "Run 1, continued"]
    kept = kept_story(story)
    assert re.findall(r'<h2 (?:id="(\w+)")?', kept) == [first, fork, ""]
    ids = re.findall(r'\bid="([^"]+)"', kept)
    assert len(ids) == len(set(ids))
    assert {f"{first}-t1", f"{fork}-t2", f"{first}-t2"} < set(ids)
    assert set(re.findall(r'href="([^"]+)"', kept)) == {f"#{name}" for name in ids}


def test_a_prompt_that_a_run_repeats_under_another_id_is_told_once(tmp_path: Path) -> None:
    lane, first = a_lane(tmp_path), prompt("fix the login", 1)
    again = {**first, "uuid": "99999999-0000-4000-8000-000000000000"}
    write(transcript(tmp_path), [first, answer([said("fixed")], 4), again, answer([said("fixed")], 5)])
    lane.capture.sweep()
    story = lane.handovers.story([run.id for run in lane.runs.select()])
    assert ([one.person for one in story.turns], story.repeated) == (["fix the login"], 1)


def test_a_page_to_keep_renders_each_turn_for_itself(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    talk = [
        prompt("fix it", 1),
        answer([said(f"# Why\n```py\n# no heading\n{'never ' * 5_000}")], 2),
        prompt("and **this** <b>", 3),
    ]
    write(transcript(tmp_path), [*talk, answer([said("closed " * 5_000)], 4)])
    lane.capture.sweep()
    runs = [run.id for run in lane.runs.select()]
    page = kept_story(lane.handovers.story(runs, "</title>"))
    assert page.count("<blockquote") == 2
    assert page.count("<h2") == 1
    assert "<title>&lt;/title&gt;</title>" in page
    assert "<b>" not in page
    assert "and **this** &lt;b&gt;" in page, "what a person typed is not rendered"
    lines = list(story_page(lane.handovers.story(runs)))
    assert "#### Why" in lines, "below the heading of its turn"
    assert "# no heading" in lines
    assert lines.index("```") < lines.index("> and **this** <b>"), "a fence left open ends with its turn"


def test_a_file_has_only_the_turns_that_changed_it(tmp_path: Path) -> None:
    lane = two_runs(tmp_path)
    story = lane.handovers.story_of_file("login.py", RunFilter())
    assert [one.person for one in story.turns] == ["fix the login"]
    with pytest.raises(NotFoundError):
        lane.handovers.story_of_file("nothing.py", RunFilter())


def test_a_name_has_only_the_turns_that_say_it(tmp_path: Path) -> None:
    lane = two_runs(tmp_path)
    runs = [run.id for run in lane.runs.select()]
    story = lane.handovers.story(runs, "Ana Silva", ("Ana Silva", "ana"))
    assert [one.person for one in story.turns] == ["thank Ana Silva"]
    assert [run.native_id for run in story.runs] == [SESSION]
