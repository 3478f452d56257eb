"""What is never kept, whatever the classifier says, and why: each rule has a name, and says what it looks at.

`of_moment` looks at what was typed, `of_title` at the sentence that would be shown. Precision first: a person who is
told one thing that nobody meant stops reading the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memlane.catch.embedded.features import content_words, own_words, words
from memlane.catch.embedded.rules import told
from memlane.catch.embedded.sentences import is_pasted, is_question, sentences
from memlane.catch.embedded.shape import without_expletives
from memlane.catch.moment import Moment

FEWEST_WORDS, FEWEST_TELLING = 4, 2  # of the person's own: "yes please" and "commit this" teach nothing
_LONG = 800  # characters: people rarely type so much at once, programs nearly always do
_SIGNS_OF_A_PROGRAM = 2
_MOST_IN_CAPITALS, _MOST_ITEMS, _MOST_HEADINGS = 2, 8, 2

_ADDRESSED = re.compile(
    r"\A\W*(?:#+ .*\n+)?\W*(?:you are (?:the|an?)\b|you're (?:the|an?)\b|your name is|act as)"
    r"|^\W*task [a-z0-9]{1,3} [—–-]|\bdone when:",
    re.I | re.M,
)
_HEADED = re.compile(
    r"^\W*(?:role|rules?|context|task(?: [a-z0-9]+)?|done when|constraints?|goals?|instructions?|deliverables?|scope"
    r"|acceptance criteria|requirements|repository|output(?: format)?|background|evidence|verification(?: steps)?"
    r"|summary|details|steps?|problem)\b[^.?!\n]{0,60}?(?:[:.—–]|\*\*\s*$|$)|^\s*#{1,4} \w",
    re.I | re.M,
)
_CAPITALS = re.compile(r"\b(?:MUST|NEVER|ALWAYS|CRITICAL|IMPORTANT|REQUIRED|DO NOT|ONLY)\b")
_ESCAPED = re.compile(r"\\[\"n]")
_ITEM = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s", re.M)
_A_REVIEW = re.compile(
    r"^\W*(?:high|medium|low|critical|minor|major) (?:severity|priority)\b|^\W*severity:", re.I | re.M
)
_TERMINAL = re.compile(
    r"^\s*(?:[⏺⎿●│├└╭╰┌❯$]|\w*(?:Error|Exception)\b:|Traceback )|\(ctrl\+\w to |\[no test files\]|─{8,}|[│┃]{1}.*[│┃]"
    r"|^\s*at .+:\d+:\d+",
    re.M,
)
_A_LOG = re.compile(r"\s*(?:={3,}|-{3,}) [^\n]+(?:\n[^\n]*){4}")  # a heading that a script prints, and lines under it
_LABEL = re.compile(r"\(recommended\)", re.I)
_SPOKEN = re.compile(r"\b(?:i|we|you|it|let'?s|don'?t|because|should|please|but)\b|[.!?]$", re.I)
_LONGEST_LABEL = 10  # words
_FEW_LINES = 2  # of a terminal, beside which a person may still speak


# -- what was typed ---------------------------------------------------------------------------------------------------


def said_nothing(moment: Moment) -> bool:
    """Too few words of their own, a command of the client's, or nobody typed it."""
    own = own_words(moment.person)
    enough = len(words(own)) >= FEWEST_WORDS and len(content_words(own)) >= FEWEST_TELLING
    return not (moment.typed and enough) or moment.person.lstrip().startswith("/")


def written_by_a_program(moment: Moment) -> bool:
    """An orchestrator's prompt: addressed to an agent, in headings and capitals, escaped. Nobody meant its rules."""
    text = moment.person
    signs = (
        len(text) > _LONG,
        _ADDRESSED.search(text) is not None,
        len(_HEADED.findall(text)) >= _MOST_HEADINGS,
        len(_CAPITALS.findall(text)) >= _MOST_IN_CAPITALS,
        len(_ESCAPED.findall(text)) > 1,
        len(_ITEM.findall(text)) >= _MOST_ITEMS,
    )
    return sum(signs) >= _SIGNS_OF_A_PROGRAM


def pasted(moment: Moment) -> bool:
    """A terminal's output, a bot's review: somebody else's words with at most a request around them."""
    text = moment.person
    printed = len(_TERMINAL.findall(text))
    own = [each for each in sentences(text) if not _TERMINAL.search(each)]
    if is_pasted(text) or _A_REVIEW.search(text) or _A_LOG.match(text) or printed > _FEW_LINES:
        return True
    return printed > 0 and not any(map(told, own))


def only_picked(moment: Moment) -> bool:
    """Labels of a multiple-choice question: the question is gone, and it was the state of one task."""
    asked = moment.before_tools[-1:] and moment.before_tools[-1].startswith("AskUser")
    lines = [line.strip() for line in moment.person.splitlines() if line.strip()]
    if not asked and not _LABEL.search(moment.person):
        return False
    return all(_LABEL.search(line) or _is_label(line) for line in lines)


def _is_label(line: str) -> bool:
    return len(line.split()) <= _LONGEST_LABEL and not line[:1].islower() and not _SPOKEN.search(line)


def only_asked(moment: Moment) -> bool:
    """Questions and no answer: nothing was said yet."""
    return all(map(is_question, sentences(moment.person))) and not moment.next.strip()


_OF_MOMENT: tuple[Callable[[Moment], bool], ...] = (pasted, said_nothing, written_by_a_program, only_picked, only_asked)


def of_moment(moment: Moment) -> str | None:
    """The name of the rule that says no."""
    return next((rule.__name__ for rule in _OF_MOMENT if rule(moment)), None)


# -- the sentence that would be shown ---------------------------------------------------------------------------------

_VERB = re.compile(
    r"(?<![-/])\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would|should|must|may|might"
    r"|not|never|always|\w+n't|needs?|wants?|uses?|prefers?|keeps?|gets?|makes?|goes|comes?|means?|works?|fails?|shows?"
    r"|creates?|returns?|calls?|runs?|takes?|gives?|adds?|reads?|writes?|fires?|happens?|lives?|belongs?|holds?"
    r"|contains?|requires?|expects?|supports?|handles?|stores?|sends?|starts?|ends?|stops?|stays?|changes?|breaks?"
    r"|drops?|ignores?|matters?|depends?|exists?|sounds?|looks?|feels?|captures?|leaves?|loses?|overwrites?|applies"
    r"|answers?|\w+ed)\b(?![-/])",
    re.I,
)
_ORDER = re.compile(
    r"^(?:(?:do not|never|always|only|just|from now on|whenever|please)\b,? ?)*(?:use|keep|avoid|put|make|add|remove"
    r"|drop|leave|stop|write|read|call|name|rename|run|set|start|end|follow|prefer|ensure|check|test|treat|move|store"
    r"|show|handle|skip|ignore|include|let|go|take|change|mention|update|commit|push|merge|create|build|replace|split"
    r"|limit|support|allow|require|return|throw|fail|log|ask|explain|document|focus|stick|revert|get|give|find|fix"
    r"|copy)\b",
    re.I,
)
_POINTS_AWAY = re.compile(
    r"^(?:it|its|it'?s|that|that'?s|this|these|those|they|them|he|she|here|there|there'?s|one|same|such|so|also"
    r"|both(?! \S+ and\b| the\b)"
    r"|nothing else|the (?:one|new one|other one|latter|former|rest|same)"
    r"|the (?:first|second|other)(?: one| part| option| approach|,| is))\b"
    r"|\bthe one\b(?! (?:that|who|which|with|in|from|place|thing))"
    r"|^(?:\S+ ){0,4}(?:set|add|use|put|move|keep|do|fix|change|get|delete|show|remove|create|make)"
    r" (?:it|them|that|this)\b(?! \w+[es]\b)|^\w+ (?:it|them)\b",
    re.I,
)
_THING_LEFT_OUT = re.compile(
    r"\b(?:it|this|that|them|these|those|the one|one|here|there|(?:my|our) own\W*$)(?:\b|$)"
    r"(?! (?:repo\w*|project|codebase|file|package))",
    re.I,
)
_BROKEN_OFF = re.compile(
    r"^(?:and|or|but|which|with|otherwise|because|since|though|although|either|for example|e\.g|i\.e|like|as part of"
    r"|in terms of|not sure|still|almost|nearly|much better"
    r"|might|maybe|perhaps|looking at|figuring|wondering|thinking|regarding|re:|done when)\b"
    r"|^(?:scenario|option|step|case|task|phase|note|example)\b[^.]{0,12}:|^re:|^[a-z] \W|^[a-z]\W "
    r"|^\W*\d+[.)]|\\\"|[:,;(–—-]$"
    r"|\b(?:but|and|or|since|because|while|when|then|the|an?|to|of|that|which|if|it'?s|is|are|be|(?:here|there)\W*)$",
    re.I,
)
_OF_ITSELF = re.compile(
    r"^(?:i\b|i'|me\b|my\b|let me|we'?ll|we will|we(?:'ve| have) (?:just|now|already)|now |next,)", re.I
)
_A_DEED = re.compile(
    r"^(?:\W*(?:added|updated|fixed|removed|created|changed|moved|renamed|resumed|reverted|rewrote|rewritten|committed"
    r"|pushed|merged|ran|included|cleaned|documented|implemented|refactored|extracted|replaced|verified|confirmed"
    r"|checked|established|found|done|all (?:tests|done)|reviewing|inspecting|looking|checking|mapping|reading|running"
    r"|need to)\b)|\b(?:has|have) (?:now )?been (?:updated|added|removed|moved|fixed|created)|✅|✓|\blines? \d+\b"
    r"|\bnow (?:also |just |only |\w+ly )?[a-z]+s\b|^no need\b"
    r"|^the (?:\S+ ){0,2}(?:fix|workaround) (?:is|was|would be)\b"
    r"|\b(?:I|I'?ve|I'll|my|your|let me)\b|\b(?:is|are) (?:still|not being|currently|now|clean|done|ready)\b",
    re.I,
)
_A_FACT_OF_THE_CODE = re.compile(
    r"\bis (?:defined|declared|imported|unused)\b|\b(?:never|not) (?:used|called|read)\b"
    r"|^the `[^`]+` (?:function|method|struct|class|file|test|type)s? (?:has|have|is|are|checks?|takes?|returns?)\b",
    re.I,
)
_A_PROPOSAL = re.compile(r"^we can\b|\bwe (?:could|might|may)\b|\bshould now\b|\bwould (?:be|need)\b|\bit'd\b", re.I)
_WITHOUT_ITS_OBJECT = re.compile(
    r"\b(?:create|set|add|use|do|handle|call|find|get|have|need|detect\w*|inject\w*)s? (?:it|them|that)\b", re.I
)
_ABOUT_THE_AGENT = re.compile(
    r"^(?:why|how|what|when|where|who|are|is|did|do|does|can|could)\b(?!.*\b(?:never|always|because)\b)(?!n'?t\b)"
    r"(?! not\b)|^you(?:'?re|'?ve| are| were| have| haven\w*| didn\w*| did| forgot| missed| broke| just| keep| still"
    r"| seem| said| made| can| idiot)\b|^your (?:next |last )?(?:reply|response|answer|plan|code|fix|change)\b"
    r"|\byour (?:\w+ )?(?:solution|plan|proposal|approach|suggestion|idea|recommendation|analysis)\b"
    r"|^the person wants you to\b|\b(?:you idiot|wtf|fuck\w*|try again)\b",
    re.I,
)
_A_REPORT = re.compile(
    r"\b(?:not working|doesn'?t work|(?:is|are|keeps?) failing|is (?:now )?broken"
    r"|still (?:shows?|fails?|not|broken|the same)"
    r"|we lost|somehow|seems? (?:like|to|that)|getting (?:an? )?error|i (?:get|see|got) (?:an?|the|this)|no idea"
    r"|not sure"
    r"|i (?:don'?t|do not) know)\b",
    re.I,
)
_OF_THE_DAY = re.compile(
    r"(?<!\w)/(?:Users|home|root|tmp|private|var/folders)/|\b(?:for|with|to) (?:that|this|it) now\b|\bjust yet\b"
    r"|^(?:\S+ )?(?:the (?:\S+ )?)?(?:issue|bug|problem|root cause)\b(?:\.| (?:is|was|with|here)\b|:)"
    r"|\bone more (?:change|thing)\b|\bmassive pr\b|\b(?:a lot|much|more) we can (?:still )?do\b"
    r"|\bseems? to work\b|\bso that'?s (?:good|fine|great|nice|ok\w*)$"
    r"|\bshould be (?:clean|fine|good|done|ready) now\b",
    re.I,
)
_LEFT_HANGING = re.compile(
    r"\b(?:and|but|or|so) (?:if|when|since|because)\b[^,]*$|\bsince (?:yes|no)$|^(?:to \w+|only (?:if|when))\b[^,]*$"
    r"|\w\) [—–] ",
    re.I,
)  # what holds then was cut off, or it is one of several answers
_SEEN_IN_PASSING = re.compile(
    r"\b(?:was|were|wasn'?t|weren'?t|had|didn'?t|did not|makes sense|has a (?:valid|good) point"
    r"|(?:first|last|other) (?:two|three|four|one|test|case)s?|pass(?:es)? because|fails? because|falls back to"
    r"|at this point|turns out)\b"
    r"|^(?:looks like|apparently|interesting)\b|^an? (?:[\w-]+ ){1,8}(?:that|which|the|it|nobody|never)\b",
    re.I,
)
_NAME = re.compile(r"`([^`]*)`")
_FEW = 4  # telling words: with fewer, "it" stands for what the sentence is about


def no_words_of_its_own(title: str) -> bool:
    """ "Keep the one previously entered": what it is about was said elsewhere."""
    title = without_expletives(title)
    return _POINTS_AWAY.search(title) is not None or (
        _THING_LEFT_OUT.search(title) is not None and len(content_words(title)) < _FEW
    )


def a_fragment(title: str) -> bool:
    """A piece of a list, of a heading or of a sentence that was cut."""
    if _BROKEN_OFF.search(title) or len(content_words(title)) < FEWEST_TELLING or title.count("(") > title.count(")"):
        return True
    return not (_VERB.search(title) or _ORDER.match(title))


def is_order(title: str) -> bool:
    """ "Revert the commit": an imperative."""
    return _ORDER.match(title) is not None and not _NAME.search(title)


def a_question(title: str) -> bool:
    return is_question(title)


def about_the_agent(title: str) -> bool:
    """A reproach or a question put as a statement: it is over with this answer."""
    return _ABOUT_THE_AGENT.search(title) is not None


def a_report(title: str) -> bool:
    """ "Seems like it is broken now": a bug of the moment, unless it says what should be, or why."""
    return _A_REPORT.search(title) is not None and not any(each.weight > 1 for each in told(title))


def printed(title: str) -> bool:
    """Of a terminal, or with a name or a quotation that was cut."""
    cut = any(title.count(mark) % 2 == 1 for mark in '"`') or any(name.strip() != name for name in _NAME.findall(title))
    return cut or _TERMINAL.search(title) is not None


def of_the_day(title: str) -> bool:
    """ "The issue was …", a folder of this machine, "for that now": over with its task."""
    return _OF_THE_DAY.search(title) is not None


def left_hanging(title: str) -> bool:
    """ "Decide it yourself and if you are still stuck": the other half of it was cut off."""
    return _LEFT_HANGING.search(title) is not None


def of_the_speaker(title: str) -> bool:
    """ "I" in a title is nobody: what a person always does is said in the third person by then."""
    return _OF_ITSELF.match(title) is not None


_OF_TITLE: tuple[Callable[[str], bool], ...] = (
    a_question,
    no_words_of_its_own,
    a_fragment,
    about_the_agent,
    a_report,
    printed,
    of_the_day,
    left_hanging,
    of_the_speaker,
)


def of_title(title: str) -> str | None:
    straight = title.replace("’", "'")
    return next((rule.__name__ for rule in _OF_TITLE if rule(straight)), None)


def of_reply(title: str) -> str | None:
    """An agent's sentence has to state what is so, or should be: not what it did, what it came across
    while it searched for a fault, nor what the code says anyway."""
    if found := of_title(title):
        return found
    if _A_DEED.search(title):
        return "a_deed"
    if _A_PROPOSAL.search(title):
        return "a_proposal"
    if _SEEN_IN_PASSING.search(title):
        return "seen_in_passing"
    if _A_FACT_OF_THE_CODE.search(title):
        return "a_fact_of_the_code"
    return "no_words_of_its_own" if _WITHOUT_ITS_OBJECT.search(title) else None
