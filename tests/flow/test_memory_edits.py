"""What a person does with memories by hand: each act is one, says what it did, and can be taken back exactly."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlane.app import Lane
from memlane.domain import Entry, Evidence, Memory, RunFilter, Scope, State, Trust, Type
from memlane.domain.journal import MEMORY, OBSERVATION
from memlane.errors import LaneError, NotFoundError, UsageError
from memlane.flow.journal import write_down
from memlane.storage import memory_data
from tests.flow.homes import SESSION, a_lane, answer, prompt, said, transcript, write
from tests.rooms.app.memories import NOON, a_memory, evidence

HERE = Path("/home/dev/app")
SECRET_WORD = "xylophone"


@pytest.fixture
def lane(tmp_path: Path) -> Lane:
    return a_lane(tmp_path)


def caught(lane: Lane, memory: Memory) -> Memory:
    """As an extractor of ours writes it."""
    lane.home.begin()
    entry = Entry(MEMORY, memory.id, lane.home.clock(), "ann", "desk", "lane", memory_data(memory))
    write_down([entry], lane.home.tools())
    return memory


def seen_again(lane: Lane, memory: str, quote: str, confidence: int = 70) -> None:
    found = evidence(quote, "r_bbbbbbbbbbbbb")
    told = {"run": found.run, "generation": 1, "line": 3, "step": found.step, "quote": quote}
    data = {"memory": memory, "evidence": told, "formed_at": NOON.isoformat(), "confidence": confidence, "maker": "x@1"}
    write_down([Entry(OBSERVATION, memory, lane.home.clock(), "ann", "desk", "lane", data)], lane.home.tools())


def note(lane: Lane, words: str = "deploys go through make ship") -> Memory:
    return lane.memories.remember(words, HERE)


# -- edit --------------------------------------------------------------------------------------------------------------


@pytest.mark.fault("H9")
def test_an_edit_changes_what_was_named_and_masks_what_looks_like_a_secret(lane: Lane) -> None:
    before = note(lane)
    key = "AKIA" + "QPW7ZVX2MNB4LKJH"
    acted = lane.memories.edit(before.id, {"content": f"never use {key} again", "confidence": "70"})
    (after,) = acted.after
    assert key not in after.content
    assert after == replace(before, title=after.content, content=after.content, confidence=70)
    assert lane.memories.get(before.id) == after


def test_an_edit_that_changes_nothing_is_no_act(lane: Lane) -> None:
    memory = note(lane)
    assert lane.memories.edit(memory.id, {"title": memory.title}).act == ""
    assert len(lane.acts.all()) == 1


def test_what_is_wrong_with_an_edit_is_said_and_nothing_is_written(lane: Lane) -> None:
    memory = note(lane)
    with pytest.raises(UsageError, match=r"project: .*; confidence"):
        lane.memories.edit(memory.id, {"confidence": "200", "project": "nowhere"})
    assert lane.memories.get(memory.id) == memory


def test_a_memory_moves_to_a_project_that_is_known_by_the_end_of_its_name(lane: Lane, tmp_path: Path) -> None:
    write(transcript(tmp_path), [prompt("hello", cwd=str(HERE)), answer([said("hi")])])
    lane.capture.sweep()
    memory = lane.memories.remember("a note from elsewhere", tmp_path)
    (after,) = lane.memories.edit(memory.id, {"project": "app"}).after
    assert (after.project, after.project_key) == ("app", str(HERE))


# -- merge -------------------------------------------------------------------------------------------------------------


def test_a_merge_keeps_all_evidence_the_least_trust_and_every_observation(lane: Lane) -> None:
    kept = caught(lane, a_memory("m_kkkkkkkkkkkkk", evidence=(evidence("one"),), times_observed=2, confidence=70))
    later = replace(a_memory(), last_observed_at=NOON.replace(day=9), formed_at=NOON.replace(hour=1))
    other = caught(
        lane,
        replace(
            later,
            id="m_ooooooooooooo",
            evidence=(evidence("one"), evidence("two")),
            times_observed=3,
            confidence=90,
            trust=Trust.TOOL,
            first_observed_at=NOON.replace(hour=2),
        ),
    )
    acted = lane.memories.merge([kept.id, other.id, other.id])
    after, gone = acted.after
    assert [one.quote for one in after.evidence] == ["one", "two"]
    assert (after.id, after.title, after.times_observed, after.confidence) == (kept.id, kept.title, 5, 90)
    assert (after.trust, after.formed_at) == (Trust.TOOL, other.formed_at)
    assert (after.first_observed_at, after.last_observed_at) == (other.first_observed_at, other.last_observed_at)
    assert (gone.state, gone.superseded_by) == (State.SUPERSEDED, kept.id)
    assert [old.id for old in lane.memories.replaced_by(after)] == [other.id]
    lane.acts.undo(lane.acts.get())
    assert [lane.memories.get(m.id) for m in (kept, other)] == [kept, other]


def test_only_what_stands_can_be_merged(lane: Lane) -> None:
    first, second = note(lane, "one thing"), note(lane, "another thing")
    with pytest.raises(UsageError, match="two or more"):
        lane.memories.merge([first.id, first.id])
    lane.memories.forget([second.id])
    with pytest.raises(UsageError, match="forgotten"):
        lane.memories.merge([first.id, second.id])


# -- states ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [State.HELD, State.ACTIVE])
def test_what_was_paused_or_forgotten_stands_where_it_stood(lane: Lane, state: State) -> None:
    memory = caught(lane, a_memory(state=state))
    lane.memories.pause([memory.id])
    assert lane.memories.resume([memory.id]).after == [memory]
    lane.memories.forget([memory.id])
    assert lane.memories.restore([memory.id]).after == [memory]


def test_a_yes_to_a_held_one_makes_it_sure_enough_to_be_recalled(lane: Lane) -> None:
    memory = caught(lane, a_memory(state=State.HELD, confidence=45))
    (after,) = lane.memories.keep([memory.id]).after
    assert (after.state, after.confidence) == (State.ACTIVE, 80)
    lane.acts.undo(lane.acts.get())
    assert lane.memories.get(memory.id) == memory


@pytest.mark.parametrize("confidence", [45, 90])
def test_a_yes_to_a_forgotten_one_brings_it_back_and_can_be_taken_back(lane: Lane, confidence: int) -> None:
    memory = caught(lane, a_memory(confidence=confidence))
    (forgotten,) = lane.memories.forget([memory.id]).after
    (after,) = lane.memories.keep([memory.id]).after
    assert after == replace(memory, confidence=max(80, confidence))
    lane.acts.undo(lane.acts.get())
    assert lane.memories.get(memory.id) == forgotten
    lane.acts.undo(lane.acts.get())
    assert lane.memories.get(memory.id) == memory


def test_a_superseded_one_is_active_again_when_a_person_says_so(lane: Lane) -> None:
    first, second = note(lane, "one thing"), note(lane, "another thing")
    lane.memories.merge([first.id, second.id])
    (after,) = lane.memories.restore([second.id]).after
    assert (after.state, after.superseded_by) == (State.ACTIVE, "")


def test_what_is_not_paused_is_not_resumed_and_what_is_gone_is_not_paused(lane: Lane) -> None:
    memory = note(lane)
    lane.memories.forget([memory.id])
    for verb in (lane.memories.resume, lane.memories.pause):
        with pytest.raises(UsageError):
            verb([memory.id])


# -- undo --------------------------------------------------------------------------------------------------------------


def test_undo_goes_further_back_each_time_and_its_own_undo_does_it_again(lane: Lane) -> None:
    memory = note(lane)
    lane.memories.edit(memory.id, {"title": "Second"})
    lane.memories.edit(memory.id, {"title": "Third"})
    first = lane.acts.undo(lane.acts.get())
    assert lane.memories.get(memory.id).title == "Second"
    second = lane.acts.undo(lane.acts.get())
    assert lane.memories.get(memory.id) == memory
    lane.acts.undo(lane.acts.get(second.by))
    assert lane.memories.get(memory.id).title == "Second"
    lane.acts.undo(lane.acts.get(first.by))
    assert lane.memories.get(memory.id).title == "Third"
    assert [act.undone for act in lane.acts.all()] == [False, False, True, True, False, False, False]


def test_an_act_is_taken_back_once(lane: Lane) -> None:
    memory = note(lane)
    acted = lane.memories.edit(memory.id, {"title": "Second"})
    lane.acts.undo(lane.acts.get(acted.act))
    with pytest.raises(UsageError, match="already undone"):
        lane.acts.get(acted.act)


def test_undo_after_a_restart_by_the_memorys_id_takes_back_its_last_act(tmp_path: Path) -> None:
    with a_lane(tmp_path) as lane:
        first, second = note(lane, "one thing"), note(lane, "another thing")
        lane.memories.edit(first.id, {"title": "Second"})
        lane.memories.pause([second.id])
    with a_lane(tmp_path) as lane:
        lane.acts.undo(lane.acts.get(first.id[:8]))
        assert lane.memories.get(first.id) == first
        assert lane.memories.get(second.id).state is State.PAUSED


def test_undo_of_a_note_forgets_it_and_of_nothing_says_so(lane: Lane) -> None:
    memory = note(lane)
    lane.acts.undo(lane.acts.get())
    assert lane.memories.get(memory.id).state is State.FORGOTTEN
    with pytest.raises(NotFoundError, match="nothing to undo"):
        lane.acts.get()


def test_what_was_seen_again_after_an_edit_stays_when_the_edit_goes(lane: Lane) -> None:
    memory = caught(lane, a_memory(evidence=(evidence("one"),)))
    lane.memories.edit(memory.id, {"title": "Second"})
    seen_again(lane, memory.id, "two")
    lane.acts.undo(lane.acts.get())
    after = lane.memories.get(memory.id)
    assert (after.title, after.times_observed, len(after.evidence)) == (memory.title, 2, 2)


def test_what_a_later_act_changed_again_is_left(lane: Lane) -> None:
    memory = note(lane)
    first = lane.memories.edit(memory.id, {"title": "Second"})
    lane.memories.edit(memory.id, {"title": "Third"})
    with pytest.raises(UsageError, match="changed since"):
        lane.acts.undo(lane.acts.get(first.act))


def test_labels_and_forgotten_runs_are_acts_too(lane: Lane, tmp_path: Path) -> None:
    write(transcript(tmp_path), [prompt("deploy the shop"), answer([said("done")])])
    lane.capture.sweep()
    (run,) = [change.id for change in lane.runs.select(RunFilter())]
    lane.runs.labels.tag(run, ["release"])
    lane.runs.labels.title(run, "The release")
    lane.runs.labels.pin(run, on=True)
    found = lane.runs.get(run)
    assert (found.title, found.tags, found.pinned) == ("The release", ("release",), True)
    lane.archive.forget_run(run)
    with pytest.raises(NotFoundError):
        lane.runs.get(run)
    for _ in range(4):
        lane.acts.undo(lane.acts.get())
    bare = lane.runs.get(run)
    assert (bare.tags, bare.pinned, lane.runs.labels.own_title(run)) == ((), False, "")
    assert bare.title != "The release"


def test_a_tag_does_not_cost_a_run_its_title_and_no_title_gives_the_agents_back(lane: Lane, tmp_path: Path) -> None:
    write(transcript(tmp_path), [prompt("deploy the shop"), answer([said("done")])])
    lane.capture.sweep()
    (run,) = [change.id for change in lane.runs.select(RunFilter())]
    agents = lane.runs.get(run).title
    lane.runs.labels.title(run, "Mine")
    assert lane.runs.labels.tag(run, ["release"]).title == "Mine"
    write(transcript(tmp_path), [prompt("and again", 4), answer([said("done")], 5)])
    lane.capture.sweep()
    assert lane.runs.get(run).title == "Mine"
    lane.archive.rebuild()
    assert lane.runs.get(run).title == "Mine"
    assert lane.runs.labels.title(run, "").title == agents


def test_an_entity_made_or_merged_by_hand_is_taken_back_and_so_is_an_answer(lane: Lane) -> None:
    neal, brown = lane.entities.add("Neal Brown", "person"), lane.entities.add("Mister Brown", "person")
    lane.entities.merge(brown.key, neal.key)
    lane.acts.undo(lane.acts.get())
    assert lane.entities.entity(brown.key) == brown
    lane.acts.undo(lane.acts.get())
    with pytest.raises(NotFoundError):
        lane.entities.entity(brown.key)
    lane.entities.answer("the boss", neal.key)
    lane.acts.undo(lane.acts.get())
    assert lane.entities.answers() == []


# -- history -----------------------------------------------------------------------------------------------------------


def test_history_has_every_line_with_before_and_after(lane: Lane) -> None:
    memory = caught(lane, a_memory(evidence=(evidence("one"),)))
    lane.memories.edit(memory.id, {"title": "Second"})
    seen_again(lane, memory.id, "two")
    lane.memories.pause([memory.id])
    lane.acts.undo(lane.acts.get())
    life = lane.memories.history(memory.id)
    assert [moved.entry.kind for moved in life] == ["memory", "memory", "observation", "state", "undo", "state"]
    assert [(c.field, c.before, c.after) for c in life[1].changes] == [("title", memory.title, "Second")]
    assert [c.field for c in life[2].changes] == ["evidence", "confidence", "times_observed"]
    assert life[-1].after == lane.memories.get(memory.id)


def test_what_was_undone_elsewhere_is_no_part_of_its_history(lane: Lane) -> None:
    memory = lane.memories.remember("Mail to Neal is short", HERE)
    lane.entities.add("Neal Brown", "person")
    lane.acts.undo(lane.acts.get())
    assert [moved.entry.kind for moved in lane.memories.history(memory.id)] == ["memory"]


# -- for good ----------------------------------------------------------------------------------------------------------


def files_with(lane: Lane, word: str) -> list[str]:
    files = [path for path in lane.config.home.rglob("*") if path.is_file()]
    return [str(path) for path in files if word.encode() in path.read_bytes()]


def told(lane: Lane, words: str) -> None:
    given = {"session_id": SESSION, "cwd": str(HERE), "prompt": words}
    recall = lane.recall.hooked("claude-code", "UserPromptSubmit", given).recall
    assert recall is not None
    assert recall.shown
    lane.recall.keep(recall)


def test_what_a_memory_said_is_in_no_file_when_it_is_forgotten_for_good(lane: Lane) -> None:
    stays = note(lane, "another note about tests with pytest")
    memory = lane.memories.remember(f"deploys go through {SECRET_WORD} ship", HERE, scope=Scope.GLOBAL)
    lane.memories.edit(memory.id, {"title": f"the {SECRET_WORD} way to deploy"})
    seen_again(lane, memory.id, f"use the {SECRET_WORD}", 90)
    told(lane, "how do deploys go, through which ship?")
    lane.memories.kept_text(memory.id).parent.mkdir(parents=True)
    lane.memories.kept_text(memory.id).write_text(SECRET_WORD)
    assert files_with(lane, SECRET_WORD)
    plan = lane.memories.plan_gone([memory.id])
    assert (plan.lines, plan.recalls, plan.runs) == (4, 1, ["r_bbbbbbbbbbbbb"])
    lane.memories.forget_for_good(plan)
    assert files_with(lane, SECRET_WORD) == []
    left = lane.memories.get(memory.id)
    assert (left.state, left.title, left.content) == (State.FORGOTTEN, "", "")
    assert lane.memories.get(stays.id) == stays
    (recall,) = lane.recall.newest()
    assert [match.memory.id for match in recall.shown] == [memory.id], "that it was shown stays"
    assert list(lane.archive.verify()) == []
    lane.archive.rebuild()
    assert files_with(lane, SECRET_WORD) == []
    assert lane.memories.get(memory.id) == replace(left, recall_count=1)
    assert lane.memories.get(stays.id) == stays


def test_what_is_gone_for_good_comes_back_by_no_way(lane: Lane) -> None:
    memory = note(lane)
    lane.memories.forget_for_good(lane.memories.plan_gone([memory.id]))
    for verb in (lane.memories.restore, lane.memories.keep):
        with pytest.raises(NotFoundError, match="was deleted"):
            verb([memory.id])
    with pytest.raises(UsageError, match="it cannot be undone"):
        lane.acts.undo(lane.acts.get(memory.id))


def test_a_kill_before_the_text_went_is_made_good_by_the_next_tick(lane: Lane) -> None:
    from memlane import archive

    memory = note(lane, f"deploys go through {SECRET_WORD} ship")
    lane.memories.forget([memory.id])
    archive.begin_forgetting(lane.home.disk, lane.home.layout, memory.id)
    lane.capture.tick()
    assert files_with(lane, SECRET_WORD) == []
    assert archive.being_forgotten(lane.home.disk, lane.home.layout) == []


# -- any acts, any number of them taken back ---------------------------------------------------------------------------

WORDS = st.sampled_from(["ship", "test", "copy list", "friday", "budget"])
PLACE = st.integers(0, 3)
Act = tuple[str, int, int, str]
ACTS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "remember",
                "edit",
                "retype",
                "merge",
                "pause",
                "resume",
                "keep",
                "forget",
                "restore",
                "title",
                "tag",
            ]
        ),
        PLACE,
        PLACE,
        WORDS,
    ),
    min_size=2,
    max_size=10,
)
Snapshot = tuple[Mapping[str, Memory], object]


def do(lane: Lane, run: str, act: Act) -> None:
    name, one, other, words = act
    ids = sorted(memory.id for memory in lane.memories.all(list(State)))
    mine, theirs = (ids[n % len(ids)] for n in (one, other))
    verbs: dict[str, Callable[[], object]] = {
        "remember": lambda: lane.memories.remember(f"{words} {one}", HERE),
        "edit": lambda: lane.memories.edit(mine, {"title": words, "content": f"{words} {other}"}),
        "retype": lambda: lane.memories.edit(mine, {"type": list(Type)[one].value, "confidence": str(50 + other)}),
        "merge": lambda: lane.memories.merge([mine, theirs]),
        "pause": lambda: lane.memories.pause([mine]),
        "resume": lambda: lane.memories.resume([mine]),
        "keep": lambda: lane.memories.keep([mine]),
        "forget": lambda: lane.memories.forget([mine, theirs]),
        "restore": lambda: lane.memories.restore([mine]),
        "title": lambda: lane.runs.labels.title(run, words),
        "tag": lambda: lane.runs.labels.tag(run, [words.replace(" ", "-")]),
    }
    verbs[name]()


def snapshot(lane: Lane, run: str) -> Snapshot:
    found = lane.runs.get(run)
    every = {memory.id: memory for memory in lane.memories.all(list(State))}
    return every, (lane.runs.labels.own_title(run), found.tags, found.pinned)


def same(now: Snapshot, then: Snapshot) -> bool:
    """What was made since is forgotten; all else is as it was, field by field."""
    made = [memory.state for name, memory in now[0].items() if name not in then[0]]
    return now[1] == then[1] and set(made) <= {State.FORGOTTEN} and {n: now[0][n] for n in then[0]} == then[0]


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(acts=ACTS, back=st.integers(1, 10))
def test_any_acts_are_taken_back_exactly_one_by_one_and_a_rebuild_agrees(acts: list[Act], back: int) -> None:
    with tempfile.TemporaryDirectory() as folder, a_lane(Path(folder)) as lane:
        write(transcript(Path(folder)), [prompt("deploy the shop"), answer([said("done")])])
        lane.capture.sweep()
        (run,) = [found.id for found in lane.runs.select(RunFilter())]
        caught(lane, a_memory(state=State.HELD, confidence=45, evidence=(Evidence("r_x", 1, 2, "r_x#t1.1", "q"),)))
        note(lane)
        stood: list[Snapshot] = []
        for act in acts:
            before, count = snapshot(lane, run), len(lane.acts.all())
            try:
                do(lane, run, act)
            except LaneError:
                continue
            if len(lane.acts.all()) > count:
                stood.append(before)
        last, by = snapshot(lane, run), ""
        for _ in range(min(back, len(stood))):
            last = snapshot(lane, run)
            by = lane.acts.undo(lane.acts.get()).by
            assert same(snapshot(lane, run), stood.pop())
        now = snapshot(lane, run)
        lane.archive.rebuild()
        assert snapshot(lane, run) == now
        if by:
            lane.acts.undo(lane.acts.get(by))
        assert snapshot(lane, run) == last


def test_undo_without_a_name_leaves_what_init_imported_and_by_its_id_takes_it_back(lane: Lane) -> None:
    own = lane.config.person_home / ".claude" / "CLAUDE.md"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("- Never use ellipses in messages\n")
    assert lane.setup.first_run.notes().active == 1
    made = note(lane)
    assert made.id in lane.acts.undo(lane.acts.get()).names
    with pytest.raises(NotFoundError, match="nothing to undo"):
        lane.acts.get()
    (imported,) = [act for act in lane.acts.all() if act.of_init]
    assert lane.acts.undo(lane.acts.get(imported.id)).names == imported.names
    assert lane.memories.get(imported.names[0]).state is State.FORGOTTEN


def test_an_import_by_hand_is_an_act_of_the_person(lane: Lane) -> None:
    own = lane.config.person_home / ".claude" / "CLAUDE.md"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("- Never use ellipses in messages\n")
    lane.memories.notes.take([(book, State.ACTIVE) for book in lane.memories.notes.plan()])
    assert not lane.acts.get().of_init
