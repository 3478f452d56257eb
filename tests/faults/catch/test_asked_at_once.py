"""A model with a long context, asked about several windows of a run in one question."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from memlane.domain import Memory, Spot, Window
from memlane.errors import UnreadError
from tests.faults.catch.test_asked import Reader, secret
from tests.rooms.catch.example_window import lesson, memory, window
from tests.rooms.llm.server import Behaviour, Model, cut_json, hangs_up, prose, runs_out, says, status
from tests.rooms.llm.worlds import World

FIRST = window()
SECOND = window("r_bbbbbbbbbbbbb", said="No, we ship on Thursdays only")
THIRD = window("r_ccccccccccccc", said="No, never on Mondays")
RUN = [FIRST, SECOND, THIRD]
AMY = lesson(quotes=[{"step": "w1.t3.1", "words": "Amy and I are casual"}])
THURSDAY = lesson(title="We ship on Thursdays", quotes=[{"step": "w2.t3.1", "words": "we ship on Thursdays only"}])
ALONE = lesson(title="We ship on Thursdays", quotes=[{"step": "t3.1", "words": "we ship on Thursdays only"}])


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    model = Model()
    yield Reader(World(tmp_path), model, at_once=2)
    model.stop()


def none_near(_window: Window) -> Sequence[Memory]:
    return ()


def test_each_window_gets_its_part_of_the_answer_and_of_the_cost(reader: Reader) -> None:
    reader.model.behaviours = [says({"memories": [THURSDAY, AMY]}, tokens=(3000, 200))]
    extractor = reader.process()
    extractor.ahead(RUN, lambda _window: [memory()])
    first, second = extractor.read(FIRST, []), extractor.read(SECOND, [])
    assert [draft.title for draft in second.drafts] == ["We ship on Thursdays"]
    assert [draft.quotes[0].spot for draft in (*first.drafts, *second.drafts)] == [Spot(3, 1), Spot(3, 1)]
    assert (first.tokens_in, second.tokens_out) == (1500, 100)
    (asked,) = reader.model.asked
    assert "w2.t3.1 person" in asked.question
    assert asked.question.count("m_bbbbbbbbbbbbb") == 1
    assert "never on Mondays" not in asked.question, "two are asked about at once, not three"


def test_what_is_wrong_about_one_window_is_asked_again_about_that_one_alone(reader: Reader) -> None:
    wrong = THURSDAY | {"quotes": [{"step": "w2.t3.1", "words": "nobody said this"}]}
    reader.model.behaviours = [says({"memories": [AMY, wrong]}), says({"memories": [ALONE]})]
    extractor = reader.process()
    extractor.ahead(RUN, none_near)
    assert len(extractor.read(FIRST, []).drafts) == len(extractor.read(SECOND, []).drafts) == 1
    assert ["w1.t3.1" in asked.question for asked in reader.model.asked] == [True, False]


@pytest.mark.parametrize(
    "behaviour", [cut_json, hangs_up, prose("Nothing found."), runs_out(json.dumps({"memories": [AMY]})), status(400)]
)
def test_a_question_about_several_that_fails_is_the_last_of_its_kind(reader: Reader, behaviour: Behaviour) -> None:
    reader.model.usual = behaviour
    extractor = reader.process()
    extractor.ahead(RUN, none_near)
    asked = len(reader.model.asked)
    assert reader.recorded == []
    extractor.ahead(RUN, none_near)
    assert len(reader.model.asked) == asked
    assert reader.tries.parked() == []
    reader.model.usual = says({"memories": []})
    assert extractor.read(FIRST, []).drafts == ()


def test_a_window_that_was_tried_before_is_asked_about_alone(reader: Reader) -> None:
    reader.model.usual = prose("no")
    with pytest.raises(UnreadError):
        reader.process().read(FIRST, [])
    asked = len(reader.model.asked)
    reader.process().ahead(RUN, none_near)
    assert len(reader.model.asked) == asked


@pytest.mark.fault("G5")
def test_windows_that_kill_their_reader_together_are_read_alone(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    class KilledError(BaseException):
        pass

    def killed(*_: object) -> None:
        raise KilledError

    monkeypatch.setattr("memlane.catch.model.extractor.understood", killed)
    with pytest.raises(KilledError):
        reader.process().ahead(RUN, none_near)
    monkeypatch.undo()
    reader.model.asked.clear()
    again = reader.process()
    again.ahead([FIRST, SECOND], none_near)
    assert reader.model.asked == []
    again.read(FIRST, [])


@pytest.mark.fault("G2")
def test_a_kill_after_the_answer_asks_nobody_again(reader: Reader) -> None:
    reader.model.behaviours = [says({"memories": [AMY, THURSDAY]})]
    reader.process().ahead(RUN, none_near)
    again = reader.process()
    again.ahead([FIRST, SECOND], none_near)
    assert len(again.read(SECOND, []).drafts) == 1
    assert len(reader.model.asked) == 1


@pytest.mark.fault("H9")
def test_no_secret_goes_out_with_several_either(reader: Reader) -> None:
    told = THURSDAY | {"content": f"The key is {secret()}."}
    reader.model.behaviours = [says({"memories": [told]})]
    reader.process().ahead([window(printed=f"aws_access_key_id = {secret()}"), SECOND], none_near)
    assert all(secret() not in asked.raw.decode() for asked in reader.model.asked)
    everything = b"".join(path.read_bytes() for path in reader.world.folder.rglob("*") if path.is_file())
    assert secret().encode() not in everything
