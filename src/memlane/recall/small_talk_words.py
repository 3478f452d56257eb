"""The words of small talk, and those that end it. `small_talk` says how they are read."""

from __future__ import annotations

import re

from memlane.recall.words import EMPTY


def _pattern(form: str, alternatives: str) -> re.Pattern[str]:
    """`alternatives` over several lines; `form` has {} where they belong."""
    joined = "".join(line.strip() for line in alternatives.strip().splitlines())
    return re.compile(form.replace("{}", f"(?:{joined})"), re.IGNORECASE)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Said for its own sake, whatever it is about: "thanks for the migration".
SOCIAL = _pattern(
    r"\b{}(?!\w)",
    r"""
        a?(?:ha){2,}h?|(?:he){2,}|lo+l|lmao|rofl|xd|(?:ja){2,}|(?:je){2,}|mdr|ptdr|k{3,}|(?:rs){2,}|(?:ах){2,}а?
        |(?:ха){2,}|laugh(?:ed|ing)? (?:out|so|my|at)|hilarious|priceless|just kidding|thanks
        |thank you(?! (?:page|note|letter|mail|e-?mail|card|screen|message))|thanx|thx|tysm|cheers|grateful
        |(?:much|really|greatly) appreciated?|appreciate (?:it|that|you|your)|i owe you|couldn['’]?t have done it
        |saved? my (?:day|evening|week|life|bacon|skin)|well done
        |(?:good|great|nice|amazing|fantastic) (?:job|work|one|going)|wow|whoa|bravo|kudos|congrat\w*|impressive
        |i['’]?m impressed|awesome|proud of you
        |you(?:['’]re| are)? (?:really |honestly )?(?:rock|rule|the best|better \w+ \w+ than|a (?:star|legend|hero
        |genius|gem))
        |(?:cleanest|nicest|prettiest|coolest|best) \w+ i(?:['’]ve| have)? (?:ever )?(?:seen|read|had)
        |so (?:happy|glad|relieved|proud|excited) (?:that|it|with|about|for)|hurr?a[yh]?|hooray|yay|woo+hoo+|yippee|ugh
        |arg+h+|gr{2,}|pf{2,}|uff|my goodness|oh (?:my|boy|dear|man)|i swear|i hate \w+days|danke(?:schön)?
        |vielen \w* ?dank|merci|chapeau|bien joué|gracias|enhorabuena|obrigad[oa]|valeu|parabéns|grazie|complimenti
        |bedankt|dank je|dzięki|dziękuję|teşekkür\w*|kiitos|спасибо|молодец|ура
    """,
)
# What something did to us, or how well it went: "that typo made my day".
EFFECT = _pattern(
    r"\b{}\b",
    r"""
        (?:ma(?:de|kes?)|got|had) me (?:laugh|smile|giggle|blush|cry)|crack(?:ed|s) me up
        |ma(?:de|kes?) my (?:day|morning|evening|week)|thing of beauty
        |(?:never|not) (?:looked|been|felt|run|ran) (?:so|this) (?:good|green|clean|quiet|nice|smooth|quick|fast|easy
        |fun)
        |i (?:did not|didn['’]?t|never) expect(?:ed)? you to|looks? like (?:\w+ )?(?:art|magic|poetry|a poem)
    """,
)
# The same, unless the clause is about something: "go on", but not "go on with task 4".
PHRASE = _pattern(
    r"\b{}(?!\w)",
    r"""
        funn(?:y|iest)|jok(?:e|es|ing)|kidding|amazing|brilliant|gorgeous|beautiful|wonderful|excellent|spot on|lovely
        |grand|love (?:it|this|that)|not my day|mak(?:e|es|ing) me \w+|took (?:forever|ages)
        |so (?:tired|sleepy|bored|hungry)
        |(?:am|i['’]m) (?:just |only |all )?(?:listening|watching|waiting|reading|typing|tired|exhausted|hungry
        |sleepy|ears)
        |be right back|brb|see (?:you|ya)|talk (?:to you )?later|good ?bye|good (?:night|morning|evening|afternoon)
        |happy (?:birthday|new year|\w+day|weekend|holidays)|merry christmas|fingers crossed|wish me luck|sorry
        |apologies|interrupt(?:ing|ed)?|excuse (?:me|my)|don['’]?t mind me
        |no (?:worries|hurry|rush|offen[cs]e|comments?)|take (?:your|all the) time|as you (?:like|wish)
        |whatever you (?:think|like|want)|up to you|your call|(?:go|carry|crack) on|keep (?:going|it up|at it|doing)
        |go ahead|go for it|continue|proceed
        |(?:from |with )?(?:what you(?:['’]re| are| were) (?:doing|saying)|where you (?:were|stopped|left off
        |got cut off)|what you (?:proposed|said))
        |(?:the )?(?:first|second|third|last|other|former|latter|left|right) (?:one|option|suggestion|proposal
        |version|idea)
        |i (?:dis)?agree|with the rest|reading along|connection (?:dropped|lost)|i['’]?ll be (?:quiet|back)|lgtm|sgtm
        |(?:my|your) side|all clear|hang on|hold (?:on|that thought|your horses)
        |(?:a|one|just a) (?:moment|second|sec|minute)|super|klasse|prima|genial|toll|großartig|weiter(?: so)?
        |na dann(?: mal)?(?: los)?|bis (?:gleich|später|morgen|dann)|bin (?:kurz|gleich) (?:weg|da|zurück)
        |ich (?:schaue?|höre?|warte)(?: zu)?|bravo|vas[- ]y|vraiment|je reviens.*|je te regarde.*|à (?:plus|demain)
        |sigue(?: así)?|venga|dale|vale|qué (?:bueno|risa|gracia|bien)|en serio|yo miro|eres un \w+|du bist ein\w* \w+
        |m['’]as sauvé\w*(?: la \w+)?|müde|fatiguée?|cansad[oa]|la ayuda|las narices|lunes|ahora vuelvo|me llaman
        |hasta (?:luego|mañana)|boa (?:noite|tarde)|bom dia|prego|figurati|buon(?:giorno|asera|anotte)
    """,
)
# What programs print when all is well, or a client in the person's place, pasted or sent alone.
OUTPUT = _pattern(
    "{}",
    r"""
        \[request interrupted.*\]|(?:process )?(?:finished|exited) with (?:exit )?(?:code|status) 0
        |exit (?:code|status):? 0|nothing to commit.*|everything up-to-date|already up[ -]to[ -]date\.?
        |(?:up to date, )?(?:added|audited) \d+ packages?.*|build (?:succeeded|successful)\W*
        |(?:all )?(?:checks|tests) passed\W*|\d+ passed(?: in [\d.]+ ?m?s)?|done\W*|ok \(\d+ tests?\)
        |it (?:printed|says|said):? (?:done|ok|\d+)\W*
    """,
)
TROUBLE = _pattern(
    r"\b{}\b",
    r"""
        fail(?:s|ed|ing|ure)?|errors?|broken|breaks?|broke|crash(?:es|ed|ing)?|bugs?|exceptions?|time(?:d|s)?[ -]?outs?
        |missing|conflicts?|regression|leaks?|hangs|flak[ey]y?|doesn['’]?t (?:work|build|compile|start)
        |not (?:working|found)|should|must|for today|stop here|wrap up|usual|usually|always|never (?:do|use|push|commit)
        |(?<!no )(?<!you )need(?:s|ed)?|want(?:s|ed)?|instead|prefer(?:s|red)?
    """,
)
# What somebody wants done.
_TASKS = "|".join(
    sorted(
        _words("""
        add adjust apply archive assign automate benchmark bind book build bump cache cancel change check clean clone
        close compare compile compress configure connect convert copy create debug define delete deploy describe
        design disable document download draft drop edit email enable encrypt estimate evaluate explain export extend
        extract fetch filter fix flash format generate handle hide implement import improve increase inline insert
        inspect install introduce investigate launch link lint list log lower mail make merge migrate mock mount move
        name open optimi[sz]e order pack parse patch plan plot port post prepare print profile propose publish pull
        purge push put raise rebase rebuild record reduce refactor regenerate register release reload remove rename
        render renew reorder replace reply report reproduce research reset resize resolve restart restore revert
        review rewrite roll rotate route save scale schedule scaffold search secure seed send serve set setup ship
        show shorten simplify skip sort split squash ssh stage start store submit summari[sz]e swap switch sync tag
        test tidy trace train translate trim truncate turn tweak unify update upgrade upload use validate verify wire
        wrap write zip
    """)
    )
)
# At the beginning of a clause, or after who is to do it.
REQUEST = _pattern(
    r"^(?:(?:ok|okay|so|and|then|now|please|pls|also|just|maybe|next|first|again|yes|yeah|thanks|bitte|und|jetzt)\s+)*"
    r"(?:{}\s+)?(?:" + _TASKS + r")\b(?!\s+(?:of|was|is|has|went)\b)",
    r"""
        (?:can|could|would|will|should|must)\s+(?:you|we|i)(?:\s+(?:please|now|also|just))*|let['’]?s|let us|please
        |you (?:should|must|need to|have to)|(?:i|we)(?: would|['’]d)? (?:need|want|like|have)\s+(?:you\s+)?to
    """,
)

# A life beside the work. Where a clause has nothing else in it, it is about that life.
EVERYDAY = _words(
    """
        weather rain rains raining rainy snow snows snowing snowy sun sunny hot cold warm windy storm outside street
        summer winter autumn weekend holiday holidays vacation birthday christmas easter coffee espresso tea water
        beer wine champagne cake pizza breakfast lunch dinner supper snack food barbecue eat eating ate drink
        drinking hungry thirsty sleep sleeping slept asleep bed nap tired sleepy awake woke wake exhausted sick ill
        headache neck eye eyes hand hands finger fingers body hurt hurts hurting pain chair desk laptop fan wifi
        phone doorbell door ringing rings rang neighbour neighbor neighbours neighbors landlord noise loud drilling
        kid kids child children baby son daughter wife husband partner girlfriend boyfriend mother father mom mum dad
        parents brother sister family friend friends colleague boss dog cat pet walk walking bus bike traffic gym
        party dance dancing sing singing music song movie luck lucky fun happy glad sad angry mad annoyed annoying
        bored boring nervous excited afraid scared proud ashamed embarrassed stupid dumb silly crazy weird terrible
        horrible awful hate love enjoy enjoyed enjoying swear honestly seriously forever life world career human
        robot mate buddy pal dude chat chatting listening watching waiting staring stared sitting quiet patient
        patience polite rude clever smart pleasure laugh smile cry crying tears dream dreaming interview lovely cute
        funny complicated killing
    """
)
ABOUT_US = _words("i i'm im i've i'd i'll my me mine myself you you're you've your yours it's its it we we're our us")
WHO = _words("i i'm im i've i'd i'll my you you're you've your honestly finally")
# Small words of such talk that say nothing about it.
_PASSING = _words(
    """
        monday tuesday wednesday thursday friday saturday sunday week day days morning noon afternoon evening night
        tonight midnight hour hours minute minutes moment second oclock am pm back home head body call calls believe
        hope hoping wish wonder wondering forget forgot remember guess honest literally totally finally choices
        choice person team man boy girl people everybody everyone somebody someone nobody talk talked talking listen
        watch wait waited stare sit stuck silent kind wise welcome meeting meetings pulled nice kill killed works
        worked work done finish finished over enough soon earlier today tomorrow ages dozen purpose ten five million
        had have got silence opinion opinions explain understood understand question questions asked answer
        suggestion pick choose decide proposed listed trust agree written above sentence repeat typed pressed add
        read meant idea thought thinking ich bin bist ist du das ein eine mann ja nein heute mal so sehr ganz noch je
        tu suis es est c'est le la les un une tout très infiniment yo soy estoy eres de este esto por con muy todo el
        eu sou um uma muito io sono è molto mil muchas mille tante
        is are was ok okay yeah yes no oh ah well hm hmm way that's there's don't can't won't isn't doesn't didn't just
        as has does while yet hey hi hello carry alright sure perfect great cool side clear
    """
)
_WEIGHTY = frozenset({"problem", "update", "test", "write", "create", "function", "file", "folder", "wrong"})
LIGHT = (EMPTY - _WEIGHTY) | EVERYDAY | _PASSING | ABOUT_US

# Said while work goes on: agreeing, thanking, pointing at what is on the screen. Alone they need no note.
ROUTINE = _words(
    """
        yes yep yup yeah y ok okay k sure no nope nah thanks thank thx ty please pls continue proceed go going on ahead
        next again retry commit this that it them all both now and then good great perfect nice cool fine done right
        exactly correct agreed approved lgtm sgtm stop wait pause hold keep carry more same first second last one two
        three the a an my your you i me we do run try is was with for so just only also too well very much hm hmm oh ah
        hello hi hey bye morning sounds looks makes sense works worked
    """
)
