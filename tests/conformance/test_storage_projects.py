"""Which keys mean one project, in every engine: rows keep where they were filed and answer with the joined one."""

from __future__ import annotations

from memlane.domain import JoinReason, NameAnswer, Project, ProjectJoin, RunFilter, Selection, State
from memlane.domain.tokenizer import terms
from memlane.storage import MemoryBounds, Storage
from tests.conformance.rows import MIRA, NOOR, a_memory, a_run, a_vector, give_memory_vectors

PATH, REMOTE = Project("tides", "/home/noor/tides"), Project("acme/tides", "host/acme/tides")
MOVED = Project("tides", "/srv/tides")
JOIN = ProjectJoin(PATH.key, PATH.name, REMOTE.key, REMOTE.name, reasons=(JoinReason("hand", "said"),), by="person")
ALONE = ProjectJoin(PATH.key, PATH.name, by="person")
MODEL = "m@64"


def fill(storage: Storage) -> None:
    for n, project in enumerate((PATH, REMOTE)):
        storage.runs.put(a_run(f"r_{n}", project=project))
        here = {"project": project.name, "project_key": project.key}
        storage.memories.put(a_memory(f"m_{n}", title=f"tides {n}", **here))
    storage.memories.put(a_memory("m_x", owner="mira", project=PATH.name, project_key=PATH.key))
    give_memory_vectors(storage, MODEL)


def found(storage: Storage, key: str) -> dict[str, list[str]]:
    """By every way there is to ask for what belongs to a project."""
    memories, here = storage.memories, MemoryBounds(key)
    near = memories.nearest(a_vector("tides"), MODEL, [State.ACTIVE], NOOR, 9, here)
    return {
        "foremost": sorted(one.id for one in memories.foremost(key, "plain", NOOR, 9)),
        "sharing": sorted(one.id for one in memories.sharing(sorted(terms("tides")), key, NOOR, 9)),
        "nearest": sorted(one.id for one, _likeness in near),
        "runs": sorted(one.id for one in storage.runs.listed(RunFilter(project=key), NOOR)),
    }


def nothing() -> dict[str, list[str]]:
    return {"foremost": [], "sharing": [], "nearest": [], "runs": []}


def one(n: int) -> dict[str, list[str]]:
    return {"foremost": [f"m_{n}"], "sharing": [f"m_{n}"], "nearest": [f"m_{n}"], "runs": [f"r_{n}"]}


def both() -> dict[str, list[str]]:
    ours = ["m_0", "m_1"]
    return {"foremost": ours, "sharing": ours, "nearest": ours, "runs": ["r_0", "r_1"]}


def test_what_was_filed_under_two_keys_is_found_under_the_joined_one_and_apart_again_after_a_split(
    storage: Storage,
) -> None:
    fill(storage)
    assert (found(storage, PATH.key), found(storage, REMOTE.key)) == (one(0), one(1))
    storage.projects.put(JOIN, "noor")
    give_memory_vectors(storage, MODEL)
    assert (found(storage, PATH.key), found(storage, REMOTE.key)) == (nothing(), both())
    assert storage.projects.of(PATH, NOOR) == REMOTE
    assert storage.runs.projects(NOOR) == [REMOTE]
    storage.projects.put(ALONE, "noor")
    assert (found(storage, PATH.key), found(storage, REMOTE.key)) == (one(0), one(1))
    assert storage.projects.of(PATH, NOOR) == PATH


def test_a_join_of_one_owner_is_none_of_another(storage: Storage) -> None:
    fill(storage)
    storage.projects.put(JOIN, "noor")
    kept = storage.memories.get("m_x", MIRA)
    assert kept is not None
    assert (kept.project_key, storage.projects.of(PATH, MIRA), storage.projects.joins(MIRA)) == (PATH.key, PATH, [])


def test_what_is_filed_later_belongs_to_the_joined_project_and_goes_back_with_the_rest(storage: Storage) -> None:
    storage.projects.put(JOIN, "noor")
    fill(storage)
    assert found(storage, REMOTE.key) == both()
    storage.projects.put(ALONE, "noor")
    assert found(storage, PATH.key) == one(0)


def test_a_memory_that_is_read_and_written_back_stays_filed_where_it_was(storage: Storage) -> None:
    fill(storage)
    storage.projects.put(JOIN, "noor")
    storage.memories.set_state("m_0", "noor", State.PAUSED, "")
    run = storage.runs.get("r_0", NOOR)
    assert run is not None
    storage.runs.put(run)
    assert storage.projects.filed_as("m_0", [], NOOR) == PATH
    storage.projects.put(ALONE, "noor")
    paused, again = storage.memories.get("m_0", NOOR), storage.runs.get("r_0", NOOR)
    assert paused is not None
    assert again is not None
    assert (paused.project, paused.project_key, again.project) == (PATH.name, PATH.key, PATH)


def test_a_chain_of_joins_ends_at_its_last_key_and_a_new_name_of_that_is_everybodys(storage: Storage) -> None:
    fill(storage)
    storage.memories.put(a_memory("m_2", project=MOVED.name, project_key=MOVED.key))
    storage.projects.put(ProjectJoin(MOVED.key, MOVED.name, PATH.key, PATH.name, by="lane"), "noor")
    storage.projects.put(JOIN, "noor")
    assert storage.projects.of(MOVED, NOOR) == REMOTE
    storage.projects.put(ProjectJoin(REMOTE.key, REMOTE.name, called="Tide tables", by="person"), "noor")
    kept = [storage.memories.get(f"m_{n}", NOOR) for n in range(3)]
    assert {(one.project, one.project_key) for one in kept if one} == {("Tide tables", REMOTE.key)}
    assert sum(storage.memories.tallied(Selection(project="Tide tables"), NOOR).values()) == 3
    assert [(one.project.key, one.runs, one.memories) for one in storage.projects.filed(NOOR)] == [
        (PATH.key, 1, 1), (MOVED.key, 0, 1), (REMOTE.key, 1, 1),
    ]  # fmt: skip


def test_two_keys_that_were_joined_both_ways_are_one_project(storage: Storage) -> None:
    fill(storage)
    storage.projects.put(JOIN, "noor")
    storage.projects.put(ProjectJoin(REMOTE.key, REMOTE.name, PATH.key, PATH.name, by="person"), "noor")
    assert storage.projects.of(PATH, NOOR) == storage.projects.of(REMOTE, NOOR)
    assert found(storage, storage.projects.of(PATH, NOOR).key) == both()


def test_a_persons_own_title_of_a_run_survives_a_join_and_is_no_part_of_the_run(storage: Storage) -> None:
    fill(storage)
    storage.runs.label("r_0", "noor", "my title", ["kept"], pinned=True)
    storage.projects.put(JOIN, "noor")
    storage.runs.label("r_0", "noor", "", [], pinned=False)
    run = storage.runs.get("r_0", NOOR)
    assert run is not None
    assert (run.title, run.tags, run.pinned, run.project) == ("", (), False, REMOTE)


def test_runs_are_found_by_where_they_were_filed_and_a_new_memory_goes_where_its_run_is(storage: Storage) -> None:
    fill(storage)
    storage.projects.put(JOIN, "noor")
    assert [run.id for run in storage.projects.runs(PATH.key, NOOR)] == ["r_0"]
    assert storage.projects.filed_as("m_new", ["r_0"], NOOR) == PATH
    assert storage.projects.filed_as("m_new", [], NOOR) is None
    assert storage.projects.holds(REMOTE.key, NOOR)
    assert not storage.projects.holds(PATH.key, NOOR)


def test_what_a_name_means_in_one_of_its_folders_holds_in_the_joined_project(storage: Storage) -> None:
    storage.entities.answer(NameAnswer("amy", "person:amy-hoy", PATH.key), "noor")
    storage.projects.put(JOIN, "noor")
    assert [answer.project_key for answer in storage.entities.answers(NOOR)] == [REMOTE.key]
