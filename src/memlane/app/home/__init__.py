"""Opens one home: settings in, the tools of the data path out. Only this package chooses engines."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.app.home import contact
from memlane.app.home.deletion import Deletion, unrecorded
from memlane.app.home.engine import engine_of
from memlane.app.home.place import disk_of
from memlane.app.home.settings import save_settings
from memlane.config import Config
from memlane.domain import Machine, Project, Reader, random_id
from memlane.errors import NotFoundError, NotSetUpError, UnreachableError, UsageError
from memlane.storage import Engine, GuestStorage, Storage
from memlane.system.disk import Disk
from memlane.work import WriteLock

if TYPE_CHECKING:  # a search needs none of them, and they take longer to load than it takes
    from memlane.agents import Registry, Source, Surroundings
    from memlane.agents.entry_points import UnusableAgent
    from memlane.app.home.lent import LentShelf
    from memlane.app.home.recall_model import RecallModel
    from memlane.app.home.second_look import SecondOpinion
    from memlane.archive import Layout, Register
    from memlane.flow.tools import Tools
    from memlane.gate import Gate
    from memlane.recall import RecallWeights

SHORTEST_PREFIX = 4
LOOK_AGAIN = 5.0  # seconds, for an index that could only be read
_LISTED = {"m_": "lane mem list", "r_": "lane runs", "l_": "lane recalls"}


def now() -> datetime:
    return datetime.now(UTC)


def masked(text: str) -> str:
    """For what no Home is opened for: a line of the log."""
    from memlane.gate import Gate

    return Gate().mask(text)


class Home:
    """Opened late, closed once: a command that needs no index never touches it."""

    def __init__(
        self,
        config: Config,
        clock: Callable[[], datetime] = now,
        disk: Disk | None = None,
        *,
        read_only: bool = False,
        guest: Reader | None = None,
    ) -> None:
        """`guest`: who reads here what its owner shared with them, and writes nothing."""
        self.read_only = read_only or guest is not None
        self._guest = guest
        self.config = config
        self.clock = clock
        self.disk = disk or disk_of(config)
        self._opened: Storage | None = None
        self._looked = 0.0  # when it was opened
        self.deleted: Callable[[Deletion], None] = unrecorded  # on Central: whoever keeps receipts
        self.heal: Callable[[], None] | None = None  # what builds the index of an outdated home, before it is opened

    @property
    def machine(self) -> Machine:
        return Machine(self.config.user, self.config.machine)

    @property
    def thin(self) -> bool:
        """It captures and sends; Central has the index and the models."""
        return self.config.switch("thin")

    @property
    def reader(self) -> Reader:
        return self._guest or Reader(self.config.user)

    @property
    def agent(self) -> str:
        """The agent in whose shell this command was typed; "": a person's."""
        return self.agents.in_shell(self.config.variables)

    @cached_property
    def layout(self) -> Layout:
        from memlane.archive import Layout

        return Layout(self.config.archive_base, self.config.user, self.config.home / "register.json", self.disk)

    @property
    def register(self) -> Register:
        """What this machine says should be in the archive."""
        from memlane.archive import Register

        return Register(self.disk, self.layout, self.config.machine)

    @cached_property
    def agents(self) -> Registry:
        """Ours, and those other packages bring, with all that is known about each."""
        from memlane.agents import Registry

        return Registry()

    @property
    def surroundings(self) -> Surroundings:
        """What a part of an agent may know about this computer."""
        from memlane.agents import Surroundings

        return Surroundings(self.config.person_home, self.config.variables)

    @cached_property
    def sources(self) -> Mapping[str, Source]:
        """How each is read; one is loaded when it is first asked for."""
        return self.agents.sources

    @cached_property
    def unloaded_sources(self) -> list[UnusableAgent]:
        return self.agents.unloaded

    def not_usable(self, name: str, reason: str) -> None:
        """An agent whose reader fails before it has seen a file: named by `lane doctor`, passed over by all else."""
        from memlane.agents.entry_points import UnusableAgent

        if all(known.name != name for known in self.unloaded_sources):
            self.unloaded_sources.append(UnusableAgent(name, reason))

    @cached_property
    def gate(self) -> Gate:
        from memlane.gate import Gate

        return Gate()

    @cached_property
    def recall_model(self) -> RecallModel:
        """The model of recall, opened when somebody needs it."""
        from memlane.app.home.model_fit import ModelMeanings
        from memlane.app.home.recall_model import RecallModel

        meanings = ModelMeanings(self.config.home, self.run_folder, self.disk)
        return RecallModel(self.config, self.run_folder, meanings)

    @cached_property
    def second_look(self) -> SecondOpinion:
        """Who judges the best few, opened when somebody needs it."""
        from memlane.app.home.second_look import SecondOpinion

        return SecondOpinion(self.config)

    @cached_property
    def lock(self) -> WriteLock:
        return WriteLock(self.run_folder / "write.lock", self.disk.steady)

    @property
    def run_folder(self) -> Path:
        """What only lives while something runs: locks, the socket, its token."""
        return self.config.home / "run"

    @property
    def ours(self) -> tuple[str, ...]:
        """Where agents work for us, under its name and its true one: what they do there is no run of the person."""
        folder = self.config.home / "catch"
        return tuple({str(folder), str(folder.resolve())})

    @property
    def index_folder(self) -> Path:
        return self.config.home / "index"

    @cached_property
    def engine(self) -> Engine:
        return engine_of(self.config, self.index_folder)

    def storage(self) -> Storage:
        """The index that serves now: a rebuild may have swapped another one in since the last look."""
        name = self.engine.serving()
        if self._opened is not None and (self._opened.name != name or self._may_be_written_again):
            self.close()
        if self._opened is None:
            if name is None:
                self.must_be_set_up()
                self._healed()
            opened = self.engine.open_to_read() if self.read_only else self.engine.open()
            self._opened = opened if self._guest is None else GuestStorage(opened, self._guest)
            self._looked = time.monotonic()
        return self._opened

    @cached_property
    def lent(self) -> LentShelf:
        """What others share with this person, as Central last gave it."""
        from memlane.app.home.lent import LentShelf

        return LentShelf(self.config, self.clock, lambda: self.lock)

    def recalled(self) -> Storage:
        """What an agent may be told from: the own index, and beside it what others lend."""
        return self.lent.beside(self.storage())

    @property
    def _may_be_written_again(self) -> bool:
        """The disk was full or read-only when the index was opened: after a while it is tried again."""
        assert self._opened is not None
        return self._opened.read_only and time.monotonic() - self._looked >= LOOK_AGAIN

    @property
    def outdated(self) -> bool:
        """There is an archive, and no index that this version can read: another version made it, or it was lost."""
        return self.engine.serving() is None and self.disk.is_folder(self.layout.root)

    def _healed(self) -> None:
        """An outdated index is built anew. A machine that joined and has captured nothing has an empty one."""
        if self.outdated and self.heal is not None:
            heal, self.heal = self.heal, None
            heal()
        elif not self.outdated and not self.read_only and contact.has_joined(self.config.home):
            self.create_storage()

    def must_be_set_up(self) -> None:
        if self.engine.serving() is None and not self.config.home.exists():
            raise NotSetUpError("Memory Lane is not set up here yet", hint="lane init, or only: lane capture")

    def must_have_archive(self) -> None:
        """An archive that was there and is not is unmounted, not empty: nothing is built on its absence."""
        if self.disk.is_folder(self.layout.root):
            return
        if self.register.head() is not None or self._knows_an_archive():
            raise UnreachableError(
                f"the archive is missing at {self.config.archive_place}",
                hint="mount it, or set its new place: lane config set archive.base FOLDER",
            )

    def _knows_an_archive(self) -> bool:
        if self.engine.serving() is None:
            return False
        storage = self.storage()
        return bool(storage.runs.count(self.reader) or storage.work.journal_read())

    def create_storage(self) -> None:
        if self.engine.serving() is None:
            outdated = self.outdated
            self.disk.make_folders(self.config.home)
            with self.lock.held():
                if self.engine.serving() is None:
                    fresh = self.engine.begin()
                    try:
                        self.engine.swap(fresh)
                    finally:
                        fresh.close()
            if outdated:
                self.know_archive()

    def know_archive(self) -> None:
        """What was remembered is recalled from now on; which Runs are still to be indexed is known."""
        from memlane.flow.index import find_work
        from memlane.flow.journal import catch_up, encode

        tools = self.tools()
        catch_up(tools)
        encode(tools)
        find_work(tools)

    def begin(self) -> None:
        """The first write makes the home, and records who and where for good: both are in every run's id."""
        self.must_have_archive()
        self.create_storage()
        if self.config.origins["user"] == "default" or self.config.origins["machine"] == "default":
            save_settings(self.config, {"user": self.config.user, "machine": self.config.machine})

    def tools(self, storage: Storage | None = None) -> Tools:
        from memlane.flow.tools import Tools
        from memlane.recall import Budget

        setting = self.config
        return Tools(
            teachings=self.config.switch("catch.teachings"),
            disk=self.disk,
            layout=self.layout,
            machine=self.machine,
            storage=storage or self.storage(),
            lock=self.lock,
            gate=lambda: self.gate,
            sources=self.sources,
            clock=self.clock,
            new_id=random_id,
            changed=self.list_paths,
            encodes=self.recall_model if self.recall_model.spec and not self.thin else None,
            weights=self._weights(),
            budget=Budget(
                per_prompt=setting.count("recall.per_prompt"),
                per_run=setting.count("recall.per_run"),
                tokens_per_run=setting.count("recall.tokens_per_run"),
                start_rules=setting.count("recall.start_rules"),
                start_characters=min(8000, setting.count("recall.start_characters")),
            ),
        )

    def list_paths(self, storage: Storage) -> None:
        """For hooks: which files something is known about, and what shows an Activity that something is known for."""
        for name, wanted in self._hook_lists(storage).items():
            path = self.run_folder / name
            if not path.exists() or path.read_bytes() != wanted:
                self.disk.make_folders(self.run_folder)
                self.disk.replace(path, wanted)

    def lists_other_paths(self) -> bool:
        """Whether hooks look into a list that is not what is known. Without one they ask about every file."""
        lists = self._hook_lists(self.storage()).items()
        there = ((self.run_folder / name, wanted) for name, wanted in lists)
        return any(path.exists() and path.read_bytes() not in (b"", wanted) for path, wanted in there)

    def _hook_lists(self, storage: Storage) -> Mapping[str, bytes]:
        from memlane.app.home.paths import hook_lists

        return hook_lists(self.lent.beside(storage).memories, self.reader, self.entity_folders[0])

    @property
    def entity_folders(self) -> tuple[Sequence[tuple[str, Path]], Mapping[str, str]]:
        """`person=~/people` of the settings; and what of them makes no sense: it must not stop a catch or a hook."""
        found, wrong = list[tuple[str, Path]](), dict[str, str]()
        for given in self.config.names("entities.folders"):
            type_, _, folder = (part.strip() for part in given.partition("="))
            if not type_ or not folder:
                wrong[given] = "not TYPE=FOLDER: lane config set entities.folders person=~/people"
                continue
            home = self.config.person_home
            found.append((type_.lower(), home / folder[2:] if folder.startswith("~/") else Path(folder)))
        return found, wrong

    def _weights(self) -> RecallWeights:
        from memlane.recall import RecallWeights

        number = self.config.number
        return RecallWeights(
            similarity=number("recall.weights.similarity"),
            recency=number("recall.weights.recency"),
            half_life_days=number("recall.weights.half_life_days"),
            confidence=number("recall.weights.confidence"),
            observed=number("recall.weights.observed"),
            high_type=number("recall.weights.high_type"),
            intent=number("recall.weights.intent"),
            rare_word=number("recall.weights.rare_word"),
            time_window=number("recall.weights.time_window"),
            entity_floor=number("recall.entity_floor"),
            floor=number("recall.floor"),
            technical_floor=number("recall.technical_floor"),
            needed=number("recall.needed"),
            least_confidence=self.config.count("recall.least_confidence"),
        )

    def project_at(self, folder: str) -> Project:
        """The one this folder belongs to, whatever name it was met under."""
        from memlane import identity

        return self.storage().projects.of(identity.project_of(folder), self.reader)

    def called_any(self, names: Collection[str]) -> Callable[[Project], bool]:
        """Whether a project has one of these names or keys, also one that it had before it was joined."""
        projects, reader = self.storage().projects, self.reader
        joins = projects.joins(reader) if names else ()
        keys = {projects.of(join.own, reader).key for join in joins if {join.key, join.name} & set(names)}
        return lambda project: project.key in keys or bool({project.key, project.name} & set(names))

    def close(self) -> None:
        for name in {"second_look", "recall_model"} & self.__dict__.keys():
            getattr(self, name).close()
        if "lent" in self.__dict__:
            self.lent.close()
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def whole_id(self, given: str, starting_with: Callable[[str, Reader], Sequence[str]]) -> str:
        """The one id that begins like this; an ambiguous one lists the possible ids."""
        if len(given) < SHORTEST_PREFIX:
            raise UsageError(f"{given!r} is too short for an id", hint=f"give at least {SHORTEST_PREFIX} characters")
        ids = starting_with(given, self.reader)
        if not ids:
            raise NotFoundError(f"there is no {given}", hint=_LISTED.get(given[:2], "lane runs, lane mem list"))
        if len(ids) > 1 and given not in ids:
            raise UsageError(f"{given} could be any of: {', '.join(ids)}", hint="give a few more characters")
        return given if given in ids else ids[0]
