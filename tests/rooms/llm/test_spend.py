"""Money: whatever the model does and whoever is killed, a day never costs more than its cap."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from memlane.errors import LaneError
from memlane.llm import Caps, GuardedLlm, LlmError, LlmQuestion, LlmReply, NotAskedError, Price, price_of
from tests.rooms.llm.worlds import World, question

PRICE = Price(1.0, 5.0)


class KilledError(BaseException):
    """The process is gone: nothing of ours runs any more."""


class Chancy:
    """A model that does anything it may, and knows what it truly billed."""

    name, price, overhead = "chancy", PRICE, 10

    def __init__(self, chance: random.Random, price: Price | None = PRICE) -> None:
        self.chance, self.price = chance, price
        self.billed, self.asks = 0.0, 0

    def ask(self, question: LlmQuestion) -> LlmReply:
        what = self.chance.choice(["answer", "answer", "silent", "error", "free", "killed before", "killed after"])
        if what == "killed before":
            raise KilledError
        if what == "free":
            raise LlmError("429", again=True, free=True)
        self.asks += 1
        tokens_in = self.chance.randint(1, question.bytes + self.overhead)
        tokens_out = self.chance.randint(0, question.most)
        self.billed += PRICE.of(tokens_in, tokens_out)
        if what == "killed after":
            raise KilledError
        if what == "error":
            raise LlmError("reset", again=self.chance.random() < 0.5)
        return (
            LlmReply("{}", "m") if what == "silent" else LlmReply("{}", "m", tokens_in=tokens_in, tokens_out=tokens_out)
        )

    def close(self) -> None:
        """Nothing to close."""


@pytest.mark.fault("G8")
@pytest.mark.parametrize("seed", range(40))
def test_no_behaviour_and_no_kill_brings_a_day_over_its_cap(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    cap = chance.choice([0.0, 0.0005, 0.004, 0.02])
    world = World(tmp_path, Caps(cap, chance.choice([0, 7, 60])))
    model, asked = Chancy(chance), question("x" * chance.randint(1, 900), most=chance.randint(1, 150))
    for _ in range(80):
        careful = replace(world).careful(model)  # a process of its own each time
        try:
            careful.ask(asked)
            careful.useful()
        except (LlmError, KilledError):
            world.passes(hours=7 / 80)  # a breaker may be waited for; the day stays the same
    assert model.billed <= cap
    assert world.spend.so_far().dollars <= cap
    assert model.asks <= world.caps.asks
    world.passes(hours=24)
    assert world.spend.so_far().asks == 0


def test_an_unknown_price_is_counted_in_tokens_and_capped_by_questions(tmp_path: Path) -> None:
    world = World(tmp_path, Caps(0.0, 3))
    model = Chancy(random.Random(1), price=None)
    model.chance = type("Answers", (random.Random,), {"choice": lambda _self, of: of[0]})(1)
    careful = world.careful(model)
    for _ in range(3):
        assert careful.ask(question()).dollars == 0.0
    with pytest.raises(NotAskedError, match="daily limit of 3 questions"):
        careful.ask(question())
    assert world.spend.so_far().tokens_in > 0
    assert "questions" in careful.why_not()


def test_a_question_that_could_cost_more_than_a_day_says_so(tmp_path: Path) -> None:
    world = World(tmp_path, Caps(0.0001, 10))
    with pytest.raises(NotAskedError, match=r"may cost \$0\.01, a day at most") as caught:
        world.careful(Chancy(random.Random(1))).ask(question("x" * 9000))
    assert "catch.daily_dollars" in caught.value.hint


def test_what_was_spent_survives_whatever_is_deleted_but_its_own_file(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.spend.reserve(0.25)
    assert World(tmp_path).spend.so_far().dollars == 0.25
    (tmp_path / "spend.json").write_bytes(b'{"days": {"2026-03-04": {"micro": ')
    with pytest.raises(LaneError, match="cannot be read"):  # unknown is not zero
        world.spend.reserve(0.01)


def test_prices_are_found_by_how_a_name_begins() -> None:
    assert price_of("claude-haiku-4-5-20251001") == Price(1.0, 5.0)
    assert price_of("anthropic/claude-sonnet-4-5") == Price(3.0, 15.0)
    assert price_of("gpt-5-mini-2025") == Price(0.25, 2.0)
    assert price_of("qwen3:8b") is None


def test_a_careful_model_costs_what_it_says_and_what_was_not_used_is_given_back(tmp_path: Path) -> None:
    world = World(tmp_path)

    class Once(Chancy):
        def ask(self, question: LlmQuestion) -> LlmReply:
            assert world.spend.so_far().dollars >= PRICE.of(question.bytes, question.most)  # it is reserved by now
            return LlmReply("{}", "m", tokens_in=100, tokens_out=10)

    careful: GuardedLlm = world.careful(Once(random.Random(1)))
    assert careful.ask(question("x" * 5000)).dollars == pytest.approx(PRICE.of(100, 10))
    assert world.spend.so_far().dollars == pytest.approx(PRICE.of(100, 10))
