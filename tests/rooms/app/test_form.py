"""The form a person edits: what it says comes back, and all that is wrong is said at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.app.memories.form import edited, form, framed, read_form, values_of
from memlane.domain import Memory, Project
from tests.rooms.app.memories import a_memory

SHOP = Project("acme/shop", "github.com/acme/shop")
MEMORY = a_memory(project="acme/shop", project_key=SHOP.key, category="code", confidence=70)
LINE = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), min_size=1).map(str.strip).filter(bool)


def nowhere(_name: str) -> Project | None:
    return None


def taken(memory: Memory, text: str) -> tuple[Memory, list[str]]:
    wanted, wrong = read_form(text)
    after, more = edited(memory, wanted, nowhere)
    return after, [*wrong, *more]


@given(title=LINE, content=st.lists(LINE, min_size=1))
def test_an_untouched_form_changes_nothing(title: str, content: list[str]) -> None:
    memory = a_memory(title=" ".join(title.split()), content="\n".join(content))
    assert taken(memory, form(memory)) == (memory, [])


def test_what_is_changed_in_it_is_changed_and_nothing_else() -> None:
    text = form(MEMORY).replace("confidence: 70", "confidence: 95").replace("type: correction", "type: Decision")
    after, wrong = taken(MEMORY, text.replace("agents:", "agents: codex, pi"))
    assert wrong == []
    assert (after.confidence, after.type.value, after.target_agents) == (95, "decision", ("codex", "pi"))
    assert values_of(after) | {"confidence": "70", "type": "correction", "agents": ""} == values_of(MEMORY)


def test_when_it_matters_can_be_said_in_the_form() -> None:
    text = form(MEMORY).replace("\nwhen:", "\nwhen: adding a package").replace("always: no", "always: yes")
    after, wrong = taken(
        MEMORY, text.replace("\ncue:", "\ncue: add a payments package\ncue: module not found | container")
    )
    assert wrong == []
    assert (after.when, after.always) == ("adding a package", True)
    assert after.cues == ("add a payments package", "module not found | container")
    assert taken(after, form(after)) == (after, [])


def test_a_cue_whose_line_is_deleted_is_gone() -> None:
    memory = a_memory(cues=("one", "two"))
    assert taken(memory, form(memory).replace("cue: two\n", ""))[0].cues == ("one",)
    assert taken(memory, form(memory).replace("cue: two\n", "").replace("cue: one\n", ""))[0].cues == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("always: no", "always: perhaps", "always: 'perhaps' is not yes or no"),
        ("\nwhen:", f"\nwhen: {'x' * 201}", "when: at most 200 characters, not 201"),
        ("\ncue:", f"\ncue: {'x' * 201}", "cue: at most 200 characters each, not 201"),
        ("\ncue:", "".join(f"\ncue: {n}" for n in range(9)), "cue: at most 8, not 9"),
    ],
)
def test_what_is_wrong_with_when_and_cues_is_said(old: str, new: str, said: str) -> None:
    assert taken(MEMORY, form(MEMORY).replace(old, new, 1))[1] == [said]


def test_a_text_may_hold_lines_that_look_like_fields_or_comments() -> None:
    content = "# not a comment\ntitle: not a title\n---\nthe end"
    memory = a_memory(content=content)
    assert taken(memory, form(memory)) == (memory, [])
    assert taken(memory, framed(form(memory), memory.id, ["something"])) == (memory, [])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("confidence: 70", "confidence: 101", "confidence: '101'"),
        ("confidence: 70", "confidence: very", "confidence: 'very'"),
        ("type: correction", "type: rumour", "type: 'rumour' is not one of: correction"),
        ("scope: project", "scope: galaxy", "scope: 'galaxy'"),
        ("title: Use the COPY list", "title:", "title: missing"),
        ("title: Use", "heading: Use", "is not one of: title"),
        ("project: acme/shop", "project: acme/nowhere", "project: 'acme/nowhere' is not known here"),
        ("---\n", "", "the line --- above the text is missing"),
        ("Every new package goes into the COPY list.", "", "is empty"),
        ("title: Use the COPY list", f"title: {'x' * 501}", "at most 500 characters, not 501"),
    ],
)
def test_what_is_wrong_is_said(old: str, new: str, said: str) -> None:
    text = form(MEMORY)
    assert old in text
    _after, wrong = taken(MEMORY, text.replace(old, new))
    assert any(said in what for what in wrong), wrong


def test_all_that_is_wrong_is_said_at_once_above_the_persons_own_text() -> None:
    text = form(MEMORY).replace("confidence: 70", "confidence: 700").replace("type: correction", "type: rumour")
    _after, wrong = taken(MEMORY, text)
    assert len(wrong) == 2
    again = framed(text, MEMORY.id, wrong)
    assert again.count("# WRONG: ") == 2
    assert read_form(again) == read_form(text)
    assert "# WRONG: " not in framed(again, MEMORY.id, [])


def test_a_project_is_named_by_what_finds_it() -> None:
    other = Project("acme/api", "github.com/acme/api")
    after, wrong = edited(MEMORY, {"project": "api"}, lambda name: other if name == "api" else None)
    assert (after.project, after.project_key, wrong) == ("acme/api", other.key, [])
    same, _ = edited(MEMORY, {"project": "github.com/acme/shop"}, nowhere)
    assert same == MEMORY


@pytest.mark.parametrize(
    ("content", "title", "then"),
    [
        ("Use bun", "Use pnpm", "Use pnpm"),
        ("Use bun.", "Use pnpm", "Use pnpm."),
        ("Use bun.", "Use pnpm.", "Use pnpm."),
        ("Use bun. npm is too slow here.", "Use pnpm", "Use pnpm. npm is too slow here."),
        ("Bun runs the tests.", "Use pnpm", "Bun runs the tests."),  # it says something else
    ],
)
def test_a_new_title_also_stands_where_the_text_said_the_old_one(content: str, title: str, then: str) -> None:
    memory = a_memory(title="Use bun", content=content)
    after, wrong = edited(memory, {"title": title}, nowhere)
    assert (after.title, after.content, wrong) == (title, then, [])


def test_a_new_text_is_also_the_title_where_both_were_the_same_sentence() -> None:
    memory = a_memory(title="Use bun", content="Use bun.")
    assert edited(memory, {"content": "Use pnpm."}, nowhere)[0].title == "Use pnpm."
    assert edited(memory, {"content": "Use pnpm, " * 100}, nowhere)[0].title == "Use bun"
    both, _wrong = edited(memory, {"title": "Package manager", "content": "Use pnpm."}, nowhere)
    assert (both.title, both.content) == ("Package manager", "Use pnpm.")
