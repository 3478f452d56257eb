from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
import torch

from training import decoder, lessons, students, teacher, writer
from training.bert import Bert, BertEncoder, Shape
from training.decoder import Decoder
from training.fit import Plan
from training.judge import judged
from training.lessons import Lesson
from training.look import Look, Reading
from training.memories import read
from training.projects import projects
from training.questions import Question, questions
from training.school import School
from training.split import Side, Split
from training.teacher import Shown, loss_of
from training.writer import Writer

FIVE = Plan(steps=5, size=4, rate=1e-2)
SMALL = Shape(layers=2, width=64, inner=96, words=40)
TAUGHT = [
    lessons.of_label("push the build", "mill", ["always run the tests", "never deploy"], 0),
    lessons.of_teacher("use the port", "mill", ["the key", "the table", "use the port"], [-3.0, -2.0, 2.0]),
] * 4


def _asked(data: Path) -> list[Question]:
    split = Split.load(data / "splits.json")
    found = [m for m in read(data / "recall-train.jsonl") if split.side(m.project) is not Side.VALIDATION]
    return list(questions(found, split, [], []))


def _school(tokenizer: Path) -> School:
    return School([], [], [], tokenizer, torch.device("cpu"))


def test_five_steps_teach_the_encoder(tokenizer: Path) -> None:
    torch.manual_seed(1)
    school = _school(tokenizer)
    taught = school.taught(TAUGHT)
    student = students.EncoderStudent(BertEncoder(Bert(SMALL), tokenizer), school, FIVE.heat)
    losses = students.fit(student, taught, FIVE)
    assert len(losses) == 5
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("way", ["reads", "together"])
def test_five_steps_teach_the_second_look_and_leave_the_encoder_alone(tokenizer: Path, way: str) -> None:
    torch.manual_seed(1)
    school, body = _school(tokenizer), Bert(SMALL)
    taught = school.taught(TAUGHT)
    before = [p.detach().clone() for p in body.parameters()]
    look = Look(body, Reading(way, apart=1, begun=(1, 1)))
    losses = students.fit(students.LookStudent(look, body, school, prior=False), taught, FIVE)
    assert losses[-1] < losses[0]
    assert all(torch.equal(was, now) for was, now in zip(before, body.parameters(), strict=True))
    assert not torch.equal(look.layers[0].query.weight, body.layers[1].query.weight)


def test_a_prompt_behind_a_note_that_others_share_is_judged_as_if_it_were_alone() -> None:
    torch.manual_seed(0)
    model = Decoder(torch.randn(40, 256), 2, 64)
    torch.nn.init.normal_(model.out.weight)
    pairs = [("a", [3, 4, 5], [7, 8, 9]), ("b", [6], [7, 8]), ("a", [3, 4, 5], [10, 11]), ("b", [6], [1, 2, 3, 4])]
    alone = model.judge([[*note, *behind] for _name, note, behind in pairs]).tolist()
    assert judged(model, pairs).tolist() == pytest.approx(alone, rel=1e-4)


def test_made_up_projects_have_names_of_their_own_and_say_what_they_are() -> None:
    made = list(projects(50, random.Random(3)))
    assert len({one.name for one in made}) == 50
    assert all(one.name.split("/")[-1] in line for one in made for line in one.lines)


def test_short_prompts_are_asked_in_every_project_and_nobody_says_what_they_need() -> None:
    asked = list(teacher.shorts([{"project": "mill"}, {"project": "tower"}], random.Random(1)))
    assert {one.project for one in asked} == {"mill", "tower"}
    assert {(one.own, one.needs) for one in asked} == {(-1, None)}


def test_what_is_asked_in_training_is_of_no_validation_project(data: Path) -> None:
    asked = _asked(data)
    assert asked
    assert "tower" not in {one.project for one in asked}


@pytest.mark.parametrize("lesson", TAUGHT[:2])
def test_the_shares_of_a_lesson_are_a_whole(lesson: Lesson) -> None:
    assert sum(lesson.share) + lesson.none == pytest.approx(1.0)
    assert len(lesson.share) == len(lesson.each) == len(lesson.notes)


def test_a_decoder_that_says_none_where_none_is_needed_loses_least() -> None:
    batch = [Shown(0, ((0, False), (1, False)), -1)]
    silent, loud = (float(loss_of(torch.full((2,), said), batch)) for said in (-4.0, 4.0))
    assert silent < loud


def test_what_is_written_token_by_token_is_what_a_whole_reading_says(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    made = Writer(Decoder(torch.randn(50, 256), 2, 64), torch.randn(50, 256))
    monkeypatch.setattr(writer, "drawn", lambda said: said.argmax(-1, keepdim=True))
    starts = [[5, 6, 7, 8], [9, 10]]
    for start, told in zip(starts, writer.written(made, starts, 4), strict=True):
        whole = list(start)
        for _ in range(4):
            whole.append(int(made(torch.tensor([whole]))[0, -1].argmax()))
        assert told == whole[len(start) :]


def test_a_record_reads_back_as_it_was_written(data: Path) -> None:
    memory = next(iter(read(data / "recall-train.jsonl")))
    found = writer.parsed(writer.record(memory, random.Random(1)))
    assert found is not None
    assert found["note"] == memory.text
    assert sorted(found["probes"]) == sorted(prompt.text for prompt in memory.probes)  # type: ignore[arg-type]
    assert writer.parsed("half a title\n") is None


def test_blocks_of_four_bits_are_the_numbers_they_stand_for() -> None:
    half = np.array([0.5], np.float16).view(np.uint8)
    block = torch.from_numpy(np.concatenate([half, np.full(16, 0x9A, np.uint8)]))
    assert decoder.of_q4_0(block).tolist() == [1.0] * 16 + [0.5] * 16


def test_what_a_teacher_said_is_read_by_question_and_note(tmp_path: Path) -> None:
    np.savez(
        tmp_path / "t.npz", rows=np.array([[3, 7, 0], [3, 7, 1]], np.int32), said=np.array([1.5, -2.0], np.float16)
    )
    assert lessons.said_in(tmp_path / "t.npz") == {3: {(7, False): 1.5, (7, True): -2.0}}
