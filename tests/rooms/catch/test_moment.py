from __future__ import annotations

from memlane.catch import Moment, from_line, moments
from memlane.catch.moment import INTERRUPTED, MomentLine
from memlane.domain import Author, Signal, Spot, Trigger
from tests.rooms.catch.small_runs import agent, answer, call, interrupt, prompt, run, shell, thinking, window

FIELDS = ("person", "before_agent", "before_tools", "before_errors", "next", "next_tools", "signals")


def the_line(moment: Moment) -> MomentLine:
    return {
        "person": moment.person,
        "before_agent": moment.before_agent,
        "before_tools": list(moment.before_tools),
        "before_errors": list(moment.before_errors),
        "next": moment.next,
        "next_tools": list(moment.next_tools),
    }


def test_a_moment_holds_what_was_done_before_and_what_was_done_about_it() -> None:
    turns = run(
        prompt("add a retry"),
        agent("I will look at the sender first."),
        thinking("where is it"),
        shell("ls src"),
        shell("cat src/send.py", "no such file", error=True),
        agent("Added a retry on every error."),
        prompt("no, never retry when the answer is a 4xx"),
        agent("Right."),
        call("Edit", file_path="src/mail.py"),
        agent("Only 5xx is retried now."),
    )
    _first, moment = moments(window(turns))
    assert moment.person == "no, never retry when the answer is a 4xx"
    assert moment.before_agent == "Added a retry on every error."
    assert moment.before_tools == ('Bash {"command": "ls src"}', 'Bash {"command": "cat src/send.py"}')
    assert moment.before_errors == ("no such file",)
    assert moment.next == "Right.\nOnly 5xx is retried now."
    assert moment.next_tools == ('Edit {"file_path": "src/mail.py"}',)
    assert moment.spot == Spot(2, 1)
    assert moment.signals == (Signal.CORRECTION,)


def test_the_fields_are_cut_at_the_end_that_is_far_from_the_person() -> None:
    turns = run(
        prompt("first"),
        *(shell(f"step {i} {'x' * 200}", f"{i} {'e' * 300}", error=True) for i in range(9)),
        agent("far" + "-" * 2000 + "near"),
        prompt("p" * 5000),
        *(agent(f"{i}" + "n" * 5000) for i in range(3)),
        *(shell(f"then {i}") for i in range(9)),
    )
    moment = moments(window(turns))[1]
    assert len(moment.person) == 1500
    assert moment.before_agent.endswith("near")
    assert len(moment.before_agent) == 700
    assert [each.split()[3] for each in moment.before_tools] == ["4", "5", "6", "7", "8"]
    assert {len(each) for each in moment.before_tools} == {len("Bash ") + 110}
    assert [each[:1] for each in moment.before_errors] == ["6", "7", "8"]
    assert {len(each) for each in moment.before_errors} == {160}
    assert moment.next == "0" + "n" * 699
    assert len(moment.next_tools) == 6
    assert moment.next_tools[0] == 'Bash {"command": "then 0"}'


def test_a_moment_read_back_from_a_line_is_the_same_moment() -> None:
    turns = run(
        prompt("rename the tests"),
        shell("false", "exit 1", error=True),
        interrupt(),
        prompt("stop, only the ones in api"),
        agent("\n\n\nOnly those.\n\n\n\nDone."),
    )
    for moment in moments(window(turns)):
        again = from_line(the_line(moment))
        assert [getattr(again, name) for name in FIELDS] == [getattr(moment, name) for name in FIELDS]


def test_an_interruption_stands_among_the_troubles_and_is_a_correction_of_what_went_on() -> None:
    turns = run(prompt("migrate"), shell("drop", "denied", error=True), interrupt(), prompt("the staging one"))
    moment = moments(window(turns))[1]
    assert moment.before_errors == ("denied", INTERRUPTED)
    assert moment.interrupted
    assert moment.signals == (Signal.CORRECTION,)


def test_the_reason_of_a_refused_call_is_a_moment_of_its_own() -> None:
    turns = run(
        prompt("clean up"),
        agent("I will delete the branch."),
        shell("git branch -D old", "refused", error=True),
        answer("keep that branch until the release is out"),
        agent("Kept."),
    )
    asked, refused = moments(window(turns))
    assert not asked.answer
    assert refused.answer
    assert refused.person == "keep that branch until the release is out"
    assert refused.before_agent == "I will delete the branch."
    assert refused.before_errors == ("refused",)
    assert refused.next == "Kept."


def test_context_gives_a_moment_its_before_and_is_no_moment_itself() -> None:
    turns = run(prompt("one"), agent("did one"), prompt("two"), agent("did two"))
    (moment,) = moments(window(turns, first=Spot(2, 1)))
    assert moment.person == "two"
    assert moment.before_agent == "did one"


def test_what_a_program_asked_is_a_moment_that_nobody_typed() -> None:
    turns = run(prompt("no, wow, remember that the nightly job fails", Author.PROGRAM), agent("done"))
    (moment,) = moments(window(turns))
    assert not moment.typed
    assert moment.signals == ()


def test_anything_of_ours_is_not_in_a_moment() -> None:
    turns = run(
        prompt("look it up"),
        agent("from memory", ours=True),
        call("Bash", "a note", error=True, ours=True, command="lane search x"),
        agent("here it is"),
    )
    (moment,) = moments(window(turns))
    assert moment.next == "here it is"
    assert moment.next_tools == ()


def test_a_trigger_belongs_to_the_moment_it_ends_in() -> None:
    turns = run(
        prompt("install"), shell("npm ci", "no lock", error=True), shell("npm i", "ok"), prompt("thanks"), agent("ok")
    )
    recovery = Trigger(Signal.RECOVERY, Spot(1, 2), Spot(1, 3))
    install, thanks = moments(window(turns, triggers=(recovery,)))
    assert install.triggers == (recovery,)
    assert thanks.triggers == ()


def test_a_trigger_in_a_stretch_that_begins_without_a_prompt_is_still_a_moment() -> None:
    turns = run(prompt("build"), agent("…"), shell("make", "no rule", error=True), shell("make all", "ok"))
    recovery = Trigger(Signal.RECOVERY, Spot(1, 3), Spot(1, 4))
    (moment,) = moments(window(turns, first=Spot(1, 3), triggers=(recovery,)))
    assert moment.person == ""
    assert not moment.typed
    assert moment.next_tools == ('Bash {"command": "make"}', 'Bash {"command": "make all"}')
    assert moments(window(turns, first=Spot(1, 3))) == []


def test_every_moment_names_the_steps_it_stands_on() -> None:
    turns = run(prompt("a"), agent("b"), prompt("c"), agent("d"), prompt("e"))
    middle = moments(window(turns))[1]
    assert [str(spot) for spot, _step in middle.steps] == ["t1.1", "t1.2", "t2.1", "t2.2"]
