"""C2: one project has one name, however it was reached; two projects stay two unless something shows otherwise."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.recall import HookAnswer
from memlane.domain import Occasion, ProjectJoin, Query, Recall, RunFilter
from tests.flow.git_projects import ALONE, WHO
from tests.flow.homes import SESSION, a_lane, answer, prompt, said, transcript, write

NOTE = "Add every new workspace package to the Dockerfile COPY list"
STANDING = Occasion(always=True)  # given when a run starts
ASKED = "the Dockerfile build fails since I added a workspace package"
ORIGIN = "git@host:acme/tides.git"
REMOTE = "host/acme/tides"
OWN_FILES = ("src/moon/phase_table.py", "src/moon/spring_tide.py", "docs/harbour_list.md")
OF_A_TEMPLATE = ("src/App.tsx", "src/main.tsx", "src/index.css", "src/lib/utils.ts", "components/ui/toast.tsx")


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        opened.home.begin()
        yield opened


def git(folder: Path, *words: str) -> str:
    variables = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | ALONE
    done = subprocess.run(["git", *WHO, *words], cwd=folder, env=variables, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def checkout(folder: Path, origin: str = "", files: tuple[str, ...] = ()) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    if origin:
        git(folder, "remote", "add", "origin", origin)
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{name}\n")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", f"begin {folder.parent.name}")
    return folder


def worked(lane: Lane, cwd: Path | str, n: int, files: tuple[str, ...] = (), branch: str = "main") -> None:
    """A run there, which read these files of it."""
    session = SESSION.replace("1111", f"{n:04d}")
    read = [
        {"type": "tool_use", "id": f"t{k}", "name": "Read", "input": {"file_path": f"{cwd}/{name}"}}
        for k, name in enumerate(files)
    ]
    records = [
        prompt("look around", n, str(cwd), sessionId=session, gitBranch=branch),
        answer([*read, said("done")], n + 1, cwd=str(cwd), sessionId=session),
    ]
    write(transcript(lane.config.person_home.parent, session, f"-{n}"), records)
    lane.capture.sweep()


def asks(lane: Lane, cwd: Path, event: str = "UserPromptSubmit", session: str = SESSION) -> str:
    given = {"session_id": session, "cwd": str(cwd), "prompt": ASKED, "source": "startup"}
    told: HookAnswer = lane.recall.hooked("claude-code", event, given)
    if told.recall is not None:
        lane.recall.keep(told.recall)
    output = told.output.get("hookSpecificOutput", {})
    assert isinstance(output, dict)
    return str(output.get("additionalContext", ""))


def names(lane: Lane) -> dict[str, list[str]]:
    """Each project with the keys it has."""
    return {row.project.key: [one.project.key for one in row.keys] for row in lane.projects.all()}


def kinds(joins: list[ProjectJoin] | tuple[ProjectJoin, ...]) -> list[str]:
    return [reason.kind for join in joins for reason in join.reasons]


# -- the same project --------------------------------------------------------------------------------------------------


def test_a_folder_that_gets_a_remote_later_keeps_its_notes(lane: Lane, tmp_path: Path) -> None:
    folder = tmp_path / "work" / "tides"
    folder.mkdir(parents=True)
    lane.memories.remember(NOTE, folder, occasion=STANDING)
    checkout(folder, ORIGIN)
    assert NOTE in asks(lane, folder, "SessionStart")  # the very first time, before anything was written down
    assert NOTE in asks(lane, folder, session="99999999-2222-4333-8444-555555555555")
    assert names(lane) == {REMOTE: [str(folder)]}
    (join,) = lane.home.storage().projects.joins(lane.home.reader)
    assert kinds([join]) == ["checkout"]


def test_a_note_of_today_and_one_from_before_the_remote_are_both_there(lane: Lane, tmp_path: Path) -> None:
    folder = tmp_path / "work" / "tides"
    folder.mkdir(parents=True)
    lane.memories.remember(NOTE, folder, occasion=STANDING)
    checkout(folder, ORIGIN)
    lane.memories.remember("Deploys of the ferry times go through make ship", folder, occasion=STANDING)
    assert kinds(list(lane.projects.look())) == ["checkout"]
    told = asks(lane, folder, "SessionStart")
    assert NOTE in told
    assert "make ship" in told


def test_a_path_whose_runs_recorded_a_remote_is_that_remote(lane: Lane, tmp_path: Path) -> None:
    """The folder was there when one run was captured, and is gone by now."""
    folder = checkout(tmp_path / "work" / "tides", ORIGIN)
    worked(lane, folder, 1)
    shutil.rmtree(folder)
    worked(lane, folder, 2)
    assert set(names(lane)) == {REMOTE, str(folder)}
    assert kinds(list(lane.projects.look())) == ["remote"]
    assert names(lane) == {REMOTE: [REMOTE, str(folder)]}
    assert {run.project.key for run in lane.runs.select(RunFilter(project=REMOTE))} == {REMOTE}


def test_a_worktree_and_a_clone_elsewhere_get_the_same_note(lane: Lane, tmp_path: Path) -> None:
    main = checkout(tmp_path / "work" / "tides", ORIGIN)
    lane.memories.remember(NOTE, main)
    git(main, "worktree", "add", "--quiet", str(tmp_path / "elsewhere" / "fix"))
    again = checkout(tmp_path / "other" / "again", "https://host/acme/tides")
    assert NOTE in asks(lane, tmp_path / "elsewhere" / "fix", session="w")
    assert NOTE in asks(lane, again, session="c")


def test_a_worktree_without_a_remote_that_is_gone_is_known_by_its_checkout(lane: Lane, tmp_path: Path) -> None:
    main, tree = checkout(tmp_path / "work" / "tides"), tmp_path / "elsewhere" / "fix"
    worked(lane, main, 1)
    git(main, "worktree", "add", "--quiet", str(tree))
    shutil.rmtree(tree)
    worked(lane, tree, 2)
    assert kinds(list(lane.projects.look())) == ["worktree"]
    assert names(lane) == {str(main): [str(main), str(tree)]}


def test_a_checkout_that_moved_is_known_by_its_first_commit(lane: Lane, tmp_path: Path) -> None:
    old, new = checkout(tmp_path / "work" / "tides"), tmp_path / "moved" / "sea"
    worked(lane, old, 1)
    lane.memories.remember(NOTE, old)
    lane.projects.look()
    new.parent.mkdir()
    old.rename(new)
    worked(lane, new, 2)
    assert kinds(list(lane.projects.look())) == ["commit"]
    assert NOTE in asks(lane, new)


def test_a_gone_folder_of_the_same_name_with_the_same_files_is_the_checkouts(lane: Lane, tmp_path: Path) -> None:
    worked(lane, "/home/x/code/tides", 1, OWN_FILES)
    memory = lane.memories.remember(NOTE, Path("/home/x/code/tides"), occasion=STANDING)
    assert memory.project_key == "/home/x/code/tides"
    here = checkout(tmp_path / "work" / "tides", ORIGIN, OWN_FILES)
    assert NOTE in asks(lane, here, "SessionStart")
    assert names(lane) == {REMOTE: ["/home/x/code/tides"]}


def test_the_same_project_on_another_machine_is_known_by_its_files(lane: Lane) -> None:
    for n, folder in ((1, "/home/x/code/tides"), (3, "/home/x/code/tides"), (5, "/Users/y/src/tides")):
        worked(lane, folder, n, OWN_FILES)
    assert kinds(list(lane.projects.look())) == ["files"]
    assert names(lane) == {"/home/x/code/tides": ["/home/x/code/tides", "/Users/y/src/tides"]}


def test_one_file_is_enough_where_a_branch_agrees(lane: Lane) -> None:
    worked(lane, "/home/x/code/tides", 1, OWN_FILES[:1], "ada/fix-spring-tide")
    worked(lane, "/home/x/code/tides", 3, OWN_FILES[:1], "ada/fix-spring-tide")
    worked(lane, "/Users/y/src/tides", 5, OWN_FILES[:1], "ada/fix-spring-tide")
    assert kinds(list(lane.projects.look())) == ["files"]


# -- never the same ----------------------------------------------------------------------------------------------------


def test_two_folders_of_one_name_are_two_projects_and_proposed(lane: Lane, tmp_path: Path) -> None:
    for n, folder in ((1, "/home/x/code/tides"), (3, "/Users/y/src/tides")):
        worked(lane, folder, n, (f"src/part{n}/something.py", *OF_A_TEMPLATE))
    worked(lane, checkout(tmp_path / "work" / "tides", ORIGIN, OF_A_TEMPLATE), 5)
    assert lane.projects.look() == []
    assert len(names(lane)) == 3
    proposed = lane.projects.proposals()
    assert [(one.one.key, one.why) for one in proposed] == [
        ("/Users/y/src/tides", "same name; nothing else agrees"),
        ("/home/x/code/tides", "same name; nothing else agrees"),
    ]


def test_the_same_files_under_another_folder_name_are_another_project(lane: Lane) -> None:
    worked(lane, "/home/x/code/tides", 1, OWN_FILES)
    worked(lane, "/home/x/code/moons", 3, OWN_FILES)
    assert lane.projects.look() == []
    assert lane.projects.proposals() == []


def test_a_fork_with_another_remote_is_another_project(lane: Lane, tmp_path: Path) -> None:
    main = checkout(tmp_path / "work" / "tides", ORIGIN, OWN_FILES)
    fork = tmp_path / "fork" / "tides"
    git(tmp_path, "clone", "--quiet", str(main), str(fork))
    git(fork, "remote", "set-url", "origin", "git@host:mira/tides.git")
    for n, folder in ((1, main), (3, fork)):
        worked(lane, folder, n, OWN_FILES)
    assert lane.projects.look() == []
    (proposed,) = lane.projects.proposals()
    assert {proposed.one.key, proposed.other.key} == {REMOTE, "host/mira/tides"}
    assert "fork" in proposed.why


def test_a_folder_that_fits_two_remotes_is_proposed_and_left(lane: Lane, tmp_path: Path) -> None:
    for n, (place, origin) in enumerate((("one", ORIGIN), ("two", "git@host:mira/tides.git"))):
        worked(lane, checkout(tmp_path / place / "tides", origin, OWN_FILES), 1 + 2 * n, OWN_FILES)
    worked(lane, "/home/x/code/tides", 7, OWN_FILES)
    assert "/home/x/code/tides" not in {join.key for join in lane.projects.look()}
    assert "/home/x/code/tides" in {one.one.key for one in lane.projects.proposals()}


def test_a_folder_in_which_two_remotes_were_recorded_is_left(lane: Lane, tmp_path: Path) -> None:
    folder = checkout(tmp_path / "work" / "scratch", ORIGIN)
    worked(lane, folder, 1)
    git(folder, "remote", "set-url", "origin", "git@host:acme/boats.git")
    worked(lane, folder, 3)
    shutil.rmtree(folder)
    worked(lane, folder, 5)
    assert lane.projects.look() == []
    assert "several remotes" in lane.projects.proposals()[0].why


def test_what_was_noted_in_the_home_directory_belongs_to_no_checkout(lane: Lane) -> None:
    home = lane.config.person_home
    lane.memories.remember(NOTE, home)
    worked(lane, home, 1, OWN_FILES)
    checkout(home, "git@host:ann/dotfiles.git")
    assert lane.projects.look() == []
    assert asks(lane, home) == ""


def test_a_submodule_is_not_the_project_it_lies_in(lane: Lane, tmp_path: Path) -> None:
    main = checkout(tmp_path / "work" / "tides", ORIGIN, OWN_FILES)
    part = checkout(main / "vendor" / "moons", "git@host:acme/moons.git")
    for n, folder in ((1, main), (3, part)):
        worked(lane, folder, n)
    lane.memories.remember(NOTE, part)
    assert lane.projects.look() == []
    assert asks(lane, main) == ""


def test_plain_folders_beside_each_other_stay_apart(lane: Lane, tmp_path: Path) -> None:
    for n, name in enumerate(("one", "two")):
        (tmp_path / "work" / name).mkdir(parents=True)
        worked(lane, tmp_path / "work" / name, 1 + 2 * n)
    assert lane.projects.look() == []
    assert len(names(lane)) == 2


# -- by hand, and taken back -------------------------------------------------------------------------------------------


def two(lane: Lane) -> tuple[str, str]:
    one, other = "/home/x/code/tides", "/home/x/code/moons"
    for n, folder in ((1, one), (3, other)):
        worked(lane, folder, n)
    lane.memories.remember(NOTE, Path(one))
    return one, other


def test_a_person_joins_and_splits_and_undo_takes_each_back(lane: Lane) -> None:
    one, other = two(lane)
    apart, joined = {one: [one], other: [other]}, {other: [other, one]}
    lane.projects.join("tides", "moons")
    assert names(lane) == joined
    assert [memory.project_key for memory in lane.memories.all()] == [other]
    lane.acts.undo(lane.acts.get())
    assert names(lane) == apart
    lane.projects.join("tides", "moons")
    lane.projects.split(one)
    assert names(lane) == apart
    lane.acts.undo(lane.acts.get())
    assert names(lane) == joined


def test_what_lane_joined_is_undone_by_its_id_and_not_joined_again(lane: Lane) -> None:
    for n, folder in ((1, "/home/x/code/tides"), (3, "/home/x/code/tides"), (5, "/Users/y/src/tides")):
        worked(lane, folder, n, OWN_FILES)
    lane.projects.look()
    (act,) = lane.acts.all()
    assert act.ours
    lane.acts.undo(act)
    assert len(names(lane)) == 2
    worked(lane, "/Users/y/src/tides", 7, OWN_FILES)
    assert lane.projects.look() == []
    assert lane.projects.proposals() == []


def test_a_new_name_is_shown_everywhere_and_can_be_taken_back(lane: Lane) -> None:
    one, _other = two(lane)
    lane.projects.rename("tides", "Tide tables")
    assert lane.runs.projects_like("Tide tables") == ["Tide tables"]
    assert [memory.project for memory in lane.memories.all()] == ["Tide tables"]
    lane.acts.undo(lane.acts.get())
    assert [(memory.project, memory.project_key) for memory in lane.memories.all()] == [("tides", one)]


def test_what_was_noted_while_two_were_joined_goes_where_it_was_said(lane: Lane) -> None:
    one, other = two(lane)
    lane.projects.join("tides", "moons")
    late = lane.memories.remember("Harbour times are shown in UTC", Path(one))
    assert late.project_key == other
    (first,) = [memory for memory in lane.memories.all() if memory.content == NOTE]
    lane.memories.edit(first.id, {"title": "Dockerfile"})
    lane.projects.split(one)
    assert {memory.project_key for memory in lane.memories.all()} == {one}


def test_a_rebuild_says_the_same(lane: Lane, tmp_path: Path) -> None:
    _one, other = two(lane)
    worked(lane, checkout(tmp_path / "work" / "ferry", ORIGIN), 5)
    lane.projects.join("tides", "moons")
    lane.projects.rename("acme/tides", "Ferry")
    lane.entities.look()
    lane.entities.name_runs(60.0)  # as the next tick does: a run names its project by the name it has now
    before = lane.projects.all(), lane.memories.all(), lane.runs.select(RunFilter())
    lane.archive.rebuild()
    assert (lane.projects.all(), lane.memories.all(), lane.runs.select(RunFilter())) == before
    assert lane.home.project_at("/home/x/code/tides").key == other


def test_the_runs_of_a_project_are_found_by_any_of_its_names(lane: Lane) -> None:
    one, _other = two(lane)
    lane.projects.join("tides", "moons")
    for given in ("tides", one, "moons"):
        assert lane.runs.projects_like(given) == ["moons"]


def test_a_join_that_is_written_while_an_agent_waits_loses_no_note(
    lane: Lane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "work" / "tides"
    folder.mkdir(parents=True)
    lane.memories.remember(NOTE, folder)
    checkout(folder, ORIGIN)
    look = lane.recall.recall
    looked = list[str]()

    def joined_first(query: Query, opening: Recall | None, until: float) -> Recall:
        with a_lane(tmp_path) as other:
            other.projects.arrive(str(folder))
        looked.append(query.project.key)
        return look(query, opening, until)

    monkeypatch.setattr(lane.recall, "recall", joined_first)
    assert NOTE in asks(lane, folder)
    assert looked == [str(folder), REMOTE]


def test_a_project_that_no_reader_may_see_stays_so_under_its_joined_name(lane: Lane, tmp_path: Path) -> None:
    two(lane)
    lane.projects.join("tides", "moons")
    lane.close()
    with a_lane(tmp_path, LANE_CATCH_SKIP_PROJECTS="tides") as careful:
        assert all(careful.home.called_any(("tides",))(run.project) for run in careful.runs.select(RunFilter()))
