"""What the embedded extractor never keeps, each rule with what it stops and what it lets through."""

from __future__ import annotations

import pytest

from memlane.catch.embedded import vetoes
from memlane.catch.embedded.features import content_words
from memlane.catch.embedded.rules import told, weight
from memlane.catch.moment import Moment

ORCHESTRATED = (
    "You are the night-shift worker of the harvest plant.\n\nRole:\n- Sort crates only. NEVER open a crate.\n\n"
    "Rules:\n- You MUST write a log line for each crate.\n- Keep the belt running.\n\nDone when: the belt is empty.",
    "Write a short report in this exact format:\n\n**Summary:** [one sentence]\n\nRules:\n"
    '- NEVER begin with \\"Great!\\"\n- You MUST name each crate\n- Say \\"none\\" if there is none',
    "# Plan: move the orchard\n\n## Context\nThe trees stand too close to the road.\n\n## Steps\n"
    + "- dig one out\n" * 90,
    "Task D — Count the crates\n\n  Context: the belt counts twice.\n\n"
    "  Task: count once.\n\n  Done when: it counts once.",
)
TYPED = (
    "You are wrong about the crates: we never open them on the belt, because the scale is behind it",
    "no, always count the crates twice. the first count is off by one since the sensor sees its own arm",
    "- use metres, not feet\n- keep the labels short\n- the belt should stop when the door opens",
)


@pytest.mark.parametrize("text", ORCHESTRATED)
def test_a_prompt_written_by_a_program_states_nobodys_rules(text: str) -> None:
    assert vetoes.of_moment(Moment(text)) == "written_by_a_program"


@pytest.mark.parametrize("text", TYPED)
def test_what_a_person_typed_passes(text: str) -> None:
    assert vetoes.of_moment(Moment(text, next="Alright.")) is None


PASTED = (
    "Medium Severity\n\nThe belt calls stop() directly and never looks at the door switch, so it keeps moving.",
    "ReferenceError: crate is not defined\n    at belt.js:12:4\nplease fix the belt",
    "look here\n⏺ Read 4 files (ctrl+o to expand)\n  ⎿ done\n",
)


@pytest.mark.parametrize("text", PASTED)
def test_what_was_pasted_is_not_what_somebody_says(text: str) -> None:
    assert vetoes.of_moment(Moment(text, next="I see.")) == "pasted"


def test_a_pasted_line_does_not_hide_a_rule_beside_it() -> None:
    text = "ReferenceError: crate is not defined\nwe should never read a crate before the scale has answered"
    assert vetoes.of_moment(Moment(text, next="I see.")) is None


ASKED = ('AskUserQuestion {"questions": []}',)


@pytest.mark.parametrize(
    "text", ["Two belts first (Recommended)", "Two belts first\nBlue labels", "Keep both doors (MVP)"]
)
def test_labels_of_a_question_without_the_question_say_nothing(text: str) -> None:
    assert vetoes.of_moment(Moment(text, before_tools=ASKED, next="Good.")) == "only_picked"


@pytest.mark.parametrize(
    "text",
    [
        "Two belts first (Recommended)\nbut never run both at night because of the neighbours",
        "keep both doors, because we need one for the trucks",
    ],
)
def test_words_of_their_own_beside_a_label_count(text: str) -> None:
    assert vetoes.of_moment(Moment(text, before_tools=ASKED, next="Good.")) is None


TITLES = (
    ("a_question", "Why is the belt so slow?"),
    ("no_words_of_its_own", "It said that before."),
    ("no_words_of_its_own", "Keep the one previously entered"),
    ("no_words_of_its_own", "The new one we just built"),
    ("no_words_of_its_own", "Avoid inventing our own."),
    ("no_words_of_its_own", "We should just set it in `scale.py`"),
    ("a_fragment", "Crates with no label."),
    ("a_fragment", "Because the scale is slow"),
    ("a_fragment", "The belt stops (which nobody wanted, and the…"),
    ("a_fragment", "The comment says that the belt is slow but"),
    ("about_the_agent", "You forgot to look at the scale"),
    ("about_the_agent", "Your next reply should not change the belt"),
    ("about_the_agent", "The person wants you to look at the belt"),
    ("a_report", "Seems like the belt is broken"),
    ("printed", 'Never begin with \\"Great!'),
    ("of_the_speaker", "I cropped the label without looking at the crate."),
)  # fmt: skip


@pytest.mark.parametrize(("rule", "title"), TITLES)
def test_a_title_that_does_not_stand_on_its_own_is_stopped(rule: str, title: str) -> None:
    assert vetoes.of_title(title) is not None
    assert getattr(vetoes, rule)(title)


FINE = (
    "Never open a crate on the belt",
    "Crates are weighed twice because the scale drifts",
    "The person prefers short labels",
    "`belt.stop()` must not throw",
    "We don't ship the scale's driver with the belt",
    "If the door opens, the belt has to stop",
    "npm run belt needs Node 20, not 18",
)


@pytest.mark.parametrize("title", FINE)
def test_a_clean_sentence_passes(title: str) -> None:
    assert vetoes.of_title(title) is None


@pytest.mark.parametrize(
    "said",
    [
        "Updated the belt and the scale so that both stop",
        "The labels have been moved because the door was in the way",
        "The belt now also stops, not only the scale",
        "The door is closed because I had to test it",
    ],
)
def test_a_deed_of_the_agent_is_no_title(said: str) -> None:
    assert vetoes.of_reply(said) == "a_deed"


@pytest.mark.parametrize(
    "said", ["`crate_text` is defined in the theme but never used", "The quiet flag doesn't create it"]
)
def test_what_the_code_says_anyway_is_no_title(said: str) -> None:
    assert vetoes.of_reply(said) is not None


@pytest.mark.parametrize(
    "said",
    [
        "We can list the belts and weigh every crate",
        "If the door opens, we could have two labels",
        "The labels should now be printed once",
    ],
)
def test_what_an_agent_proposes_or_hopes_for_is_no_title(said: str) -> None:
    assert vetoes.of_reply(said) == "a_proposal"


def test_a_heading_that_a_script_prints_opens_a_log() -> None:
    lines = "\n".join(
        ["=== Step 4: belts ===", "Belts: 2", "Crates: 9", "Crate 3 was lost, so it should not be counted"]
    )
    assert vetoes.of_moment(Moment(f"{lines}\nDone")) == "pasted"
    assert vetoes.of_moment(Moment("crate 3 was lost, so it should not be counted")) is None


def test_a_cause_the_agent_states_may_be_one() -> None:
    assert vetoes.of_reply("The scale answers late because its cable is shared with the door") is None


@pytest.mark.parametrize(
    ("sentence", "sort", "words"),
    [
        ("never open a crate", "rule", "never"),
        ("we weigh twice because the scale drifts", "reason", "because"),
        ("use metres instead of feet", "contrast", "instead of"),
        ("blue labels, not red ones", "contrast", "not red"),
    ],
)
def test_a_sentence_names_what_it_tells(sentence: str, sort: str, words: str) -> None:
    assert (sort, words) in {(each.sort, each.words) for each in told(sentence)}


@pytest.mark.parametrize("sentence", ["run the belt", "have a look at the scale first", "can you open the door"])
def test_a_request_of_the_moment_tells_nothing(sentence: str) -> None:
    assert content_words(sentence)
    assert weight(sentence) <= 0


@pytest.mark.parametrize(
    ("title", "why"),
    [
        ("The problem was a stale lock in /Users/kit/crates/lock", "of_the_day"),
        ("The other belts seem to work, so that's fine", "of_the_day"),
        ("Generate a picture for that now, provided the door is open", "of_the_day"),
        ("Weigh each crate twice and if the scale is still off", "left_hanging"),
        ("To report crates that nobody has opened", "left_hanging"),
    ],
)
def test_what_is_over_with_its_task_or_was_cut_in_half_is_no_title(title: str, why: str) -> None:
    assert vetoes.of_title(title) == why


@pytest.mark.parametrize(
    "title",
    [
        "Weigh the crates first, and if the scale is off, stop the belt",
        "Keep crates under /srv/home, never on the belt",
        "The belt stops when the door opens, because the scale is behind it",
    ],
)
def test_a_rule_with_a_condition_and_both_halves_passes(title: str) -> None:
    assert vetoes.of_title(title) is None


@pytest.mark.parametrize(
    "said",
    [
        "The first three tests pass because they never open a crate",
        "The belt was stopped by the door switch",
        "A sorting rule the manual never mentions",
    ],
)
def test_what_an_agent_came_across_while_it_searched_is_no_lesson(said: str) -> None:
    assert vetoes.of_reply(said) == "seen_in_passing"
