"""What a person's words sound like: a correction, delight, dismay, a wish to have something remembered.

Cautious tables. A language or a turn of phrase that is not in them gives nothing, which is better than a guess.
"""

from __future__ import annotations

import re
from functools import cache

from memlane.domain import Signal

READ = 400  # characters: what is pasted behind the first words is not the person speaking
_QUOTED = re.compile(r"```.*?(```|$)|`[^`]*`|“[^”]*”|\"[^\"]*\"|«[^»]*»|^\s*[>|+].*?$", re.DOTALL | re.MULTILINE)


def said(text: str) -> tuple[Signal, ...]:
    """Signals in what one person typed once, in the order of `Signal`."""
    words = plain(text)
    return tuple(signal for signal in Signal if any(each.search(words) for each in _patterns().get(signal, ())))


def plain(text: str) -> str:
    """Their own words in lower case: no quotations, no code, no pasted lines."""
    return " ".join(_QUOTED.sub(" … ", text[: READ * 4]).lower().replace("’", "'").split())[:READ]


def drops_it(text: str) -> bool:
    """They turn to something else: what failed before is not being tried any more."""
    return _drops().search(plain(text)) is not None


def goes_on(text: str) -> bool:
    """Nothing but "go on"."""
    return _goes_on().fullmatch(plain(text).strip(" .!,")) is not None


def denies(text: str) -> bool:
    """The agent says that something is not as it was thought to be."""
    return _denies().search(text[-2000:].lower().replace("’", "'")) is not None


def concedes(text: str, *, after_no: bool) -> bool:
    """A person takes back what they thought. Polite words count only `after_no`: after the agent denied something."""
    words = plain(text)
    return _concedes().search(words) is not None or (after_no and _agrees().search(words) is not None)


@cache
def _denies() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:there (?:is|are|'s) no|there isn't|(?:does|do|did|is|was|are|has|have)(?:n't| not)|no such"
        r"|doesn't exist|not (?:exist|support|available|true|possible)"
        r"|never (?:had|did|existed|was)|was removed|actually,?)"
    )


@cache
def _concedes() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:my (?:mistake|bad|fault|error)|i (?:was|am|'m) (?:wrong|mistaken|mixing|confus\w+)|i'm mistaken"
        r"|i stand corrected"
        r"|i (?:misremembered|misread|misunderstood|mixed|confused|assumed wrong))"
    )


@cache
def _agrees() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:you(?:'re| are) (?:\w+ )?(?:right|correct)|good (?:catch|point|to know)|right you are"
        r"|fair (?:enough|point)|i see|got it|true(?: enough)?\b[,.!]|makes sense"
        r"|didn't know|(?:ah|oh|ok|okay|right|huh|interesting)[,.! ]+(?:\w+ ){0,4}(?:then|so|ok|okay|right"
        r"|thanks|didn't|thought))"
    )


@cache
def _drops() -> re.Pattern[str]:
    return re.compile(
        r"\b(never ?mind|forget (it|about|that)|leave (it|that)|skip (it|that)|let's (move on|do .* (first"
        r"|instead)|leave)"
        r"|(another|different|new|next) (topic|thing|question|task|subject)|something else|on to"
        r"|switch(ing)? to|drop it|later)\b"
    )


@cache
def _goes_on() -> re.Pattern[str]:
    return re.compile(
        r"(please )?(go on|go ahead|continue|carry on|keep going|proceed|resume|try again|retry|again|yes|ok(ay)?"
        r"|weiter|continuez?|contin[uú]a|sigue|doorgaan|продолжай|继续|続けて)( please)?"
    )


@cache
def _patterns() -> dict[Signal, tuple[re.Pattern[str], ...]]:
    return {signal: tuple(re.compile(each) for each in table) for signal, table in _TABLES.items()}


_START = r"(?:^|[.!?…] |\b(?:ok|okay|hmm+|ehh?|um+|uh|ah|oh|well|and|but|so|wait|sorry|please|hey|yeah|yes)[,. …]+)"
_CORRECTION = (
    # "no, use the other one": a no that is followed by what to do. Not "no problem", not "no idea why".
    rf"{_START}(?:no|nope|nah)(?: no)*(?:[,.!:;…–—-]+ ?| )(?!(?:problem|problems|worries|worry|need|rush|idea"
    rf"|ideas|doubt|matter|way to"
    r"|longer|more|one|errors?|changes?|issues?|thanks?|further|hurry|big deal|offen[cs]e|difference"
    r"|other)\b)[^\s.!?]+ [^\s.!?]+",
    rf"{_START}(?:that|this|it)(?:'s| is| was| looks| seems)(?: still| just| simply| totally| completely"
    rf"| clearly| also)?"
    r" (?:wrong|incorrect|not (?:right|correct|true|what|how|the (?:way|right|case|one)|good enough"
    r"|ok(?:ay)?\b)|the wrong)",
    r"\b(?:isn't|wasn't|not) (?:quite )?what i (?:asked|meant|wanted|said|had in mind|was asking)",
    r"\byou (?:misunderstood|misread|got (?:it|that|this) wrong|missed|forgot|overlooked|ignored|skipped|broke"
    r"|removed|deleted|undid"
    r"|should(?:n't| not) have|shouldn't|should have|were supposed|weren't supposed|didn't (?!need)|did not"
    r"|keep (?:\w+ing)\b"
    r"|(?:added|used|put|changed|made|wrote|created) the wrong)",
    r"\bi (?:said|told you|meant|asked (?:you )?(?:for|to)|didn't (?:ask|mean|want|say)|did not (?:ask|mean"
    r"|want|say)|never asked)\b",
    rf"{_START}(?:actually|rather|instead),? (?!(?:this|that|it|i think (?:this|that)) (?:is|looks|works)"
    rf"|(?:great|good|nice))[^\s]+ [^\s]+",
    r"\b(?:do|use|make|put|call|name|write|keep|go with|try|take|move|show|return|run|say|pick"
    r"|choose) [^.!?]{2,60}?\binstead\b(?! of (?:just )?me\b)",
    r"\binstead of \w+ing\b",
    r"\b(?:please )?(?:undo|revert|roll ?back|back out)\b(?! (?:button|command|feature|commit message|strategy"
    r"|script))(?:"
    r" (?:that|this|it|the|your|all|everything|those|these|to|my|last|what)\b|[.!,]|$)",
    r"\b(?:change|put|set|switch|bring|turn|move) (?:it|that|this|them|those|everything) back\b|\btake (?:it"
    r"|that|this) (?:out|back)\b",
    rf"{_START}(?:stop|quit) (?:doing|using|adding|making|writing|changing|creating|trying|running|asking"
    rf"|saying|\w+ing)\b",
    rf"{_START}(?:please )?(?:don't|do not|dont|never) (?!(?:worry|mind|bother|forget|know|think|see|you|we"
    rf"|have|need|understand|really"
    r"|like|get|want|believe|hesitate|remember|care)\b)\w+",
    r"\bwhy (?:did|are|would|have) you\b(?! think| suggest)",
    r"\bnot (?:as|in|on|to|the|a|an|with|via|by|from) [^,.!?]{2,40},? but (?:as|in|on|to|the|a|an|with|via|by"
    r"|from)\b",
    r"\bthat's not\b(?! (?:a )?(?:problem|issue|bad|necessary|needed|urgent|important))",
)  # fmt: skip
_REMEMBER = (
    rf"{_START}(?:(?:can|could|will|would) you |please |also |always |just |you (?:should|must"
    rf"|need to) )*remember(?:,|:| this| that| the| to| it|"
    r" we| i| my| our| also| for)\b(?! when\b| how (?:we|you)\b)(?![^.!?]{0,60}\?)",
    r"\b(?:keep|bear) (?:this |that |it )?in mind\b",
    r"\bdon't forget\b(?! about (?:it|me)\b)",
    r"\bfrom (?:now|here) on(?:wards?)?\b|\bgoing forward\b|\bfor (?:the )?future (?:\w+|reference)\b"
    r"|\bin (?:the )?future,? (?:please|always|never|use|do|don't)\b"
    r"|\b(?:the )?next time (?:you|we)\b|\bfor next time\b",
    r"\b(?:make|take) a (?:mental )?note (?:of|that|to|:)|\bnote (?:this|that) (?:down|for)\b|\bnote to self\b",
    r"\b(?:save|add|put|store|write|commit|record|document|update|note) (?:\S+ ){0,5}?(?:to|in|into) (?:your "
    r"|the |our |my )?"
    r"(?:long.term |project |agent )?(?:memory|memories|claude\.md|agents\.md|gemini\.md|memory\.md|claude md"
    r"|rules file)\b",
    r"\bupdate (?:your |the |our )?(?:memory|claude\.md|agents\.md)\b",
    # a few other languages, only where the words can hardly mean anything else
    r"\bmerk(?:e)? dir\b|\bdenk (?:bitte )?(?:daran|dran)\b|\bab (?:jetzt|sofort) (?:immer|nie|nicht|bitte|nur)\b",
    r"\b(?:souviens-toi|souvenez-vous|rappelle-toi|n'oublie(?:z)? pas|retiens|retenez) (?:que|de|qu')"
    r"|\bà partir de maintenant\b",
    r"\b(?:recuerda|recordad|no olvides|ten en cuenta) que\b|\b(?:de|a partir de) ahora en adelante\b"
    r"|\ba partir de ahora\b",
    r"\b(?:lembre-se|lembra-te|não (?:se )?esqueça) (?:de )?que\b|\ba partir de agora\b|\bdaqui (?:em"
    r"|para a) (?:diante|frente)\b",
    r"\b(?:ricorda(?:ti)?|ricordati|non dimenticare) (?:che|di)\b|\bd'ora in (?:poi|avanti)\b",
    r"\b(?:onthoud|vergeet niet) (?:dat|om)\b|\bvanaf nu\b",
    r"\b(?:запомни|запомните|не забудь|не забывай)\b|\bс этого момента\b|\bвпредь\b",
    r"(?:请|請)?记住|記住|别忘了|以后(?:都|请|不要|别)|從現在開始|从现在(?:开始|起)",
    r"覚えて(?:おいて|おく|ください)|忘れないで|今後は|これからは",
)  # fmt: skip
_OTHER_CORRECTIONS = (
    r"^(?:nein|nee),? (?!danke|problem|schon)\S+ \S+|\bdas ist (?:falsch|nicht richtig|nicht das)|\bmach (?:das"
    r"|es) rückgängig\b",
    r"^non,? (?!merci|pas de)\S+ \S+|\bce n'est pas (?:ça|ce que|correct|bon)|\bc'est faux\b|\bannule (?:ça"
    r"|cela|tes)\b",
    r"^no, (?:usa|haz|pon|quiero|eso|así|mejor|solo|sólo)\b|\beso (?:está mal|no es (?:lo que|correcto))"
    r"|\bdeshaz (?:eso|el|los)\b",
    r"^não, (?!obrigad)\S+ \S+|\bisso (?:está errado|não é o que)|\bdesfaça (?:isso|o|a)\b",
    r"^no, (?:usa|fai|non|voglio|metti|quello)\b|\b(?:è sbagliato|non è quello che)\b|\bannulla (?:questo"
    r"|quello|le)\b",
    r"^nee,? (?!dank|hoor|geen)\S+ \S+|\bdat (?:is fout|klopt niet|is niet wat)|\bmaak (?:dat|het) ongedaan\b",
    r"^нет, (?!спасибо)\S+ \S+|\bэто (?:неправильно|неверно|не то)|\bотмени (?:это|изменения)\b"
    r"|\bверни (?:как было|обратно)\b",
    r"^(?:不是|不对|不要|错了|不對)[,，。、 ]?\S{2,}|(?:撤销|还原|改回)(?:这|那|刚|去|来|一下|吧)",
    r"^(?:違う|ちがう|違います|いや|いえ)[、,。 ]?\S{2,}|ではなく(?:て)?[、 ]?\S|(?:元に|もとに)戻して",
)  # fmt: skip
_DISMAY = (
    r"\bnever (?:ever )?(?:do|run|use|touch|push|commit|delete|change|make|try|say|write|\w+) (?:that|this|it"
    r"|anything like (?:that|this)|\S+ ){1,5}?(?:ever )?again\b",
    r"\bdon't (?:you )?(?:ever|dare)\b|\bdo not ever\b",
    r"\bwtf\b|\bwhat the (?:hell|heck|fuck)\b|\bfor (?:god|fuck|christ|goodness)(?:'?s)? sake\b|\bfgs\b"
    r"|\bare you (?:kidding|serious)\b",
    r"\b(?:that|this|it)(?:'s| is| was)(?: \w+)? (?:horrible|terrible|awful|unacceptable|a disaster|a mess"
    r"|a nightmare|useless|ridiculous|garbage|rubbish|bad\b(?! idea| practice))",
    r"\b(?:so|very|really|extremely|getting) (?:frustrat\w+|annoy\w+|disappoint\w+)\b|\bi(?:'m"
    r"| am) (?:frustrated|annoyed|disappointed|angry|furious)\b",
    r"\bi (?:hate|can't stand) (?:this|that|it|how|when)\b|\bargg*h+\b|^ugh+\b|\bfor the (?:second|third|fourth"
    r"|fifth|last|\d+(?:nd|rd|th)) time\b",
    r"\byou (?:just )?(?:deleted|destroyed|wiped|ruined|nuked|killed|overwrote|lost) (?:my|all|the|our|everything)\b",
    r"\b(?:this|that) (?:must|should|can) never happen(?: again)?\b|\bnot good enough\b",
)  # fmt: skip
_ENTHUSIASM = (
    r"(?<!not )(?<!n't )\bexactly (?:what|how|as|like|the (?:way|thing|kind)) i (?:want|wanted|need|needed"
    r"|hoped|meant|had in mind|was (?:looking|hoping)|asked|imagined|like)",
    r"\b(?:i|we) (?:really |absolutely |just |totally )?(?:love|adore) (?:it|this|that|how|the way"
    r"|your)\b(?! (?:to|if)\b)",
    rf"{_START}(?:wow|whoa|woohoo|yay|yess+|hell yes|heck yes|bravo|brilliant|amazing|awesome|fantastic"
    rf"|excellent|incredible|beautiful|gorgeous|superb|stunning|phenomenal)\b",
    r"\b(?:that|this|it|which|you)(?:'s| is| are| was|'re| looks| works)(?: \w+){0,2}? (?:awesome|amazing"
    r"|brilliant|fantastic|excellent|incredible|beautiful(?:ly)?|superb|stunning|perfect(?:ly)?|a ?mazing"
    r"|genius|flawless(?:ly)?)\b(?! for)(?! if)",
    r"\b(?:great|fantastic|amazing|awesome|excellent|brilliant|incredible|superb|outstanding|stellar) (?:job"
    r"|work|stuff|result|solution|catch|find|idea)\b(?! (?:if|but|to)\b)",
    r"\b(?:nailed it|you (?:rock|nailed)|blown away|(?:so|super) happy with|couldn't be (?:better|happier)"
    r"|big improvement|keep doing (?:it|this|that))\b",
    rf"{_START}perfect(?:[.!,]|$| thank)",
)  # fmt: skip
_TABLES: dict[Signal, tuple[str, ...]] = {
    Signal.CORRECTION: (*_CORRECTION, *_OTHER_CORRECTIONS),
    Signal.ENTHUSIASM: _ENTHUSIASM,
    Signal.DISMAY: _DISMAY,
    Signal.REMEMBER: _REMEMBER,
}
