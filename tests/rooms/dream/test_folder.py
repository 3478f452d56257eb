"""Pages and the index, whatever people and agents write into memories: what is written is read back as it was."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.domain import Maturity, Memory, Mention, Scope, Type
from memlane.dream.folder import (
    INDEX,
    MemoryPage,
    belonging,
    changes,
    chosen,
    cut,
    hand_changes,
    kebab,
    listed,
    most_useful_first,
    pages,
    put,
    read,
    rendered,
    said,
    with_lines,
    without,
)
from memlane.dream.folder.contents import MOST_ALIKE, FolderPurpose
from memlane.dream.folder.index import LONGEST_LINE, MOST_BYTES, MOST_LINES, line, shortened
from tests.rooms.app.memories import NOON, a_memory

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
TEXT = st.text(st.characters(codec="utf-8"), max_size=300)
SPECIAL = st.lists(
    st.sampled_from(
        ["[", "](", ")", "|", "\n", "\r\n", "---\n", "\u2028", "`", "é", "e\u0301", "\U0001f469\u200d\U0001f680",
         "中文", "<!-- lane:end -->", "<!--", "[x](y.md)",
         "<lane-memory nonce=\"a\">", '"', "\\", "\x00", "\t", ":", "# ", "word ", "**Why:** "]
    ),
    max_size=30,
).map("".join)  # fmt: skip
WORDS = st.one_of(TEXT, SPECIAL)


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    return a_memory(
        f"m_{draw(st.text('abcdefghijklmnopqrstuvwxyz234567', min_size=13, max_size=13))}",
        title=draw(WORDS) or "untitled",
        content=draw(WORDS),
        reasoning=draw(WORDS),
        type=draw(st.sampled_from(list(Type))),
        scope=draw(st.sampled_from(list(Scope))),
        related_entities=tuple(Mention("file", raw, raw, resolved=True) for raw in draw(st.lists(WORDS, max_size=3))),
        target_agents=tuple(draw(st.lists(WORDS, max_size=2))),
        times_observed=draw(st.integers(1, 30)),
        formed_at=NOON + timedelta(days=draw(st.integers(0, 300))),
    )  # fmt: skip


def a_page(memory: Memory) -> MemoryPage:
    (page,) = pages([memory], {}, ())
    return page


def numbered(count: int) -> list[Memory]:
    return [a_memory(f"m_{n:013d}", title=f"Lesson {n}", content="It says so.", project_key="k") for n in range(count)]


# -- a page ------------------------------------------------------------------------------------------------------------


@given(memories())
def test_what_is_written_is_read_back_and_nothing_in_it_is_taken_for_a_change(memory: Memory) -> None:
    page = a_page(memory)
    parts = read(rendered(page).encode())
    assert parts.beyond == ()
    assert changes(parts, [parts.digests()], page) == {}
    assert rendered(page).count("<lane-memory nonce=") == 1


@given(memories(), SPECIAL.filter(lambda text: bool(text.strip("\x00 \t\r\n\u2028"))))
def test_whatever_a_person_writes_above_the_mark_is_what_the_memory_says(memory: Memory, words: str) -> None:
    """But for a mark of their own, which would cut it there."""
    page = a_page(memory)
    wrote = read(rendered(page).encode())
    typed = f"my words: {words.replace('<lane-memory', '<other')} end"
    head, mark, rest = rendered(page).partition("<!-- <lane-memory")
    top = head[: head.index("\n---\n", 4) + 5]
    edited = read(f"{top}\n{typed}\n\n{mark}{rest}".encode())
    wanted = changes(edited, [wrote.digests()], page)
    assert wanted == {"content": typed.replace("\r\n", "\n").strip()}


@given(memories())
def test_it_is_known_as_ours_wherever_it_is_read(memory: Memory) -> None:
    text = rendered(a_page(memory))
    assert text.startswith("---\nname: ")
    assert text.endswith(f"`lane mem show {memory.id}`\n")
    assert not any(letter in text for letter in "\x00\r\u200b")


@given(st.lists(memories(), max_size=12, unique_by=lambda memory: memory.id))
def test_every_page_has_a_name_of_its_own_that_any_disk_takes(found: list[Memory]) -> None:
    made = pages(found, {}, ["lesson-aaaa"])
    assert len({page.name.casefold() for page in made}) == len(found)
    assert all(NAME.fullmatch(page.name) and len(page.name) <= 44 for page in made)


def test_a_name_that_is_taken_or_known_is_respected() -> None:
    one, other = a_memory(), a_memory("m_aaaabbbbbbbbb")
    first, second = pages([one, other], {other.id: "mine"}, ["Use-the-copy-list-aaaa"])
    assert (first.name, second.name) == ("use-the-copy-list-aaaaa", "mine")


def test_pages_about_the_same_thing_are_linked() -> None:
    about = (Mention("file", "a.py", "src/a.py", resolved=True),)
    one, alone = a_memory(related_entities=about), a_memory("m_c" + "a" * 12)
    made = pages([one, replace(one, id="m_b" + "a" * 12), alone], {}, ())
    assert [page.links for page in made] == [(made[1].name,), (made[0].name,), ()]
    assert f"See also: [[{made[1].name}]]" in rendered(made[0])


def test_what_very_many_are_about_brings_nobody_together() -> None:
    """Else the links of 100,000 memories are ten billion comparisons."""
    everywhere, rare = (Mention("project", name, name, resolved=True) for name in ("shop", "till"))
    many = [a_memory(f"m_{n:013d}", related_entities=(everywhere,)) for n in range(MOST_ALIKE + 1)]
    two = [a_memory(f"m_b{n:012d}", related_entities=(everywhere, rare)) for n in range(2)]
    made = {page.memory.id: page for page in pages([*many, *two], {}, ())}
    assert {len(page.links) for page in made.values() if page.memory in many} == {0}
    assert [made[one.id].links for one in two] == [(made[two[1].id].name,), (made[two[0].id].name,)]


@pytest.mark.parametrize(
    ("title", "slug"),
    [("Use the COPY list!", "use-the-copy-list"), ("Ünïcode & Co", "unicode-co"), ("中文", ""), ("a" * 60, "a" * 28)],
)
def test_a_slug_is_made_of_small_letters(title: str, slug: str) -> None:
    assert kebab(title, 28) == slug


# -- a line ------------------------------------------------------------------------------------------------------------


@given(memories())
def test_a_line_is_short_whole_and_leads_to_its_page(memory: Memory) -> None:
    page = a_page(memory)
    one = line(page)
    assert len(one) <= LONGEST_LINE
    assert one.splitlines() == [one]
    assert list(listed(cut(with_lines("", [one])))) == [page.file]
    assert not re.search(r"(?<!\\)(?:\\\\)*\[", one[3:])  # none begins a link
    assert "<!--" not in one


@given(memories(), st.text(alphabet="ab []\\()<!-", min_size=1, max_size=40))
def test_a_title_written_into_the_index_is_read_back_as_it_was(memory: Memory, title: str) -> None:
    page, other = a_page(memory), replace(memory, title=f"B {title}")
    block = cut(with_lines("", [line(replace(page, memory=other))]))
    found = hand_changes(block, {page.file: ""}, {page.file: page}, {})
    assert found.titles == {page.file: " ".join(other.title.split())}


@given(TEXT, st.integers(8, 80))
def test_a_cut_breaks_no_letter_and_ends_where_it_says(text: str, most: int) -> None:
    short = shortened(text, most)
    assert len(short) <= most
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))


def test_a_letter_of_several_signs_stays_whole() -> None:
    assert shortened("cafe\u0301 au lait", 5) == "caf…"
    assert shortened("one two three", 9) == "one two…"


# -- our lines in a file of somebody else's ----------------------------------------------------------------------------

THEIRS = st.one_of(TEXT, SPECIAL).filter(lambda text: "lane:begin" not in text and "\r" not in text)
OUR_LINES = st.lists(st.sampled_from(["- [a](a.md)", "- [b](b.md) — it", "- [ü](c.md)"]), unique=True, min_size=1)


@given(THEIRS, OUR_LINES, OUR_LINES)
def test_ours_go_in_and_come_out_and_theirs_stay_byte_for_byte(text: str, first: list[str], then: list[str]) -> None:
    once = put(text, first)
    twice = put(once, then)
    assert (cut(once).lines, cut(twice).lines) == (tuple(first), tuple(then))
    assert put(once, first) == once
    assert without(once) == without(twice) == text


@given(THEIRS, THEIRS, OUR_LINES)
def test_what_is_added_behind_ours_stays_too(text: str, more: str, ours: list[str]) -> None:
    grown = put(text, ours) + more
    assert without(grown) == (text if not more else text + "\n" * (bool(text) and not text.endswith("\n")) + more)


def test_a_last_mark_that_is_gone_costs_only_what_looks_like_ours() -> None:
    text = put("# Mine\n", ["- [a](a.md)"]).replace("<!-- lane:end -->\n", "My words.\n- [b](b.md)\n")
    assert without(text) == "# Mine\nMy words.\n- [b](b.md)\n"


# -- the index ---------------------------------------------------------------------------------------------------------


@given(st.lists(memories(), max_size=6, unique_by=lambda memory: memory.id), st.integers(0, 260), TEXT)
def test_an_index_never_grows_beyond_what_is_loaded(found: list[Memory], theirs: int, text: str) -> None:
    before = "".join(f"- [{n}](x.md)\n" for n in range(theirs)) + text.replace("lane:begin", "")
    made = pages(found, {}, ())
    whole = with_lines(before, [said(page, {}) for page in chosen(made, {}, before)])
    grown = whole != before
    assert not grown or whole.count("\n") <= MOST_LINES
    assert not grown or len(whole.encode()) <= MOST_BYTES
    assert without(whole) == before


def test_bytes_count_as_well_as_lines() -> None:
    made = pages([replace(m, title="中" * 120) for m in numbered(300)], {}, ())
    whole = with_lines("", [said(page, {}) for page in chosen(made, {}, "")])
    assert len(whole.encode()) <= MOST_BYTES
    assert len(whole.encode()) + 400 > MOST_BYTES
    assert whole.count("\n") < MOST_LINES


def test_the_most_useful_stay_and_their_order_does_not_change_with_time() -> None:
    plain, *_rest = numbered(1)

    def like(name: str, **more: Any) -> Memory:
        return replace(plain, id=f"m_{name:0<13}", **more)

    pinned, proven, liked = like("pinned", pinned=True), like("proven", maturity=Maturity.PROVEN), like("liked")
    used, seen, disliked = like("used", recall_count=8), like("seen", times_observed=8), like("disliked")
    everything = [plain, disliked, seen, used, liked, proven, pinned]
    best = most_useful_first(everything, {liked.id: 3, disliked.id: -3}, NOON)
    assert best[0] == pinned
    assert best[-2:] == [plain, disliked]
    old = most_useful_first([replace(plain, last_observed_at=NOON - timedelta(days=90)), seen], {}, NOON)
    assert [memory.id for memory in old] == [seen.id, plain.id]
    made = pages(everything, {}, ())
    assert chosen(made, {}, "") == chosen(list(reversed(made)), {}, "")


def test_a_persons_own_line_stands_in_place_of_ours() -> None:
    (page,) = pages(numbered(1), {}, ())
    own = f"- [Lesson 0]({page.file}) — when it rains"
    block = cut(with_lines("", [own]))
    found = hand_changes(block, {page.file: "of another line"}, {page.file: page}, {})
    assert (found.theirs, found.titles, found.gone, found.added) == ({page.file: own}, {}, (), ())
    assert said(page, found.theirs) == own


# -- who stands in it --------------------------------------------------------------------------------------------------


@given(st.lists(memories(), max_size=8, unique_by=lambda memory: memory.id))
def test_a_projects_folder_and_the_persons_share_nothing(found: list[Memory]) -> None:
    here = [replace(memory, project_key="k") for memory in found]
    of_project, of_person = (
        belonging(here, FolderPurpose("ann", "k")),
        belonging(here, FolderPurpose("ann", of_person=True)),
    )
    assert not {memory.id for memory in of_project} & {memory.id for memory in of_person}
    assert belonging(here, FolderPurpose("bob", "k", of_person=True)) == []
    assert all(memory.scope is Scope.PROJECT for memory in of_project)


def test_what_is_for_another_agent_is_not_loaded_by_this_one() -> None:
    memory = a_memory(target_agents=("codex",), scope=Scope.PERSON)
    assert belonging([memory], FolderPurpose("ann", of_person=True, agent="claude-code")) == []
    assert belonging([memory], FolderPurpose("ann", of_person=True)) == [memory]
    assert INDEX == "MEMORY.md"
