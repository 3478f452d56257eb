"""E66 to E69 as a whole home sees them: said twice, said otherwise, stale; with the rules a dream thinks with."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import Change, Mention, Project, Query, RecallMoment, RunFilter, State
from memlane.dream.folder.index import put
from memlane.identity import project_of
from tests.flow.dreams import TODAY, Clock, a_home, caught, dreaming, known, stand
from tests.flow.git_projects import GitProject
from tests.flow.homes import answer, prompt, said, transcript, write


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def lane(tmp_path: Path, clock: Clock) -> Iterator[Lane]:
    with a_home(tmp_path, clock) as lane:
        yield lane


def test_e66_what_was_vague_is_said_outright_where_the_run_says_it(tmp_path: Path, lane: Lane) -> None:
    """Formed on Wednesday, 17 December 2025, in a run that names the server and what moves."""
    at = datetime(2025, 12, 17, 10, 0, tzinfo=UTC)
    asked = prompt("the new server is `atlas`. we decided last week to move the wiki to the new server next Friday")
    write(transcript(tmp_path), [asked | {"timestamp": "2025-12-17T10:00:00.000Z"}, answer([said("noted")])])
    lane.capture.sweep()
    (run,) = lane.runs.select(RunFilter())
    vague = caught(
        "We decided last week to move it to the new server next Friday",
        days_ago=(TODAY - at).total_seconds() / 86400,
        runs=(run.id,),
    )
    known(lane, vague)
    dream = dreaming(lane).run()
    (done,) = [one for one in dream.done if one.change is Change.EXACT]
    text = stand(lane)[vague.id].text
    assert "2025-12-08" in text
    assert "2025-12-26" in text
    assert "atlas" in text
    assert done.because
    dreaming(lane).undo(dream.id)
    assert stand(lane)[vague.id] == vague


FINE = caught("Deploy on Fridays is fine", days_ago=80, runs=("r_march",))
NEVER = caught("Never deploy on a Friday", days_ago=10, runs=("r_june", "r_later"))
DOCS = caught("Deploying docs on Friday is fine", days_ago=20, runs=("r_docs",))


def test_e67_the_newer_and_better_seen_stands_the_other_is_superseded_by_it(lane: Lane) -> None:
    known(lane, FINE, NEVER, DOCS)
    dream = dreaming(lane).run()
    assert [(one.change, one.memories, one.result) for one in dream.done] == [
        (Change.SUPERSEDED, (FINE.id,), (NEVER.id,))
    ]
    now = stand(lane)
    assert (now[FINE.id].state, now[FINE.id].superseded_by) == (State.SUPERSEDED, NEVER.id)
    assert (now[NEVER.id], now[DOCS.id]) == (NEVER, DOCS)
    told = would_tell(lane, "may I deploy the app on a Friday?")
    assert NEVER.id in told
    assert FINE.id not in told
    lane.memories.restore([FINE.id])
    assert stand(lane)[FINE.id].state is State.ACTIVE


def test_e67_one_a_person_made_is_not_outdone_but_a_person_is_asked(lane: Lane) -> None:
    mine = caught("Deploy on Fridays is fine", days_ago=80, maker="person")
    known(lane, mine, NEVER)
    before = stand(lane)
    dream = dreaming(lane).run()
    assert dream.done == ()
    assert [set(doubt.memories) for doubt in dream.doubts] == [{mine.id, NEVER.id}]
    assert stand(lane) == before


THRICE = (
    caught("Release notes are short and without emoji", runs=("r_a",), days_ago=9),
    caught("Keep release notes short, without emoji", runs=("r_b",), days_ago=6),
    caught("Short release notes without emoji", runs=("r_c",), days_ago=3),
)


def test_e68_three_of_one_lesson_become_one_with_all_that_stood_behind_them(lane: Lane) -> None:
    known(lane, *THRICE)
    before = stand(lane)
    probes = ("write short release notes", "may release notes have an emoji in them?", "release notes: how long?")
    found = [set(would_tell(lane, words)) & set(before) for words in probes]
    dream = dreaming(lane).run()
    (done,) = dream.done
    assert any(found)
    assert [set(would_tell(lane, words)) for words in probes] == [set(done.result) if one else set() for one in found]
    assert (done.change, set(done.memories)) == (Change.MERGED, {one.id for one in THRICE})
    kept = stand(lane)[done.result[0]]
    assert (kept.state, kept.times_observed) == (State.ACTIVE, 3)
    assert {evidence.run for evidence in kept.evidence} == {"r_a", "r_b", "r_c"}
    assert kept.first_observed_at == TODAY - timedelta(days=9)
    others = [stand(lane)[one.id] for one in THRICE if one.id != kept.id]
    assert {(other.state, other.superseded_by) for other in others} == {(State.SUPERSEDED, kept.id)}
    assert dreaming(lane).run().done == ()
    dreaming(lane).undo(dream.id, others[0].id)
    assert stand(lane) == before


def would_tell(lane: Lane, words: str) -> list[str]:
    """What an agent in the app would be told now."""
    project = Project("acme/app", "host/acme/app")
    query = Query(words, project, "/home/dev/app", "claude-code", "", "", RecallMoment.ASKED)
    return [match.memory.id for match in lane.recall.recall(query).shown]


def a_checkout(folder: Path, lane: Lane) -> tuple[Path, Project]:
    """A project on the disk, with a run of Claude Code in it."""
    app = folder / "home" / "app"
    (app / ".git").mkdir(parents=True)
    (app / ".git" / "config").write_text('[remote "origin"]\n\turl = git@host:acme/app.git\n')
    write(transcript(folder), [prompt("build it", cwd=str(app)), answer([said("done")], cwd=str(app))])
    lane.capture.sweep()
    return app, project_of(str(app))


def test_e69_what_a_file_now_says_or_whose_file_was_deleted_leaves_and_comes_back(tmp_path: Path, lane: Lane) -> None:
    app = GitProject(tmp_path, lane)
    app.commit({"src/there.py": "def kept() -> None: ...\n", "src/parser.py": "def parse() -> None: ...\n"})
    app.commit({"README.md": "# App\n\nTests run with vitest, never with bun.\n", "src/parser.py": None})
    repeats = app.note("Tests run with vitest, never with bun")
    gone = app.note("The parser drops comments", "src/parser.py")
    stays = app.note("The keeper keeps order", "src/there.py")
    known(lane, repeats, gone, stays)
    before = stand(lane)
    dream = dreaming(lane).run()
    assert {one.memories[0]: one.because.partition(" on ")[0] for one in dream.done} == {
        repeats.id: "README.md says it",
        gone.id: "src/parser.py was deleted from main",
    }
    assert {stand(lane)[one.id].state for one in (repeats, gone)} == {State.RETIRED}
    assert stand(lane)[stays.id] == stays
    dreaming(lane).undo(dream.id)
    assert stand(lane) == before


def test_nothing_is_gone_from_a_checkout_that_was_never_filled(tmp_path: Path, lane: Lane) -> None:
    _app, project = a_checkout(tmp_path, lane)
    here = {"project": project.name, "project_key": project.key}
    known(lane, caught("The parser drops comments", related_entities=(a_file("src/parser.py"),), **here))
    assert dreaming(lane).run().done == ()


def test_what_we_wrote_into_a_file_ourselves_makes_no_memory_derivable(tmp_path: Path, lane: Lane) -> None:
    app, project = a_checkout(tmp_path, lane)
    lesson = caught("Tests run with vitest, never with bun", project=project.name, project_key=project.key)
    known(lane, lesson)
    (app / "AGENTS.md").write_text(put("# App\n", [f"- {lesson.title}"]))
    assert dreaming(lane).run().done == ()


def a_file(path: str) -> Mention:
    return Mention("file", path, path, resolved=True)


def test_e44_e78_a_request_made_in_three_runs_is_an_idea_that_cites_them(tmp_path: Path, lane: Lane) -> None:
    wishes = (
        "write release notes out of the merged changes",
        "please make the release notes from merged changes",
        "release notes for the merged changes again, please",
    )
    for n, wish in enumerate(wishes):
        session = f"{n}1111111-2222-4333-8444-555555555555"
        asked = prompt(wish, n=n + 1) | {"sessionId": session}
        write(transcript(tmp_path, session), [asked, answer([said("done")], n=n + 1) | {"sessionId": session}])
    lane.capture.sweep()
    dream = dreaming(lane).run()
    (idea,) = [idea for idea in dream.ideas if idea.kind == "skill"]
    assert {evidence.run for evidence in idea.evidence} == {run.id for run in lane.runs.select(RunFilter())}
    assert {evidence.quote for evidence in idea.evidence} == set(wishes)
    assert dreaming(lane).run().ideas == ()
    assert not list((tmp_path / "home").rglob("SKILL.md"))  # only a person installs one
