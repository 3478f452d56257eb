"""Runs, what people call them, and the files they touched, in every engine."""

from __future__ import annotations

from datetime import timedelta

from memlane.domain import (
    NO_PROJECT,
    Project,
    RunFilter,
    Touch,
)
from memlane.storage import IndexMark, Storage
from tests.conformance.rows import (
    ANY,
    MIRA,
    NOON,
    NOOR,
    a_chunk,
    a_run,
    a_touch,
    fill,
    found,
    having,
)


def test_a_run_is_put_and_put_again(storage: Storage) -> None:
    storage.runs.put(a_run("r_1", title="first"))
    storage.runs.put(a_run("r_1", title="second"))
    assert storage.runs.get("r_1", NOOR) == a_run("r_1", title="second")
    assert storage.runs.count(NOOR) == 1


def test_runs_are_listed_newest_first_those_without_a_time_last_and_always_alike(storage: Storage) -> None:
    for id, ended in (("r_b", 5), ("r_x", None), ("r_a", 5), ("r_new", 9), ("r_old", -9)):
        storage.runs.put(a_run(id, ended=ended))
    assert [run.id for run in storage.runs.listed(RunFilter(), NOOR)] == ["r_new", "r_a", "r_b", "r_old", "r_x"]
    assert [run.id for run in storage.runs.listed(RunFilter(limit=2), NOOR)] == ["r_new", "r_a"]


def test_runs_are_filtered(storage: Storage) -> None:
    storage.runs.put(a_run("r_1", agent="codex", project=Project("acme/shop", "host/acme/shop"), ended=1))
    storage.runs.put(a_run("r_2", machine="desk", ended=2))

    def ids(**which: object) -> list[str]:
        return [run.id for run in storage.runs.listed(RunFilter(**which), NOOR)]  # type: ignore[arg-type]

    assert ids(agent="codex") == ids(project="acme/shop") == ids(project="host/acme/shop") == ["r_1"]
    assert ids(machine="desk") == ids(since=NOON + timedelta(minutes=2)) == ["r_2"]
    assert ids(until=NOON + timedelta(minutes=1)) == ["r_1"]
    assert ids(agent="codex", machine="desk") == []


def test_ids_are_found_by_their_beginning_and_nothing_in_it_is_special(storage: Storage) -> None:
    for id in ("r_abc", "r_abd", "r_b%_", "r_xyz"):
        storage.runs.put(a_run(id))
    assert list(storage.runs.starting_with("r_ab", NOOR)) == ["r_abc", "r_abd"]
    assert list(storage.runs.starting_with("r_%", NOOR)) == []
    assert list(storage.runs.starting_with("r_b%", NOOR)) == ["r_b%_"]
    for n in range(20):
        storage.runs.put(a_run(f"r_many{n:02}"))
    assert len(storage.runs.starting_with("r_many", NOOR)) == 10


def test_children_come_oldest_first(storage: Storage) -> None:
    storage.runs.put(a_run("r_p"))
    storage.runs.put(a_run("r_2", ended=2, parent="r_p"))
    storage.runs.put(a_run("r_1", ended=1, parent="r_p"))
    assert [run.id for run in storage.runs.children("r_p", NOOR)] == ["r_1", "r_2"]


def test_of_two_runs_with_one_native_id_the_newer_is_meant(storage: Storage) -> None:
    storage.runs.put(a_run("r_1", native_id="same", ended=1))
    storage.runs.put(a_run("r_2", native_id="same", ended=2))
    run = storage.runs.by_native_id("same", NOOR)
    assert run is not None
    assert run.id == "r_2"


def test_what_a_person_calls_a_run_is_said_before_after_and_again(storage: Storage) -> None:
    storage.runs.label("r_1", "noor", "my title", ["b", "a"], pinned=True)
    assert storage.runs.get("r_1", NOOR) is None
    storage.runs.put(a_run("r_1", title="first words"))
    called = a_run("r_1", title="my title", tags=("b", "a"), pinned=True)
    assert storage.runs.get("r_1", NOOR) == storage.runs.by_native_id("native-r_1", NOOR) == called
    assert list(storage.runs.listed(RunFilter(tag="a"), NOOR)) == [called]
    storage.runs.put(a_run("r_1", title="other words"))
    assert storage.runs.get("r_1", NOOR) == called, "indexed again, it is called the same"
    storage.runs.label("r_1", "mira", "hers", ["x"], pinned=False)
    assert storage.runs.get("r_1", NOOR) == called, "another's words for it are not its owner's"
    storage.runs.label("r_1", "noor", "", [], pinned=False)
    assert storage.runs.get("r_1", NOOR) == a_run("r_1", title="other words")
    assert list(storage.runs.listed(RunFilter(tag="a"), NOOR)) == []
    storage.runs.label("r_1", "noor", "kept", [], pinned=False)
    storage.runs.drop("r_1")
    storage.runs.put(a_run("r_1"))
    assert storage.runs.get("r_1", NOOR) == a_run("r_1", title="kept"), "dropped and there again"


def test_a_dropped_run_is_as_if_it_had_never_been_indexed(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "zebra one")
    fill(storage, "noor", "r_2", "zebra two")
    storage.prompts.replace("r_1", "noor", 0, [("u1", 1, 1)])
    storage.prompts.replace("r_2", "noor", 0, [("u1", 1, 1)])
    for run in ("r_1", "r_2"):
        storage.work.index_done(run, IndexMark(1, 10, 1, "rules"))
    storage.runs.drop("r_1")
    assert storage.runs.get("r_1", NOOR) is None
    assert storage.work.indexed("r_1") is None
    assert found(storage, "zebra") == ["zebra two"]
    assert having(storage, "zebra", "one") == {"zebra": 1}
    assert list(storage.prompts.holders("u1", NOOR)) == [("r_2", 1, 1)]


def test_who_holds_a_prompt_that_another_run_lets_go_of_is_indexed_again(storage: Storage) -> None:
    work, prompts = storage.work, storage.prompts
    for run in ("r_1", "r_2", "r_3"):
        storage.runs.put(a_run(run))
        work.index_done(run, IndexMark(1, 10, 1, "rules"))
    prompts.replace("r_1", "noor", 0, [("u1", 1, 1), ("u2", 2, 1)])
    prompts.replace("r_2", "noor", 0, [("u1", 1, 1)])
    prompts.replace("r_3", "noor", 0, [("u3", 1, 1)])
    prompts.replace("r_1", "noor", 2, [("u2", 2, 3), ("u4", 3, 1)])
    assert list(work.pending()) == [], "it has not let go of anything"
    prompts.replace("r_1", "noor", 0, [("u2", 1, 1)])
    assert list(work.pending()) == ["r_2"]
    work.index_done("r_2", IndexMark(1, 10, 1, "rules"))
    prompts.replace("r_1", "noor", 0, [("u1", 1, 1)])
    storage.runs.drop("r_1")
    assert list(work.pending()) == ["r_2"]


def test_touches_of_a_path_come_newest_first(storage: Storage) -> None:
    for run in ("r_1", "r_2"):
        storage.runs.put(a_run(run, agent="codex" if run == "r_1" else "plain"))
    one = [a_touch("r_1", "/shop/src/app.py", 1, 1, changed=True), a_touch("r_1", "/shop/src/app.py", 2, 5)]
    two = [a_touch("r_2", "src/app.py", 1, 3, changed=True), a_touch("r_2", "/shop/src/snapp.py", 1, 9)]
    timeless = a_touch("r_2", "app.py", 4, None)
    storage.touches.replace("r_1", "noor", 0, one)
    storage.touches.replace("r_2", "noor", 0, [*two, timeless])

    def of(path: str, which: RunFilter = ANY, changed: bool = False) -> list[Touch]:
        return list(storage.touches.of(path, which, NOOR, changed=changed))

    assert of("app.py") == [one[1], two[0], one[0], timeless]
    assert of("src/app.py") == [one[1], two[0], one[0]]
    assert of("/shop/src/app.py") == [one[1], one[0]]
    assert of("src/app.py", changed=True) == [two[0], one[0]]
    assert of("app.py", RunFilter(agent="codex")) == [one[1], one[0]]
    assert of("app.py", RunFilter(limit=1)) == [one[1]]
    assert of("p.py") == of("%") == of("") == []
    assert list(storage.touches.of("app.py", RunFilter(), MIRA)) == []


def test_a_path_of_windows_is_found_by_its_end_too(storage: Storage) -> None:
    storage.runs.put(a_run("r_1"))
    there = a_touch("r_1", "D:\\shop\\src\\app.py", 1, 1, changed=True)
    storage.touches.replace("r_1", "noor", 0, [there])
    for path in ("app.py", "src/app.py", "src\\app.py", "D:\\shop\\src\\app.py"):
        assert list(storage.touches.of(path, RunFilter(), NOOR)) == [there], path
    assert [run.id for run in storage.runs.listed(RunFilter(file="app.py"), NOOR)] == ["r_1"]
    assert list(storage.touches.of("pp.py", RunFilter(), NOOR)) == []


def test_touches_are_replaced_from_a_turn_on_and_dropped_with_their_run(storage: Storage) -> None:
    storage.runs.put(a_run("r_1"))
    first, second = a_touch("r_1", "/a.py", 1, 1), a_touch("r_1", "/a.py", 2, 2)
    storage.touches.replace("r_1", "noor", 0, [first, second])
    other = a_touch("r_1", "/b.py", 2, 2)
    storage.touches.replace("r_1", "noor", 2, [other])
    assert list(storage.touches.of("a.py", RunFilter(), NOOR)) == [first]
    assert list(storage.touches.of("b.py", RunFilter(), NOOR)) == [other]
    storage.runs.drop("r_1")
    storage.runs.put(a_run("r_1"))
    assert list(storage.touches.of("a.py", RunFilter(), NOOR)) == []


def test_projects_are_told_once_each_the_oldest_first(storage: Storage) -> None:
    shop, ferry = Project("shop", "example.org/shop"), Project("ferry", "example.org/ferry")
    for id, ended, project in (("r_1", 5, shop), ("r_2", 3, ferry), ("r_3", 9, ferry), ("r_4", None, NO_PROJECT)):
        storage.runs.put(a_run(id, ended=ended, project=project))
    storage.runs.put(a_run("r_m", "mira", ended=1, project=Project("theirs", "example.org/theirs")))
    assert storage.runs.projects(NOOR) == [NO_PROJECT, ferry, shop]


def test_a_list_without_a_limit_is_the_whole_list(storage: Storage) -> None:
    for n in range(1200):
        storage.runs.put(a_run(f"r_{n:04}", ended=n))
    storage.touches.replace("r_0000", "noor", 0, [a_touch("r_0000", "a.py", n) for n in range(1, 1201)])
    storage.chunks.replace("r_0000", "noor", 0, [a_chunk("r_0000", n, "zebra") for n in range(1, 1201)])
    assert len(storage.runs.listed(ANY, NOOR)) == 1200
    assert [run.id for run in storage.runs.listed(RunFilter(limit=1), NOOR)] == ["r_1199"]
    assert len(storage.touches.of("a.py", ANY, NOOR)) == 1200
    assert len(storage.chunks.of_run("r_0000", NOOR)) == 1200
    assert len(storage.chunks.matching(["zebra"], ANY, NOOR, 1100)) == 1100
    assert list(storage.runs.listed(RunFilter(limit=0), NOOR)) == []


def test_what_a_run_names_is_kept_by_turn_and_asked_for_by_any_of_its_keys(storage: Storage) -> None:
    for run in ("r_1", "r_2"):
        storage.chunks.replace(run, "noor", 0, [a_chunk(run, 1, "one"), a_chunk(run, 2, "two", author="agent")])
        storage.runs.put(a_run(run))
    assert sorted(storage.runs.unnamed(NOOR)) == [("r_1", 0), ("r_2", 0)]
    assert storage.chunks.spoken("r_1", 2, NOOR) == [(2, "two")]
    storage.runs.name(
        "r_1", 0, [(-1, "file:a.py"), (1, "person:hoy-amy"), (2, "person:hoy-amy"), (2, "person:brown-neal")]
    )
    storage.runs.name("r_2", 0, [(1, "business:indy-hall"), (1, "business:indy-hall")])
    assert storage.runs.unnamed(NOOR) == []
    named = storage.runs.get("r_1", NOOR)
    assert named is not None
    assert named.entities == ("person:hoy-amy", "person:brown-neal", "file:a.py")
    asked = RunFilter(entities=frozenset({"person:brown-neal", "person:nobody"}))
    assert [run.id for run in storage.runs.listed(asked, NOOR)] == ["r_1"]
    assert {one.chunk.run for one in storage.chunks.matching(["one"], asked, NOOR, 10)} == {"r_1"}


def test_a_run_that_grows_is_looked_through_from_its_new_turn_and_all_of_them_when_asked(storage: Storage) -> None:
    storage.chunks.replace("r_1", "noor", 0, [a_chunk("r_1", 1, "one")])
    storage.runs.put(a_run("r_1"))
    storage.runs.name("r_1", 0, [(1, "person:hoy-amy")])
    storage.chunks.replace("r_1", "noor", 2, [a_chunk("r_1", 2, "two")])
    assert storage.runs.unnamed(NOOR) == [("r_1", 2)]
    storage.runs.name("r_1", 2, [(2, "person:brown-neal")])
    grown = storage.runs.get("r_1", NOOR)
    assert grown is not None
    assert set(grown.entities) == {"person:hoy-amy", "person:brown-neal"}
    storage.runs.name_again(["r_other"], NOOR)
    assert storage.runs.unnamed(NOOR) == []
    storage.runs.name_again(None, NOOR)
    assert storage.runs.unnamed(NOOR) == [("r_1", 0)]
    storage.runs.drop("r_1")
    assert storage.runs.unnamed(NOOR) == []
