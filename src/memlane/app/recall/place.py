"""Where an agent works: whose runs these are, and what recall must know about its folder; here or on a thin machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from memlane import identity
from memlane.app.home import Home
from memlane.app.projects import ProjectBook
from memlane.app.recall.own_files import OwnFiles
from memlane.app.recall.staleness import gone
from memlane.domain import Machine, Memory, Project, Query


class FolderView(Protocol):
    """What is asked about a folder in which an agent works."""

    @property
    def machine(self) -> Machine: ...

    def project(self, folder: str) -> Project: ...

    def still(self, folder: str, project: Project) -> Project:
        """After a look: a join may have moved what was looked for meanwhile."""
        ...

    def filed(self, folder: str, project: Project) -> Project:
        """Under which of its names something new in this project of the folder is filed."""
        ...

    def arrive(self, folder: str) -> None:
        """An agent worked here: what its folder says about its project may be written down."""
        ...

    def recalls(self, folder: str) -> bool:
        """Whether its own settings allow it."""
        ...

    def top(self, folder: str) -> str:
        """Where the paths of its files begin."""
        ...

    def gone(self, memory: Memory, query: Query) -> str:
        """What it is about and is not there any more, or ""."""
        ...

    def loaded(self, memory: Memory, query: Query) -> str:
        """The file of the agent's own that says the same, or ""."""
        ...

    def has_our_lines(self, query: Query) -> bool:
        """Whether the agent loads a MEMORY.md of ours there."""
        ...

    def last_prompt(self, agent: str, transcript: str) -> str:
        """What the person typed last, as the agent wrote it down; "" where that is not known."""
        ...


class Here(FolderView):
    """On the machine whose home this is: its disk says it."""

    def __init__(self, home: Home, projects: ProjectBook) -> None:
        self._home, self._projects, self._own_files = home, projects, OwnFiles(home)

    @property
    def machine(self) -> Machine:
        return self._home.machine

    def project(self, folder: str) -> Project:
        return self._projects.expected(folder)

    def still(self, folder: str, project: Project) -> Project:
        return self._projects.still(folder, project)

    def filed(self, folder: str, project: Project) -> Project:
        """The folder's own: there it stays if a join is taken apart."""
        return identity.project_of(folder) if self._home.project_at(folder) == project else project

    def arrive(self, folder: str) -> None:
        self._projects.arrive(folder)

    def recalls(self, folder: str) -> bool:
        return identity.narrowed(folder).recall

    def top(self, folder: str) -> str:
        return folder

    def gone(self, memory: Memory, query: Query) -> str:
        return gone(memory, query)

    def loaded(self, memory: Memory, query: Query) -> str:
        return self._own_files.by(memory, query)

    def has_our_lines(self, query: Query) -> bool:
        if not self._home.config.names("memory.claude_code"):
            return False
        from memlane.app.folder.places import FolderPlaces

        return FolderPlaces(self._home).loaded_by(query.agent, query.cwd)

    def last_prompt(self, agent: str, transcript: str) -> str:
        from memlane.app.recall.unheard import last_prompt

        return last_prompt(self._home, agent, transcript)


@dataclass(frozen=True, slots=True)
class ToldFolder:
    """What a thin machine says about the folder in which its agent works."""

    project: Project
    top: str = ""


class OnThinMachine(FolderView):
    """On a machine that asks Central. Nothing of Central's own disk is looked at for it."""

    def __init__(self, machine: Machine, joined: Callable[[Project], Project]) -> None:
        self._machine, self._joined = machine, joined
        self.told = ToldFolder(Project("", ""))  # with the question that is being answered

    @property
    def machine(self) -> Machine:
        return self._machine

    def project(self, folder: str) -> Project:  # noqa: ARG002 - the machine has said it
        return self._joined(self.told.project)

    def still(self, folder: str, project: Project) -> Project:  # noqa: ARG002 - nothing moves between two questions
        return project

    def filed(self, folder: str, project: Project) -> Project:  # noqa: ARG002 - its disk is not here
        return project

    def arrive(self, folder: str) -> None:
        """Central joins projects by what it holds."""

    def recalls(self, folder: str) -> bool:  # noqa: ARG002 - one that may not does not ask
        return True

    def top(self, folder: str) -> str:
        return self.told.top or folder

    def gone(self, memory: Memory, query: Query) -> str:  # noqa: ARG002 - its checkout is not here
        return ""

    def loaded(self, memory: Memory, query: Query) -> str:  # noqa: ARG002 - its files are not here
        return ""

    def has_our_lines(self, query: Query) -> bool:  # noqa: ARG002 - a thin machine writes no memory folder for an agent
        return False

    def last_prompt(self, agent: str, transcript: str) -> str:  # noqa: ARG002 - its transcripts are not here
        return ""
