from __future__ import annotations

import pytest

from memlane.catch.phrases import said
from memlane.catch.windows.triggers import triggers
from memlane.domain import Author, Kind, Signal, Spot, Step, Trigger, Turn
from tests.rooms.catch.small_runs import agent, answer, call, interrupt, prompt, run, shell

DONE = "I changed the three files and ran the tests."


def found(turns: list[Turn]) -> list[str]:
    return [f"{each.signal} {each.first}-{each.last}" for each in triggers(turns)]


def signals(text: str, before: str = DONE) -> set[Signal]:
    """Of what a person typed after the agent had spoken."""
    turns = run(prompt("please start"), agent(before), prompt(text), agent("ok"))
    return {each.signal for each in triggers(turns) if each.last == Spot(2, 1)}


# -- what is said ------------------------------------------------------------------------------------------------------

CORRECTIONS = [
    "No, Amy and I are casual, use a friendly tone",
    "no, she's an old friend of mine, write it warmly",
    "Nope. Put the helper next to its caller",
    "that's way too formal for her",
    "ok, but that is not what I asked for",
    "You forgot the second table",
    "that's wrong, the trailer is in every commit",
    "Actually, let's keep the old name",
    "Use tabs instead of spaces here",
    "I meant the staging database",
    "please revert that",
    "undo the last change, it breaks the build",
    "put it back the way it was",
    "hmm, you should have asked me first",
    "Stop adding comments to every line",
    "don't use ellipses, it comes across as passive aggressive",
    "not in the header, but in the footer",
    "why did you delete the lock file?",
    "as I said, the port is fixed",
    "too stiff, Amy and I joke around all the time",
    "nooo, stop, not production",
    "hold on, that's the wrong approach",
    "it should be the second column, not the first",
    "we don't use yarn here, only pnpm",
    "I'd rather have it in one file",
    "can you go back to the previous version?",
]


@pytest.mark.parametrize("text", CORRECTIONS)
def test_being_told_otherwise_is_a_correction(text: str) -> None:
    assert Signal.CORRECTION in signals(text)


NO_CORRECTIONS = [
    "no problem, go on",
    "No worries, thanks",
    "no idea why that is, can you look?",
    "no, that's fine",
    "oh no, the build is red again",
    "no tests were run, right?",
    "never mind",
    "Never mind, it works now",
    "don't worry about the docs",
    "I don't know which one, you decide",
    "now run the tests",
    "merged the fix yesterday",
    "The function `parse` is in `reader.py`",
    "is there an undo command in this editor?",
    "add a revert button to the toolbar",
    "what happens if the user says no?",
    "> no, use the other one\n\ncan you answer this comment?",
    'the reviewer wrote "no, do it in one query", what do you think?',
    "what should we do instead if the server is down?",
    "we parse by hand because the library drops comments",
    "make it more robust against timeouts",
    "is it wrong to use a global here?",
    "explain what you did instead",
    "yes",
    "",
]


@pytest.mark.parametrize("text", NO_CORRECTIONS)
def test_what_only_looks_like_a_correction_is_none(text: str) -> None:
    assert Signal.CORRECTION not in signals(text)


DELIGHT = [
    "wow, that's exactly what I wanted",
    "This is exactly how I imagined it",
    "I love how the tests read now",
    "Love it! keep going",
    "brilliant, that reads so much better",
    "that works perfectly now",
    "Excellent work, thank you!",
    "Perfect!",
    "Yes!! this is it",
    "so cool!! love this",
    "That came out beautifully",
]


@pytest.mark.parametrize("text", DELIGHT)
def test_delight_is_heard(text: str) -> None:
    assert Signal.ENTHUSIASM in signals(text)


NO_DELIGHT = [
    "that would be awesome",
    "it's not perfect but it will do",
    "this isn't exactly what I wanted",
    "great, now the next file",
    "thanks",
    "never mind",
    "is this a perfect square?",
    "make it look amazing",
]


@pytest.mark.parametrize("text", NO_DELIGHT)
def test_politeness_and_wishes_are_no_delight(text: str) -> None:
    assert Signal.ENTHUSIASM not in signals(text)


DISMAY = [
    "definitely never do that again",
    "never ever push to main like this again",
    "Please never run migrations on production again",
    "don't you ever force-push my branch",
    "that must never happen again. never again!",
    "what the hell, you deleted my config",
    "you just wiped the whole folder. you wiped my notes",
    "this is unacceptable",
    "I'm telling you for the third time: two spaces",
    "please make sure this never happens again",
    "do not do this again, ever",
]


@pytest.mark.parametrize("text", DISMAY)
def test_dismay_is_heard(text: str) -> None:
    assert Signal.DISMAY in signals(text)


@pytest.mark.parametrize(
    "text",
    [
        "never mind",
        "Never mind, look at it again tomorrow",
        "nevermind",
        "run it again",
        "the function never returns",
        "this is not terrible",
        "the user should never see this dialog again after closing it",
    ],
)
def test_never_mind_is_neither_dismay_nor_delight(text: str) -> None:
    assert not {Signal.DISMAY, Signal.ENTHUSIASM} & signals(text)


WISHES = [
    "remember that the deploy needs the vpn",
    "Please remember: invoices go out on the 3rd",
    "can you remember to run the linter first?",
    "also keep in mind that Dana reads these",
    "From now on write the changelog entry first",
    "next time ask before you install anything",
    "for future reference, the key rotates weekly",
    "add that to CLAUDE.md please",
    "don't forget to bump the version whenever the schema changes",
    "pls memorize: staging is the one with the green banner",
    "Commit this to memory",
    "Merk dir bitte, dass wir nie freitags ausliefern",
    "n'oublie pas que le port est fixe",
    "a partir de ahora usa pnpm",
    "a partir de agora responde em português",
    "d'ora in poi scrivi in italiano",
    "vanaf nu altijd tests eerst",
    "запомни: деплой только через CI",
    "记住，我们用的是 pnpm",
    "今後はテストを先に書いてください",
]


@pytest.mark.parametrize("text", WISHES)
def test_a_wish_to_have_it_remembered_is_heard(text: str) -> None:
    assert Signal.REMEMBER in signals(text)


@pytest.mark.parametrize(
    "text",
    [
        "do you remember which branch it was?",
        "I don't remember",
        "can you remember where we put the token?",
        "remember when we tried redis? how did that go?",
        "add a remember-me checkbox to the login form",
        "I can't remember the name",
        "how much memory does it use?",
        "read the CLAUDE.md",
    ],
)
def test_remembering_out_loud_is_no_wish(text: str) -> None:
    assert Signal.REMEMBER not in signals(text)


@pytest.mark.parametrize(
    "text",
    [
        "nein, nimm die andere Tabelle",
        "non, utilise la deuxième version",
        "no, usa la otra tabla",
        "não, usa o outro arquivo",
        "no, metti il file nella cartella docs",
        "nee, gebruik de tweede versie",
        "нет, используй другую таблицу",
        "不对，用另一个文件",
        "違う、もう一つのファイルを使って",
    ],
)
def test_a_plain_no_with_what_to_do_is_known_in_a_few_languages(text: str) -> None:
    assert Signal.CORRECTION in signals(text)


@pytest.mark.parametrize(
    "text",
    [
        "ei, käytä toista tiedostoa",
        "nie, użyj innego pliku",
        "아니요, 다른 파일을 사용하세요",
        "hayır, diğer dosyayı kullan",
        "nein danke",
        "non merci",
        "nee hoor",
        "不是很清楚这个问题",
        "いやはや大変でした",
    ],
)
def test_a_language_that_is_not_known_gives_silence(text: str) -> None:
    assert signals(text) == set()


def test_what_stands_far_behind_in_a_pasted_page_is_not_the_person_speaking() -> None:
    assert said("look at this log\n" + "line of output\n" * 60 + "no, never do that again, wow") == ()


# -- what is done ------------------------------------------------------------------------------------------------------


def test_a_correction_reaches_from_what_was_done_to_what_was_said() -> None:
    turns = run(prompt("mail Amy"), agent("drafting"), agent("Dear Ms Hoy,"), prompt("no, we are on first names"))
    assert found(turns) == ["correction t1.3-t2.1"]


def test_an_interruption_with_another_way_to_go_is_a_correction() -> None:
    turns = run(prompt("migrate"), shell("psql prod", "…"), interrupt(), prompt("the staging database is enough"))
    assert found(turns) == ["correction t1.2-t2.1"]


@pytest.mark.parametrize("text", ["continue", "sorry, continue", "go on please", "commit", "never mind, all fine"])
def test_an_interruption_that_changes_nothing_is_none(text: str) -> None:
    assert found(run(prompt("migrate"), shell("psql prod", "…"), interrupt(), prompt(text))) == []


def test_a_refused_call_with_a_reason_is_a_correction() -> None:
    refused = run(prompt("clean up"), shell("git branch -D old", "refused", error=True), answer("needed for the audit"))
    assert found(refused) == ["correction t1.2-t1.3"]


def test_an_answer_to_a_question_is_none() -> None:
    asked = run(prompt("set it up"), call("AskUserQuestion", "ok", question="Which one?"), answer("the second"))
    assert found(asked) == []


def test_throwing_the_change_away_by_hand_is_a_correction() -> None:
    threw = Step(0, Author.PERSON, Kind.COMMAND, 0, "git checkout -- src/mail.py")
    looked = Step(0, Author.PERSON, Kind.COMMAND, 0, "git status")
    assert found(run(prompt("fix it"), agent(DONE), threw)) == ["correction t1.2-t1.3"]
    assert found(run(prompt("fix it"), agent(DONE), looked)) == []


@pytest.mark.parametrize(
    ("shown", "taken"),
    [
        ("There is no --fast flag in this version; the docs list only --quick.", "ah, you're right, then use --quick"),
        ("`retry_all` does not exist. It was removed in 3.0.", "oh okay, I thought it was still there"),
        ("It worked.", "my mistake, I was looking at the old docs"),
    ],
)
def test_the_agent_may_correct_the_person(shown: str, taken: str) -> None:
    assert Signal.CORRECTION in signals(taken, before=shown)


def test_agreeing_with_a_proposal_is_no_correction() -> None:
    assert signals("you're right, go ahead", before="I would split this into two files.") == set()


# -- recovery ----------------------------------------------------------------------------------------------------------


def test_failed_failed_then_worked_is_a_recovery() -> None:
    turns = run(
        prompt("install the packages"),
        shell("npm ci", "lock file is out of date", error=True),
        agent("The lock file does not fit."),
        shell("cd web && npm install", "ERESOLVE peer conflict", error=True),
        shell("ls web", "package.json"),
        shell("cd web && npm install --legacy-peer-deps", "added 412 packages"),
    )
    assert found(turns) == ["recovery t1.2-t1.6"]


def test_failing_once_and_finding_another_way_is_one_too() -> None:
    turns = run(prompt("push"), shell("git push", "rejected", error=True), shell("git push --force-with-lease", "ok"))
    assert found(turns) == ["recovery t1.2-t1.3"]


@pytest.mark.parametrize(
    ("failed", "worked"),
    [
        ("npm ci", "yarn install --ignore-engines"),
        ("pip install lxml", "uv pip install lxml"),
        ("sudo docker build .", "DOCKER_BUILDKIT=0 docker build . 2>&1 | tail -5"),
        ("python -m alembic upgrade head", "cd api && python3 -m alembic upgrade head"),
        ("./scripts/seed.sh users", "bash scripts/seed.sh users --force"),
        ("gh pr create --fill", "git push -u origin x && gh pr create --fill"),
    ],
)
def test_the_same_goal_is_known_in_another_dress(failed: str, worked: str) -> None:
    as_words = call("shell", "no", error=True, command=["bash", "-lc", failed])
    for first in (shell(failed, "no", error=True), as_words):
        assert found(run(prompt("do it"), first, shell(worked, "ok"))) == ["recovery t1.2-t1.3"]


@pytest.mark.parametrize(
    ("failed", "worked"),
    [
        ("git push", "git status"),
        ("npm run build", "npm install"),
        ("gh pr diff 4", "gh pr view 4"),
        ("cargo build", "cat > x <<'EOF'\ncargo build\nEOF"),
    ],
)
def test_another_goal_is_another_goal(failed: str, worked: str) -> None:
    assert found(run(prompt("do it"), shell(failed, "no", error=True), shell(worked, "ok"))) == []


def test_another_tool_may_fail_twice_and_work() -> None:
    failing = [call("WebFetch", "403", error=True, url="https://a.example")] * 2
    turns = run(prompt("read it"), *failing, call("WebFetch", "the page", url="https://b.example"))
    assert found(turns) == ["recovery t1.2-t1.4"]


def test_an_exit_code_in_the_result_is_a_failure_also_where_the_agent_does_not_mark_it() -> None:
    turns = run(prompt("test"), shell("make test", "Exit code 2\nno rule"), shell("make check test", "Exit code: 0"))
    assert found(turns) == []
    turns = run(prompt("test"), shell("make test", "Exit code 2\nx"), shell("make test CC=gcc", "ok"))
    assert found(turns) == ["recovery t1.2-t1.3"]


def test_fail_fail_and_a_change_of_subject_is_no_recovery() -> None:
    failing = [shell("npm ci", "no lock", error=True), shell("npm install", "conflict", error=True)]
    assert found(run(prompt("install"), *failing, shell("git status", "clean"), agent("Something else."))) == []
    dropped = prompt("leave it, write the readme first")
    assert found(run(prompt("install"), *failing, dropped, shell("npm install left-pad", "added"))) == []


def test_the_same_test_run_until_it_is_green_once_is_work_and_no_recovery() -> None:
    turns = run(
        prompt("fix it"), shell("pytest", "1 failed", error=True), call("Edit", "ok"), shell("pytest", "passed")
    )
    assert found(turns) == []


def test_looking_around_neither_fails_nor_recovers() -> None:
    turns = run(
        prompt("where is it"),
        shell("grep -r send src", "", error=True),
        shell("grep -r post src", "", error=True),
        shell("grep -r mail src", "src/mail.py"),
    )
    assert found(turns) == []


def test_two_recoveries_do_not_overlap() -> None:
    turns = run(
        prompt("go"),
        shell("npm ci", "x", error=True),
        shell("cargo build", "x", error=True),
        shell("npm install", "ok"),
        shell("cargo build --locked", "x", error=True),
        shell("cargo build --offline", "ok"),
    )
    recoveries = triggers(turns)
    assert [each.signal for each in recoveries] == [Signal.RECOVERY, Signal.RECOVERY]
    assert recoveries[0].last < recoveries[1].first


# -- again -------------------------------------------------------------------------------------------------------------


def test_the_same_request_in_other_words_of_the_same_sort_is_repeated() -> None:
    turns = run(
        prompt("write release notes from the merged changes"),
        agent("done"),
        prompt("now the footer"),
        prompt("please can you write the release note for merged changes"),
    )
    assert found(turns) == ["repeated t3.1-t3.1"]


def test_short_orders_may_be_given_again_and_again() -> None:
    assert found(run(prompt("commit"), prompt("commit"), prompt("run the tests"), prompt("run the tests"))) == []


def test_the_same_output_pasted_again_and_the_same_branch_named_again_are_no_request() -> None:
    log = "FAIL store_test.go:12 want 3 rows got 2\n" * 12
    branch = "team/eng-221-phase-aware-hooks"
    assert (
        found(run(prompt(log), prompt(log), prompt(f"rebase onto {branch}"), prompt(f"is {branch} merged yet?"))) == []
    )


def test_what_was_asked_in_another_run_is_for_the_caller_to_know() -> None:
    turns = run(prompt("summarise what was merged for the customers"), prompt("thanks"))
    assert triggers(turns, lambda text: "merged" in text) == (Trigger(Signal.REPEATED, Spot(1, 1), Spot(1, 1)),)


def test_what_a_program_wrote_has_no_feelings() -> None:
    program = prompt("no, wow, never do that again, remember that", Author.PROGRAM)
    assert found(run(program, agent("ok"))) == []
