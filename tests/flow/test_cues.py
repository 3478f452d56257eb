"""What a person may type where a note matters brings the note, whatever words the note itself has."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import Match, Occasion
from tests.flow.homes import a_lane

NOTE = "Add every new workspace package to the Dockerfile COPY list"
CUE = "the image cannot find the module I just made"
CUES = (CUE, "docker says: no such file or directory", "create another package")
OTHERS = (
    "Releases are cut on Thursdays, never before a holiday",
    "Invoices are rounded to whole cents before the tax is added",
)
FLOORS_ALONE = {"LANE_RECALL_SECOND_LOOK": "false"}
NO_MODEL = {"LANE_RECALL_MODEL": "none"}


def a_home(folder: Path, *cues: str, **settings: str) -> Lane:
    lane = a_lane(folder, **(FLOORS_ALONE | settings))
    lane.memories.remember(NOTE, folder / "home", occasion=Occasion(cues=cues))
    for note in OTHERS:
        lane.memories.remember(note, folder / "home")
    return lane


def told(lane: Lane, prompt: str) -> list[Match]:
    return list(lane.recall.asked(prompt, lane.config.person_home).shown)


def the_note(lane: Lane) -> str:
    return next(memory.id for memory in lane.memories.all() if memory.content == NOTE)


def test_a_prompt_that_is_like_a_cue_alone_brings_the_note_and_says_why(tmp_path: Path) -> None:
    without, with_cues = tmp_path / "without", tmp_path / "with"
    without.mkdir()
    with_cues.mkdir()
    with a_home(without) as lane:
        assert told(lane, CUE) == []
    with a_home(with_cues, *CUES) as lane:
        (match,) = told(lane, f"{CUE}, why?")
        assert match.memory.content == NOTE
        assert match.cued_by == CUE
        assert match.cue is not None
        assert match.note is not None
        assert match.cue.likeness > match.note


def test_a_memory_without_cues_scores_as_if_nobody_had_any(tmp_path: Path) -> None:
    prompt, found = "the Dockerfile build fails since I added a workspace package", list[tuple[float, float]]()
    for name, cues in (("plain", ()), ("cued", ("is there anything due before the holiday?",))):
        (tmp_path / name).mkdir()
        with a_home(tmp_path / name) as lane:
            release = next(memory for memory in lane.memories.all() if memory.content == OTHERS[0])
            lane.memories.edit(release.id, {"cues": "\n".join(cues)})
            (match,) = told(lane, prompt)
            assert match.cue is None
            found.append((match.similarity, match.score))
    assert found[0] == pytest.approx(found[1], abs=1e-3)


def test_a_cue_that_is_edited_away_or_forgotten_brings_nothing_and_comes_back_with_its_note(tmp_path: Path) -> None:
    with a_home(tmp_path, *CUES) as lane:
        note = the_note(lane)
        assert told(lane, CUE)
        lane.memories.forget([note])
        assert told(lane, CUE) == []
        lane.memories.restore([note])
        assert [match.cued_by for match in told(lane, CUE)] == [CUE]
        lane.memories.edit(note, {"cues": "send the monthly newsletter"})
        assert told(lane, CUE) == []
        assert [match.memory.id for match in told(lane, "send the monthly newsletter")] == [note]


def test_cues_that_nobody_could_embed_are_embedded_by_the_next_tick_and_by_a_rebuild(tmp_path: Path) -> None:
    a_home(tmp_path, *CUES, **NO_MODEL).close()
    with a_lane(tmp_path, **FLOORS_ALONE) as lane:
        assert told(lane, CUE) == []
        lane.capture.tick()
        assert [match.cued_by for match in told(lane, CUE)] == [CUE]
        lane.archive.rebuild()
    with a_lane(tmp_path, **FLOORS_ALONE) as lane:
        assert [match.cued_by for match in told(lane, CUE)] == [CUE]


def test_a_note_that_says_what_anothers_cue_says_is_a_note_of_its_own(tmp_path: Path) -> None:
    with a_home(tmp_path, *CUES) as lane:
        other = lane.memories.remember(CUE, tmp_path / "home")
        assert other.id != the_note(lane)
        assert lane.memories.get(the_note(lane)).times_observed == 1


LANGUAGES = [
    ("本番環境にデプロイして", "本番環境へのデプロイをお願い", "ログイン画面の色を変えて"),
    ("部署到生产环境", "请部署到生产环境", "把按钮改成红色"),
    ("운영 서버에 배포해 줘", "운영 서버에 다시 배포해", "버튼 색을 바꿔 줘"),
    ("выкатить релиз на боевой сервер", "выкатить новый релиз на сервер", "поменяй цвет кнопки"),
]


@pytest.mark.parametrize("settings", [NO_MODEL, {"LANE_RECALL_SECOND_LOOK": "true"}], ids=["words", "model"])
@pytest.mark.parametrize(("cue", "prompt", "other"), LANGUAGES)
def test_a_cue_in_another_script_brings_the_note_by_its_words(
    tmp_path: Path, settings: dict[str, str], cue: str, prompt: str, other: str
) -> None:
    with a_home(tmp_path, cue, **settings) as lane:
        (match,) = told(lane, prompt)
        assert (match.memory.content, match.cued_by) == (NOTE, cue)
        assert told(lane, other) == []
        lane.memories.edit(match.memory.id, {"cues": ""})
        assert told(lane, prompt) == []


def test_a_prompt_the_model_cannot_read_says_so(tmp_path: Path) -> None:
    with a_home(tmp_path, *CUES) as lane:
        assert "unread" in lane.recall.asked(LANGUAGES[0][1], tmp_path / "home").extra
        assert "unread" not in lane.recall.asked(f"{CUE}: Größe über 中", tmp_path / "home").extra
