"""What each type of grant opens: for a person and for a group, as lessons or transcripts, now, later, until it ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.control import Grant, GrantType, Reading, Role, grants, of_owner
from memlane.app.home.journal import memory_line
from memlane.app.search import Mode
from memlane.config import Config
from memlane.domain import Evidence, Memory, RunFilter, Scope, Selection, Type
from memlane.errors import NotFoundError, UsageError
from tests.flow.homes import a_lane

AT = datetime(2026, 11, 1, 9, tzinfo=UTC)
SHOP, DIARY = "/home/noor/shop", "/home/noor/diary"
RUNS = ("shop", "review", "fix", "diary")  # `review` came out of `shop`, `fix` out of `review`
ALL_OF_SHOP = {"shop", "review", "fix"}


@dataclass(frozen=True, slots=True)
class Row:
    """A grant, and what it opens."""

    type: GrantType
    of: str
    runs: set[str]
    lessons: set[str]


TABLE = (
    Row(GrantType.RUN, "shop", {"shop"}, {"shop", "habit"}),
    Row(GrantType.RUN, "review", {"review"}, {"review"}),
    Row(GrantType.TREE, "shop", ALL_OF_SHOP, {*ALL_OF_SHOP, "habit"}),
    Row(GrantType.TREE, "review", {"review", "fix"}, {"review", "fix"}),
    Row(GrantType.PROJECT, SHOP, ALL_OF_SHOP, {*ALL_OF_SHOP, "typed"}),
    Row(GrantType.PROJECT, DIARY, {"diary"}, {"diary"}),
    Row(GrantType.TAG, "onboarding", {"fix", "diary"}, {"fix", "diary"}),
    Row(GrantType.TAG, "unused", set(), set()),
    Row(GrantType.MEMORY, "typed", set(), {"typed"}),
)


class World:
    """A Central of four people: Noor keeps runs and lessons, Mira and Jo read what she shares, Ann is its admin."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.later = folder, timedelta()
        self.central = a_lane(folder)
        self.central.home.begin()
        for name in ("noor", "mira", "jo"):
            self.central.control.codes.invite_person(name, Role.MEMBER)
        self.noor = Lane(of_owner(self.config, "noor"), self.now)
        self.noor.home.begin()
        self.ids = dict[str, str]()
        self.add_run("shop", SHOP)
        self.add_run("review", SHOP, parent="shop")
        self.add_run("fix", SHOP, parent="review")
        self.add_run("diary", DIARY)
        for name in RUNS:
            self.add_lesson(name, self.ids[name], DIARY if name == "diary" else SHOP)
        self.add_lesson("typed", "", SHOP)
        self.add_lesson("habit", self.ids["shop"], SHOP, Scope.PERSON)
        for name in ("fix", "diary"):
            self.noor.runs.labels.tag(self.ids[name], ["onboarding"], [])
        self.mira, self.jo = (self._reader(name) for name in ("mira", "jo"))
        self.central.home.clock = self.now

    @property
    def config(self) -> Config:
        return self.central.config

    def now(self) -> datetime:
        return datetime.now(UTC) + self.later

    def _reader(self, name: str) -> Lane:
        lane = Lane(of_owner(self.config, name), self.now, central=self.config)
        lane.home.begin()
        lane.home.create_storage()
        return lane

    def close(self) -> None:
        for lane in (self.noor, self.mira, self.jo, self.central):
            lane.close()

    # -- what there is -------------------------------------------------------------------------------------------------

    def add_run(self, name: str, cwd: str, parent: str = "") -> None:
        run = {"type": "run", "id": name, "agent": "pi", "started": AT.isoformat(), "cwd": cwd}
        run |= {"parent": parent, "relation": "subagent"} if parent else {}
        turn = {"type": "turn", "at": AT.isoformat(), "person": f"the till of {name}", "agent": "done"}
        file = self.folder / f"{name}.jsonl"
        file.write_text(f"{json.dumps(run)}\n{json.dumps(turn)}\n")
        self.noor.capture.imports.take([file])
        self.noor.capture.take_up()
        self.ids |= {run.native_id.rpartition("/")[2]: run.id for run in self.noor.runs.select(RunFilter())}

    def add_lesson(self, name: str, run: str, cwd: str, scope: Scope = Scope.PROJECT) -> None:
        evidence = (Evidence(run, 1, 1, f"{run}#t1.1", "the till"),) if run else ()
        place = {"scope": scope, "project": cwd.rpartition("/")[2], "project_key": cwd}
        id, title = self.noor.home.tools().new_id("m"), f"lesson of {name}"
        memory = Memory(id, "noor", Type.DECISION, title, title, AT, AT, AT, AT, evidence=evidence, **place)  # type: ignore[arg-type]
        self.noor._writer.write([memory_line(memory)])
        self.ids[f"lesson of {name}"] = id

    # -- shared and read -----------------------------------------------------------------------------------------------

    def give(self, row: Row, whom: str, reading: Reading = Reading.LESSONS, until: str = "") -> Grant:
        names = {GrantType.MEMORY: f"lesson of {row.of}", GrantType.RUN: row.of, GrantType.TREE: row.of}
        name = self.ids[names[row.type]] if row.type in names else row.of
        grant = Grant("", "noor", row.type, name, row.of, whom, reading=reading, until=until)
        return self.central.control.grants.give(grant)

    @contextmanager
    def given(self, row: Row, whom: str, reading: Reading = Reading.LESSONS) -> Iterator[Grant]:
        grant = self.give(row, whom, reading)
        yield grant
        self.central.control.grants.revoke(grant.id, "noor")

    def read(self, reader: Lane) -> tuple[set[str], set[str]]:
        """The runs and the lessons that somebody is shown, by every way there is."""
        which, names = RunFilter(limit=99), {id: name for name, id in self.ids.items()}
        runs = {names[run.id] for run in reader.loans.runs([], which)}
        lessons = {one.title.removeprefix("lesson of ") for one in reader.loans.memories([], Selection(limit=99))}
        found = reader.loans.search(reader.search.find("till", which, 99, Mode.WORDS), "till", which, 99, Mode.WORDS)
        assert {names[hit.run.id] for hit in found.search.best} == runs
        for name, id in self.ids.items():
            one = reader.loans.holding_run(id, reader.shelves).runs if id.startswith("r_") else None
            assert one is None or opens(lambda one=one, id=id: one.get(id)) is (name in runs)
            if id.startswith("m_"):
                held = reader.loans.holding_memory(id, reader.shelves).memories
                assert opens(lambda held=held, id=id: held.get(id)) is (name.removeprefix("lesson of ") in lessons)
        return runs, lessons


def opens(get: object) -> bool:
    try:
        get()  # type: ignore[operator]
    except NotFoundError:
        return False
    return True


NOTHING = (set[str](), set[str]())


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = World(tmp_path_factory.mktemp("grants"))
    yield made
    made.close()


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.type}-{row.of.rpartition('/')[2]}")
@pytest.mark.parametrize("group", [False, True], ids=["person", "group"])
@pytest.mark.parametrize("reading", list(Reading))
def test_a_grant_opens_what_it_names_until_it_is_revoked(world: World, row: Row, group: bool, reading: Reading) -> None:
    world.central.control.groups.add("team", ["mira"], "ann")
    runs = row.runs if reading is Reading.TRANSCRIPTS else set[str]()
    with world.given(row, "team" if group else "mira", reading):
        assert world.read(world.mira) == (runs, row.lessons)
        assert world.read(world.jo) == NOTHING
    assert world.read(world.mira) == NOTHING


@pytest.mark.parametrize("row", [TABLE[0], TABLE[4]], ids=["run", "project"])
def test_a_grant_ends_at_its_time(world: World, row: Row) -> None:
    until = (world.now() + timedelta(hours=1)).isoformat()
    grant = world.give(row, "mira", Reading.TRANSCRIPTS, until)
    assert world.read(world.mira) == (row.runs, row.lessons)
    world.later += timedelta(hours=2)
    assert world.read(world.mira) == NOTHING
    assert [one.id for one in world.central.control.grants.by("noor") if one.id == grant.id] == [grant.id]


def test_two_grants_open_both_and_one_that_ends_takes_its_own_away_only(world: World) -> None:
    project, tag = TABLE[4], TABLE[6]
    with world.given(tag, "mira", Reading.TRANSCRIPTS):
        with world.given(project, "mira"):
            assert world.read(world.mira) == ({"fix", "diary"}, {*project.lessons, "diary"})
        assert world.read(world.mira) == (tag.runs, tag.lessons)


def test_the_same_share_again_changes_how_much_of_it_is_read(world: World) -> None:
    with world.given(TABLE[0], "mira", Reading.TRANSCRIPTS) as first:
        assert world.give(TABLE[0], "mira", Reading.LESSONS).id == first.id
        assert world.read(world.mira) == (set(), TABLE[0].lessons)
    assert world.read(world.mira) == NOTHING


def test_who_joins_the_group_reads_and_who_leaves_it_does_not(world: World) -> None:
    groups = world.central.control.groups
    groups.add("team", ["mira"], "ann")
    with world.given(TABLE[2], "team", Reading.TRANSCRIPTS):
        groups.add("team", ["jo"], "ann")
        assert world.read(world.jo) == (ALL_OF_SHOP, TABLE[2].lessons)
        groups.remove("team", ["mira"], "ann")
        assert world.read(world.mira) == NOTHING
    groups.remove("team", [], "ann")


def test_a_new_group_of_an_old_name_reads_nothing_that_was_shared_with_the_old_one(world: World) -> None:
    groups = world.central.control.groups
    groups.add("crew", ["mira"], "ann")
    with world.given(TABLE[2], "crew", Reading.TRANSCRIPTS) as grant:
        groups.remove("crew", [], "ann")
        groups.add("crew", ["jo"], "ann")
        assert (world.read(world.jo), world.central.control.grants.readers(grant)) == (NOTHING, [])
        world.give(TABLE[2], "crew", Reading.TRANSCRIPTS)
        assert world.read(world.jo) == (ALL_OF_SHOP, TABLE[2].lessons)
    groups.remove("crew", [], "ann")


def test_what_comes_later_is_shared_and_what_is_put_aside_is_not(world: World) -> None:
    with world.given(TABLE[2], "mira", Reading.TRANSCRIPTS), world.given(TABLE[6], "jo", Reading.TRANSCRIPTS):
        world.add_run("late", SHOP, parent="fix")
        world.add_lesson("late", world.ids["late"], SHOP)
        assert world.read(world.mira) == ({*ALL_OF_SHOP, "late"}, {*TABLE[2].lessons, "late"})
        world.noor.runs.labels.tag(world.ids["late"], ["onboarding"], [])
        assert world.read(world.jo) == ({"fix", "diary", "late"}, {"fix", "diary", "late"})
        world.noor.runs.labels.tag(world.ids["late"], [], ["onboarding"])
        assert world.read(world.jo) == (TABLE[6].runs, TABLE[6].lessons)
        world.noor.memories.pause([world.ids["lesson of late"]])
        assert world.read(world.mira)[1] == TABLE[2].lessons
    world.noor.archive.forget_run(world.ids["late"])


def test_a_share_that_opens_nothing_is_refused(world: World) -> None:
    grants, past = world.central.control.grants, (world.now() - timedelta(days=1)).isoformat()
    no_time, far = "2026-99-99", "9999-12-31T23:59:59-23:59"
    refused = (("noor", "", "with you already"), ("mira", past, "ends before"), ("eve", "", "eve"))
    for whom, until, words in (*refused, ("mira", no_time, "no time"), ("mira", far, "no time")):
        with pytest.raises((UsageError, NotFoundError), match=words):
            world.give(TABLE[0], whom, until=until)
    assert grants.to("mira") == []


def test_who_says_later_that_the_same_id_is_theirs_takes_nobodys_place(world: World) -> None:
    id, mira = world.ids["lesson of typed"], world.mira
    world.jo._writer.write([memory_line(Memory(id, "jo", Type.DECISION, "jo says", "jo says", AT, AT, AT, AT))])
    with world.given(Row(GrantType.MEMORY, "typed", set(), set()), "mira"):
        theirs = world.central.control.grants.give(Grant("", "jo", GrantType.MEMORY, id, "typed", "mira"))
        assert mira.loans.holding_memory(id, mira.shelves).memories.get(id).owner == "noor"
        assert [one.memory.owner for one in mira.loans.lend("k_aaaaaaaaaaaaa")[1]] == ["noor"]
        assert sorted(mira.loans.owners()[id]) == ["jo", "noor"]
        world.central.control.grants.revoke(theirs.id, "jo")


def test_one_person_shares_no_more_than_others_can_look_through(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grants, "MOST", 2)
    with world.given(TABLE[0], "jo"), world.given(TABLE[1], "jo"):
        with pytest.raises(UsageError, match="2 things already"):
            world.give(TABLE[2], "jo")
        assert world.give(TABLE[1], "jo", Reading.TRANSCRIPTS).reading is Reading.TRANSCRIPTS
    world.central.control.grants.revoke(world.give(TABLE[2], "jo").id, "noor")
