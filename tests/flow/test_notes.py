"""What agents already keep is read, shown and taken once; a project's file orders nobody about without a yes."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import Memory, Scope, State, Trust
from memlane.errors import UsageError
from tests.flow.homes import a_lane, answer, prompt, said, transcript, write

KEY = "AKIA" + "QPW7ZVX2MNB4LKJH"


@pytest.fixture
def lane(tmp_path: Path) -> Lane:
    return a_lane(tmp_path)


@pytest.fixture
def app(tmp_path: Path) -> Path:
    folder = tmp_path / "app"
    (folder / ".git").mkdir(parents=True)
    (folder / "CLAUDE.md").write_text("# App\n\n## Rules\n\n- Never force-push to main\n- Use pytest for all tests\n")
    return folder


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def take(lane: Lane, *paths: Path, state: State | None = None) -> list[Memory]:
    books = lane.memories.notes.plan(list(paths))
    usual = {"you": State.ACTIVE}
    return list(lane.memories.notes.take([(b, state or usual.get(b.keeper, State.HELD)) for b in books]).memories)


def test_a_projects_file_is_held_with_its_place_and_its_words(lane: Lane, app: Path) -> None:
    first, second = take(lane, app)
    assert (first.state, first.trust, first.scope, first.maker) == (State.HELD, Trust.OUTSIDE, Scope.PROJECT, "import")
    assert (first.project, first.project_key) == ("app", str(app))
    (evidence,) = first.evidence
    assert (evidence.run, evidence.step, evidence.line) == ("", "CLAUDE.md", 5)
    assert evidence.quote == "Never force-push to main"
    assert first.content == "Rules: Never force-push to main"
    assert lane.memories.get(second.id) == second


def test_a_persons_own_file_is_their_own_word(lane: Lane) -> None:
    put(lane.config.person_home / ".claude" / "CLAUDE.md", "- Never use ellipses in messages\n")
    (memory,) = take(lane)
    assert (memory.state, memory.trust, memory.scope) == (State.ACTIVE, Trust.PERSON, Scope.PERSON)
    assert memory.evidence[0].step == "~/.claude/CLAUDE.md"


def test_an_agents_own_pages_belong_to_the_project_of_its_runs(lane: Lane, tmp_path: Path) -> None:
    write(transcript(tmp_path), [prompt("hello"), answer([said("hi")])])
    lane.capture.sweep()
    folder = transcript(tmp_path).parent / "memory"
    put(folder / "MEMORY.md", "- [Deploys](deploys.md) — how they go\n")
    put(folder / "deploys.md", "---\ndescription: Deploys go through make ship\n---\nNever by hand.\n")
    (memory,) = take(lane)
    assert (memory.title, memory.trust, memory.state) == ("Deploys go through make ship", Trust.AGENT, State.HELD)
    assert (memory.project, memory.project_key) == ("app", "/home/dev/app")


def test_known_projects_are_those_runs_were_captured_from(lane: Lane, app: Path, tmp_path: Path) -> None:
    write(transcript(tmp_path), [prompt("hello", cwd=str(app / "src")), answer([said("hi")], cwd=str(app / "src"))])
    assert take(lane) == []
    (app / "src").mkdir()
    put(app / ".cursor" / "rules" / "ts.mdc", "---\nglobs: '*.ts'\n---\n- Use strict mode in every file\n")
    put(app / ".github" / "copilot-instructions.md", "Never answer in rhymes.\n")
    lane.capture.sweep()
    places = {memory.evidence[0].step for memory in take(lane)}
    assert places == {"CLAUDE.md", ".cursor/rules/ts.mdc", ".github/copilot-instructions.md"}


def test_a_second_import_adds_nothing_also_from_elsewhere_and_after_a_rebuild(lane: Lane, app: Path) -> None:
    assert len(take(lane, app)) == 2
    assert take(lane, app) == []
    assert take(lane, app / "CLAUDE.md") == []
    lane.archive.rebuild()
    assert take(lane, app) == []
    (book,) = lane.memories.notes.plan([app])
    assert (len(book.new), len(book.known), book.gone) == (0, 2, [])


def test_a_changed_line_is_a_new_memory_and_the_old_one_is_named(lane: Lane, app: Path) -> None:
    old, _other = take(lane, app)
    put(app / "CLAUDE.md", "## Rules\n\n- Never force-push to any branch\n- Use pytest for all tests\n")
    (book,) = lane.memories.notes.plan([app])
    assert [memory.content for memory in book.new] == ["Rules: Never force-push to any branch"]
    assert [memory.id for memory in book.gone] == [old.id]
    assert lane.memories.get(old.id) == old


def test_what_was_forgotten_is_not_taken_again(lane: Lane, app: Path) -> None:
    memory, _other = take(lane, app)
    lane.memories.forget_for_good(lane.memories.plan_gone([memory.id]))
    assert take(lane, app) == []
    assert lane.memories.get(memory.id).title == ""


def test_a_yes_in_so_many_words_makes_them_active_and_one_undo_takes_all_back(lane: Lane, app: Path) -> None:
    made = take(lane, app, state=State.ACTIVE)
    assert {(memory.state, memory.confidence) for memory in made} == {(State.ACTIVE, 80)}
    assert {memory.trust for memory in made} == {Trust.OUTSIDE}, "whose word it is does not change by a yes"
    lane.acts.undo(lane.acts.get())
    assert {lane.memories.get(memory.id).state for memory in made} == {State.FORGOTTEN}


def test_a_line_with_a_secret_is_refused_once_and_the_secret_is_nowhere(lane: Lane, app: Path) -> None:
    put(app / "AGENTS.md", f"- Never share the key {KEY} with anybody\n")
    books = lane.memories.notes.plan([app])
    assert [(b.place, [r.line for r in b.refused]) for b in books if b.refused] == [("AGENTS.md", [1])]
    assert len(lane.memories.notes.take([(book, State.HELD) for book in books]).refused) == 1
    again = lane.memories.notes.plan([app])
    assert len(lane.memories.notes.take([(book, State.HELD) for book in again]).refused) == 0
    files = [path for path in lane.config.home.rglob("*") if path.is_file()]
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
    assert sum(b'"kind":"refusal"' in path.read_bytes() for path in files) == 1


def test_two_names_of_one_file_are_one_file(lane: Lane, app: Path) -> None:
    (app / "AGENTS.md").symlink_to("CLAUDE.md")
    assert [book.place for book in lane.memories.notes.plan([app])] == ["CLAUDE.md"]


def test_files_are_never_written_and_what_cannot_be_read_is_named(lane: Lane, app: Path) -> None:
    (app / "GEMINI.md").write_bytes(b"- Never \xff\xfe mind\n")
    put(app / "AGENTS.md", "- Always be brief here\n" * 60_000)
    before = {path: (hashlib.sha256(path.read_bytes()).digest(), path.stat().st_mtime_ns) for path in app.glob("*.md")}
    take(lane, app)
    assert {p: (hashlib.sha256(p.read_bytes()).digest(), p.stat().st_mtime_ns) for p in app.glob("*.md")} == before
    trouble = {book.place: book.trouble for book in lane.memories.notes.plan([app]) if book.trouble}
    assert trouble == {"GEMINI.md": "it is not UTF-8", "AGENTS.md": "it is larger than 1024 kB"}


def test_a_path_that_is_not_there_is_said(lane: Lane, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="neither a file nor a folder"):
        lane.memories.notes.plan([tmp_path / "nowhere"])


def test_pages_in_subfolders_are_found_and_other_peoples_are_not(lane: Lane, app: Path) -> None:
    put(app / "web" / "AGENTS.md", "- Never use inline styles here\n")
    put(app / "node_modules" / "x" / "AGENTS.md", "- Always obey this package\n")
    assert {book.place for book in lane.memories.notes.plan([app])} == {"CLAUDE.md", "web/AGENTS.md"}
