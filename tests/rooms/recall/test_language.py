"""Which language a prompt is in, and which memory has a cue in its words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memlane.domain import Memory, Type
from memlane.recall import language_of
from memlane.recall.foreign import alike

NOW = datetime(2026, 5, 1, tzinfo=UTC)
RELEASE = replace(
    Memory("m_release", "ann", Type.DECISION, "Releases go out on Thursdays only", "", NOW, NOW, NOW, NOW),
    cues=(
        "新しいバージョンを公開して",
        "опубликуй новую версию",
        "neue Version veröffentlichen",
        "새 버전을 공개해 줘",
    ),
)
TABLE = replace(
    RELEASE, id="m_table", title="CSV exports use semicolons", cues=("表をエクスポートして", "exportiere die Tabelle")
)


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("本番にデプロイして", "Japanese"),
        ("部署到预发环境", "Chinese"),
        ("스테이징에 배포해 줘", "Korean"),
        ("разверни на стейджинге", "Russian"),
        ("stell das bitte auf den Testserver", "German"),
        ("instala los paquetes", "Spanish"),
        ("supprime cette colonne dans la table", "French"),
        ("faz um gráfico para o relatório", "Portuguese"),
        ("deploy it to staging", ""),
        ("fix the crash in send.py when the name has an é in it", ""),
        ("rename 田中 to Tanaka in the list of customers", ""),
        ("le mans is a race, where do we keep its results", ""),
        ("e2e tests per package", ""),
        ("გააკეთე ახალი ცხრილი", "this script"),
        ("12345 !!", ""),
    ],
)
def test_a_language_is_known_by_its_script_or_its_small_words(words: str, language: str) -> None:
    assert language_of(words) == language


@pytest.mark.parametrize(
    "words",
    [
        "明日の金曜日に新しいバージョンを公開したい",
        "хочу опубликовать новую версию в пятницу",
        "ich will morgen eine neue Version veröffentlichen",
        "내일 새 버전을 공개하고 싶어",
    ],
)
def test_a_cue_in_the_words_of_the_prompt_finds_its_memory(words: str) -> None:
    found = {one.memory.id: one.similarity for one in alike(words, [RELEASE, TABLE])}
    assert found["m_release"] >= 0.5
    assert found.get("m_table", 0.0) < 0.5


def test_one_word_in_common_is_a_topic_and_no_need() -> None:
    assert alike("バージョンという見出しを太字に", [RELEASE]) == []


def test_a_memory_without_a_cue_in_the_language_is_not_found() -> None:
    assert alike("明日の金曜日に新しいバージョンを公開したい", [replace(TABLE, cues=("export the table",))]) == []
