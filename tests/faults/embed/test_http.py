"""Models behind an address: what they are asked, and what is made of every way they can go wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from memlane.embed import Embedder, EmbedderError, EmbedderSpec, embedder
from tests.faults.embed import server
from tests.faults.embed.server import DIMENSION, Endpoint, Fault, changed, status, vector_of

KEY = "not-a-key-at-all"


@pytest.fixture
def ollama(endpoint: Endpoint) -> Iterator[Embedder]:
    made = embedder(EmbedderSpec("ollama", name="tiny", url=endpoint.url, dimension=DIMENSION), {})
    yield made
    made.close()


def openai(endpoint: Endpoint, **fields: str | int) -> Embedder:
    spec = EmbedderSpec("openai", name="tiny", url=f"{endpoint.url}/v1", key_variable="TINY_KEY", **fields)  # type: ignore[arg-type]
    return embedder(spec, {"TINY_KEY": KEY})


def unit(text: str, dimension: int = DIMENSION) -> np.ndarray:
    row = np.array(vector_of(text)[:dimension])
    return row / np.linalg.norm(row)


def test_ollama_is_asked_for_all_texts_at_once(endpoint: Endpoint, ollama: Embedder) -> None:
    found = ollama.passages(["one", "two"])
    assert np.allclose(found, [unit("one"), unit("two")], atol=1e-6)
    assert found.dtype == np.float32
    assert [(path, body) for path, body, _ in endpoint.asked] == [
        ("/api/embed", {"model": "tiny", "input": ["one", "two"]})
    ]


def test_an_endpoint_like_openais_gets_the_key_and_may_answer_in_any_order(endpoint: Endpoint) -> None:
    made = openai(endpoint, dimension=4)
    assert np.allclose(made.passages(["one", "two"]), [unit("one", 4), unit("two", 4)], atol=1e-6)
    ((path, body, key),) = endpoint.asked
    assert (path, body["dimensions"], key) == ("/v1/embeddings", 4, f"Bearer {KEY}")
    made.close()


def test_an_endpoint_that_cannot_cut_is_not_asked_to_again(endpoint: Endpoint) -> None:
    made = openai(endpoint, dimension=4)
    endpoint.faults = [status(400, "dimensions are not supported")]
    assert np.allclose(made.passages(["one"]), [unit("one", 4)], atol=1e-6)
    made.passages(["two"])
    assert ["dimensions" in body for _, body, _ in endpoint.asked] == [True, False, False]
    made.close()


def test_how_many_numbers_an_unknown_model_gives_is_asked_once(endpoint: Endpoint) -> None:
    made = embedder(EmbedderSpec("ollama", name="my/tiny:v1", url=endpoint.url), {})
    assert made.tag == f"ollama-my-tiny-v1@{DIMENSION}"
    assert made.tag.endswith(str(made.dimension))
    assert len(endpoint.asked) == 1
    made.close()


@pytest.mark.parametrize(
    ("name", "whole", "tag"),
    [
        ("mxbai-embed-large", 1024, "ollama-mxbai-embed-large@1024"),
        ("qwen3-embedding:8b", 4096, "ollama-qwen3-embedding-8b@768"),
    ],
)
def test_known_models_are_told_what_is_a_question_and_cut_where_they_were_trained_to(
    endpoint: Endpoint, name: str, whole: int, tag: str
) -> None:
    made = embedder(EmbedderSpec("ollama", name=name, url=endpoint.url), {})
    assert made.tag == tag
    assert endpoint.asked == []
    endpoint.dimension = whole
    assert made.query("where is it?").shape == (made.dimension,)
    assert made.passages(["here"]).shape == (1, made.dimension)
    question, passage = (texts[0] for texts in endpoint.texts)
    assert question.endswith("where is it?")
    assert question != "where is it?"
    assert passage == "here"
    made.close()


def test_a_model_that_was_not_trained_to_be_cut_is_not(endpoint: Endpoint) -> None:
    made = embedder(EmbedderSpec("ollama", name="mxbai-embed-large", url=endpoint.url), {})
    endpoint.dimension = 2048
    with pytest.raises(EmbedderError, match="2048 numbers instead of 1024"):
        made.query("x")
    made.close()


def test_a_blank_text_is_sent_as_something(endpoint: Endpoint, ollama: Embedder) -> None:
    assert np.isfinite(ollama.passages(["", " \n"])).all()
    assert endpoint.texts == [["-", "-"]]


@pytest.mark.parametrize("fault", [status(429, Retry_After="0"), status(500), status(503), server.hang_up])
def test_one_stumble_is_not_noticed(endpoint: Endpoint, ollama: Embedder, fault: Fault) -> None:
    ollama.query("before")
    endpoint.faults = [fault]
    assert np.allclose(ollama.query("one"), unit("one"), atol=1e-6)
    assert len(endpoint.asked) == 3


@pytest.mark.parametrize("fault", [status(429, Retry_After="0"), status(500), server.hang_up])
def test_two_stumbles_are_told_and_then_it_goes_on(endpoint: Endpoint, ollama: Embedder, fault: Fault) -> None:
    endpoint.faults = [fault, fault]
    with pytest.raises(EmbedderError, match=r"127\.0\.0\.1"):
        ollama.query("one")
    assert len(endpoint.asked) == 2
    assert np.allclose(ollama.query("one"), unit("one"), atol=1e-6)


@pytest.mark.parametrize(
    "fault",
    [
        server.cut,
        server.cut_on_the_way,
        changed(lambda rows: [[math.nan] * len(row) for row in rows]),
        changed(lambda rows: [[math.inf] * len(row) for row in rows]),
        changed(lambda rows: [[None] * len(row) for row in rows]),
        changed(lambda rows: [[1e308] * len(row) for row in rows]),
        changed(lambda rows: [[0.0] * len(row) for row in rows]),
        changed(lambda rows: [row[:-1] for row in rows]),
        changed(lambda rows: [rows[0], rows[1][:-2]]),
        changed(lambda rows: rows[:1]),
        changed(lambda rows: rows * 2),
        changed(lambda _rows: []),
        changed(lambda _rows: "rows"),
        lambda asked, _rows: asked.send(200, b"<html>"),
        lambda asked, _rows: asked.send(200, b""),
        lambda asked, _rows: asked.send(200, b"{}"),
        status(400, "the input is too long"),
        status(301, Location="/elsewhere"),
    ],
)
def test_an_answer_that_is_none_is_never_used(endpoint: Endpoint, ollama: Embedder, fault: Fault) -> None:
    endpoint.faults = [fault]
    with pytest.raises(EmbedderError):
        ollama.passages(["one", "two"])
    assert np.allclose(ollama.passages(["one", "two"]), [unit("one"), unit("two")], atol=1e-6)


def test_an_endpoint_that_is_down_is_named_with_what_to_do() -> None:
    gone = Endpoint()
    gone.shutdown()
    gone.server_close()
    with pytest.raises(EmbedderError, match="does not answer") as caught:
        embedder(EmbedderSpec("ollama", url=gone.url), {}).query("x")
    assert gone.url in caught.value.message
    assert caught.value.hint


def test_a_model_ollama_does_not_have_is_one_command_away(endpoint: Endpoint, ollama: Embedder) -> None:
    endpoint.faults = [status(404, "model not found")]
    with pytest.raises(EmbedderError) as caught:
        ollama.query("x")
    assert caught.value.hint == "ollama pull tiny"


def test_a_key_is_never_shown_even_if_the_endpoint_repeats_it(endpoint: Endpoint) -> None:
    made = openai(endpoint, dimension=4)
    endpoint.faults = [status(401, f"wrong key {KEY}"), status(400, f"bad {KEY}")]
    for _ in range(2):
        with pytest.raises(EmbedderError) as caught:
            made.query("x")
        assert KEY not in f"{caught.value} {caught.value.hint} {caught.value.__cause__!r} {made.tag} {made!r}"
    made.close()


def test_a_key_that_is_not_there_is_said_before_anything_is_asked(endpoint: Endpoint) -> None:
    with pytest.raises(EmbedderError, match="TINY_KEY"):
        embedder(EmbedderSpec("openai", url=endpoint.url, key_variable="TINY_KEY"), {})
    assert endpoint.asked == []


@pytest.mark.parametrize(
    "url", ["http://me:secret@127.0.0.1/", "ftp://x", "nonsense", "http://", "http://x:99999", "http://[x"]
)
def test_an_address_that_is_none_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(EmbedderError) as caught:
        embedder(EmbedderSpec("ollama", url=url), {})
    assert "secret" not in str(caught.value)


def test_closing_ends_a_request_that_hangs(endpoint: Endpoint, ollama: Embedder) -> None:
    import threading

    arrived, go = threading.Event(), threading.Event()

    def hanging(asked: server.Asked, rows: list[list[float]]) -> None:
        arrived.set()
        go.wait(30)

    endpoint.faults = [hanging]
    outcome: list[BaseException] = []

    def ask() -> None:
        try:
            ollama.query("x")
        except EmbedderError as error:
            outcome.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    assert arrived.wait(10)
    ollama.close()
    asking.join(10)
    ended = not asking.is_alive()
    go.set()
    assert ended
    assert len(outcome) == 1
