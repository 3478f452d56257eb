"""What was answered: understood, or refused with a reason its writer can act on."""

from __future__ import annotations

import json
import random

import msgspec
import pytest

from memlane.catch.model.answer import WindowAnswer, schema, understood
from memlane.domain import Mention, Quote, Scope, Spot, Type
from tests.rooms.catch.example_window import lesson, window

WHOLE = {"memories": [lesson()]}


def read(given: object, nearby: tuple[str, ...] = ("m_bbbbbbbbbbbbb",)) -> WindowAnswer:
    return understood(given if isinstance(given, str) else json.dumps(given), window(), nearby.__contains__)


def problem(**changed: object) -> str:
    """The one thing that is wrong with a memory changed like this."""
    answer = read({"memories": [lesson(**changed)]})
    (found,) = answer.problems
    assert answer.drafts == ()
    return str(found)


def test_a_right_answer_becomes_a_draft_with_every_field() -> None:
    (draft,) = read(WHOLE).drafts
    assert (draft.type, draft.scope, draft.confidence) == (Type.CORRECTION, Scope.PERSON, 92)
    assert draft.quotes == (Quote(Spot(3, 1), "Amy and I are casual, use a friendly tone"),)
    assert draft.mentions == (Mention("person", "Amy"),)
    assert (draft.category, draft.same_as) == ("email", "")
    assert (draft.when, draft.always, draft.cues) == (
        "writing to Amy Hoy",
        False,
        ("reply to Amy", "draft a mail to Ms Hoy"),
    )


def test_type_title_content_and_quotes_are_all_that_is_asked_for() -> None:
    needed = {name: value for name, value in lesson().items() if name in ("type", "title", "content", "quotes")}
    (draft,) = read({"memories": [needed]}).drafts
    assert (draft.reasoning, draft.when, draft.always, draft.cues) == ("", "", False, ())
    assert draft.confidence >= 60


def test_worth_is_a_whole_number_and_two_where_it_is_unsaid() -> None:
    unsaid, said = read({"memories": [lesson(), lesson(worth=3.0, replaces="m_bbbbbbbbbbbbb")]}).drafts
    assert (unsaid.worth, unsaid.replaces) == (2, "")
    assert (said.worth, said.replaces) == (3, "m_bbbbbbbbbbbbb")
    assert problem(worth=4).startswith("memories[0].worth: 4 will not do; 2 or 3")


def test_nothing_worth_keeping_is_an_answer() -> None:
    assert read({"memories": []}) == WindowAnswer()


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(WHOLE),
        json.dumps(WHOLE, indent=2),
        f"Here is what I found:\n\n```json\n{json.dumps(WHOLE)}\n```\n\nLet me know!",
        f"```\n{json.dumps(WHOLE)}\n```",
        f"I read {{the window}} and: {json.dumps(WHOLE)} That is all.",
        f"{json.dumps(WHOLE)}\n{json.dumps(WHOLE)}",
        json.dumps(WHOLE["memories"]),
        json.dumps({"memories": [lesson(confidence=92.0, alternatives=None, same_as=None)]}),
        json.dumps({"memories": [lesson(extra="ignored")], "note": "x"}),
        json.dumps(
            {"memories": [lesson(quotes=[{"step": " t3.1", "words": "Amy  and I are\ncasual, use a friendly tone"}])]}
        ),
    ],
)
def test_what_stands_around_an_answer_does_not_matter(text: str) -> None:
    answer = read(text)
    assert answer.problems == ()
    assert [draft.title for draft in answer.drafts] == ["Amy Hoy prefers a casual, friendly tone in mail"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("I found nothing of note.", "no JSON object"),
        ('{"memories": [{"type": "corr', "does not parse"),
        ('{"notes": []}', "no JSON object with memories"),
        ('{"memories": null}', "not a list"),
        ('{"memories": {}}', "not a list"),
        ('{"memories": [], "memories": [{}]}', "twice"),
        ('{"memories": [{"confidence": NaN}]}', "NaN is not a number"),
        ('{"memories": [{"confidence": -Infinity}]}', "Infinity is not a number"),
        ('{"memories": []} or rather {"memories": [{}]}', "several answers"),
        ('{"a":' * 50_000, ""),
        ("[" * 50_000, ""),
        ("{" * 50_000, ""),
        ("null", "no JSON object"),
        ('"memories"', "no JSON object"),
    ],
)
def test_what_is_no_answer_is_never_nothing_found(text: str, said: str) -> None:
    answer = read(text)
    assert answer.broken
    assert answer.drafts == ()
    assert said in str(answer.problems[0])


@pytest.mark.parametrize(
    ("changed", "field", "fix"),
    [
        ({"type": "preference"}, "memories[0].type", "commitment"),
        ({"type": None}, "memories[0].type", "is missing"),
        ({"type": ["correction"]}, "memories[0].type", "one of: correction"),
        ({"title": ""}, "memories[0].title", "is empty"),
        ({"title": " \n"}, "memories[0].title", "is empty"),
        ({"title": "x" * 501}, "memories[0].title", "501 characters"),
        ({"content": ""}, "memories[0].content", "is empty"),
        ({"content": "x" * 4001}, "memories[0].content", "4,001 characters"),
        ({"content": 7}, "memories[0].content", "someone who never saw this run"),
        ({"quotes": []}, "memories[0].quotes", '"step": "t3.1"'),
        ({"quotes": "t3.1"}, "memories[0].quotes", '"step": "t3.1"'),
        ({"quotes": [{"step": "t3.1"}]}, "memories[0].quotes[0]", "words"),
        ({"quotes": [{"step": "t3.1", "words": " "}]}, "memories[0].quotes[0].words", "copy the words from t3.1"),
        ({"quotes": [{"step": "t9.1", "words": "x"}]}, "memories[0].quotes[0].step", "from t1.1 to t3.1"),
        ({"quotes": [{"step": "turn 3", "words": "x"}]}, "memories[0].quotes[0].step", "written as t3.1"),
        ({"quotes": [{"step": f"t{'9' * 5000}.1", "words": "x"}]}, "memories[0].quotes[0].step", "written as t3.1"),
        ({"reasoning": 7}, "memories[0].reasoning", "why it is kept"),
        ({"when": "x" * 201}, "memories[0].when", "one phrase"),
        ({"always": "yes"}, "memories[0].always", "true or false"),
        ({"cues": "reply to Amy"}, "memories[0].cues", "a list"),
        ({"cues": ["x" * 201]}, "memories[0].cues[0]", "200 characters each"),
        ({"cues": [str(n) for n in range(9)]}, "memories[0].cues", "at most 8"),
        ({"confidence": 0.9}, "memories[0].confidence", "0 to 100"),
        ({"confidence": 101}, "memories[0].confidence", "101 will not do"),
        ({"confidence": "high"}, "memories[0].confidence", "'high' will not do"),
        ({"confidence": True}, "memories[0].confidence", "0 to 100"),
        ({"confidence": 10**400}, "memories[0].confidence", "0 to 100"),
        ({"scope": "repo"}, "memories[0].scope", "one of: project, person, tool, global"),
        ({"entities": ["Amy"]}, "memories[0].entities[0]", '"name": "Amy Hoy"'),
        ({"target_agents": "codex"}, "memories[0].target_agents", "a list"),
        ({"alternatives": [1]}, "memories[0].alternatives[0]", "a list"),
        ({"same_as": "m_zzzzzzzzzzzzz"}, "memories[0].same_as", "is not a memory of this project or person"),
    ],
)
def test_a_refusal_names_the_field_what_is_wrong_and_what_to_do(
    changed: dict[str, object], field: str, fix: str
) -> None:
    said = problem(**changed)
    assert said.startswith(f"{field}: ")
    assert fix in said


def test_all_that_is_wrong_is_told_at_once() -> None:
    answer = read({"memories": [lesson(type="x", confidence=-1), "no object", lesson()]})
    assert [p.field for p in answer.problems] == ["memories[0].type", "memories[0].confidence", "memories[1]"]
    assert answer.broken
    assert len(answer.drafts) == 1
    assert answer.numbers == (2,)


def test_a_quote_that_is_not_verbatim_is_shown_the_words_that_stand_there() -> None:
    said = problem(quotes=[{"step": "t3.1", "words": "Amy and I are really casual, so use a friendly tone"}])
    assert "not in t3.1 word for word" in said
    assert "use a friendly tone" in said.split("nearest")[1]


def test_a_quote_of_another_step_is_told_which() -> None:
    assert "those words are in t3.1" in problem(quotes=[{"step": "t2.1", "words": "use a friendly tone"}])


def test_the_heart_of_a_memory_may_not_stand_in_the_context() -> None:
    assert "t2.1 or later" in problem(quotes=[{"step": "t1.1", "words": "hello"}])


def test_a_wrong_quote_costs_its_memory_and_no_other() -> None:
    wrong = lesson(quotes=[{"step": "t3.1", "words": "nobody said this"}])
    answer = read({"memories": [lesson(), wrong]})
    assert (len(answer.drafts), len(answer.doubtful), len(answer.problems)) == (1, 1, 1)
    assert not answer.broken


def test_too_many_are_too_many() -> None:
    assert "too many" in str(read({"memories": [lesson()] * 21}).problems[0])


def test_words_inside_a_tool_call_can_be_quoted() -> None:
    answer = read({"memories": [lesson(quotes=[{"step": "t2.3", "words": "command: cat contacts/amy.md"}])]})
    assert answer.problems == ()


def test_the_schema_refers_to_nothing_and_fits_a_right_answer() -> None:
    text = json.dumps(schema())
    assert "$ref" not in text
    fields = schema()["properties"]["memories"]["items"]["properties"]  # type: ignore[index]
    assert sorted(fields) == sorted(lesson())


def test_no_answer_whatever_breaks_the_reading() -> None:
    chance = random.Random(5)
    whole = json.dumps({"memories": [lesson(), lesson(type="decision")]})
    for _ in range(400):
        start, end = sorted(chance.randrange(len(whole)) for _ in range(2))
        piece = chance.choice(["", '"', "{", "}", "[", "]", "null", "NaN", "\\u0000", "\ud800", "😀", whole[:40]])
        answer = read(whole[:start] + piece + whole[end:])
        assert answer.problems or not answer.broken
        msgspec.json.encode([str(p).encode("utf-8", "replace").decode() for p in answer.problems])
