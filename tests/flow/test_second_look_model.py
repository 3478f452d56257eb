"""The second look that ships, behind the encoder that ships: the note that is needed is told, what sounds so is not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memlane.app import Lane
from memlane.domain import Outcome
from memlane.embed import SECOND_LOOK
from tests.flow.homes import a_lane

MAIL = "Never retry a mail on a 4xx answer: it is a bug of ours, and retrying floods the customer"
NOTES = (
    MAIL,
    "Add every new workspace package to the Dockerfile COPY list, or the image is built without it",
    "The weekly newsletter goes out on Thursday at nine",
    "Amounts are kept in cents as integers, never as floats",
    "Run make lint before every push, the remote rejects what fails",
)


@pytest.fixture(scope="module")
def lane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lane]:
    folder = tmp_path_factory.mktemp("shipped")
    with a_lane(folder) as opened:
        for note in NOTES:
            opened.memories.remember(note, folder / "home")
        yield opened


def asked(lane: Lane, words: str) -> list[tuple[str, float | None]]:
    found = lane.recall.asked(words, lane.config.person_home)
    assert found.extra.get("second_look", SECOND_LOOK) == SECOND_LOOK
    return [(match.memory.title, match.needed) for match in found.shown]


@pytest.mark.parametrize("words", ["add a retry to the mailer", "the mail job should try again when sending fails"])
def test_the_note_that_changes_what_is_done_is_told(lane: Lane, words: str) -> None:
    ((title, needed),) = asked(lane, words)
    assert MAIL.startswith(title.rstrip("…"))
    assert needed is not None
    assert needed >= 0.5


@pytest.mark.parametrize(
    "words",
    [
        "change the colour of the mail icon in the header",
        "what does the COPY line in a Dockerfile do in general?",
        "fix the typo in the newsletter footer",
    ],
)
def test_what_only_sounds_so_is_kept_back(lane: Lane, words: str) -> None:
    found = lane.recall.asked(words, lane.config.person_home)
    assert (found.outcome, found.shown) == (Outcome.SILENT, ())


def test_the_doctor_names_it_and_how_long_it_takes(lane: Lane) -> None:
    (line,) = [one for one in lane.health.doctor.findings() if one.kind == "second look"]
    assert line.what.startswith(f"{SECOND_LOOK} (")
    assert " fitted for " in line.what
