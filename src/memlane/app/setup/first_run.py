"""The first five minutes: what can be learned without a model, and a prompt that brings a first Recall."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memlane.app.catch.windows import CatchReport, CatchWindows, OnRun, quietly
from memlane.app.home import Home
from memlane.app.home.journal import BY_INIT
from memlane.app.notes import Notebook, NoteImport, NoteKeeper
from memlane.app.recall.answers import Recalls
from memlane.domain import Memory, Outcome, Project, RunFilter, RunSummary, Scope, State
from memlane.flow.catch import CatchOutcome

FIRST = 150_000_000  # bytes of transcripts that somebody waits for; the rest is read without them
TRIED = 60  # prompts, before we say that we know none; each is one look


@dataclass(frozen=True, slots=True)
class NotesRead:
    """What stood in files of the person and their agents, and what was left for `lane mem import`."""

    active: int
    held: int
    places: Sequence[str]  # of the active ones
    left: int


@dataclass(frozen=True, slots=True)
class MemoryTotals:
    """All there is now, whoever brought it."""

    active: int
    held: int
    projects: int


@dataclass(frozen=True, slots=True)
class PromptSuggestion:
    """A prompt that was tried: in this folder this agent is given these Memories for it."""

    agent: str
    program: str  # what starts it
    folder: Path
    prompt: str
    memories: Sequence[Memory]


class FirstRun:
    def __init__(self, home: Home, catch: CatchWindows, notes: NoteImport, recall: Recalls) -> None:
        self._home = home
        self._catch = catch
        self._notes = notes
        self._recall = recall

    # -- what is known without asking anybody ------------------------------------------------------------------------

    def catch(self, here: Path, on: OnRun = quietly) -> CatchReport:
        """What the embedded reader finds: in this folder's runs, then in the newest. `left`: runs for later."""
        off = self._home.config.text("catch.with") == "none"
        due = [] if off else list(self._catch.due())
        if not due:
            return CatchReport(CatchOutcome(), 0, 0, (), 0.0)
        first = self._first(due, here)
        report = self._catch.run("embedded", [run for run in due if run in first], on=on)
        return replace(report, left=report.left + len(due) - len(first))

    def _first(self, due: Sequence[str], here: Path) -> set[str]:
        known = {run.id: run for run in self._runs()}
        newest = [known[run] for run in reversed(due) if run in known]
        project, room, first = self._home.project_at(str(here)), FIRST, set[str]()
        for run in sorted(newest, key=lambda run: run.project.key != project.key):
            if first and run.bytes > room:
                break
            first.add(run.id)
            room -= run.bytes
        return first

    def notes(self) -> NotesRead:
        """The person's own files are their word; what agents noted waits for a yes; projects' files wait as a whole."""
        books = self._notes.plan()
        taken = [book for book in books if book.keeper is not NoteKeeper.PROJECT]
        self._notes.take([(book, usual(book)) for book in taken], because=BY_INIT)
        own = [book for book in taken if usual(book) is State.ACTIVE and book.new]
        return NotesRead(
            sum(len(book.new) for book in own),
            sum(len(book.new) for book in taken if usual(book) is State.HELD),
            [book.place for book in own],
            sum(len(book.new) for book in books if book.keeper is NoteKeeper.PROJECT),
        )

    def known(self) -> MemoryTotals:
        memories, reader = self._home.storage().memories, self._home.reader
        projects = {run.project.key for run in self._runs() if run.project.key}
        return MemoryTotals(memories.count([State.ACTIVE], reader), memories.count([State.HELD], reader), len(projects))

    # -- and a prompt that needs it ----------------------------------------------------------------------------------

    def asked_from(self, set_up: Collection[str]) -> str:
        """The first agent of these whose model is given notes at a prompt; "": none."""
        agents = [self._home.agents[name] for name in self._home.agents if name in set_up]
        return next((one.name for one in agents if one.resume and one.told and one.told.prompt == "yes"), "")

    def prompt(self, here: Path, agent: str) -> PromptSuggestion | None:
        """One that brings a Recall, tried by recall itself; in this folder's project if there is one."""
        folders, tried = self._folders(), 0
        for memory in sorted(self._active(), key=_rank(self._home.project_at(str(here)))) if folders else ():
            folder = self._folder_for(memory, folders)
            for words in requests(memory) if folder else ():
                if folder and (told := self._told(agent, words, folder, memory)):
                    return PromptSuggestion(agent, self._program(agent), folder, words, told)
                tried += 1
            if tried >= TRIED:
                break
        return None

    def _folder_for(self, memory: Memory, folders: Mapping[str, Path]) -> Path | None:
        """What holds everywhere is asked where somebody worked last."""
        key = memory.project_key if memory.scope is Scope.PROJECT else next(iter(folders))
        folder = folders.get(key)
        return None if folder is None or self._recall.off(str(folder)) else folder

    def _program(self, agent: str) -> str:
        resume = self._home.agents[agent].resume
        return resume.begin("")[0] if resume else agent

    def _told(self, agent: str, words: str, folder: Path, memory: Memory) -> Sequence[Memory]:
        found = self._recall.asked(words, folder, agent)
        told = [match.memory for match in found.shown]  # none where an earlier run is pointed at
        return told if found.outcome is Outcome.SHOWN and told and told[0].id == memory.id else ()

    def _active(self) -> Sequence[Memory]:
        return self._home.storage().memories.listed([State.ACTIVE], self._home.reader)

    def _folders(self) -> Mapping[str, Path]:
        """Projects that are on this computer, the newest first, each with the folder somebody last worked in."""
        folders, machine = dict[str, Path](), self._home.config.machine
        for cwd, key in dict.fromkeys((run.cwd, run.project.key) for run in self._runs() if run.machine == machine):
            if key not in folders and self._is_of(cwd, key):
                folders[key] = Path(cwd)
        return folders

    def _is_of(self, cwd: str, key: str) -> bool:
        """Whether what is asked in this folder is known to belong to this project."""
        there = bool(cwd) and Path(cwd).is_absolute() and Path(cwd).is_dir()
        return there and self._home.project_at(cwd).key == key

    def _runs(self) -> Sequence[RunSummary]:
        """Newest first."""
        return self._home.storage().runs.listed(RunFilter(), self._home.reader)


def usual(book: Notebook) -> State:
    """What a plain yes means: only the person's own file is their own word."""
    return State.ACTIVE if book.keeper is NoteKeeper.PERSON else State.HELD


def _rank(here: Project) -> Callable[[Memory], tuple[object, ...]]:
    """This project first, then what was said in runs (an agent reads its own files by itself), then what warns."""
    return lambda m: (
        m.project_key != here.key,
        not (m.evidence and m.evidence[0].run),
        not warns(m),
        len(m.title),
        m.id,
    )


LONGEST = 64  # characters a person is asked to type
FEWEST = 3  # words, or it could mean anything
_WARNED_OF = re.compile(r"^(?:please )?(?:do not|don['’]t|never|avoid)(?: ever)? (?=[a-z])", re.IGNORECASE)
_ENDS = re.compile(r"\s*(?:[;.!?](?:\s|$)|,\s|\s[-–—(]|\b(?:because|so|instead|rather than|unless|but)\b)")
_MARKS = re.compile(r"[`*\"“”]+")


def requests(memory: Memory) -> Iterator[str]:
    """The likeliest first: the very thing it warns of, then what it says."""
    said = " ".join(_MARKS.sub("", memory.title).split()).removesuffix("…")
    warned = _WARNED_OF.match(said)
    if warned:
        yield from reversed(_short(said[warned.end() :]))  # who asks for it gives no reason against it
    for form in ("{}?", "what did we say about this: {}"):
        yield from (form.format(words) for words in _short(said))


def warns(memory: Memory) -> bool:
    return bool(_WARNED_OF.match(_MARKS.sub("", memory.title)))


def _short(said: str) -> Sequence[str]:
    """All of it, and its first clause."""
    both = dict.fromkeys(words.rstrip(" .!;:,") for words in (said, _ENDS.split(said, maxsplit=1)[0]))
    return [words for words in both if len(words) <= LONGEST and len(words.split()) >= FEWEST and words.isprintable()]
