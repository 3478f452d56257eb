"""H5, J1: somebody's own words and code are never reworded, and what is not vague is not made exact."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.claims import absolute, made_exact, verbatim

AT = datetime(2025, 12, 17, 10, 0)  # noqa: DTZ001 - a day is enough
SAID = "git checkout fix/login, the branch `fix/login`; open src/gen/api.ts; the server `atlas` is new; a page `home`"
WORDS = "We broke that server yesterday and moved the new server last week"

QUOTED = (
    f'The log said "{WORDS}" again.',
    f"The log said “{WORDS}” again.",
    f"The log said „{WORDS}“ again.",
    f"The log said «{WORDS}» again.",
    f"The log said « {WORDS} » again.",
    f"The log said »{WORDS}« again.",
    f"The log said ‹{WORDS}› again.",
    f"The log said 「{WORDS}」 again.",
    f"The log said 『{WORDS}』 again.",
    f"The log said 《{WORDS}》 again.",
    f"The log said ”{WORDS}” again.",
    f"The log said ‘{WORDS}’ again.",
    f"The log said ‚{WORDS}‘ again.",
    f"The log said '{WORDS}' again.",
    f"The log said ＂{WORDS}＂ again.",
    f"The log said “first ‘{WORDS}’ and then “{WORDS}” once more, {WORDS}” again.",
    f"The log said 「first 『{WORDS}』 and then {WORDS}」 again.",
    f"The log said “First line.\n\n{WORDS}.\nLast line.” again.",
    f'The log said "First line.\n{WORDS}.\nLast line." again.',
    f"The log said “{WORDS}. It was not closed.\n\n{WORDS}",
    f"The log said `{WORDS}` again.",
    f"The log said ``{WORDS} ` {WORDS}`` again.",
    f"The log said `{WORDS}\n{WORDS}` again.",
    f"The log said:\n\n```text\n{WORDS}\n```\n",
    f"The log said:\n\n~~~\n{WORDS}\n~~~\n",
    f"The log said:\n\n```\n{WORDS}\n",
    f"The log said:\n\n    {WORDS}\n    {WORDS}\n",
    f"The log said:\n\n\t{WORDS}\n",
    f"> {WORDS}\n> {WORDS}",
    f"The log said <code>{WORDS}</code> again.",
    f"<blockquote>{WORDS}</blockquote>",
    "It was at https://a.example/that/server?since=yesterday and www.a.example/last-week",
    "It was read from logs/yesterday/that server.txt and C:\\last week\\a.txt".replace("that server", "that-server"),
    "It was kept in yesterday.log and last.week.csv",
    "It ended with --since yesterday and DAY=yesterday",
)


@pytest.mark.parametrize("text", QUOTED)
def test_what_is_quoted_or_code_stays_as_it_was_said(text: str) -> None:
    assert absolute(text, AT) == text
    assert made_exact(text, text, lambda: SAID) == (text, text)


def test_beside_a_quotation_the_rest_is_made_exact() -> None:
    assert absolute('It was called "last week" yesterday', AT) == 'It was called "last week" on 2025-12-16'
    title, _content = made_exact("“That server” means that server.", "", lambda: SAID)
    assert title == "“That server” means that server."
    title, _content = made_exact("He wrote “that page”; restart that server.", "", lambda: SAID)
    assert title == "He wrote “that page”; restart the server `atlas`."


NOT_VAGUE = (
    "Never push to the current branch without asking",
    "The hook prints the name of the current branch",
    "Use the same file for both",
    "Use the other server for backups",
    "The first page needs no header",
    "The second server takes over",
    "Put it on the right page",
    "Never push to this branch without asking",
    "Work in this repository only",
    "Make sure that page titles are short",
    "It is so small that server time does not matter",
    "The tests check that file names are unique",
    "Every time the new page is added, add a test",
    "If the new server fails, roll back",
    "That file name is reserved",
    "The old server must stay up until the new server is ready",
)


@pytest.mark.parametrize("text", NOT_VAGUE)
def test_what_is_not_vague_is_left_alone(text: str) -> None:
    assert made_exact(text, text, lambda: SAID) == (text, text)


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("That file must never be edited by hand", "`src/gen/api.ts` must never be edited by hand"),
        ("We move the wiki to the new server", "We move the wiki to the server `atlas`"),
        ("Restart that server at night", "Restart the server `atlas` at night"),
        ("That server is slow", "The server `atlas` is slow"),
        ("this file is generated", "`src/gen/api.ts` is generated"),
    ],
)
def test_what_is_vague_gets_the_one_name_that_was_said(text: str, exact: str) -> None:
    assert made_exact(text, "", lambda: SAID)[0] == exact


@given(st.text(alphabet="ab `\"'“”„«»「」‘’\n>~\t ", max_size=60))
def test_any_marks_at_all_give_parts_of_the_text(text: str) -> None:
    assert all(0 <= first < last <= len(text) for first, last in verbatim(text).parts)


@pytest.mark.parametrize("text", ["the users' data and the clients' data", "it doesn't, won't, can’t", 'a 27" screen'])
def test_an_apostrophe_and_inches_quote_nothing(text: str) -> None:
    assert verbatim(text).parts == []
