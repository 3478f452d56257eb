"""Who goes first, in counts and in order: a question, then what is new, then the bulk."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from memlane.embed import EmbedderError, EmbedQueue, Priority
from memlane.embed.queue import EmbedBreaker, Pace

MANY = 98
LONG = 30.0  # seconds; a test that works never waits that long


class Slow:
    """A model that does one thing at a time, and only when it is let."""

    tag, dimension = "slow@2", 2

    def __init__(self) -> None:
        self.did: list[str] = []
        self.let = threading.Semaphore(0)
        self.begun = threading.Semaphore(0)
        self.wrong: Callable[[str], bool] = lambda _text: False

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([self.query(text) for text in texts], np.float32)

    def query(self, text: str) -> np.ndarray:
        self.begun.release()
        assert self.let.acquire(timeout=LONG)
        self.did.append(text)
        if self.wrong(text):
            raise EmbedderError(f"{text} is too much")
        return np.array([1.0, 0.0], np.float32)

    def close(self) -> None:
        for _ in range(1000):
            self.let.release()


@pytest.fixture
def model() -> Slow:
    return Slow()


@pytest.fixture
def queue(model: Slow, tmp_path: Path) -> Iterator[EmbedQueue]:
    made = EmbedQueue(model, tmp_path / "run")
    yield made
    made.close()


@pytest.fixture
def people() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def waiting(queue: EmbedQueue, count: int) -> None:
    """Until so many stand in the queue besides the one whose turn it is."""
    for _ in range(10_000):
        with queue._changed:
            if len(queue._waiting) >= count:
                return
        time.sleep(0.001)
    raise AssertionError(f"{count} never came")


def test_a_question_waits_for_the_one_in_flight_and_for_no_other(
    queue: EmbedQueue, model: Slow, people: ThreadPoolExecutor
) -> None:
    bulk = people.submit(queue.passages, [f"bulk {number}" for number in range(MANY)])
    model.begun.acquire()
    question = people.submit(queue.query, "question", LONG)
    waiting(queue, 1)
    for _ in range(MANY + 1):
        model.let.release()
    assert question.result(LONG).shape == (2,)
    assert bulk.result(LONG).shape == (MANY, 2)
    assert model.did.index("question") == 1


def test_what_is_new_overtakes_the_bulk_and_a_question_overtakes_both(
    queue: EmbedQueue, model: Slow, people: ThreadPoolExecutor
) -> None:
    asked: list[Future[np.ndarray]] = [people.submit(queue.passages, ["first"])]
    model.begun.acquire()
    for number, (texts, priority) in enumerate([(["bulk"], Priority.BULK), (["live"], Priority.LIVE)]):
        asked.append(people.submit(queue.passages, texts, priority))
        waiting(queue, number + 1)
    asked.append(people.submit(queue.query, "question", LONG))
    waiting(queue, 3)
    for _ in range(4):
        model.let.release()
    for one in asked:
        one.result(LONG)
    assert model.did == ["first", "question", "live", "bulk"]


def test_equals_are_served_in_the_order_they_came(queue: EmbedQueue, model: Slow, people: ThreadPoolExecutor) -> None:
    asked = [people.submit(queue.query, "0", LONG)]
    model.begun.acquire()
    for number in range(1, 5):
        asked.append(people.submit(queue.query, str(number), LONG))
        waiting(queue, number)
    for _ in asked:
        model.let.release()
    for one in asked:
        one.result(LONG)
    assert model.did == ["0", "1", "2", "3", "4"]


def test_what_goes_wrong_for_one_is_told_to_that_one_alone(
    queue: EmbedQueue, model: Slow, people: ThreadPoolExecutor
) -> None:
    model.wrong = lambda text: text == "bad"
    good = people.submit(queue.passages, ["good", "good too"])
    model.begun.acquire()
    bad = people.submit(queue.query, "bad", LONG)
    waiting(queue, 1)
    for _ in range(3):
        model.let.release()
    with pytest.raises(EmbedderError, match="too much"):
        bad.result(LONG)
    assert good.result(LONG).shape == (2, 2)


def test_who_asked_for_too_short_a_time_leaves_and_the_next_is_answered(queue: EmbedQueue, model: Slow) -> None:
    with pytest.raises(EmbedderError, match="too long"):
        queue.query("too slow", 0.01)
    with pytest.raises(EmbedderError, match="too long"):
        queue.query("never begun", 0.01)
    model.let.release()
    model.let.release()
    assert queue.query("in time", LONG).shape == (2,)
    assert model.did == ["too slow", "in time"]


def test_a_model_that_fails_again_and_again_is_not_asked_any_more(queue: EmbedQueue, model: Slow) -> None:
    model.close()
    model.wrong = lambda _text: True
    for _ in range(20):
        with pytest.raises(EmbedderError, match="too much"):
            queue.query("x", LONG)
    assert len(model.did) == 3


def test_closing_tells_everybody_who_waits(queue: EmbedQueue, model: Slow, people: ThreadPoolExecutor) -> None:
    first = people.submit(queue.passages, ["first"])
    model.begun.acquire()
    waits = people.submit(queue.query, "waits", LONG)
    waiting(queue, 1)
    queue.close()
    assert first.result(LONG).shape == (1, 2)
    with pytest.raises(EmbedderError, match="closing"):
        waits.result(LONG)
    with pytest.raises(EmbedderError, match="closing"):
        queue.query("late", LONG)
    assert model.did == ["first"]


def test_no_thread_is_begun_before_it_is_needed_and_none_is_left(model: Slow, tmp_path: Path) -> None:
    before = threading.active_count()
    queue = EmbedQueue(model, tmp_path)
    assert queue.passages([]).shape == (0, 2)
    assert threading.active_count() == before
    model.let.release()
    queue.query("x", LONG)
    assert threading.active_count() == before + 1
    queue.close()
    assert threading.active_count() == before


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_when_the_pause_is_over_one_may_try_and_success_opens_for_all() -> None:
    clock = Clock()
    breaker = EmbedBreaker(clock)
    for _ in range(3):
        breaker.enter()
        breaker.failed("down")
    with pytest.raises(EmbedderError, match="down"):
        breaker.enter()
    clock.now += 1.5
    breaker.enter()
    with pytest.raises(EmbedderError):  # one tries, the others still do not wait for it
        breaker.enter()
    breaker.worked()
    breaker.enter()
    breaker.enter()


def test_pauses_grow_but_not_for_ever() -> None:
    clock = Clock()
    breaker = EmbedBreaker(clock)
    for _ in range(40):
        breaker.failed("down")
    clock.now += 61
    breaker.enter()


def batches(texts: Sequence[str], seconds: Callable[[int, int], float]) -> tuple[list[int], list[float]]:
    """How a model that takes so long for so many texts and characters is given these."""
    pace, begin = Pace(), 0
    sizes, took = list[int](), list[float]()
    while begin < len(texts):
        end = pace.end(texts, begin)
        count, characters = end - begin, sum(map(len, texts[begin:end]))
        sizes.append(count)
        took.append(seconds(count, characters))
        pace.learn(count, characters, took[-1])
        begin = end
    return sizes, took


def test_a_fast_model_gets_batches_of_fifty_milliseconds() -> None:
    sizes, took = batches(["x" * 1000] * 5000, lambda _count, characters: characters * 0.0005 / 1000)
    assert sizes[0] == 1
    assert max(took) <= 0.051
    assert max(sizes) > 50


def test_a_model_that_is_slow_with_every_text_gets_one_at_a_time() -> None:
    sizes, _ = batches(["x" * 100] * 98, lambda count, _characters: 0.18 * count)
    assert max(sizes) <= 2
    assert sizes.count(2) <= 2  # tried, and seen to be worse


def test_an_endpoint_that_is_slow_with_every_request_gets_many_at_a_time() -> None:
    sizes, _ = batches(["x" * 100] * 2000, lambda count, _characters: 0.18 + 0.00001 * count)
    assert len(sizes) < 30


def test_texts_one_by_one_never_make_a_batch_that_takes_seconds() -> None:
    pace = Pace()
    for _ in range(1000):
        pace.learn(1, 100, 0.01)
    assert pace.end(["x" * 100] * 1000, 0) <= 5
