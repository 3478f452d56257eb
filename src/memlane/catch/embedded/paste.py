"""Which part of a message somebody else wrote: a review, a log, test output, a stack trace, a table, an e-mail.

Looks at one text, paragraph by paragraph. What is left is what the person typed. Errs towards the person: a short
paragraph, one that says "I", "we" or "you", and one that is written as people type in a hurry is theirs.
"""

from __future__ import annotations

import re

_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_LINES = 3  # of a table or a stack trace; fewer may be an example

# -- prose of a reviewer or a bot -------------------------------------------------------------------------------------

_LABELLED = re.compile(
    r"^\W*(?:(?:high|medium|low|critical|minor|major)[ -](?:severity|priority|risk)|severity:|priority:|p[0-3]:"
    r"|\[(?:p[0-3]|nit|bug|suggestion|blocker|high|medium|low)\]|actionable comments|copilot ai\b|coderabbit|review"
    r"(?:ed)? by|(?:nit(?:pick)?|suggestion|issue|finding|potential issue|refactor suggestion|code smell)(?: \d+)?:\s)",
    re.IGNORECASE | re.MULTILINE,
)
_ADVISES = re.compile(r"(?:^|[.:] )Consider (?:\w+ly )?\w+ing\b")
_SPEAKS = re.compile(
    r"\b(?:i|i'm|i'd|i've|i'll|we|we're|we'd|my|our|us|me|let'?s|you|your|claude|pls|btw)\b", re.IGNORECASE
)
_SIGNS = (
    re.compile(
        r"\b[a-z]+[A-Z]\w*\b|\b[A-Z][a-z]+[A-Z]\w*\b|\b[a-z]+_[a-z_]+\b|\w\(\)|\w\.\w+\(|\b\w+\.(?:go|py|ts|js|rs)\b"
    ),
    re.compile(r"\b(?:consider|ensure|verify) (?:\w+ly )?\w+ing\b|\bconsider (?:a|an|the|to)\b", re.IGNORECASE),
    re.compile(
        r"\bthe (?:\S+ ){0,4}(?:function|method|field|constant|tests?|comment|variable|calculation|check|error|package"
        r"|class|struct|script|parameter|argument|logic|condition|handler|loop|query|call|code|implementation|validation)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bthis (?:\w+ ){0,2}(?:change|function|test|code|logic|means|could|will|may|might|can|causes?|leads|results"
        r"|removes|breaks|is (?:a|an|not|because)|appears|pattern|approach|behaviou?r|field|check)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:^|[.;] )(?:however|additionally|furthermore|as a result|since|while|unlike|for example|example)\b", re.I
    ),
    re.compile(
        r"\b(?:potential(?:ly)?|silently|unreachable|inconsisten\w+|redundant|misleading|inaccurate|unconditionally|lacks?"
        r"|race condition|edge cases?|dead code|unused|undefined|incorrectly|never (?:called|used|reached|executed)"
        r"|is (?:defined|called|used|checked|passed)|does(?:n't| not) (?:handle|check|include|match|account)"
        r"|ignores)\b",
        re.IGNORECASE,
    ),
    re.compile(r"\(?\blines? \d+|\be\.g\.,|\bi\.e\.,|\bL\d+(?:-L?\d+)?\b", re.IGNORECASE),
)
_FEWEST_SIGNS = 3
_FEWEST_CHARACTERS, _LONG = 140, 280
_TIDY = re.compile(r"^[\W_]*(?:[A-Z`]|[a-z]+[A-Z_]\w*)")
_LEAD = 90  # characters: "can you look at this one:"

# -- what a machine printed, what was quoted --------------------------------------------------------------------------

_TABLE = re.compile(r"^\s*(?:\|.*\|.*\||[│┃║].*[│┃║]|[+┌├└╔╠][-─═+┬┼┴╦]{3,}|\S+(?:\t+| {3,})\S+(?:\t+| {3,})\S+)")
_TRACE = re.compile(
    r"^\s*(?:at \S+.*[(:]\d*|File \"[^\"]+\", line \d+|Traceback \(most|goroutine \d+|Caused by:"
    r"|\w+(?:\.\w+)*(?:Error|Exception)\b:"
    r"|panic:|thread '.*' panicked|\s*\d+: 0x[0-9a-f]+|#\d+ +0x)"
)
_PRINTED = re.compile(
    r"^\s*(?:--- (?:FAIL|PASS|SKIP)|=== (?:RUN|PAUSE|CONT|FAIL)|(?:FAIL|PASS|ok)\s+\S+[/.]\S+"
    r"|\d+ (?:passed|failed|passing|failing)\b"
    r"|[✓✔✗✘✖×●⏺⎿❯$%] |\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d[.,\s]|\[(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE)\]"
    r"|(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|error|warning|fatal|npm (?:ERR!|error|warn))[:\s\[]"
    r"|\S+:\d+:\d+:? |\{\"\w+\":)"
)
_MAIL = re.compile(
    r"^(?:On .{5,80} wrote:|-{3,} ?(?:Original|Forwarded) [Mm]essage ?-{3,}|Begin forwarded message:)\s*$"
    r"|^From: .+\n(?:.+\n)?(?:To|Sent|Date|Subject): ",
    re.MULTILINE,
)


def without_pasted(text: str) -> str:
    """What is left when the words of others are cut out; paragraphs keep their order."""
    mail = _MAIL.search(text)
    paragraphs = _PARAGRAPH.split(text[: mail.start()] if mail else text)
    own = [_own_part(part) for part in paragraphs]
    if any(map(is_review, paragraphs)):  # its heading and its advice stand in paragraphs of their own
        own = [part for part in own if _SPEAKS.search(part) or part.rstrip().endswith((":", "?"))]
    return "\n\n".join(part for part in own if part.strip())


def is_review(paragraph: str) -> bool:
    """Tidy prose about code, in nobody's voice; or with the label a review tool gives it."""
    if _LABELLED.search(paragraph):
        return True
    said = " ".join(paragraph.split())
    if len(said) < _FEWEST_CHARACTERS or _SPEAKS.search(said):
        return False
    if _ADVISES.search(said):
        return True
    if not _TIDY.match(said):
        return False
    fewest = _FEWEST_SIGNS - (len(said) >= _LONG)
    return sum(sign.search(said) is not None for sign in _SIGNS) >= fewest


def is_printed(paragraph: str) -> bool:
    """A table, a trace, a log or test output: most of its lines are."""
    lines = [line for line in paragraph.splitlines() if line.strip()]
    tables = sum(_TABLE.match(line) is not None for line in lines)
    printed = sum(_is_output(line) for line in lines)
    return max(tables, printed) >= _LINES or (len(lines) > 1 and printed > len(lines) / 2)


def _is_output(line: str) -> bool:
    return _TRACE.match(line) is not None or _PRINTED.match(line) is not None


def _own_part(paragraph: str) -> str:
    """Of a paragraph that begins in the person's words and goes on with what they pasted, the beginning."""
    if is_printed(paragraph):
        lines = paragraph.splitlines()
        ends = next((n for n, line in enumerate(lines) if _is_output(line) or _TABLE.match(line)), len(lines))
        return "\n".join(lines[:ends])
    before, colon, after = paragraph.partition(":")
    if colon and len(before) <= _LEAD and not is_review(before) and is_review(after.strip()):
        return before + colon
    return "" if is_review(paragraph) else paragraph
