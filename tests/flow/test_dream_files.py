"""J2, C3: a memory is retired with its file only by the history of the default branch, and comes back with the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.dream.process import DreamProcess
from memlane.domain import Change, Dream, Memory, Proposal, State, Thought
from memlane.surfaces.phrases import untouched
from tests.flow.dreams import Says, a_home, dreaming, known, stand
from tests.flow.git_projects import GitProject

ROUTES = "".join(f"fun route{n}() = serve({n})\n" for n in range(40))
KEPT = {"src/Main.kt": "fun main() = start()\n"}


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_home(tmp_path) as lane:
        yield lane


@pytest.fixture
def app(tmp_path: Path, lane: Lane) -> GitProject:
    made = GitProject(tmp_path, lane)
    made.commit(KEPT)
    return made


def did(dream: Dream) -> list[tuple[str, str]]:
    return [(one.change.value, one.because) for one in dream.done]


def retire_by_the_old_rule(lane: Lane, *memories: Memory) -> None:
    wishes = [
        Proposal(Change.RETIRED, (m,), (replace(m, state=State.RETIRED),), "src/Old.kt is gone") for m in memories
    ]
    assert len(dreaming(lane, Says(Thought(tuple(wishes)))).run().done) == len(memories)


# -- deleted, and back -------------------------------------------------------------------------------------------------


def test_a_file_deleted_on_the_default_branch_takes_its_memory_along_until_it_is_back(
    app: GitProject, lane: Lane
) -> None:
    app.commit({"src/Routes.kt": ROUTES})
    note = app.note("Routes are listed by hand", "src/Routes.kt")
    known(lane, note)
    assert dreaming(lane).run().done == ()
    deleted = app.commit({"src/Routes.kt": None})
    retired = dreaming(lane).run()
    ((change, because),) = did(retired)
    assert change == "retired"
    assert because.startswith("src/Routes.kt was deleted from main on ")
    assert because.endswith(f" ({deleted[:10]})")
    assert stand(lane)[note.id].state is State.RETIRED
    assert dreaming(lane).run().done == ()
    app.commit({"src/Routes.kt": ROUTES})
    back = dreaming(lane).run()
    assert (did(back), back.refused) == ([("restored", "src/Routes.kt is back")], ())
    assert stand(lane)[note.id] == note
    dreaming(lane).undo(back.id)
    assert stand(lane)[note.id].state is State.RETIRED
    assert dreaming(lane).run().done == ()  # the person has answered


def test_undo_of_a_retirement_is_the_persons_word_for_good(app: GitProject, lane: Lane) -> None:
    app.commit({"src/Routes.kt": ROUTES})
    app.commit({"src/Routes.kt": None})
    note = app.note("Routes are listed by hand", "src/Routes.kt")
    known(lane, note)
    dreaming(lane).undo(dreaming(lane).run().id)
    assert stand(lane)[note.id] == note
    assert dreaming(lane).run().done == ()


def test_a_deletion_that_came_with_a_merge_counts_and_one_that_waits_on_a_branch_does_not(
    app: GitProject, lane: Lane
) -> None:
    app.commit({"src/Routes.kt": ROUTES})
    known(lane, app.note("Routes are listed by hand", "src/Routes.kt"))
    app.git("switch", "--quiet", "--create", "clean-up")
    app.commit({"src/Routes.kt": None})
    assert dreaming(lane).run().done == ()
    app.git("switch", "--quiet", "main")
    app.commit({"src/Main.kt": "fun main() = begin()\n"})
    app.git("merge", "--quiet", "--no-ff", "--no-edit", "clean-up")
    assert [change for change, _why in did(dreaming(lane).run())] == ["retired"]


def test_a_held_memory_comes_back_as_held(app: GitProject, lane: Lane) -> None:
    app.commit({"src/Routes.kt": ROUTES})
    app.commit({"src/Routes.kt": None})
    note = app.note("Routes are listed by hand", "src/Routes.kt", state=State.HELD)
    known(lane, note)
    assert [change for change, _why in did(dreaming(lane).run())] == ["retired"]
    app.commit({"src/Routes.kt": ROUTES})
    dreaming(lane).run()
    assert stand(lane)[note.id].state is State.HELD


def test_the_process_that_may_not_write_asks_git_as_well(app: GitProject, lane: Lane) -> None:
    app.commit({"src/Routes.kt": ROUTES})
    app.commit({"src/Routes.kt": None})
    known(lane, app.note("Routes are listed by hand", "src/Routes.kt"))
    assert [change for change, _why in did(dreaming(lane, DreamProcess(lane.config.variables)).run())] == ["retired"]


# -- not deleted -------------------------------------------------------------------------------------------------------


def on_a_branch_without_it(app: GitProject) -> str:
    app.git("branch", "before")
    app.commit({"src/Routes.kt": ROUTES})
    app.git("switch", "--quiet", "before")
    return "Routes are listed by hand"


def on_a_branch_that_deletes_it(app: GitProject) -> str:
    app.commit({"src/Routes.kt": ROUTES})
    app.git("switch", "--quiet", "--create", "clean-up")
    app.commit({"src/Routes.kt": None})
    return "Routes are listed by hand"


def moved(app: GitProject) -> str:
    app.commit({"src/Routes.kt": ROUTES})
    (app.app / "web").mkdir()
    app.git("mv", "src/Routes.kt", "web/Paths.kt")
    app.commit({})
    return "Routes are listed by hand"


def moved_twice(app: GitProject) -> str:
    app.commit({"src/Routes.kt": ROUTES})
    for old, new in (("src/Routes.kt", "src/Paths.kt"), ("src/Paths.kt", "src/Ways.kt")):
        app.git("mv", old, new)
        app.commit({})
    return "Routes are listed by hand"


def moved_in_two_commits(app: GitProject) -> str:
    app.commit({"src/Routes.kt": ROUTES})
    app.commit({"web/Routes.kt": ROUTES})
    app.commit({"src/Routes.kt": None})
    return "Routes are listed by hand"


def rewritten_elsewhere(app: GitProject) -> str:
    app.commit({"src/Routes.kt": ROUTES})
    app.commit({"src/Routes.kt": None, "web/table.yaml": "routes: []\n"})
    return "Routes live in web/table.yaml, which src/Routes.kt once held"


def rewritten_elsewhere_by_name(app: GitProject) -> str:
    app.commit({"src/Routes.kt": ROUTES})
    app.commit({"src/Routes.kt": None, "web/deep/table.yaml": "routes: []\n"})
    return "List routes in table.yaml"


def never_committed(app: GitProject) -> str:
    return "Routes are listed by hand"


def uncommitted(app: GitProject) -> str:
    app.commit({"src/Routes.kt": ROUTES})
    app.commit({"src/Routes.kt": None})
    (app.app / "src" / "Routes.kt").write_text(ROUTES)
    return "Routes are listed by hand"


def must_stay_away(app: GitProject) -> str:
    app.commit({"src/Routes.kt": ROUTES})
    app.commit({"src/Routes.kt": None})
    return "Never bring back Routes.kt"


def was_deleted_on_purpose(app: GitProject) -> str:
    app.commit({"src/Routes.kt": ROUTES})
    app.commit({"src/Routes.kt": None})
    return "Routes.kt was removed because annotations do the same"


def only_deleted_from_the_disk(app: GitProject) -> str:
    app.commit({"src/Routes.kt": ROUTES})
    (app.app / "src" / "Routes.kt").unlink()
    return "Routes are listed by hand"


@pytest.mark.parametrize(
    "happens",
    [
        on_a_branch_without_it,
        on_a_branch_that_deletes_it,
        moved,
        moved_twice,
        moved_in_two_commits,
        rewritten_elsewhere,
        rewritten_elsewhere_by_name,
        never_committed,
        uncommitted,
        must_stay_away,
        was_deleted_on_purpose,
        only_deleted_from_the_disk,
    ],
)
def test_a_file_that_is_only_not_here_takes_nothing_along(
    app: GitProject, lane: Lane, happens: Callable[[GitProject], str]
) -> None:
    note = app.note(happens(app), "src/Routes.kt")
    known(lane, note)
    assert dreaming(lane).run().done == ()
    assert stand(lane)[note.id] == note


def test_a_moved_file_that_was_deleted_in_its_new_place_is_deleted(app: GitProject, lane: Lane) -> None:
    moved(app)
    app.commit({"web/Paths.kt": None})
    known(lane, app.note("Routes are listed by hand", "src/Routes.kt"))
    ((change, because),) = did(dreaming(lane).run())
    assert change == "retired"
    assert because.startswith("web/Paths.kt was deleted from main on ")


def test_one_of_several_files_is_enough(app: GitProject, lane: Lane) -> None:
    app.commit({"src/Routes.kt": ROUTES})
    app.commit({"src/Routes.kt": None})
    known(lane, app.note("Routes are listed by hand", "src/Routes.kt", "src/Main.kt"))
    assert dreaming(lane).run().done == ()


@pytest.mark.parametrize("place", [".worktrees/2", ".claude/worktrees/fix"])
def test_a_path_of_a_worktree_is_the_checkouts_file(app: GitProject, lane: Lane, place: str) -> None:
    app.commit({"src/Routes.kt": ROUTES})
    app.git("worktree", "add", "--quiet", place, "-b", "side")
    whole, short = str(app.app / place / "src/Routes.kt"), f"{place}/src/Routes.kt"
    app.git("worktree", "remove", place)
    notes = [app.note("Routes are listed by hand", short), app.note("Paths are sorted by name", whole)]
    known(lane, *notes)
    assert dreaming(lane).run().done == ()
    app.commit({"src/Routes.kt": None})
    assert [change for change, _why in did(dreaming(lane).run())] == ["retired", "retired"]


def test_a_name_of_code_that_is_gone_from_a_branch_takes_nothing_along(app: GitProject, lane: Lane) -> None:
    app.git("switch", "--quiet", "--create", "rewrite")
    app.commit({"src/Main.kt": "fun run() = begin()\n"})
    known(lane, app.note("`startServer()` blocks until the port is free", "src/Main.kt"))
    assert dreaming(lane).run().done == ()


def test_without_git_nothing_is_deleted(tmp_path: Path) -> None:
    with a_home(tmp_path, PATH="/nowhere") as lane:
        app = GitProject(tmp_path, lane)
        app.commit({"src/Routes.kt": ROUTES, **KEPT})
        app.commit({"src/Routes.kt": None})
        known(lane, app.note("Routes are listed by hand", "src/Routes.kt"))
        assert dreaming(lane).run().done == ()


def test_variables_of_git_that_name_another_repository_mislead_nobody(tmp_path: Path) -> None:
    """As they are set for whatever a hook of git starts."""
    with a_home(tmp_path, GIT_DIR=str(tmp_path / "elsewhere"), GIT_WORK_TREE=str(tmp_path)) as lane:
        app = GitProject(tmp_path, lane)
        app.commit({"src/Routes.kt": ROUTES, **KEPT})
        app.commit({"src/Routes.kt": None})
        known(lane, app.note("Routes are listed by hand", "src/Routes.kt"))
        assert [change for change, _why in did(dreaming(lane).run())] == ["retired"]


def test_a_checkout_that_is_older_than_the_deletion_brings_nothing_back(
    app: GitProject, lane: Lane, tmp_path: Path
) -> None:
    """As of another Machine that has not pulled."""
    before = app.commit({"src/Routes.kt": ROUTES})
    app.git("clone", "--quiet", "--bare", ".", str(tmp_path / "later.git"))
    app.commit({"src/Routes.kt": None})
    app.git("push", "--quiet", str(tmp_path / "later.git"), "main")
    note = app.note("Routes are listed by hand", "src/Routes.kt")
    known(lane, note)
    assert [change for change, _why in did(dreaming(lane).run())] == ["retired"]
    app.git("reset", "--quiet", "--hard", before)
    app.git("reflog", "expire", "--expire=now", "--all")
    app.git("gc", "--quiet", "--prune=now")
    assert dreaming(lane).run().done == ()
    assert stand(lane)[note.id].state is State.RETIRED
    app.git("pull", "--quiet", str(tmp_path / "later.git"), "main")
    app.commit({"src/Routes.kt": ROUTES})
    assert [change for change, _why in did(dreaming(lane).run())] == ["restored"]


def test_a_deletion_that_was_taken_back_is_no_reason_a_second_time(app: GitProject, lane: Lane) -> None:
    app.commit({"src/Routes.kt": ROUTES})
    deleted = app.commit({"src/Routes.kt": None})
    note = app.note("Routes are listed by hand", "src/Routes.kt")
    known(lane, note)
    dreaming(lane).run()
    app.commit({"src/Routes.kt": ROUTES})
    dreaming(lane).run()
    app.git("reset", "--quiet", "--hard", deleted)  # another Machine, which has not pulled
    assert dreaming(lane).run().done == ()
    app.commit({"src/Routes.kt": ROUTES})
    app.commit({"src/Routes.kt": None, "src/Main.kt": "fun main() = again()\n"})
    assert [change for change, _why in did(dreaming(lane).run())] == ["retired"]


# -- the default branch ------------------------------------------------------------------------------------------------


def test_origin_names_the_default_branch(app: GitProject, lane: Lane) -> None:
    app.commit({"src/Routes.kt": ROUTES})
    app.git("branch", "trunk")
    app.git("update-ref", "refs/remotes/origin/trunk", "trunk")
    app.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    app.commit({"src/Routes.kt": None})  # on main, which is some branch here
    note = app.note("Routes are listed by hand", "src/Routes.kt")
    known(lane, note)
    assert dreaming(lane).run().done == ()
    app.git("branch", "--force", "trunk", "main")
    assert dreaming(lane).run().done == ()  # the others still have it
    app.git("update-ref", "refs/remotes/origin/trunk", "trunk")
    ((_change, because),) = did(dreaming(lane).run())
    assert " from trunk on " in because


def test_among_branches_of_which_none_is_the_default_nothing_is_deleted(tmp_path: Path, lane: Lane) -> None:
    app = GitProject(tmp_path, lane, branch="one")
    app.commit(KEPT | {"src/Routes.kt": ROUTES})
    app.git("branch", "two")
    app.commit({"src/Routes.kt": None})
    known(lane, app.note("Routes are listed by hand", "src/Routes.kt"))
    assert dreaming(lane).run().done == ()


# -- what earlier dreams retired by the old rule -----------------------------------------------------------------------


def test_what_the_old_rule_retired_is_looked_at_once_more(app: GitProject, lane: Lane) -> None:
    app.commit({"src/Old.kt": ROUTES})
    notes = [app.note(f"{word} are listed by hand", "src/Old.kt") for word in ("Routes", "Paths", "Ways")]
    known(lane, *notes)
    retire_by_the_old_rule(lane, *notes)
    dream = dreaming(lane).run()
    assert did(dream) == [("restored", "src/Old.kt exists")] * 3
    assert all(stand(lane)[note.id] == note for note in notes)
    assert dreaming(lane).run().done == ()


def test_what_the_old_rule_retired_comes_back_where_no_history_says_deleted(app: GitProject, lane: Lane) -> None:
    note = app.note("Routes are listed by hand", "src/Old.kt")
    known(lane, note)
    retire_by_the_old_rule(lane, note)
    assert did(dreaming(lane).run()) == [("restored", "the default branch does not say that its file was deleted")]


def test_what_the_old_rule_retired_rightly_is_confirmed_once_and_comes_back_with_its_file(
    app: GitProject, lane: Lane
) -> None:
    app.commit({"src/Old.kt": ROUTES})
    app.commit({"src/Old.kt": None})
    note = app.note("Routes are listed by hand", "src/Old.kt")
    known(lane, note)
    retire_by_the_old_rule(lane, note)
    first, second = dreaming(lane).run(), dreaming(lane).run()
    assert (first.done, first.confirmed) == ((), (note.id,))
    assert (second.done, second.confirmed) == ((), ())
    app.commit({"src/Old.kt": ROUTES})
    assert did(dreaming(lane).run()) == [("restored", "src/Old.kt is back")]


def test_what_is_restored_was_not_among_those_that_were_read(app: GitProject, lane: Lane) -> None:
    app.commit({"src/Old.kt": ROUTES})
    notes = [app.note(f"{word} are listed by hand", "src/Old.kt") for word in ("Routes", "Paths")]
    known(lane, *notes)
    retire_by_the_old_rule(lane, notes[0])
    assert untouched(dreaming(lane).run()) == 1


def test_what_was_retired_for_another_reason_or_by_a_person_stays_retired(app: GitProject, lane: Lane) -> None:
    app.commit({"src/Old.kt": ROUTES})
    said, theirs = app.note("Routes are listed by hand", "src/Old.kt"), app.note("Paths are sorted", "src/Old.kt")
    known(lane, said, theirs)
    wish = Proposal(Change.RETIRED, (said,), (replace(said, state=State.RETIRED),), "not used for 120 days")
    dreaming(lane, Says(Thought((wish,)))).run()
    retire_by_the_old_rule(lane, theirs)
    lane.memories.restore([theirs.id])
    lane.memories.pause([theirs.id])
    assert dreaming(lane).run().done == ()


# -- what a file says

SAYS = "# App\n\nRoutes are listed by hand.\n"


def test_what_only_a_branch_says_retires_nothing(app: GitProject, lane: Lane) -> None:
    app.commit({"README.md": "# App\n"})
    app.git("switch", "--quiet", "--create", "words")
    app.commit({"README.md": SAYS})
    known(lane, app.note("Routes are listed by hand"))
    assert dreaming(lane).run().done == ()
    app.git("branch", "--force", "main", "words")
    assert did(dreaming(lane).run()) == [("retired", "README.md says it")]


def test_what_a_file_does_not_say_any_more_comes_back(app: GitProject, lane: Lane) -> None:
    app.commit({"README.md": SAYS})
    note = app.note("Routes are listed by hand")
    known(lane, note)
    assert did(dreaming(lane).run()) == [("retired", "README.md says it")]
    assert dreaming(lane).run().done == ()
    app.commit({"README.md": "# App\n"})
    assert did(dreaming(lane).run()) == [("restored", "README.md no longer says it")]
    assert stand(lane)[note.id] == note


# -- names that look like commands -------------------------------------------------------------------------------------

ODD_BRANCHES = (
    "--upload-pack=touch${IFS}PWNED",
    "$(touch${IFS}PWNED)",
    ";touch${IFS}PWNED",
    "`touch${IFS}PWNED`",
    "-x",
)


@pytest.mark.fault("X5")
@pytest.mark.parametrize("branch", ODD_BRANCHES)
def test_a_branch_whose_name_looks_like_a_command_is_only_a_name(
    app: GitProject, lane: Lane, branch: str, tmp_path: Path
) -> None:
    app.commit({"src/Routes.kt": ROUTES})
    app.commit({"src/Routes.kt": None})
    for ref in (f"refs/remotes/origin/{branch}", f"refs/heads/{branch}"):
        app.git("update-ref", ref, "main")
    app.git("symbolic-ref", "refs/remotes/origin/HEAD", f"refs/remotes/origin/{branch}")
    app.git("symbolic-ref", "HEAD", f"refs/heads/{branch}")
    known(lane, app.note("Routes are listed by hand", "src/Routes.kt"))
    ((change, because),) = did(dreaming(lane).run())
    assert change == "retired"
    assert f" from {branch} on " in because
    assert not list(tmp_path.rglob("PWNED*"))


@pytest.mark.fault("X5")
@pytest.mark.parametrize("file", ["--output=PWNED", "$(touch PWNED)", ":(exclude)src", "a\nb.kt", "*.kt", "-- x"])
def test_a_file_whose_name_looks_like_a_command_is_only_a_name(
    app: GitProject, lane: Lane, file: str, tmp_path: Path
) -> None:
    app.commit({f"odd/{file}": ROUTES})
    app.commit({f"odd/{file}": None})
    here, top = app.note("Routes are listed by hand", f"odd/{file}"), app.note("Paths are sorted by name", file)
    known(lane, here, top)
    dream = dreaming(lane).run()
    assert [one.memories for one in dream.done] == [(here.id,)]
    assert not list(tmp_path.rglob("PWNED*"))


def test_a_repositorys_own_settings_run_no_program(app: GitProject, lane: Lane, tmp_path: Path) -> None:
    app.commit({"src/Routes.kt": ROUTES})
    app.commit({"src/Routes.kt": None})
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/PWNED\n")
    trap.chmod(0o755)
    for name in ("core.fsmonitor", "core.pager", "pager.log", "gpg.program", "diff.external", "core.sshCommand"):
        app.git("config", name, str(trap))
    app.git("config", "log.showSignature", "true")
    app.git("config", "alias.log", f"!{trap}")
    known(lane, app.note("Routes are listed by hand", "src/Routes.kt"))
    assert [change for change, _why in did(dreaming(lane).run())] == ["retired"]
    assert not (tmp_path / "PWNED").exists()
