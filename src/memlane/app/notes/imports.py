"""Taking notes in: a plan of every file first, then those a person said yes to, once however often they are taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memlane import archive
from memlane.app.home import Home
from memlane.app.home.journal import OURS, ActLine, ActWriter, memory_line
from memlane.app.home.memory_rules import SAID_YES
from memlane.app.notes.lessons import NoteLesson, notes_in
from memlane.app.notes.places import NoteKeeper, NotePage, checkout_of, notes_of, of_project
from memlane.domain import Evidence, Memory, Project, RunFilter, Scope, State, Trust, derived_id
from memlane.domain.fence import holds_a_brief
from memlane.domain.journal import REFUSAL
from memlane.dream.folder import without
from memlane.errors import UsageError

MAKER = "import"
LARGEST = 1 << 20  # bytes; a larger file is not one an agent is told at every start
TRUST = {NoteKeeper.PERSON: Trust.PERSON, NoteKeeper.AGENT: Trust.AGENT, NoteKeeper.PROJECT: Trust.OUTSIDE}
SURE = {NoteKeeper.PERSON: 85, NoteKeeper.AGENT: 65, NoteKeeper.PROJECT: 65}
INDEX = "MEMORY.md"  # of a memory folder: the others are about one thing each


@dataclass(frozen=True, slots=True)
class RefusedLesson:
    """A note the gate did not let through: which rule, in which line, never what."""

    id: str
    rule: str
    line: int


@dataclass(frozen=True, slots=True)
class Notebook:
    """One file: what is new in it, what is known, what was refused, and what it does not say any more."""

    path: Path
    place: str
    keeper: NoteKeeper
    project: str
    new: Sequence[Memory]
    known: Sequence[Memory]
    refused: Sequence[RefusedLesson]
    gone: Sequence[Memory]
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class NoteImportReport:
    """What was made of it."""

    memories: Sequence[Memory]
    refused: Sequence[RefusedLesson]
    act: str


class NoteImport:
    def __init__(self, home: Home, writer: ActWriter) -> None:
        self._home = home
        self._writer = writer

    # -- which files -------------------------------------------------------------------------------------------------

    def plan(self, paths: Sequence[Path] = ()) -> Sequence[Notebook]:
        """Every file with something in it. Nothing is written; nothing is kept yet."""
        self._home.begin()
        stored = [memory for memory in self._memories() if memory.maker == MAKER]
        books = (self._book(page, stored) for page in _once(self._pages(paths)))
        return [book for book in books if book.new or book.known or book.refused or book.gone or book.trouble]

    def _pages(self, paths: Sequence[Path]) -> Iterator[NotePage]:
        notes = notes_of(self._home)
        if not paths:
            yield from notes.own()
            yield from notes.of_agents()
            for folder in self._projects():
                yield from notes.in_project(folder)
        for path in paths:
            if path.is_dir():
                yield from notes.below(path)
            elif path.is_file():
                yield notes.known(path) or of_project(path, checkout_of(path.parent))
            else:
                raise UsageError(f"{path} is neither a file nor a folder", hint="lane mem import ~/code/app")

    def _projects(self) -> Iterable[Path]:
        """Checkouts that runs were captured from and that are on this computer."""
        runs = self._home.storage().runs.listed(RunFilter(), self._home.reader)
        folders = dict.fromkeys(run.cwd for run in runs if run.cwd and run.machine == self._home.config.machine)
        here = [Path(folder) for folder in folders if Path(folder).is_absolute() and Path(folder).is_dir()]
        roots = dict.fromkeys(root for folder in here for root in (checkout_of(folder), folder))
        return [root for root in roots if root != self._home.config.person_home]

    # -- what is in them ---------------------------------------------------------------------------------------------

    def _book(self, page: NotePage, stored: Sequence[Memory]) -> Notebook:
        project = self._project(page)
        try:
            text, trouble = _read(page.path)
        except OSError as error:
            text, trouble = "", error.strerror or str(error)
        topic = page.keeper is NoteKeeper.AGENT and page.path.name != INDEX
        here = [m for m in stored if _place(m) == page.place and m.project_key == project.key]
        made = [self._memory(note, page, project) for note in notes_in(text, topic=topic)] if text else []
        made = [_as_known(memory, here) for memory in made]
        refused = {memory.id: found for memory in made if (found := self._refused(memory)) is not None}
        ids, known = {memory.id for memory in made}, {memory.id: memory for memory in stored}
        return Notebook(
            page.path,
            page.place,
            page.keeper,
            project.name,
            new=[memory for memory in made if memory.id not in known and memory.id not in refused],
            known=[known[memory.id] for memory in made if memory.id in known],
            refused=list(refused.values()),
            gone=[m for m in here if m.id not in ids and m.state is not State.FORGOTTEN] if not trouble else [],
            trouble=trouble,
        )

    def _project(self, page: NotePage) -> Project:
        if page.keeper is NoteKeeper.AGENT:
            return self._project_of_transcripts(page.folder)
        return self._home.project_at(page.folder) if page.folder else Project("", "")

    def _project_of_transcripts(self, folder: str) -> Project:
        """Claude Code names the folder after the project's path, and not so that it could be read back."""
        runs = self._home.storage().runs.listed(RunFilter(), self._home.reader)
        of_here = (run.project for run in runs if run.source_path and str(Path(run.source_path).parent) == folder)
        name = Path(folder).name
        return next((project for project in of_here if project.key), Project(name, name))

    def _memory(self, note: NoteLesson, page: NotePage, project: Project) -> Memory:
        now, owner = self._home.clock(), self._home.config.user
        under = f', under "{note.heading}"' if note.heading else ""
        return Memory(
            id=derived_id("m", owner, MAKER, project.key, page.place, " ".join(note.quote.split())),
            owner=owner,
            type=note.type,
            title=note.title,
            content=note.content,
            formed_at=now,
            saved_at=now,
            first_observed_at=now,
            last_observed_at=now,
            source_chunk=note.quote,
            evidence=(Evidence("", 0, note.line, page.place, note.quote),),
            scope=Scope.PERSON if page.keeper is NoteKeeper.PERSON else Scope.PROJECT,
            project=project.name,
            project_key=project.key,
            confidence=SURE[page.keeper],
            reasoning=f"It stands in {page.place}, line {note.line}{under}.",
            trust=TRUST[page.keeper],
            maker=MAKER,
            state=State.ACTIVE if page.keeper is NoteKeeper.PERSON else State.HELD,
            held_because="" if page.keeper is NoteKeeper.PERSON else "an agent wrote it into its notes",
        )

    def _refused(self, memory: Memory) -> RefusedLesson | None:
        found = self._home.gate.findings(f"{memory.title}\n{memory.content}\n{memory.reasoning}")
        return RefusedLesson(memory.id, found[0].rule, memory.evidence[0].line) if found else None

    def _memories(self) -> Sequence[Memory]:
        return self._home.storage().memories.listed(list(State), self._home.reader)

    # -- yes ---------------------------------------------------------------------------------------------------------

    def take(self, books: Sequence[tuple[Notebook, State]], *, because: str = "") -> NoteImportReport:
        """Those said yes to, each in the state that was said. A refusal is written down once."""
        made = [_in_state(memory, state) for book, state in books for memory in book.new]
        told = {e.id for e in archive.entries_with(self._home.disk, self._home.layout, f'"kind":"{REFUSAL}"')}
        refused = [(book, one) for book, _state in books for one in book.refused if one.id not in told]
        why = {"because": because} if because else {}
        lines = [memory_line(memory, **why) for memory in made]
        lines += [ActLine(REFUSAL, one.id, _refusal(book, one), OURS) for book, one in refused]
        act = self._writer.write(lines) if lines else ""
        return NoteImportReport(made, [one for _book, one in refused], act if made else "")


def _once(pages: Iterable[NotePage]) -> Iterator[NotePage]:
    """CLAUDE.md is often a link to AGENTS.md: the same file is read under its first name."""
    seen = set[Path]()
    for page in pages:
        real = page.path.resolve()
        if real not in seen:
            seen.add(real)
            yield page


def _read(path: Path) -> tuple[str, str]:
    """Its text, or why it is left alone."""
    if path.stat().st_size > LARGEST:
        return "", f"it is larger than {LARGEST >> 10} kB"
    try:
        text = without(path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n"))
        return ("" if holds_a_brief(text) else text), ""  # what we wrote there is known already
    except UnicodeDecodeError:
        return "", "it is not UTF-8"


def _place(memory: Memory) -> str:
    return memory.evidence[0].step if memory.evidence and not memory.evidence[0].run else ""


def _in_state(memory: Memory, state: State) -> Memory:
    if state is memory.state or state is not State.ACTIVE:
        return replace(memory, state=state)
    return replace(memory, state=state, confidence=max(memory.confidence, SAID_YES))


def _refusal(book: Notebook, refused: RefusedLesson) -> dict[str, object]:
    where: dict[str, object] = {"run": "", "generation": 0, "line": refused.line, "step": book.place}
    return {"by": "gate", "rule": refused.rule, "place": "content", **where, "extractor": MAKER}


def _as_known(memory: Memory, here: Sequence[Memory]) -> Memory:
    """The same line of the same page keeps its id when its project is known by another name since."""
    same = (one.id for one in here if one.source_chunk.split() == memory.source_chunk.split())
    return replace(memory, id=next(same, memory.id))
