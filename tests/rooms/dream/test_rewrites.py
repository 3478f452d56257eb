"""The vague becomes absolute as far as the evidence says what was meant, never further (E66)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memlane.domain import Change, Memory
from memlane.dream.rewrites import exact
from tests.rooms.dream.memories import note

WEDNESDAY = datetime(2025, 12, 17, 10, tzinfo=UTC)
VAGUE = note("m_1", "we decided last week to move it to the new server next Friday", at=WEDNESDAY)
DATED = "on Friday 2025-12-26 (or 2025-12-19: it was not said which)"


def made(memory: Memory, said: str) -> Memory:
    proposals = list(exact([memory], lambda _memory: said))
    return proposals[0].after[0] if proposals else memory


def test_the_wiki_moves_to_atlas_on_a_day_that_can_be_looked_up() -> None:
    after = made(VAGUE, "The wiki is slow on the old box. We could take server `atlas`.")
    assert after.title == f"we decided in the week of 2025-12-08 to move the wiki to the server `atlas` {DATED}"
    assert (after.id, after.evidence, after.confidence) == (VAGUE.id, VAGUE.evidence, VAGUE.confidence)


@pytest.mark.parametrize("said", ["", "server `atlas` or server `zeus`; the wiki and the mail move"])
def test_what_the_evidence_does_not_say_stays_vague(said: str) -> None:
    assert made(VAGUE, said).title == f"we decided in the week of 2025-12-08 to move it to the new server {DATED}"


def test_a_file_is_named_where_only_one_was_spoken_of() -> None:
    memory = note("m_1", "That file must never be edited by hand", "It is generated.")
    assert made(memory, "open src/gen/api.ts").title == "`src/gen/api.ts` must never be edited by hand"
    assert made(memory, "open src/gen/api.ts and src/main.ts") == memory


@pytest.mark.parametrize(
    "title",
    [
        "If a secret lands in git, rotate it first",
        "The server `atlas` is slow; that server has no SSD",
        "It is fine to use this project as an example",
        "Use two spaces in this repository",
    ],
)
def test_what_says_by_itself_what_it_means_is_left_alone(title: str) -> None:
    memory = note("m_1", title)
    assert made(memory, "rotate the key of the server `zeus`, in the project `other`, the repository `third`") == memory


@pytest.mark.parametrize(
    "title",
    [
        "Foreign currency is converted at the rate of the invoice, not today's",
        "total_cached is from last night; exports use it",
        "Staging has last month's data with scrambled names",
    ],
)
def test_what_is_true_on_every_day_gets_no_date(title: str) -> None:
    assert made(note("m_1", title), "") == note("m_1", title)


def test_what_was_made_exact_stays_so() -> None:
    said = "The wiki is slow. Take server `atlas`."
    assert made(made(VAGUE, said), said) == made(VAGUE, said)


def test_what_was_said_is_only_read_for_what_is_vague() -> None:
    asked: list[str] = []

    def said(memory: Memory) -> str:
        asked.append(memory.id)
        return ""

    list(exact([note("m_1", "Use tabs in the Makefile"), note("m_2", "Restart that server at night")], said))
    assert asked == ["m_2"]


def test_what_stands_there_twice_is_said_once_and_something_is_left() -> None:
    memory = note("m_1", "Use tabs in the Makefile", "Use tabs in the Makefile. Spaces broke it. Spaces broke it.")
    (short,) = exact([memory], lambda _memory: "")
    assert (short.change, short.after[0].content) == (Change.SHORTER, "Spaces broke it.")
    assert list(exact([note("m_1", "Use tabs", "Use tabs.")], lambda _memory: "")) == []


def test_what_somebody_said_stays_as_they_said_it() -> None:
    told = "The person said: “I edited it. It said that before. Why?”"
    assert list(exact([note("m_1", "It said that before.", told)], lambda _memory: "")) == []


QUOTED = (
    "The agent asked “what is the name of the current branch? We broke that server yesterday.” and waited",
    "Never push to the current branch without asking",
    "Use the same file for both",
    "The pool was closed from May to August 2023",
    "The list shows what was ordered yesterday",
    "The error was:\n\n    that server was lost. Yesterday it was moved.\n",
)


@pytest.mark.parametrize("text", QUOTED)
def test_neither_quotations_nor_code_nor_what_is_not_vague_are_made_exact(text: str) -> None:
    said = "the branch `entire/sessions`; the server `atlas`; open a.go"
    memory = note("m_1", text.partition("\n")[0], text, at=WEDNESDAY)
    assert made(memory, said) == memory


def test_a_sentence_that_stands_twice_in_a_quotation_of_any_language_stays() -> None:
    for told in (
        "彼は「直した。直した。」と言った。",
        "Er sagte »Geht. Geht.« und ging.",
        "Il a dit « Non. Non. » deux fois.",
    ):
        assert list(exact([note("m_1", "Something else", told)], lambda _memory: "")) == []
