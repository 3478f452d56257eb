"""Models behind an address: how they are asked, and what is made of every way they can go wrong."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from memlane.llm import Llm, LlmError, LlmSpec, Stop, llm
from tests.rooms.llm import server
from tests.rooms.llm.server import Behaviour, Model, raw, says, status
from tests.rooms.llm.worlds import SCHEMA, World, question

KEY = "not-a-key-at-all"
KINDS = ["anthropic", "openai"]


def made(model: Model, kind: str, timeout: float = 5.0, name: str = "tiny") -> Llm:
    url = model.url if kind == "anthropic" else f"{model.url}/v1"
    spec = LlmSpec(kind, name=name, url=url, key_variable="TINY_KEY", timeout=timeout)
    return llm(spec, {"TINY_KEY": KEY}, Path("nowhere"))


def test_anthropic_is_made_to_answer_by_one_tool_call(model: Model) -> None:
    model.behaviours = [says({"memories": [1]}, tokens=(70, 9))]
    reply = made(model, "anthropic").ask(question(most=123))
    (asked,) = model.asked
    assert asked.path == "/v1/messages"
    assert asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"]
    assert asked.body["tool_choice"] == {"type": "tool", "name": "memories"}
    assert asked.body["tools"][0]["input_schema"] == SCHEMA
    assert (asked.body["system"], asked.body["max_tokens"]) == ("You read.", 123)
    assert (json.loads(reply.text), reply.tokens_in, reply.tokens_out) == ({"memories": [1]}, 70, 9)
    assert reply.stop is Stop.END


def test_an_endpoint_like_openais_is_told_the_shape(model: Model) -> None:
    reply = made(model, "openai").ask(question())
    (asked,) = model.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["Authorization"] == f"Bearer {KEY}"
    assert asked.body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert json.loads(reply.text) == {"memories": []}


def test_an_endpoint_that_does_not_know_a_word_is_asked_without_it_from_then_on(model: Model) -> None:
    reader = made(model, "openai")
    model.behaviours = [
        status(400, "Unsupported parameter: use max_completion_tokens instead"),
        status(400, "temperature must be 1"),
        status(400, "response_format of type json_schema is not supported"),
        status(422, "json mode is not available"),
    ]
    reader.ask(question())
    reader.ask(question())
    last, again = model.asked[-2].body, model.asked[-1].body
    assert [sorted(last), sorted(again)] == [["max_completion_tokens", "messages", "model", "stream"]] * 2
    assert len(model.asked) == 6


@pytest.mark.fault("G1")
@pytest.mark.parametrize("kind", KINDS)
def test_a_refusal_and_a_cut_answer_say_so(model: Model, kind: str) -> None:
    model.behaviours = [server.refuses, server.runs_out('{"memories": [')]
    reader = made(model, kind)
    assert [reader.ask(question()).stop for _ in range(2)] == [Stop.REFUSED, Stop.CUT]


@pytest.mark.fault("G1")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("behaviour", "again", "free"),
    [
        (status(429, Retry_After="7"), True, True),
        (status(500), True, True),
        (status(503), True, True),
        (status(529, "overloaded"), True, True),
        (status(408), True, False),
        (server.hangs_up, True, False),
        (server.cut_on_the_way, True, False),
        (server.sleeps(0.6), False, False),
        (server.drips, False, False),
        (status(301, Location="http://elsewhere/"), False, True),
        (status(307, Location="/v1/elsewhere"), False, True),
        (status(401, f"wrong key {KEY}"), False, True),
        (status(403), False, True),
        (status(404, "no such model"), False, True),
        (status(400, "the prompt is too long"), False, True),
        (status(413), False, True),
        (server.ten_megabytes, False, False),
        (server.cut_body, False, False),
        (raw(b""), False, False),
        (raw(b"<html>"), False, False),
        (raw(b"\xff\xfe{}"), False, False),
        (raw(b"{}"), False, False),
        (raw(b'{"content": null, "choices": null}'), False, False),
        (raw(b"[" * 100_000), False, False),
    ],
)
def test_what_is_no_answer_is_an_error_that_says_what_it_means(
    model: Model, kind: str, behaviour: Behaviour, *, again: bool, free: bool
) -> None:
    model.behaviours = [behaviour]
    reader = made(model, kind, timeout=0.5)
    with pytest.raises(LlmError) as caught:
        reader.ask(question())
    assert (caught.value.again, caught.value.free) == (again, free)
    assert KEY not in f"{caught.value} {caught.value.hint} {reader!r} {caught.value.__cause__!r}"
    assert json.loads(reader.ask(question()).text) == {"memories": []}
    assert len(model.asked) == 2  # once for each question: whoever retries does it with care


def test_a_key_is_never_shown_even_if_the_endpoint_repeats_it(model: Model) -> None:
    for code in (400, 401, 429, 500):
        model.behaviours = [status(code, f"you sent {KEY}")]
        with pytest.raises(LlmError) as caught:
            made(model, "openai").ask(question())
        assert KEY not in str(caught.value)


def test_a_model_that_read_only_the_beginning_has_not_read(model: Model) -> None:
    model.behaviours = [says({"memories": []}, tokens=(4096, 5))]
    with pytest.raises(LlmError, match=r"only 4,096 tokens") as caught:
        made(model, "openai").ask(question("word " * 20_000))
    assert "OLLAMA_CONTEXT_LENGTH" in caught.value.hint


@pytest.mark.fault("G11")
@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/v1",
        "http://[fe80::1]/v1",
        "http://[::ffff:169.254.169.254]/v1",
        "http://[64:ff9b::a9fe:a9fe]/v1",
        "http://[fd00:ec2::254]/v1",
        "http://100.100.100.200/v1",
        "http://2852039166/v1",
    ],
)
def test_an_address_where_clouds_keep_credentials_is_not_asked(url: str) -> None:
    with pytest.raises(LlmError) as caught:
        llm(LlmSpec("openai", name="m", url=url, timeout=1), {}, Path()).ask(question())
    assert "there is no model at" in str(caught.value) or "does not answer" in str(caught.value)


@pytest.mark.fault("G11")
def test_a_name_that_turns_out_to_mean_such_an_address_is_refused(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    def rebound(*_args: object, **_options: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("169.254.169.254", 80))]

    monkeypatch.setattr(socket, "getaddrinfo", rebound)
    with pytest.raises(LlmError, match="there is no model at"):
        made(model, "openai").ask(question())
    assert model.asked == []


def test_what_is_not_set_is_named_before_anything_is_asked(tmp_path: Path) -> None:
    for spec, named in [
        (LlmSpec("anthropic"), "ANTHROPIC_API_KEY"),
        (LlmSpec("openai"), "OPENAI_API_KEY"),
        (LlmSpec("openai", url="http://x", key_variable="MINE"), "MINE"),
        (LlmSpec(""), "no model"),
        (LlmSpec("gemini"), "gemini"),
        (LlmSpec("command", command="'"), "catch.command"),
        (LlmSpec("openai", url="http://me:secret@x/v1"), "password"),
    ]:
        with pytest.raises(LlmError, match=named) as caught:
            llm(spec, {}, tmp_path)
        assert "secret" not in str(caught.value)


# -- with care ---------------------------------------------------------------------------------------------------------


def test_a_stumble_is_asked_again_with_growing_pauses(model: Model, tmp_path: Path) -> None:
    world = World(tmp_path)
    model.behaviours = [status(503), server.hangs_up]
    assert json.loads(world.careful(made(model, "anthropic")).ask(question()).text) == {"memories": []}
    assert len(model.asked) == 3
    assert len(world.waits) == 2
    assert world.waits[1] > world.waits[0] > 0


def test_what_it_asks_to_be_waited_is_waited(model: Model, tmp_path: Path) -> None:
    world = World(tmp_path)
    model.behaviours = [status(429, Retry_After="13")]
    world.careful(made(model, "openai")).ask(question())
    assert world.waits == [13.0]


def test_whoever_asks_for_a_long_wait_is_left_alone_until_then(model: Model, tmp_path: Path) -> None:
    world = World(tmp_path)
    model.behaviours = [status(429, Retry_After="900")]
    careful = world.careful(made(model, "openai"))
    with pytest.raises(LlmError, match="429"):
        careful.ask(question())
    with pytest.raises(LlmError, match="next try in 15 min"):
        careful.ask(question())
    assert (len(model.asked), world.waits) == (1, [])
    world.passes(seconds=901)
    careful.ask(question())
    assert len(model.asked) == 2


def test_it_is_asked_a_bounded_number_of_times(model: Model, tmp_path: Path) -> None:
    world = World(tmp_path)
    model.usual = status(500)
    with pytest.raises(LlmError, match="500"):
        world.careful(made(model, "openai")).ask(question())
    assert len(model.asked) == 3


def test_what_will_not_work_is_not_asked_again(model: Model, tmp_path: Path) -> None:
    world = World(tmp_path)
    model.usual = status(401)
    with pytest.raises(LlmError, match="rejected the key"):
        world.careful(made(model, "anthropic")).ask(question())
    assert len(model.asked) == 1


def test_a_model_that_is_down_is_left_alone_by_every_process_and_tried_by_one(model: Model, tmp_path: Path) -> None:
    world = World(tmp_path)
    model.usual = status(401)
    for _ in range(5):
        with pytest.raises(LlmError, match="rejected the key"):
            world.careful(made(model, "anthropic")).ask(question())
    for _ in range(3):  # each as a process of its own: only files are shared
        with pytest.raises(LlmError, match="5 in a row"):
            world.careful(made(model, "anthropic")).ask(question())
    assert len(model.asked) == 5
    world.careful(made(model, "anthropic", name="another")).why_not()  # another model has nothing to do with it
    world.passes(minutes=6)
    model.usual = says({"memories": []})
    first, second = (world.careful(made(model, "anthropic")) for _ in range(2))
    first.ask(question())
    with pytest.raises(LlmError, match="in a row"):
        second.ask(question())  # the first has not said yet how it went
    first.useful()
    second.ask(question())
    assert len(model.asked) == 7


def test_useless_answers_are_failures_too(model: Model, tmp_path: Path) -> None:
    careful = World(tmp_path).careful(made(model, "openai"))
    for _ in range(5):
        careful.ask(question())
        careful.useless("nonsense")
    with pytest.raises(LlmError, match="nonsense"):
        careful.ask(question())


def test_a_question_that_nobody_heard_is_not_counted(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    world, spec = World(tmp_path), LlmSpec("openai", name="gpt-5-mini", url=f"http://127.0.0.1:{port}/v1")
    with pytest.raises(LlmError, match="does not answer"):
        world.careful(llm(spec, {}, Path("nowhere"))).ask(question())
    assert (world.spend.so_far().asks, world.spend.so_far().dollars) == (0, 0.0)
