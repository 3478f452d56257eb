"""Meaning follows words: built beside them, changed without a gap, and never in their way."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from campaigns.plain import line
from campaigns.world import World, scratch
from memlane.app import Lane
from memlane.app.search import Mode
from memlane.app.vectors import SERVES
from memlane.domain import RunFilter
from memlane.errors import LaneError

TEXTS = (
    "the invoice is sent twice when the customer clicks again",
    "a cat sleeps on the warm keyboard all afternoon",
    "deploying to production failed because the disk was full",
)
ASKED = "billing somebody two times"
POISON = "a text that no model takes"
SMALLER = {"LANE_EMBED_DIMENSION": "128"}


@pytest.fixture
def world() -> Iterator[World]:
    folder = scratch()
    made = World(folder).prepare()
    for number, text in enumerate(TEXTS):
        made.path(f"run{number}").write_bytes(line(text))
    yield made
    shutil.rmtree(folder)


def found(lane: Lane, mode: Mode = Mode.MEANING) -> list[str]:
    return [hit.chunk.text for hit in lane.search.find(ASKED, RunFilter(), 10, mode).search.best]


def test_what_is_captured_is_found_by_its_meaning_though_no_word_is_the_same(world: World) -> None:
    with world.lane() as lane:
        lane.capture.sweep()
        assert found(lane, Mode.WORDS) == []
        assert found(lane)[0] == TEXTS[0]
        answer = lane.search.find(ASKED, RunFilter(), 10)
        assert (answer.by, answer.why) == ("hybrid", "")
        stand = lane.vectors.standing()
        assert (stand.done, stand.all, stand.why) == (3, 3, "")


def test_turns_of_one_minute_are_understood_together_and_found_by_their_words_at_once(world: World) -> None:
    with world.lane() as lane:
        lane.capture.sweep()

        def one_more(text: str, seconds: int) -> tuple[int, int]:
            with world.path("run1").open("ab") as file:
                file.write(line(text))
            later = lane.home.clock() + timedelta(seconds=seconds)
            lane.home.clock = lambda: later
            lane.capture.sweep_changed([world.path("run1")], agent="plain")
            assert [hit.chunk.text for hit in lane.search.find(text, RunFilter(), 1, Mode.WORDS).search.best] == [text]
            stand = lane.vectors.standing()
            return stand.done, stand.all

        assert one_more("a dog barks at the postman", 10) == (3, 4)
        assert one_more("an owl hoots in the barn", 30) == (3, 5)
        assert one_more("a hen lays an egg in the attic", 40) == (6, 6)
        assert one_more("a goat eats the laundry", 10) == (6, 7)
        assert lane.vectors.follow_alone(seconds=9) == 0  # the tick
        assert one_more("a duck sits in the bath", 300) == (7, 8)  # and what comes next waits for company again


def test_without_a_model_words_answer_and_say_so(world: World) -> None:
    with world.lane(LANE_EMBED_MODEL="none") as lane:
        lane.capture.sweep()
        answer = lane.search.find("cat keyboard", RunFilter(), 10)
        assert [hit.chunk.text for hit in answer.search.best] == [TEXTS[1]]
        assert (answer.by, answer.why) == ("words", "meaning search is off")


@pytest.mark.fault("C14")
def test_another_model_is_built_while_the_old_one_answers(world: World) -> None:
    with world.lane() as lane:
        lane.capture.sweep()
        old = lane.vectors.standing().model
        before = found(lane)
    with world.lane(**SMALLER) as lane:
        assert lane.vectors.standing().model == old
        assert found(lane) == before
        assert lane.vectors.follow(seconds=-1) == 3  # no time: nothing is built, the old one goes on
        assert lane.vectors.standing().model == old
        assert lane.vectors.follow() == 0
        assert lane.vectors.standing().model != old
        assert found(lane)[0] == TEXTS[0]
        vectors, reader = lane.home.storage().vectors, lane.home.reader
        assert vectors.share(old, reader) == (3, 3)  # whoever was asking it a moment ago gets an answer
        later = lane.home.clock() + timedelta(hours=1)
        lane.home.clock = lambda: later
        lane.vectors.follow()
        assert vectors.share(old, reader) == (0, 3)


def test_a_home_that_is_up_to_date_notices_that_another_model_is_wanted(world: World) -> None:
    with world.lane() as lane:
        lane.capture.sweep()
        old = lane.vectors.standing().model
        assert lane.vectors.change() is None
    with world.lane(**SMALLER) as lane:
        change = lane.vectors.change()
        assert change is not None
        assert (change.wanted, change.serves, change.done, change.all) == ("static 128 dimensions", old, 0, 3)
        lane.vectors.follow_alone(seconds=9)  # the tick
        assert lane.vectors.change() is None
        assert lane.vectors.standing().model != old


def test_a_model_that_cannot_be_had_is_named_with_the_one_that_still_answers(world: World) -> None:
    with world.lane() as lane:
        lane.capture.sweep()
        old = lane.vectors.standing().model
    with world.lane(LANE_EMBED_MODEL="onnx") as lane:
        lane.vectors.follow_alone(seconds=9)
        change = lane.vectors.change()
        assert change is not None
        assert "folder is not set" in change.why
        assert change.hint == "lane config set embed.folder FOLDER"
        assert lane.vectors.standing().model == old
        assert found(lane)[0] == TEXTS[0]
    with world.lane() as lane:  # and back again
        assert lane.vectors.change() is None


def test_an_endpoint_that_refuses_is_quoted_and_not_in_use(world: World) -> None:
    with world.lane() as lane:
        lane.capture.sweep()
        old = lane.vectors.standing().model
    with endpoint(400) as url:
        asked = {"LANE_EMBED_MODEL": "openai", "LANE_EMBED_NAME": "m", "LANE_EMBED_URL": url}
        with world.lane(**asked, LANE_EMBED_DIMENSION="2") as lane:
            assert "answers 400" in str(lane.vectors.try_wanted())
            lane.vectors.follow_alone(seconds=9)
            change = lane.vectors.change()
            assert change is not None
            assert "answers 400" in change.what
            assert f"{old} still answers" in change.what


def test_an_endpoint_that_moved_is_asked_at_its_new_address(world: World) -> None:
    with endpoint([0.6, 0.8]) as first, endpoint([0.6, 0.8]) as second:
        asked = {"LANE_EMBED_MODEL": "openai", "LANE_EMBED_NAME": "m", "LANE_EMBED_DIMENSION": "2"}
        with world.lane(**asked, LANE_EMBED_URL=first) as lane:
            lane.capture.sweep()
        with world.lane(**asked, LANE_EMBED_URL=second) as lane:
            assert lane.vectors.change() is not None
            lane.vectors.follow_alone(seconds=9)
            assert lane.vectors.change() is None
            serves = lane.home.storage().notes.get(SERVES)
            assert second in serves
            assert first not in serves


def test_a_model_change_that_is_killed_goes_on_and_answers_never_stop(world: World) -> None:
    with world.lane() as lane:
        lane.capture.sweep()
        old = lane.vectors.standing().model
    models = set[str]()

    class Killed(BaseException):
        pass

    for step in range(12):
        steps = 0

        def dies(_done: int, _all: int, at: int = step) -> None:
            nonlocal steps
            steps += 1
            if steps > at:
                raise Killed

        with world.lane(**SMALLER) as lane:
            with suppress(Killed):
                lane.vectors.follow(on=dies)
            assert found(lane)[0] == TEXTS[0]
            stand = lane.vectors.standing()
            assert (stand.done, stand.why) == (3, "")
            models.add(stand.model)
    assert len(models) == 2
    assert old in models


def test_searches_go_on_while_the_model_changes_and_the_index_is_rebuilt(world: World) -> None:
    with world.lane() as lane:
        lane.capture.sweep()
    wrong, stop, looks = list[object](), threading.Event(), [0]
    searching = world.lane(**SMALLER)

    def look() -> None:
        while not stop.is_set():
            try:
                answer = found(searching)
            except LaneError as error:
                wrong.append(error)
                return
            looks[0] += 1
            if not answer or answer[0] != TEXTS[0]:
                wrong.append(answer)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        for settings in (SMALLER, {}, SMALLER):
            with world.lane(**settings) as lane:
                lane.archive.rebuild()
                lane.vectors.follow()
    finally:
        stop.set()
        thread.join()
        searching.close()
    assert wrong == []
    assert looks[0] > 0


# -- a model somewhere else, which may misbehave -----------------------------------------------------------------------


@contextmanager
def endpoint(answer: object, asked: list[str] | None = None) -> Iterator[str]:
    """Something that speaks OpenAI's embeddings, badly: always this answer, or a status. `asked` gets the texts."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            wanted = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
            if asked is not None:
                asked.extend(wanted)
            if POISON in wanted:
                self.send_error(400)
                return
            body = json.dumps({"data": [{"index": n, "embedding": answer} for n in range(len(wanted))]}).encode()
            self.send_response(answer if isinstance(answer, int) else 200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_said: object) -> None:
            return

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_port}/v1"
    finally:
        running.shutdown()
        thread.join()
        running.server_close()


@pytest.mark.fault("C16")
@pytest.mark.parametrize("answer", [500, [float("nan"), 1.0], [0.0, 0.0], [1.0], ["a", "b"], None], ids=repr)
def test_whatever_the_model_says_words_are_found_and_the_rest_waits(world: World, answer: object) -> None:
    with endpoint(answer) as url:
        settings = {"LANE_EMBED_MODEL": "openai", "LANE_EMBED_URL": url, "LANE_EMBED_NAME": "m"}
        with world.lane(**settings, LANE_EMBED_DIMENSION="2") as lane:
            lane.capture.sweep()
            answered = lane.search.find("cat keyboard", RunFilter(), 10)
            assert [hit.chunk.text for hit in answered.search.best] == [TEXTS[1]]
            assert answered.by == "words"
            assert answered.why
            stand = lane.vectors.standing()
            assert (stand.done, stand.all) == (0, 3)
            assert stand.why
            assert not lane.home.storage().notes.get(SERVES)


def test_a_model_that_comes_back_finds_its_work(world: World) -> None:
    with endpoint([0.6, 0.8]) as url:
        settings = {"LANE_EMBED_MODEL": "openai", "LANE_EMBED_NAME": "m", "LANE_EMBED_DIMENSION": "2"}
        with world.lane(**settings, LANE_EMBED_URL="http://127.0.0.1:9/v1") as lane:
            lane.capture.sweep()
            assert lane.vectors.standing().done == 0
        with world.lane(**settings, LANE_EMBED_URL=url) as lane:
            assert lane.vectors.follow() == 0
            assert lane.vectors.standing().done == 3


def test_a_rebuild_asks_no_model_for_what_it_knows(world: World) -> None:
    asked = list[str]()
    with endpoint([0.6, 0.8], asked) as url:
        settings = {"LANE_EMBED_MODEL": "openai", "LANE_EMBED_NAME": "m", "LANE_EMBED_URL": url}
        with world.lane(**settings, LANE_EMBED_DIMENSION="2") as lane:
            lane.capture.sweep()
            assert sorted(asked) == sorted(TEXTS)
            lane.close()
            world.lose_index()
            lane.archive.rebuild()
            assert lane.vectors.standing().done == 3
            assert len(asked) == 3


def test_one_text_the_model_refuses_keeps_no_other_waiting(world: World) -> None:
    world.path("poison").write_bytes(line(POISON))
    with endpoint([0.6, 0.8]) as url:
        settings = {"LANE_EMBED_MODEL": "openai", "LANE_EMBED_NAME": "m", "LANE_EMBED_URL": url}
        with world.lane(**settings, LANE_EMBED_DIMENSION="2") as lane:
            lane.capture.sweep()
            stand = lane.vectors.standing()
            assert (stand.done, stand.all) == (3, 4)
            assert "1 texts" in stand.why
