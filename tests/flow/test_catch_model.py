"""A home whose windows are read by a model behind HTTP: from the transcript to the memory, and what it costs."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.catch.model import extractor
from memlane.catch.windows.borders import TURNS
from memlane.domain import State
from tests.flow.test_assignments import AMY, LESSON, PLAIN, Clock, a_run, home
from tests.rooms.llm.server import Asked, Model, prose, says, status

KEY = "not-a-key-at-all"


@pytest.fixture
def model() -> Iterator[Model]:
    found = Model()
    yield found
    found.stop()


def reads(asked: Asked) -> None:
    """What stands in the window decides, as it would with a true one."""
    found = [LESSON] if "use a friendly tone" in asked.question else []
    says({"memories": found}, tokens=(3000, 200))(asked)


def a_home(folder: Path, model: Model, **more: str) -> Lane:
    settings = {
        "LANE_CATCH_WITH": "model",
        "LANE_CATCH_MODEL": "anthropic",
        "LANE_CATCH_NAME": "claude-haiku-4-5",
        "LANE_CATCH_URL": model.url,
        "LANE_CATCH_KEY_VARIABLE": "TINY_KEY",
        "LANE_CATCH_TIMEOUT": "2",
        "LANE_EMBED_MODEL": "none",
        "TINY_KEY": KEY,
    }
    lane = home(folder, Clock(), **(settings | more))
    lane.capture.sweep()
    return lane


def test_a_window_becomes_a_memory_and_a_rebuild_asks_nobody(tmp_path: Path, model: Model) -> None:
    model.usual = reads
    a_run(tmp_path, 1, *AMY)
    a_run(tmp_path, 2, *PLAIN)
    with a_home(tmp_path, model) as lane:
        report = lane.catch.run()
        (memory,) = report.kept.made
        assert (memory.title, memory.state) == (LESSON["title"], State.ACTIVE)
        assert memory.maker == "model@3/anthropic/claude-haiku-4-5"
        assert len(model.asked) == report.kept.windows == 2
        assert list((tmp_path / "lane" / "catch" / "answers").iterdir()) == []
        lane.catch.run()
        assert len(model.asked) == 2
    shutil.rmtree(tmp_path / "lane" / "index")
    with a_home(tmp_path, model) as lane:
        lane.capture.sweep()
        lane.catch.run()
        assert [found.id for found in lane.memories.all()] == [memory.id]
    assert len(model.asked) == 2


def test_a_model_with_a_long_context_reads_several_windows_of_a_run_in_one_question(
    tmp_path: Path, model: Model
) -> None:
    told = LESSON | {"quotes": [{"step": f"w2.t{TURNS + 2}.1", "words": "Amy and I are casual, use a friendly tone"}]}
    model.behaviours = [says({"memories": [told]})]
    a_run(tmp_path, 1, *(f"Look at table {n}" for n in range(TURNS)), *AMY)
    with a_home(tmp_path, model) as lane:
        alone = lane.catch.model.estimate()
    with a_home(tmp_path, model, LANE_CATCH_AT_ONCE="4") as lane:
        together = lane.catch.model.estimate()
        assert together.windows == alone.windows == 2
        assert (together.questions, together.tokens_in) < (alone.questions, alone.tokens_in)
        report = lane.catch.run()
        assert (len(model.asked), report.kept.windows) == (1, 2)
        assert [memory.title for memory in report.kept.made] == [LESSON["title"]]


def test_one_window_that_cannot_be_read_keeps_no_other_from_it(tmp_path: Path, model: Model) -> None:
    model.usual = lambda asked: (prose("no idea") if "tide" in asked.question else reads)(asked)
    a_run(tmp_path, 1, *PLAIN)
    a_run(tmp_path, 2, *AMY)
    with a_home(tmp_path, model) as lane:
        report = lane.catch.run()
        assert [memory.title for memory in report.kept.made] == [LESSON["title"]]
        assert "no JSON object" in report.unread[0]
        for _ in range(3):
            lane.catch.run()
        assert [tried.times for tried in lane.catch.model.set_aside()] == [3]
        asked = len(model.asked)
        assert "set aside" in lane.catch.run().unread[0]
        assert len(model.asked) == asked
        model.usual = reads
        assert lane.catch.model.try_again() == 1
        assert lane.catch.run().unread == []


def test_a_day_costs_no_more_than_its_cap_and_says_so(tmp_path: Path, model: Model) -> None:
    model.usual = reads
    for number in range(1, 6):
        a_run(tmp_path, number, *PLAIN)
    with a_home(tmp_path, model, LANE_CATCH_DAILY_WINDOWS="3") as lane:
        report = lane.catch.run()
        assert (len(model.asked), report.kept.windows) == (3, 3)
        assert report.unread == ["the daily limit of 3 questions is reached"]
        assert report.left == 2
    with a_home(tmp_path, model, LANE_CATCH_DAILY_WINDOWS="100", LANE_CATCH_DAILY_DOLLARS="0.0001") as lane:
        assert "are spent" in lane.catch.run().unread[0]
    assert len(model.asked) == 3


def test_under_a_cap_the_run_in_which_somebody_typed_most_is_read_first(tmp_path: Path, model: Model) -> None:
    model.usual = reads
    a_run(tmp_path, 1, "Look at the tide tables")
    a_run(tmp_path, 2, *AMY)
    a_run(tmp_path, 3, "Look at the wind tables")
    with a_home(tmp_path, model, LANE_CATCH_DAILY_WINDOWS="1") as lane:
        lane.catch.run()
    (asked,) = model.asked
    assert "use a friendly tone" in asked.question


def test_what_it_would_take_is_said_without_asking_anybody(tmp_path: Path, model: Model) -> None:
    a_run(tmp_path, 1, *AMY)
    with a_home(tmp_path, model) as lane:
        found = lane.catch.model.estimate()
        assert (found.windows, found.model) == (1, "anthropic/claude-haiku-4-5")
        assert found.tokens_in > 500
        assert found.dollars
        lane.catch.run()
        after = lane.catch.model.estimate()
        assert (after.windows, after.today.asks) == (0, 1)
    assert len(model.asked) == 1
    with a_home(tmp_path, model, LANE_CATCH_MODEL="") as lane:
        assert "no model is chosen" in lane.catch.model.estimate().why


def test_a_server_that_is_down_leaves_everything_open_and_is_left_alone(tmp_path: Path, model: Model) -> None:
    model.usual = status(401)
    for number in range(1, 9):
        a_run(tmp_path, number, *PLAIN)
    with a_home(tmp_path, model) as lane:
        report = lane.catch.run()
        assert (report.kept.windows, len(report.unread), report.left) == (0, 6, 3)
        assert len(model.asked) == 5
        assert "next try in" in report.unread[-1]
        assert lane.catch.model.set_aside() == []
        assert KEY not in json.dumps(list(report.unread))


def test_nothing_a_secret_stands_in_leaves_this_computer(tmp_path: Path, model: Model) -> None:
    secret = "AKIA" + "Q3EGRZ7XN5PB2KLM"
    a_run(tmp_path, 1, f"the aws key is aws_access_key_id = {secret}", *AMY)
    with a_home(tmp_path, model) as lane:
        lane.catch.run()
        assert model.asked
        assert all(secret not in asked.raw.decode() for asked in model.asked)
        assert "[masked: " in model.asked[0].question


def test_what_the_classifier_read_is_read_by_a_model_that_comes_later(tmp_path: Path, model: Model) -> None:
    from tests.flow.listeners import Listener, catching

    model.usual = reads
    a_run(tmp_path, 1, *AMY)
    with a_home(tmp_path, model) as lane:
        listener = Listener()
        catching(lane, listener).run("embedded")
        assert listener.read_windows
        assert (list(lane.catch.due()), len(lane.catch.due("model"))) == ([], 1)
        assert [memory.title for memory in lane.catch.run("model").kept.made] == [LESSON["title"]]
        assert lane.catch.due("model") == []


def test_an_answer_about_a_run_that_is_forgotten_for_good_goes_with_it(tmp_path: Path, model: Model) -> None:
    model.usual = reads
    a_run(tmp_path, 1, *AMY)
    answers = tmp_path / "lane" / "catch" / "answers"
    with a_home(tmp_path, model) as lane:
        (window,) = lane.catch.open_windows("model")
        extractor("model", lane.home).read(window, [])  # and killed here
        assert "friendly tone" in next(answers.iterdir()).read_text()
        lane.archive.forget_for_good(lane.archive.plan_forget(window.run))
        assert list(answers.iterdir()) == []


def test_what_was_set_aside_is_named_by_the_doctor(tmp_path: Path, model: Model) -> None:
    model.usual = prose("no idea")
    a_run(tmp_path, 1, *PLAIN)
    with a_home(tmp_path, model) as lane:
        for _ in range(3):
            lane.catch.run()
        (found,) = [finding for finding in lane.health.doctor.findings() if finding.kind == "catch"]
        assert "set aside after 3 tries" in found.what
        assert found.hint == "lane catch --again"


def slow(asked: Asked) -> None:
    """It reads for longer than anybody waits."""
    time.sleep(3)
    reads(asked)


def test_no_answer_in_time_is_no_try_of_the_window_and_names_its_setting(tmp_path: Path, model: Model) -> None:
    model.usual = slow
    a_run(tmp_path, 1, *AMY)
    with a_home(tmp_path, model) as lane:
        for _ in range(4):
            (why,) = lane.catch.run(anew=True).unread
            assert "took longer than 2 s (catch.timeout)" in why
        assert lane.catch.model.set_aside() == []
        asked = len(model.asked)
        assert "waits" in lane.catch.run().unread[0]  # in the background others go first
        assert len(model.asked) == asked
        model.usual = reads
        assert [memory.title for memory in lane.catch.run(anew=True).kept.made] == [LESSON["title"]]


def test_a_person_is_answered_also_while_the_model_is_left_alone(tmp_path: Path, model: Model) -> None:
    model.usual = status(401)
    for number in range(1, 7):
        a_run(tmp_path, number, *PLAIN)
    with a_home(tmp_path, model) as lane:
        lane.catch.run()
        asked = len(model.asked)
        assert "next try in" in lane.catch.run().unread[-1]
        assert len(model.asked) == asked
        model.usual = reads
        assert lane.catch.run(anew=True).kept.windows == 6


def test_a_changed_setting_of_the_model_begins_anew(tmp_path: Path, model: Model) -> None:
    model.usual = status(401)
    for number in range(1, 7):
        a_run(tmp_path, number, *PLAIN)
    with a_home(tmp_path, model) as lane:
        lane.catch.run()
        assert "next try in" in lane.catch.run().unread[-1]
    model.usual = reads
    with a_home(tmp_path, model, LANE_CATCH_TIMEOUT="3") as lane:
        assert lane.catch.run().kept.windows == 6


def test_an_estimate_counts_questions_that_are_asked_twice(tmp_path: Path, model: Model) -> None:
    for number in range(1, 6):
        a_run(tmp_path, number, *PLAIN)
    with a_home(tmp_path, model) as lane:
        found = lane.catch.model.estimate()
        assert (found.windows, found.questions) == (5, 8)
        assert found.dollars is not None
        assert found.dollars > 0
