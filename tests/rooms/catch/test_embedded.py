from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memlane.catch.checks import check
from memlane.catch.embedded import EmbeddedExtractor
from memlane.catch.embedded.classifier import Judgement
from memlane.catch.embedded.sentences import as_rule
from memlane.catch.embedded.writer import VERY_SURE, written
from memlane.catch.extractor import ACTIVE_FROM, STORED_FROM
from memlane.catch.moment import Moment
from memlane.catch.windows.triggers import triggers
from memlane.domain import Author, Draft, Scope, Step, Type, Window
from memlane.gate import Gate
from tests.rooms.catch.small_runs import agent, call, prompt, run, shell, window


def read(*steps: Step) -> list[Draft]:
    """What stays of a Run's Drafts after every check."""
    seen = the_window(*steps)
    gate = Gate()
    checked = [check(draft, seen, gate) for draft in EmbeddedExtractor().read(seen, ()).drafts]
    return [draft for draft in checked if isinstance(draft, Draft)]


def the_window(*steps: Step) -> Window:
    turns = run(*steps)
    return window(turns, triggers=triggers(turns))


def test_a_rule_that_was_broken_is_a_correction_about_the_person() -> None:
    (draft,) = read(
        prompt("write the welcome note for the new members"),
        agent("Welcome aboard!!! We can't wait to see you!!!"),
        prompt("don't use exclamation marks, it reads like shouting. end every sentence with a full stop"),
        agent("You're right, that reads too loud. I rewrote it with full stops only."),
    )
    assert draft.type is Type.CORRECTION
    assert draft.title.startswith("Do not use exclamation marks")
    assert draft.confidence >= STORED_FROM
    assert draft.scope is Scope.PERSON
    assert draft.content == "The person said so. The agent agreed."
    assert draft.quotes[0].words.startswith("don't use exclamation marks")


def test_a_tone_that_was_wrong_for_somebody_is_a_correction_that_names_them() -> None:
    (draft,) = read(
        prompt("send an email to Priya about the lease"),
        agent("Dear Ms. Natarajan, I am writing to you with regard to the lease agreement."),
        prompt("No, Priya and I are old friends, keep it warm and informal"),
        agent("You're right, sorry. Here is a friendlier one: Hey Priya, quick thing about the lease."),
    )
    assert draft.type is Type.CORRECTION
    assert draft.title == "Priya and the person are old friends, keep it warm and informal"
    assert draft.scope is Scope.PERSON


def test_an_answer_to_two_options_is_a_decision_with_the_other_as_alternative() -> None:
    (draft,) = read(
        prompt("the queue is moving to Redis"),
        agent("Shall I import the old jobs from the log files into Redis, or start empty?"),
        prompt("start empty. the old jobs were mostly junk, because the retry bug doubled them"),
        agent("Makes sense. I start with an empty queue and leave the log files alone."),
    )
    assert draft.type is Type.DECISION
    assert draft.title.startswith("Start empty, not import the old jobs from the log files into Redis")
    assert draft.alternatives == ("import the old jobs from the log files into Redis",)
    assert "mostly junk" in draft.content


def test_an_option_by_its_letter_says_what_it_was() -> None:
    (draft,) = read(
        prompt("where do the settings go"),
        agent(
            "Which do you prefer?\nA) a table of its own\nB) a nested object under `strategy`\nC) environment variables"
        ),
        prompt("B, because it leaves us room to add more later and we should not have a second place to look"),
        agent("Good point. The settings are nested under `strategy` now."),
    )
    assert draft.type is Type.DECISION
    assert draft.title.startswith("A nested object under `strategy`")
    assert draft.alternatives == ("a table of its own", "environment variables")


def test_what_worked_in_the_end_is_a_learning_that_names_what_did_not() -> None:
    (draft,) = read(
        prompt("install the front end"),
        shell("yarn install --frozen-lockfile", "error Your lockfile needs to be updated.", error=True),
        shell("yarn install", "error hardhat@2.19: The engine node is incompatible.", error=True),
        shell("yarn install --ignore-engines", "Done in 14.2s."),
        agent("The front end is installed."),
    )
    assert draft.type is Type.LEARNING
    assert draft.title.startswith("`yarn install --ignore-engines` works where")
    assert draft.alternatives == ("yarn install --frozen-lockfile", "yarn install")
    assert "lockfile needs to be updated" in draft.content
    assert "engine node is incompatible" in draft.content
    assert STORED_FROM <= draft.confidence < ACTIVE_FROM


@pytest.mark.parametrize(("in_the_end", "kept"), [("bd dep remove belt", 1), ("bd dep remove --help", 0)])
def test_to_look_up_how_a_command_is_called_is_no_success(in_the_end: str, kept: int) -> None:
    found = read(
        prompt("take the belt out"),
        shell("bd dep unlink belt", 'Error: unknown command "unlink" for "bd dep"', error=True),
        shell("bd dep unlink --belt", 'Error: unknown command "unlink" for "bd dep"', error=True),
        shell(in_the_end, "Usage: bd dep remove NAME"),
        agent("I see."),
    )
    assert len(found) == kept


def test_failing_twice_and_changing_the_subject_is_no_recovery() -> None:
    assert not read(
        prompt("install the front end"),
        shell("yarn install --frozen-lockfile", "error Your lockfile needs to be updated.", error=True),
        shell("yarn install", "error hardhat@2.19: The engine node is incompatible.", error=True),
        agent("Both ways fail."),
        prompt("leave it, let's write the readme"),
        call("Write", file_path="README.md"),
        agent("Written."),
    )


def test_never_do_that_again_names_what_was_done() -> None:
    (draft,) = read(
        prompt("get my branch onto the server"),
        shell("git push --force origin main", "forced update"),
        agent("Your branch is on the server."),
        prompt("wtf. definitely never do that again"),
        agent("I am sorry. I will not force-push again."),
    )
    assert draft.type is Type.CORRECTION
    assert draft.title == "Never run `git push --force origin main` again"
    assert draft.confidence >= 90


def test_never_mind_is_no_dismay() -> None:
    assert not read(
        prompt("get my branch onto the server"),
        shell("git push --force origin main", "forced update"),
        agent("Your branch is on the server."),
        prompt("never mind, it was the other one"),
        agent("Alright."),
    )


def test_a_reason_for_how_it_is_done_is_kept() -> None:
    (draft,) = read(
        prompt("why is there no YAML library here"),
        agent("I could replace the hand-written reader with a YAML library, that would remove 200 lines."),
        prompt("we read it by hand because every library drops the comments"),
        agent("Understood. I leave the reader as it is."),
    )
    assert draft.type is Type.DECISION
    assert draft.title == "We read it by hand because every library drops the comments"


NOTHING = (
    "now run the tests",
    "commit this",
    "yes please",
    "ok go on",
    "the function `parse` is in `reader.py`",
    "merged the fix yesterday",
    "thanks, that looks good to me",
    "/review",
    "can you push the branch and open a pull request?",
    "what does this function return?",
    "show me the last five commits",
    "add a test for the new flag",
    "Traceback (most recent call last):\n" + '  File "a.py", line 3, in f\n' * 40 + "ValueError: bad",
)


@pytest.mark.parametrize("said", NOTHING)
def test_what_is_over_by_tomorrow_is_not_kept(said: str) -> None:
    assert not read(
        prompt("the reader fails on empty files"),
        call("Edit", file_path="src/reader.py"),
        agent("I fixed the reader: empty files give an empty list now."),
        prompt(said),
        shell("pytest -q", "12 passed"),
        agent("All 12 tests pass."),
    )


OTHER_LANGUAGES = (
    ("Ich habe die Datei umbenannt.", "nein, bitte lass den Namen so wie er war", "Gut, ich habe es zurückgenommen."),
    ("我已经重命名了文件。", "不，请保留原来的名字，因为脚本在用它", "好的，已恢复。"),
    ("He cambiado el nombre.", "no, deja el nombre como estaba, por favor", "Hecho, lo he revertido."),
)


@pytest.mark.parametrize(("before", "said", "after"), OTHER_LANGUAGES)
def test_a_language_it_does_not_know_gives_silence(before: str, said: str, after: str) -> None:
    assert not read(prompt("rename it"), agent(before), prompt(said), agent(after))


HOSTILE = (
    "no " * 500,
    "should I " * 80 + "or " * 80 + "?",
    "| tail > a " * 120 + "!",
    "(" * 700 + "because" * 90,
    "`" * 1400,
    "good point, " * 120,
)


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_made_to_be_slow_are_read_like_any_other(text: str) -> None:
    steps = (shell(text, "x", error=True), shell(f"{text} -v"), agent(text), prompt(text), agent(text))
    assert all(draft.confidence < ACTIVE_FROM for draft in read(prompt("go"), *steps))


def test_praise_alone_is_left_to_a_better_reader() -> None:
    assert not read(
        prompt("rename the tests"),
        call("Edit", file_path="tests/test_reader.py"),
        agent("I renamed the tests after the behaviour they check."),
        prompt("wow, that's exactly what I wanted"),
        agent("Glad to hear it!"),
    )


def test_a_prompt_nobody_typed_is_not_judged() -> None:
    assert not read(
        prompt(
            "don't use exclamation marks, it reads like shouting. end every sentence with a full stop", Author.PROGRAM
        ),
        agent("You're right, I rewrote it with full stops only."),
    )


RULES: Sequence[tuple[str, str]] = (
    ("no, can you please use tabs", "Use tabs"),
    ("ok so let's not touch the lock file", "Do not touch the lock file"),
    ("No, use pnpm instead of npm", "Use pnpm, not npm"),
    ("I think we should keep both", "Keep both"),
    ("so that works", "So that works"),
    ("I'd rather keep it short", "The person would rather keep it short"),
    ("no tests without a name", "No tests without a name"),
    ("`parse` must not throw, please", "`parse` must not throw"),
    ("almost forgot this: we use tabs", "We use tabs"),
)  # fmt: skip


@pytest.mark.parametrize(("said", "rule"), RULES)
def test_a_sentence_is_freed_of_politeness_and_said_as_a_rule(said: str, rule: str) -> None:
    assert as_rule(said) == rule


def test_the_same_window_gives_the_same_drafts() -> None:
    steps = (
        prompt("write the welcome note"),
        agent("Welcome!!!"),
        prompt("don't use exclamation marks, it reads like shouting. end every sentence with a full stop"),
        agent("You're right, that reads too loud."),
    )
    assert EmbeddedExtractor().read(the_window(*steps), ()) == EmbeddedExtractor().read(the_window(*steps), ())


STATED: Sequence[tuple[str, str]] = (
    ("remember that we never deploy on Fridays", "We never deploy on Fridays"),
    (
        "ok. always run the linter before you commit, the server rejects it otherwise",
        "Always run the linter before you",
    ),
    ("from now on put the changelog line into the same commit", "From now on put the changelog line"),
)


@pytest.mark.parametrize(("said", "title"), STATED)
def test_a_rule_stated_in_so_many_words_is_active(said: str, title: str) -> None:
    (draft,) = read(prompt("ship it"), agent("It is on the server."), prompt(said), agent("Noted."))
    assert draft.type is Type.COMMITMENT
    assert draft.title.startswith(title)
    assert draft.confidence >= ACTIVE_FROM


def test_a_sentence_that_tells_little_waits_however_sure_the_classifier_is() -> None:
    sure = Judgement(9.0, 95, Type.CORRECTION, ())
    little, much = "the north belt of the harbour is older than its scale", "never print labels at night"
    drafts = [written(Moment(said), sure, lambda _sentence: 0.5) for said in (little, much)]
    assert [draft and draft.confidence for draft in drafts] == [ACTIVE_FROM - 1, 95]


def test_a_sentence_that_tells_little_is_not_even_held_where_the_classifier_has_doubts_too() -> None:
    unsure = Judgement(2.5, VERY_SURE - 1, Type.CORRECTION, ())
    little, much = "the north belt of the harbour is older than its scale", "never print labels at night"
    assert written(Moment(little), unsure, lambda _sentence: 0.5) is None
    assert written(Moment(much), unsure, lambda _sentence: 0.5) is not None


def test_what_is_bound_to_its_task_waits_however_sure_the_classifier_is() -> None:
    sure = Judgement(9.0, 95, Type.CORRECTION, ())
    draft = written(Moment("do not open a pull request, just a branch"), sure, lambda _sentence: 0.5)
    assert draft is not None
    assert draft.confidence < ACTIVE_FROM


UNSTATED = (
    "it always fails on the second run",
    "never mind, we'll look at it later",
    "did we always do it like that?",
    "don't fix anything, just tell me what is wrong",
    "don't commit that yet",
)


@pytest.mark.parametrize("said", UNSTATED)
def test_the_same_words_are_no_rule_when_they_state_none(said: str) -> None:
    drafts = read(prompt("look at the build"), agent("It is red."), prompt(said), agent("Alright."))
    assert all(draft.confidence < ACTIVE_FROM for draft in drafts)


# -- which sentence, and why ------------------------------------------------------------------------------------------


def said(before: str, text: str, after: str) -> list[Draft]:
    return read(prompt("go on"), call("Edit", file_path="src/belt.py"), agent(before), prompt(text), agent(after))


def test_the_rule_is_the_title_not_the_longer_sentence_beside_it() -> None:
    (draft,) = said(
        "I committed the new belt to main.",
        "The documentation of the belt in the big manual could really use a much nicer picture of the whole thing. "
        "never commit to main, code gets there by a pull request only",
        "You're right, I should not have done that. I moved the commit to a branch.",
    )
    assert draft.title == "Never commit to main, code gets there by a pull request only"
    assert draft.content == "The person said so after the agent had changed `src/belt.py`. The agent agreed."


def test_a_doubt_the_agent_has_to_grant_is_titled_by_what_it_grants() -> None:
    (draft,) = said(
        "I call `append_crate` for crates that arrive while the belt moves.",
        "hmm, why do we use append_crate and not queue_crate for that?",
        "You're right. `append_crate` writes at once, so a moving belt must use `queue_crate` instead. Let me fix it.",
    )
    assert draft.title == "`append_crate` writes at once, so a moving belt must use `queue_crate` instead"
    assert draft.content == "The agent found this when the person questioned its work."
    assert draft.quotes[-1].words in "`append_crate` writes at once, so a moving belt must use `queue_crate` instead."


def test_what_an_agent_said_after_the_window_is_nobodys_title() -> None:
    """Its words cannot be shown as evidence, and beside the person's alone they would pass for the person's."""
    before = agent("I call `append_crate` for crates that arrive while the belt moves.")
    doubt = prompt("hmm, why do we use append_crate and not queue_crate for that?")
    granted = agent("You're right. `append_crate` writes at once, so a moving belt must use `queue_crate` instead.")
    (inside,) = EmbeddedExtractor().read(the_window(prompt("go on"), before, doubt, granted), ()).drafts
    assert inside.title in granted.text
    cut = replace(the_window(prompt("go on"), before, doubt), beyond=(granted,))
    assert not [draft for draft in EmbeddedExtractor().read(cut, ()).drafts if draft.title in granted.text]


def test_the_reasoning_names_the_words() -> None:
    (draft,) = said(
        "I retried the request three times.",
        "no, never retry on a 4xx, because the other side counts it as abuse",
        "You're right, I removed the retry.",
    )
    assert draft.reasoning.startswith("You ")
    assert "“never”" in draft.reasoning
    assert draft.reasoning.endswith("and it answered “You're right”.")
    assert (draft.reasoning.count("."), draft.reasoning.count(";"), draft.reasoning.count(":")) == (1, 0, 0)


@pytest.mark.parametrize(
    "text",
    [
        "seems like the belt is broken now",
        "revert the last commit, just open the issue",
        "it said that before. why?",
        "no, that's not it. have a look at the door first",
        "why do you read it 100 lines at a time you idiot ...",
    ],
)
def test_an_act_of_the_moment_is_not_kept_even_if_the_agent_gives_in(text: str) -> None:
    assert not said("I changed the belt.", text, "You're right, sorry. Let me look at it again.")


def test_what_an_agent_did_is_no_title() -> None:
    drafts = said(
        "The label is on the crate.",
        "that is terrible! did you not look at the size of the crate before?",
        "You're right, I should have. I cropped a wide label into a square one without looking.",
    )
    assert not any("cropped" in draft.title for draft in drafts)


@pytest.mark.parametrize(
    "text",
    [
        "stretch the label so that it covers the crate, then centre the title, just the first sentence, nothing else",
        "you should just explain what the belt does, not how, because the reader knows",
    ],
)
def test_a_task_that_says_just_is_not_told_everywhere(text: str) -> None:
    drafts = said("I drew the label.", text, "You're right, sorry. I will do that.")
    assert all(draft.scope is Scope.PROJECT for draft in drafts)


def test_i_always_is_about_the_person() -> None:
    (draft,) = said("I used spaces.", "I always use tabs, never spaces", "Got it. I will use tabs from now on.")
    assert draft.scope is Scope.PERSON
    assert draft.title == "Always use tabs, never spaces"


# -- what worked in the end -------------------------------------------------------------------------------------------


def recovered(*commands: tuple[str, str]) -> list[Draft]:
    *failed, (worked, shown) = commands
    return read(
        prompt("get it running"),
        *(shell(command, result, error=True) for command, result in failed),
        shell(worked, shown),
        agent("It runs."),
    )


def test_a_flag_that_does_not_exist_is_worth_knowing() -> None:
    (draft,) = recovered(
        ("crate list --brief", "> crate@1.2.0 list\n\nError: unknown flag: --brief"),
        ("crate list --tiny", "> crate@1.2.0 list\n\nError: unknown flag: --tiny"),
        ("crate list --short", "3 crates"),
    )
    assert "unknown flag: --brief" in draft.content
    assert "crate@1.2.0" not in draft.content


NO_FACT = (
    (("npm test", "2 failed"), ("npm test --silent", "2 failed"), ("npm test -- one.test.ts", "ok")),
    (
        ("tsc -b", "a.ts(3,4): error TS1434: Unexpected word."),
        ("tsc -b -v", "a.ts(3,4): error TS1434"),
        ("tsc -p x", ""),
    ),
    (
        ("mux show wt-blue", "Error: No agent in worktree 'wt-blue'"),
        ("mux show -v wt-blue", "Error: No agent in worktree 'wt-blue'"),
        ("mux status wt-blue", "idle"),
    ),
    (("make crate", "> crate"), ("make crate -j", "> crate"), ("make crate -s", "done")),
)


@pytest.mark.parametrize("commands", NO_FACT)
def test_fewer_tests_one_name_or_an_error_of_the_code_teach_no_command(commands: Sequence[tuple[str, str]]) -> None:
    assert not recovered(*commands)
