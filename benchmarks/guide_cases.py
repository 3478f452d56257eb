"""What the guide asks its bank, and what must come of it: the twenty prompts, each in other words too, and look-alikes.

The bank is that of the examples (`tests/flow/example_bank.py`). Only lists: `benchmarks.guide` asks them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GuideCase:
    """`first`: one of these comes first. `ask`: the name the agent is told to ask about. Neither: silence."""

    name: str
    prompts: tuple[str, ...]  # the guide's own, then others with the same need
    first: tuple[str, ...] = ()
    ask: str = ""
    never: tuple[str, ...] = ()  # must not be told, wherever they rank
    days: tuple[int, int] | None = None  # instead of `first`: all that is told is so old, from and to


CASES = (
    GuideCase(
        "events at a place",
        (
            "What events does Indy Hall have coming up?",
            "which events are on at Indy Hall soon?",
            "list the upcoming events of Indy Hall for the newsletter",
        ),
        ("M1", "M2"),
        never=("M3", "M4"),
    ),
    GuideCase(
        "a mail to a person",
        ("Help me reply to Amy's email", "draft an answer to Amy", "can you write back to Amy Hoy about the course?"),
        ("M6",),
    ),
    GuideCase(
        "a mail's time",
        ("When should I answer Dana's email?", "which day do I send the follow-up to Dana?"),
        ("M7",),
    ),
    GuideCase(
        "mistakes made",
        (
            "What mistakes have we made with the memory system?",
            "what went wrong with the memory system so far?",
            "list the errors we made in memory processing",
        ),
        ("M8", "M9", "M10"),
    ),
    GuideCase(
        "a message's style",
        ("Write a message to the members", "compose a short message for all members", "draft a message to Neal"),
        ("M15", "M17"),
    ),
    GuideCase(
        "a person's preferences",
        (
            "What do I know about Neal's preferences?",
            "what does Neal prefer before a meeting?",
            "remind me what Neal Brown likes",
        ),
        ("M17",),
    ),
    GuideCase(
        "decisions about a site",
        (
            "Any decisions about the Stacking the Bricks website?",
            "what did we decide for the Stacking the Bricks website?",
        ),
        ("M19",),
    ),
    GuideCase(
        "a rarely named entity",
        ("What events has GoodSomm hosted?", "did GoodSomm ever host something?"),
        ("M21",),
        never=("M22",),
    ),
    GuideCase(
        "how it is usually done",
        (
            "How do I usually handle newsletter scheduling?",
            "when do I usually schedule the newsletter?",
            "set up the newsletter for this week",
        ),
        ("M23", "M7"),
    ),
    GuideCase(
        "an approach",
        (
            "What's my approach to email triage?",
            "how do I triage my email?",
            "go through my inbox and triage the email",
        ),
        ("M24",),
    ),
    GuideCase(
        "past issues",
        (
            "Any past issues with MCP servers?",
            "did we have problems with an MCP server before?",
            "the MCP server does not pick up my change",
        ),
        ("M13", "M25"),
        never=("M12",),
    ),
    GuideCase(
        "which Mark",
        ("What did Mark say about the project?", "write down what Mark wants", "ask Mark about the scope"),
        ask="Mark",
    ),
    GuideCase(
        "which website",
        ("Update the website", "change the copy of the website", "what was last done on the website?"),
        ask="website",
    ),
    GuideCase(
        "only a time",
        (
            "Remind me about that thing from last week",
            "what was that thing last week again?",
            "what did we settle last week?",
        ),
        never=("M27",),
        days=(1, 14),
    ),
    GuideCase(
        "two entities",
        (
            "What connections exist between Indy Hall and Stacking the Bricks?",
            "how are Stacking the Bricks and Indy Hall related?",
        ),
        ("M28",),
    ),
    GuideCase(
        "a community at a place",
        (
            "Who from the 10k community has attended Indy Hall events?",
            "how many people of the 10k community came to Indy Hall?",
        ),
        ("M29",),
    ),
    GuideCase(
        "what was decided",
        (
            "What have I decided about memory storage?",
            "which way did we choose for the memory database?",
            "what was my decision on replacing the memory database?",
        ),
        ("M14",),
    ),
    GuideCase(
        "patterns",
        (
            "What patterns have emerged in email?",
            "which habits do I have with email?",
            "what is my email routine?",
        ),
        ("M24", "M7"),
    ),
    GuideCase(
        "a filter",
        (
            "How should I handle email filtering?",
            "set up filters for my mailing lists",
            "write a rule that filters the mailing lists",
        ),
        ("M35",),
    ),
    GuideCase(
        "which Adam",
        (
            "when is my and Adam's next meeting?",
            "when do I meet Adam next?",
            "put my next meeting with Adam in the calendar",
        ),
        ask="Adam",
    ),
)

# Near to something in the bank, and needing nothing of it.
SILENT = (
    "will you mark this as done, may I see it, can you add grace notes",
    "rename the folder of the old drafts",
    "why does the build fail on the second runner?",
    "translate this paragraph into German",
    "how do I center a div inside a flex container?",
    "sort the table by the third column",
    "what does the Happy Eyeballs algorithm do?",
    "make the draw function faster",
    "compile the brick wall sample of the renderer",
    "write unit tests for the date parser",
    "the tasting menu of the restaurant is not in the PDF",
    "count the lines in every file of this folder",
    "explain how event listeners bubble",
    "add a member variable to the class",
    "how do I filter a list in Python by a predicate?",
    "the database driver prints a warning",
    "install the newest version of node",
    "what is the capital of Portugal?",
    "draw a diagram of the classes",
    "move the button to the left",
    "print the invoice number in the footer of the page",
    "the calendar widget shows the wrong month",
    "how do I send mail from a shell script?",
    "write a parser for the newsletter format of the old system",
    "make the search box wider",
    "which port does the health check use?",
    "add a column with the price per hour",
    "delete the temporary tables after the test",
    "is there a way to run two workers at once?",
    "the static pages are served without a cache header",
    "rename the variable in every file",
    "why is the first request slow?",
    "upload the logo to the bucket",
    "set the default language to Spanish",
)

# Said with `lane remember` in a home that knows nobody, and asked there: a name that stands in both must count.
SAID = (
    "Amy Hoy prefers a casual, friendly tone in e-mail.",
    "Priya Raman wants every estimate in hours, not in days.",
    "Tomasz Zielinski reviews all changes to the billing module.",
    "Do not call Jordan before noon.",
    "The staging cluster is restarted every Sunday night.",
    "Invoices are numbered by year and month.",
)
NAMED = (
    GuideCase("Amy Hoy", ("draft a mail to Amy Hoy about the invoice", "reply to Amy Hoy that we are late"), ("S0",)),
    GuideCase("Priya", ("prepare the offer for Priya Raman", "tell Priya Raman how long the export takes"), ("S1",)),
    GuideCase("Tomasz", ("who should look at the change for Tomasz Zielinski?",), ("S2",)),
    GuideCase("Jordan", ("schedule a call with Jordan for tomorrow", "give Jordan a ring about the contract"), ("S3",)),
    GuideCase("another Amy", ("draft a mail to Amy Pond about the tour", "is the paper by Hoy et al. in the folder?")),
    GuideCase("the same Jordan, no need", ("what is the birthday of Jordan?", "Jordan's laptop screen is broken")),
    GuideCase("a name in a path", ("open src/jordan/curve.ts and fix the import", "what is a Jordan curve?")),
)
