"""Plain teachings are found in a prompt, worded to be read alone; what only sounds like one is left out."""

from __future__ import annotations

import pytest

from memlane.catch.teachings import Plainness, retractions, teachings
from memlane.catch.teachings.likelihood import MOST_LOOKED, WHOLE
from memlane.catch.teachings.own_text import FILLER, LONGEST, own_text
from memlane.domain import Scope, Type
from tests.rooms.catch.teaching_examples import (
    ENGLISH,
    NOT_ENGLISH_TEACHINGS,
    NOT_IN_OTHER_LANGUAGES,
    OTHER_LANGUAGES,
)


@pytest.mark.parametrize("prompt", [*ENGLISH, *OTHER_LANGUAGES])
def test_a_teaching_is_found_and_quoted_word_for_word(prompt: str) -> None:
    found = teachings(prompt)
    assert found
    for one in found:
        assert prompt[one.start : one.end] == one.quote
        assert one.title[-1] in ".!?…。！？"


@pytest.mark.parametrize("prompt", [*NOT_ENGLISH_TEACHINGS, *NOT_IN_OTHER_LANGUAGES])
def test_what_only_sounds_like_one_is_not(prompt: str) -> None:
    assert teachings(prompt) == []


@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        ("please remember: releases are cut on Thursdays only", "Releases are cut on Thursdays only."),
        ("I prefer small PRs", "The person prefers small PRs."),
        ("i'd like you to always run gofmt, thanks", "Always run gofmt."),
        ("btw, from now on: migrations run before the deploy", "Migrations run before the deploy."),
        ("could you please always put units in variable names?", "Always put units in variable names."),
        (
            "Merk dir bitte: Releases gehen bei uns nur donnerstags raus.",
            "Releases gehen bei uns nur donnerstags raus.",
        ),
        ("请记住：发布只在周四进行", "发布只在周四进行。"),
    ],
)
def test_its_title_reads_alone(prompt: str, title: str) -> None:
    assert [one.title for one in teachings(prompt)] == [title]


@pytest.mark.parametrize(
    ("prompt", "scope", "type_"),
    [
        ("from now on answer in German", Scope.PERSON, Type.COMMITMENT),
        ("I hate long preambles", Scope.PERSON, Type.COMMITMENT),
        ("we decided to drop Node 18", Scope.PROJECT, Type.DECISION),
        ("this is the third time I'm telling you: tests must be run with --runInBand", Scope.PROJECT, Type.CORRECTION),
        ("in this repo we use pnpm, not npm", Scope.PROJECT, Type.COMMITMENT),
    ],
)
def test_it_has_a_scope_and_a_type(prompt: str, scope: Scope, type_: Type) -> None:
    (one,) = teachings(prompt)
    assert (one.scope, one.type, one.plainness) == (scope, type_, Plainness.PLAIN)


def test_what_is_cut_or_left_open_waits_for_a_yes() -> None:
    long = f"remember: {'the north belt and ' * 16}the south belt are never moved at night"
    open_ = "Amounts are kept in cents everywhere (see {name of the table."
    assert [one.plainness for one in (*teachings(long), *teachings(open_))] == [Plainness.UNCLEAR] * 2
    assert [one.plainness for one in teachings(open_.replace("table", "table})"))] == [Plainness.PLAIN]


def test_an_order_to_say_it_again_is_not_plain() -> None:
    said = "answer me with full details again from scratch, top to bottom of our conversation, don't skip anything"
    assert all(one.plainness is Plainness.UNCLEAR for one in teachings(said))


@pytest.mark.parametrize("said", ["Use uv not pip", "no, use pnpm instead of npm here", "use tabs, not spaces."])
def test_which_tool_instead_of_which_is_plain_when_it_is_all_that_is_said(said: str) -> None:
    (one,) = teachings(said)
    assert one.plainness is Plainness.PLAIN


@pytest.mark.parametrize("said", ["Everything works, you are a monster.", "the tests pass now, you're the best"])
def test_praise_teaches_nothing(said: str) -> None:
    assert teachings(said) == []


def test_a_sentence_with_a_key_or_a_digest_in_it_waits_unless_it_is_announced() -> None:
    said = "Our staging database is refreshed from {} on Sundays."
    digest = "4f2a9c81d7e64b03a1f5c2e9"
    assert [one.plainness for one in teachings(said.format("production"))] == [Plainness.PLAIN]
    assert [one.plainness for one in teachings(said.format(digest))] == [Plainness.UNCLEAR]
    assert [one.plainness for one in teachings(f"From now on: {said.format(digest)}")] == [Plainness.PLAIN]


def test_a_statement_without_an_announcement_waits_for_a_yes() -> None:
    (one,) = teachings("The nightly job is run by the ops account.")
    assert one.plainness is Plainness.UNCLEAR


@pytest.mark.parametrize(
    "plain",
    [
        "Migrations are reviewed by two people.",
        "Nothing is merged while main is red, that's how we work.",
        "Amounts are kept in cents everywhere.",
        "Copy on buttons is sentence case.",
    ],
)
def test_a_convention_that_no_pattern_knows_is_plain_by_what_it_says(plain: str) -> None:
    (one,) = teachings(plain)
    assert (one.plainness, one.why[-1]) == (Plainness.PLAIN, WHOLE)


@pytest.mark.parametrize("back", ["please forget the rule about squash merges", "Forget what I said about tabs."])
def test_what_takes_a_teaching_back_is_none(back: str) -> None:
    assert (teachings(back), len(retractions(back))) == ([], 1)


def test_of_a_long_list_all_rules_are_found_though_only_the_likeliest_are_read() -> None:
    rules = [f"never push to branch-{n} without asking me" for n in range(MOST_LOOKED + 3)]
    found = teachings("From now on:\n" + "\n".join(f"- {rule}" for rule in rules))
    assert [one.quote for one in found] == rules


def test_an_item_of_a_list_that_announces_no_rules_waits_for_a_yes() -> None:
    (torn,) = teachings("Please do these:\n- rename the handlers\n- we never use default exports in this repo")
    (one,) = teachings("we never use default exports in this repo")
    (ruled,) = teachings("House rules:\n- we never use default exports in this repo\n- anything that helps")
    assert [each.plainness for each in (torn, one, ruled)] == [Plainness.UNCLEAR, Plainness.PLAIN, Plainness.PLAIN]


@pytest.mark.parametrize(
    "announced", ["almost forgot this: ", "Additional context: ", "oh, I forgot to mention: ", "PS: "]
)
def test_what_only_announces_is_not_in_the_title(announced: str) -> None:
    (one,) = teachings(f"{announced}every new file needs a header with the ticket number")
    assert one.title == "Every new file needs a header with the ticket number."


def test_it_says_which_signs_and_words_spoke_for_it() -> None:
    (one,) = teachings("we never use default exports in this repo")
    assert "strong" in one.why
    assert '"in this"' in one.why


@pytest.mark.parametrize(
    "prompt",
    [
        "I read your output on my phone, so avoid wide tables",
        "I'm colour blind, so never use red and green in charts",
        "Je suis daltonien, évite le rouge et le vert dans les graphiques.",
    ],
)
def test_a_preference_and_the_rule_it_implies_are_one(prompt: str) -> None:
    assert [one.quote for one in teachings(prompt)] == [prompt]


def test_a_thing_that_does_not_do_what_it_should_is_no_teaching() -> None:
    assert teachings("the toggle doesn't stick, always white") == []


@pytest.mark.parametrize(
    "prompt",
    [
        "Crate details should not have any initial messages of the belt.",
        "Only the label of the crate should have the name of the belt.",
    ],
)
def test_what_could_be_said_of_a_program_is_not_kept_without_a_yes(prompt: str) -> None:
    assert [one for one in teachings(prompt) if one.plainness is Plainness.PLAIN] == []


def test_each_item_under_a_heading_is_one() -> None:
    found = teachings("Remember for this repo:\n- no merge commits\n- tests live in spec/\n\nNow fix the footer.")
    assert [one.title for one in found] == ["No merge commits.", "Tests live in spec/."]


def test_several_in_one_prompt_are_found_beside_the_task() -> None:
    prompt = "Fix the footer. Btw we never use default exports here. And I prefer short answers. Then run the tests."
    assert [one.quote for one in teachings(prompt)] == [
        "we never use default exports here.",
        "I prefer short answers.",
    ]


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        ("I prefer pnpm. From now on always use pnpm, never npm.", ["Always use pnpm, never npm."]),
        ("Always use British spelling. I prefer British spelling.", ["Always use British spelling."]),
        ("I don't like mocks. Never use mocks in tests.", ["Never use mocks in tests."]),
    ],
)
def test_a_preference_and_the_rule_beside_it_are_one_teaching_of_the_person(prompt: str, kept: list[str]) -> None:
    assert [(one.title, one.scope) for one in teachings(prompt)] == [(title, Scope.PERSON) for title in kept]


@pytest.mark.parametrize(
    "prompt",
    [
        "I prefer tabs. Never use tabs in Makefiles.",
        "I prefer tabs. Always run the linter.",
        "I prefer tabs. Always use tabs in this project.",
        "I prefer dark themes. Always use dark themes in screenshots of the settings page and the docs.",
    ],
)
def test_a_rule_that_says_more_or_otherwise_stands_beside_the_preference(prompt: str) -> None:
    assert len(teachings(prompt)) == 2


def test_a_list_of_work_teaches_nothing() -> None:
    assert teachings("The form has to do this:\n- always trim the name\n- never keep an empty row") == []


def test_what_follows_a_line_that_announces_no_rule_is_pasted() -> None:
    assert teachings("My console prints this:\nfrom now on use the new flag\n\nCan I turn it off?") == []


def test_several_things_behind_one_announcement_are_several_teachings() -> None:
    found = teachings("Two things to remember: the queue is called jobs-eu, and the worker needs Redis 7.")
    assert [one.title for one in found] == ["The queue is called jobs-eu.", "The worker needs Redis 7."]


@pytest.mark.parametrize(
    ("prompt", "quote"),
    [
        ("Headlines are in sentence case. Keep it that way in all documents.", "Headlines are in sentence case."),
        ("Les titres restent courts. Toujours.", "Les titres restent courts."),
        ("call me Kim, not Kimberly, ok?", "call me Kim, not Kimberly, ok?"),
        ("When you are done, tell me; I always want a short list.", "I always want a short list."),
    ],
)
def test_what_stands_around_a_sentence_says_how_it_is_meant(prompt: str, quote: str) -> None:
    assert [one.quote for one in teachings(prompt)] == [quote]


@pytest.mark.parametrize(
    "prompt",
    [
        "remember: never trust a parrot with your keys haha",
        "You should always salute the linter. Just kidding. Run it.",
        "Merke: wer nachts merged, weint morgens, haha.",
        "I prefer the second version, go ahead.",
        "The sidebar should always stay open. Implement that.",
        "Add a menu with three entries (once, daily, never ask again).",
        "you can always restart the container",
    ],
)
def test_jokes_choices_features_and_idioms_teach_nothing(prompt: str) -> None:
    assert teachings(prompt) == []


@pytest.mark.parametrize(
    "pasted",
    [
        "```\n# never call this\n```",
        "> always rebase before you push",
        "<rules>never push to main</rules>",
        'the banner says "always wear a helmet at work"',
        "From: Kim\nSubject: rules\nfrom now on releases are cut on Fridays",
        "Here is the review:\n- always use Path\n- never catch Exception",
        "10:41 kim: always rebase\n10:42 ann: never squash",
    ],
)
def test_what_was_pasted_or_quoted_teaches_nothing(pasted: str) -> None:
    assert teachings(f"what do you make of this?\n\n{pasted}") == []


def test_pasted_text_is_veiled_and_every_place_stays() -> None:
    prompt = 'look: "never" <b>always</b> end'
    own = own_text(prompt)
    assert len(own) == len(prompt)
    assert own.replace(FILLER, "") == "look:   end"


def test_a_prompt_of_any_length_is_looked_at_only_so_far() -> None:
    assert len(own_text("<a>" * LONGEST)) == LONGEST
    assert teachings("x " * LONGEST + ". remember: tabs are banned here") == []


@pytest.mark.parametrize(
    ("prompt", "about"),
    [
        ("forget what I said about release days.", ["release days"]),
        ("Never mind what I told you about tabs, spaces are fine", ["tabs"]),
        ("vergiss, was ich über Releases gesagt habe", ["Releases"]),
        ("oublie ce que j'ai dit sur les releases", ["les releases"]),
        ("olvida lo que dije sobre los releases", ["los releases"]),
        ("esquece o que eu disse sobre os releases", ["os releases"]),
        ("did you forget what I said about tabs?", []),
        ("I forgot about it", []),
    ],
)
def test_taking_back_in_prose_says_what_it_is_about(prompt: str, about: list[str]) -> None:
    assert retractions(prompt) == about
