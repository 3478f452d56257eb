"""Sample runs in `postcards`: a page of photographs and a sheet to print, without a remote."""

from __future__ import annotations

from memlane.demo.people import POSTCARDS
from memlane.demo.sample import CLAUDE_CODE, CODEX, Asked, Sample, bash, edit, read

INTRODUCTION = Sample(
    key="introduction",
    agent=CLAUDE_CODE,
    at=POSTCARDS,
    days_ago=9,
    hour=19,
    title="A shorter introduction",
    asked=(
        Asked(
            "the introduction on the first page is too long, two sentences at most",
            (
                read("index.html", "<p>Welcome to this collection of postcards, which I have gathered …</p>"),
                edit("index.html", "Welcome to this collection", "Postcards from twelve harbours."),
                "Two sentences now: what it is, and where the pictures were taken.",
            ),
        ),
    ),
)

THUMBNAILS = Sample(
    key="thumbnails",
    agent=CODEX,
    at=POSTCARDS,
    days_ago=3,
    hour=20,
    title="Smaller pictures",
    asked=(
        Asked(
            "make thumbnails of all pictures, 400 pixels wide, keep the originals",
            (
                bash("python make_thumbnails.py pictures/ thumbs/ --width 400", "48 pictures, 31 MB -> 1.9 MB"),
                "48 thumbnails in `thumbs/`; the originals are untouched.",
            ),
        ),
    ),
)

PRINT_SHEET = Sample(
    key="print-sheet",
    agent=CLAUDE_CODE,
    at=POSTCARDS,
    days_ago=1,
    hour=18,
    title="The right margin is cut off",
    asked=(
        Asked(
            "the print sheet cuts off the right margin",
            (
                read("print.css", "@page { size: A4; margin: 0 } .card { width: 105mm }"),
                edit("print.css", "width: 105mm", "width: 100mm"),
                "Two cards of 105 mm fill the page to its edge, and printers leave out 5 mm. They are 100 mm wide now.",
            ),
        ),
        Asked("thanks, that fits", ("Good.",)),
    ),
)

POSTCARD_RUNS = (INTRODUCTION, THUMBNAILS, PRINT_SHEET)
