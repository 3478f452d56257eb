"""The model extractor against a real HTTP server that does whatever a model may do."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest

from memlane.catch.model.extractor import ModelDesk, ModelExtractor
from memlane.catch.model.records import Answers, Tries, TriesFile
from memlane.errors import UnreadError
from memlane.gate import Gate
from memlane.llm import Caps, LlmSpec, llm
from memlane.system.disk import Disk
from memlane.system.json_file import JsonFile
from tests.rooms.catch.example_window import lesson, memory, window
from tests.rooms.llm import server
from tests.rooms.llm.server import Behaviour, Model, prose, raw, runs_out, says, status
from tests.rooms.llm.worlds import World

KEY = "not-a-key-at-all"
GATE = Gate()
RIGHT = {"memories": [lesson()]}


@pytest.fixture
def model() -> Iterator[Model]:
    found = Model()
    yield found
    found.stop()


@dataclass
class Reader:
    """A home with a model in it; every `process()` is a new one that knows only the files."""

    world: World
    model: Model
    kind: str = "anthropic"
    at_once: int = 1

    def process(self) -> ModelExtractor:
        url = self.model.url if self.kind == "anthropic" else f"{self.model.url}/v1"
        spec = LlmSpec(self.kind, name="claude-haiku-4-5", url=url, key_variable="TINY_KEY", timeout=1.0)
        careful = self.world.careful(llm(spec, {"TINY_KEY": KEY}, self.world.folder))
        answers = Answers(self.world.folder / "answers", Disk(), self.world.clock)
        return ModelExtractor(careful, ModelDesk(answers, self.tries, GATE.mask, self.world.clock, self.at_once))

    @property
    def tries(self) -> Tries:
        return Tries(JsonFile(self.world.folder / "tries.json", TriesFile, Disk(), nullcontext), self.world.clock)

    @property
    def recorded(self) -> list[Path]:
        return sorted((self.world.folder / "answers").glob("*"))


@pytest.fixture(params=["anthropic", "openai"])
def reader(tmp_path: Path, model: Model, request: pytest.FixtureRequest) -> Reader:
    return Reader(World(tmp_path), model, request.param)


def test_a_window_is_asked_about_once_and_its_answer_becomes_drafts(reader: Reader) -> None:
    reader.model.behaviours = [says(RIGHT, tokens=(2000, 100))]
    read = reader.process().read(window(), [memory()])
    assert [draft.title for draft in read.drafts] == ["Amy Hoy prefers a casual, friendly tone in mail"]
    assert (read.tokens_in, read.tokens_out) == (2000, 100)
    assert read.cost == pytest.approx(0.0025)
    (asked,) = reader.model.asked
    assert "t3.1 person" in asked.question
    assert "m_bbbbbbbbbbbbb" in asked.question
    assert KEY not in asked.raw.decode()


def test_nothing_worth_keeping_is_an_answer(reader: Reader) -> None:
    assert reader.process().read(window(), []).drafts == ()
    assert len(reader.model.asked) == 1


@pytest.mark.parametrize(
    ("behaviour", "asked"),
    [
        (server.cut_json, 2),
        (server.refuses, 2),
        (prose(""), 2),
        (prose("There is nothing of note."), 2),
        (runs_out('{"memories": ['), 2),
        (says({"memories": "none"}), 2),
        (says({"notes": []}), 2),
        (says([]), 1),  # the list itself, without the object around it
        (says({"memories": [lesson(type="preference")]}), 2),
        (says({"memories": [lesson(same_as="m_zzzzzzzzzzzzz")]}), 2),
        (says({"memories": [lesson(quotes=[{"step": "t3.1", "words": "nobody said this"}])]}), 2),
        (prose('{"memories": [], "memories": []}'), 2),
        (prose('{"memories": [{"confidence": NaN}]}'), 2),
        (prose(f"Sure!\n```json\n{json.dumps(RIGHT)}\n```"), 1),
        (prose(f"I think {json.dumps(RIGHT)} is it."), 1),
        (status(429, Retry_After="1"), 2),
        (status(500), 2),
        (status(529), 2),
        (server.hangs_up, 2),
        (server.cut_on_the_way, 2),
    ],
)
def test_one_bad_answer_is_mended_or_asked_again(reader: Reader, behaviour: Behaviour, asked: int) -> None:
    reader.model.behaviours = [behaviour]
    reader.model.usual = says(RIGHT)
    if asked == 2:
        assert len(reader.process().read(window(), [memory()]).drafts) == 1
    else:
        reader.process().read(window(), [memory()])
    assert len(reader.model.asked) == asked


@pytest.mark.fault("G1")
@pytest.mark.parametrize(
    "behaviour",
    [
        server.cut_json,
        server.cut_body,
        server.cut_on_the_way,
        server.hangs_up,
        server.refuses,
        server.ten_megabytes,
        server.sleeps(1.5),
        server.drips,
        prose(""),
        prose("Nothing found."),
        runs_out('{"memories": []}'),
        says({"memories": None}),
        says({"memories": [lesson(confidence=500)]}),
        says({"memories": [lesson(quotes=[{"step": "t3.1", "words": "nobody said this"}])]}),
        says({"memories": [lesson(same_as="m_zzzzzzzzzzzzz")]}),
        raw(b"<html>bad gateway</html>"),
        raw(b""),
        raw(b"\xff\xfe"),
        raw(b"{}"),
        status(301, Location="http://127.0.0.1/"),
        status(400, "too long"),
        status(401),
        status(404),
        status(429),
        status(500),
        status(503, Retry_After="9999"),
    ],
)
def test_what_never_comes_to_an_answer_leaves_the_window_open(reader: Reader, behaviour: Behaviour) -> None:
    reader.model.usual = behaviour
    with pytest.raises(UnreadError) as caught:
        reader.process().read(window(), [])
    assert KEY not in f"{caught.value} {caught.value.hint}"
    assert reader.recorded == []
    reader.model.usual = says(RIGHT)
    reader.world.passes(hours=7)
    assert len(reader.process().read(window(), []).drafts) == 1


def test_the_second_question_says_what_was_wrong(reader: Reader) -> None:
    wrong = lesson(
        type="preference", quotes=[{"step": "t3.1", "words": "Amy and I are so casual, use a friendly tone"}]
    )
    reader.model.behaviours = [says({"memories": [wrong]}), says(RIGHT)]
    reader.process().read(window(), [])
    second = reader.model.asked[1].question
    assert "memories[0].type: 'preference' will not do; one of: correction" in second
    assert second.startswith(reader.model.asked[0].question)


def test_a_quote_nobody_said_costs_its_own_memory_and_is_left_to_the_checks(reader: Reader) -> None:
    wrong = lesson(title="Amy hates mail", quotes=[{"step": "t3.1", "words": "Amy hates mail"}])
    reader.model.usual = says({"memories": [lesson(), wrong]})
    read = reader.process().read(window(), [])
    assert [draft.title for draft in read.drafts][1:] == ["Amy hates mail"]
    assert len(reader.model.asked) == 2


@pytest.mark.fault("G2")
def test_a_kill_after_the_answer_asks_nobody_again(reader: Reader) -> None:
    reader.model.behaviours = [says(RIGHT)]
    first = reader.process().read(window(), [memory()])
    again = reader.process()
    assert again.read(window(), []) == first  # what was shown then counts, not what is near now
    assert len(reader.model.asked) == 1
    again.done(window())
    assert reader.recorded == []
    reader.process().read(window(), [])
    assert len(reader.model.asked) == 2


def test_another_window_and_another_model_are_other_questions(reader: Reader) -> None:
    reader.process().read(window(), [])
    reader.process().read(window("r_ccccccccccccc"), [])
    assert len(reader.recorded) == 2


@pytest.mark.fault("G5")
def test_a_window_that_kills_its_reader_is_set_aside_and_the_others_go_on(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    class KilledError(BaseException):
        pass

    def killed(*_: object) -> None:
        raise KilledError

    monkeypatch.setattr("memlane.catch.model.extractor.understood", killed)
    for _ in range(3):
        with pytest.raises(KilledError):
            reader.process().read(window(), [])
    asked = len(reader.model.asked)
    monkeypatch.undo()
    with pytest.raises(UnreadError, match="set aside after 3 tries: it did not come to an end") as caught:
        reader.process().read(window(), [])
    assert len(reader.model.asked) == asked
    assert [tried.run for tried in reader.tries.parked()] == [window().run]
    assert "--again" in caught.value.hint
    reader.process().read(window("r_ccccccccccccc"), [])
    assert reader.tries.again([window().run]) == 1
    reader.process().read(window(), [])


def test_nonsense_three_times_sets_the_window_aside_with_the_reason(reader: Reader) -> None:
    reader.model.usual = prose("no")
    for _ in range(3):
        with pytest.raises(UnreadError):
            reader.process().read(window(), [])
    (tried,) = reader.tries.parked()
    assert "no JSON object" in tried.why


def test_a_model_that_is_away_sets_no_window_aside(reader: Reader) -> None:
    reader.model.usual = status(500)
    for _ in range(4):
        with pytest.raises(UnreadError):
            reader.process().read(window(), [])
    assert reader.tries.parked() == []


def test_the_cap_of_the_day_holds_and_the_window_waits_for_tomorrow(tmp_path: Path, model: Model) -> None:
    reader = Reader(World(tmp_path, Caps(10.0, 2)), model)
    for run in ("r_aaaaaaaaaaaa1", "r_aaaaaaaaaaaa2"):
        reader.process().read(window(run), [])
    with pytest.raises(UnreadError, match="daily limit of 2 questions"):
        reader.process().read(window("r_aaaaaaaaaaaa3"), [])
    assert reader.process().why_not()
    assert len(model.asked) == 2
    reader.world.passes(hours=24)
    assert reader.process().why_not() == ""
    reader.process().read(window("r_aaaaaaaaaaaa3"), [])


def secret() -> str:
    """Made here, so that the repository holds none."""
    return "AKIA" + "Q3EGRZ7XN5PB2KLM"


@pytest.mark.fault("H9")
def test_no_secret_goes_out_and_none_is_written_down(reader: Reader, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    assert GATE.findings(f"aws_access_key_id = {secret()}")
    leaky = window(printed=f"aws_access_key_id = {secret()}")
    told = lesson(content=f"The key is {secret()} for mail.", reasoning=f"key {secret()}")
    reader.model.behaviours = [prose(f"nonsense {secret()}"), says({"memories": [told]})]
    read = reader.process().read(leaky, [memory(title=f"Key {secret()}")])
    assert all(secret() not in asked.raw.decode() for asked in reader.model.asked)
    (record,) = reader.recorded
    assert secret() not in record.read_text()
    assert "[masked: " in read.drafts[0].content  # which the checks refuse
    assert secret() not in caplog.text
    everything = b"".join(path.read_bytes() for path in reader.world.folder.rglob("*") if path.is_file())
    assert secret().encode() not in everything


def test_what_a_tool_printed_reaches_the_model_only_inside_its_fence(reader: Reader) -> None:
    reader.process().read(window(), [])
    question = reader.model.asked[0].question
    before, _, rest = question.partition("<tool-output>")
    inside, _, after = rest.partition("</tool-output>")
    assert "curl evil.sh" in inside
    assert "curl evil.sh" not in before + after
