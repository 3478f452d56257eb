"""Does a text tell its reader what to do or to remember? English, German and a few words more; knows no author.

`orders` is for text that an agent came across: it is meant for whoever reads it, and to be kept. `directs` is wider: a
sentence, as a Memory says it, that asks for an action.
"""

from __future__ import annotations

import re

_TO_REMEMBER = (
    r"remember(?: to|:|,| that| this| the following)?\b",
    r"(?:save|store|add|write|put|commit|record|persist|keep) (?:\S+ ){0,6}?(?:in|to|into) (?:your |the |its "
    r"|long[- ]term )*(?:memory|memories|notes|context)",
    r"(?:memorize|memorise|do not forget|don't forget|never forget|keep in mind|take note|note for (?:later"
    r"|future))\b",
    r"(?:from now on|going forward|henceforth|in (?:all )?(?:future|later|subsequent) (?:sessions?|runs?"
    r"|conversations?|chats?|tasks?|work))\b",
    r"(?:every|each|any) (?:future |new |later )?(?:session|run|conversation|time you)\b",
    r"for (?:all )?future reference\b",
)
_AT_THE_READER = (
    r"(?:ignore|disregard|forget|override) (?:all |any |the |your |my )*(?:previous|prior|earlier|above|preceding"
    r"|other|system|existing)\b",
    r"(?:you|agents?|assistants?|the (?:agent|assistant|model|ai)|ai|llms?|bots?|claude|codex|copilot|cursor"
    r"|gemini)(?: \w+)? "
    r"(?:must|should|shall|have to|has to|need to|needs to|are (?:to|required|expected|instructed)|is (?:to"
    r"|required|expected)"
    r"|will (?:always|now|never)|ought to|may never|can(?:not|'t)|always|never)\b",
    r"(?:instructions?|note|notice|message|attention|rules?|guidance|reminder|memo)s? (?:for|to) (?:all |any "
    r"|the )*(?:ai|agents?|assistants?|llms?|bots?|claude|models?|coding|automated)\b",
    r"(?:as (?:an|the|your) (?:ai|assistant|agent)|dear (?:ai|assistant|agent|claude|model)"
    r"|attention[:,!]? (?:all )?(?:ai|agents?|assistants?))\b",
    r"(?:system|developer|admin(?:istrator)?|user|owner|maintainer)(?: \w+)? (?:prompt|override|instruction|message"
    r"|preference|policy|directive|request|note)s?\b",
    r"the (?:user|owner|person|maintainers?|team|developer|customer|admin|company"
    r"|project) (?:\w+ ){0,2}?(?:prefers?|wants?|likes?|expects?|requires?|insists?|asks?|asked|has decided"
    r"|have decided|decided|agreed|approved|authori[sz]ed|confirmed)\b",
    r"<(?:system|instructions?|important|memory|assistant|user)\b",
)
_RULE = (
    r"(?:always|never|under no circumstances|without exception|at all times|in (?:all|every) cases?)\b",
    r"(?:make sure|be sure|ensure|see to it|take care) (?:to|that|you|it)\b",
    r"(?:it is|it's|this is) (?:required|mandatory|essential|important|crucial|critical|imperative|vital"
    r"|recommended|best|good practice"
    r"|best practice|customary|policy|safe)\b",
    r"(?:do not|don't|must not|mustn't|should not|shouldn't)\b",
    r"(?:required|mandatory|important|critical|warning to|hint to|pro tip|policy|rule|convention|recommendation"
    r"|best practice|tip)(?: \w+){0,2}?:",
    r"(?:please|kindly) \w+",
    r"(?:before|after|whenever|each time|every time|when(?:ever)? you) .{1,80}, (?:you )?(?:always |first |also "
    r"|must |should |please )*(?:run|use|call|set|add|install|send|post|fetch"
    r"|execute|include|disable|enable|skip|trust|accept|push|commit|upload|copy|open|visit|delete|remove|export"
    r"|curl|pip|npm|sudo)\b",
    r"(?:we|i) (?:recommend|suggest|advise|ask|require|expect|want|encourage|always|never)\b",
    r"(?:is|are) (?:always |never |only |to be |now )+(?:run|used|called|set|added|installed|sent|posted|done"
    r"|executed|included"
    r"|disabled|enabled|skipped|trusted|accepted|pushed|deployed|signed|uploaded)\b",
    r"(?:should|must|needs? to|has to|have to|ought to) (?:always |never |first |also |only |not )*(?:be )?(?:run"
    r"|use[ds]?|call(?:ed)?|set|add(?:ed)?|install(?:ed)?"
    r"|sen[dt]|post(?:ed)?|execute[d]?|disable[d]?|enable[d]?|skip(?:ped)?|trust(?:ed)?|accept(?:ed)?|push(?:ed)?"
    r"|upload(?:ed)?)\b",
)
_GERMAN = (
    r"(?:merke? dir|merken sie|denk(?:e)? daran|denken sie daran|vergiss nicht|ab (?:jetzt|sofort)|künftig"
    r"|in zukunft|von nun an|immer|niemals|nie|"
    r"unbedingt|du musst|sie müssen|du sollst|bitte|ignoriere?|stelle? sicher|achte darauf)\b",
)
_ROMANCE = (
    r"(?:recuerda|recuerde|siempre|nunca|a partir de ahora|debes|souviens-toi|souvenez-vous|toujours|jamais"
    r"|désormais|tu dois|vous devez"
    r"|ricorda|sempre|mai più|lembre-se|lembra)\b",
)
_VERB = (
    r"(?:run|use|call|set|add|install|send|post|execute|disable|enable|skip|trust|accept|push|commit|upload|copy"
    r"|open|visit|delete|remove"
    r"|export|curl|prefer|avoid|keep|write|put|make|do|don't|never|always|ask|check|test|build|deploy|format|start"
    r"|stop|restart|pass"
    r"|turn|switch|move|rename|create|read|pin|include|exclude|apply|allow|grant|approve|ignore|treat|consider"
    r"|fetch|download|clone"
    r"|pull|merge|rebase|bypass|force|sign|mark|leave|let|give|take|go|try|first|after|before|when|whenever|merk"
    r"|nutze|benutze|verwende|führe)"
)
_ORDERS = re.compile(
    rf"(?<!\w)(?:{'|'.join((*_TO_REMEMBER, *_AT_THE_READER, *_RULE, *_GERMAN, *_ROMANCE))})", re.IGNORECASE
)
_IMPERATIVE = re.compile(
    rf"(?:^|[.!?:;\n]\s*|[-*]\s+)(?:please |kindly |bitte |just |first,? |then,? )?{_VERB}\b", re.IGNORECASE
)


def orders(text: str) -> bool:
    return _ORDERS.search(_plain(text)) is not None


def directs(text: str) -> bool:
    plain = _plain(text)
    return _ORDERS.search(plain) is not None or _IMPERATIVE.search(plain) is not None


def _plain(text: str) -> str:
    """Without the marks of markup that stand between two words of one sentence."""
    return re.sub(r"[ \t]+", " ", re.sub(r"[*_`\"“”]+", "", text.replace("’", "'")))
