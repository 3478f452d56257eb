"""How people teach in English."""

from __future__ import annotations

from memlane.catch.teachings.rules import TeachingRules

_EDGE = r"(?:^|[,;:.!–—-]\s*|\b(?:and|but|so|please|pls|plz|to|just|then|btw)\s)"
_HOUSE = r"(?:repo\w*|projects?|code ?base|team|company|org\w*|monorepo|workspace|app|shop|code|stack|house|package)"
_FUTURE = (
    r"(?:from (?:now|here|today|this point|this moment|tomorrow) (?:on(?:wards?)?|forward)(?: out)?|going forward"
    r"|moving forward|in (?:the )?future|henceforth|starting (?:today|now|tomorrow)|as of (?:today|now)|from here on"
    r"|for (?:the|all|any)(?: \w+)? future(?: \w+)?|for next time|(?:the )?next time(?! (?:it|i|the|he|she"
    r"|they|this)\b)|for later(?: sessions?)?"
    r"|as a (?:general )?rule|by default|(?:the|our|my|a|one)? ?(?:general|ground|house|golden|standing|hard)"
    r" rules?(?: (?:here|is))?|(?:the|our|my|new) (?:rule|policy|convention|standard)(?: here)?(?: is)?"
    r"|in general|for good|permanently|once and for all)"
)
_KEEP = (
    r"(?:remember|memori[sz]e|keep in (?:mind|your notes|memory)|bear in mind|(?:don'?t|do not"
    r"|never) (?:ever )?forget"
    r"|take (?:a )?note|make a (?:mental )?note|mental note|for the record|(?:add|save|write|put|store|commit)"
    r" (?:this |that |it )?(?:down )?(?:to|in|into) (?:your |the )?(?:long[- ]term )?(?:memory|notes"
    r"|memories|claude\.md"
    r"|agents\.md|rules)|store this|learn this|write (?:this|that|it) down|(?:just )?so (?:that )?you know"
    r"|for (?:future|your) reference"
    r"|note(?: to (?:self|you|yourself))?(?: and (?:to )?(?:self|you))?(?= (?:that|this|for|down)\b| ?:|,)"
    r"|be aware|reminder|psa|fyi)"
)

RULES = TeachingRules(
    language="en",
    padding=(
        r"(?:ok(?:ay)?|so|well|hmm+|wait|actually|sorry|hey|hi|oh|ah|also|and|but|yeah|yep|yes|sure|great|cool|nice"
        r"|perfect|thanks|thank you|thx|ty|btw|by the way|right|ugh|argh|then|now|please|pls|plz"
        r"|alright|haha\w*|lol"
        r"|(?:just )?one (?:more |last |other )?(?:small |quick )?thing(?: tho(?:ugh)?)?|another thing|a few things"
        r"|seriously|heads[- ]up|quick note|side ?note|besides|just|look|listen|dude|man|folks|team|also"
        r"|lastly|finally"
        r"|important|attention|careful|hint|wrong|and for good|before (?:i forget|we start|you start)"
        r"|p\.?s\.?|todo|let me be clear|to be clear)"
        r"(?:[\s,.:!;…–—-]+|$)|(?:no+|nope|nah|stop|wrong)[,.:!;…–—-]+\s*"
    ),
    ending=r"[\s,;:]*(?:please|pls|plz|thanks|thank you|thx|ok|okay|right|alright|:\)|;\)|:-\)|😅|🙏|👍|lol)?[\s.!]*",
    opener=(
        rf"(?:^|[,;.–—-]\s*|\b(?:and|but|so|please|pls|you)\s)(?:please |pls |also |do |you |so )*{_KEEP}"
        r"(?: (?:this|that|it|the following|these))?(?: (?:for|in|across) (?:next time|later(?: \w+)?|the future"
        r"|(?:all |any )?future(?: \w+){0,2}|all[\w ]{1,24}|(?:the )?next \w+))?(?: please| pls)?(?! to\b)"
        r"(?:[^:,.?]{0,45}?\s*[:–—]\s*|, | that | - |\s+(?=(?:we|our|all|every|any|never|always|the|this|i|you)\b))"
        rf"|(?:^|[,;.–—-]\s*)(?:and |but |so |also )?{_FUTURE}[^:,.]{{0,20}}?(?:\s*[:–—]\s*|,\s*|\s+)"
        rf"|^[^:.?]{{0,60}}\b{_FUTURE}\b[^:.?]{{0,24}}:\s*"
        r"|^(?!(?:please )?(?:implement|add|create|make|write|fix|change|update|set|translate|commit|check|rename)\b)"
        r"[^:.?]{0,60}\b(?:time|times|habit|clear|repeating|how we \w+|told you|said|keep saying"
        r"|keep telling you|keep forgetting"
        r"|forgot again|decided"
        r"|decision|final|agreed|agree|settle|settled|rules?|repeat it|remember|conventions?|policy"
        r"|preferences?|reminder"
        r"|standards?|for the record|to (?:know|remember)|important)\b[^:.?]{0,30}:\s*(?!\d)"
        r"|^(?:again|once more|once again|as i said|like i said|rule|note|fact|tip|lesson learned)\s*[:,–—]\s*"
    ),
    strong=(
        r"\b(?:you can assume|assume (?:that )?i know|skip the (?:basics|intro\w*|preamble|explanation\w*))\b",
        r"\band (?:i|me) (?:have |finally |just )*(?:agreed|decided|settled)\b|\bno-go\b|\btaboo\b"
        r"|\bunder no circumstances\b",
        r"\bwe do [^?,]{3,50} here\b|\bin our (?:tickets|jargon|terminology|team|language)\b|\bmeans\b[^?]*, not\b",
        r"^whenever (?!i\b|we\b|it\b)[^,?]{2,60}, \w+|^(?:before|after|on|with) (?:every|each) \w+",
        r"\bwhen(?:ever)? i (?:say|write|type)\b.*\b(?:means?|you (?:may|can|should))\b",
        r"\b(?:from (?:now|here|today) on(?:wards?)?|going forward|henceforth|in (?:the )?future|for all future)\b",
        r"^for (?:every|each|all|any) (?:new )?[^,?]{2,40}, |\bwhen in doubt\b|\bi(?:'m| am) the only\b",
        rf"{_EDGE}(?:always|allways|never(?: ever)?|ever|(?:don'?t|do not) ever)\s+"
        r"(?!mind\b|seen\b|change\b|again\b|gonna\b|been\b|had\b|got\b|heard\b|mind[.,!]|since\b|so\b|has\b"
        r"|have\b|was\b"
        r"|the\b|a\b|a\b|(?!pass|discuss|address|process|focus|express|access|guess)[a-z]+s\b)[a-z]",
        r"\bnever[,.]? ever\b|, ever\b|\bno exceptions?\b|\bat all times\b|\bwithout exceptions?\b",
        r"\bwe (?:(?:here|now|also|really|generally|usually|still) )?(?:always|never|only|no longer"
        r"|strictly|exclusively)\b",
        r"\bwe (?:really |just |also )*(?:don'?t|do not|dont|won'?t) (?:ever )?(?:use|put|do|allow|commit"
        r"|merge|push|write"
        r"|mock|ship|deploy|name|hard-?code|add|call|support|catch|throw|import|store|keep|edit|touch|mix|log|accept"
        r"|release|rebase|squash|run|pin|nest|inline|abbreviate|comment|test)\b",
        r"\bwe(?:'ve| have)? (?:all |just |finally |recently |already |now |both )*(?:decided|agreed|settled on|chose"
        r"|standardi[sz]ed"
        r"|moved (?:on|away|off|over|from|to)|switched|migrated|dropped|banned|ditched|adopted)\b",
        r"\bwe(?:'re| are| will| 'll|'ll) (?:be |now |officially )*(?:going with|sticking (?:with|to)"
        r"|staying (?:with|on)"
        r"|moving (?:to|off|away)|switching to|standardi[sz]ing on|dropping|not using|done with|no longer"
        r"|not supporting"
        r"|stop(?:ping)?|drop\b|deprecating|retiring)",
        r"\b(?:it'?s|that'?s|this is) (?:decided|final|settled|a (?:general |hard |house |strict )?rule|the rule)\b",
        r"\b(?:team|board|group|leads?|architects?) (?:has |have )?(?:decided|agreed|signed off)\b",
        r"\bwe (?:use|write|name|deploy|release|cut|ship|run|keep|put|store|test|prefer|require|follow|call"
        r"|format|tag"
        r"|version|merge|squash|rebase|pin|document|target|stick)\b(?! to (?:have|do"
        r"|be)\b).{0,80}?(?:, ?not |, never "
        r"| instead of | rather than | only\b| not \w+$| over \w+$|\bhere\b|\bwith\b|\bin\b|\bas\b|\bon\b|\bfrom\b)",
        r"\bi (?:really |much |strongly |generally |always |usually |do |just |absolutely |also "
        r"|would )*(?:prefer|hate"
        r"|dislike|despise|can'?t stand|love|like|enjoy|appreciate|don'?t like|do not like|don'?t want"
        r"|do not want|rather)"
        r"\b(?! (?:it[.,!]|it$|it (?!when|if)|this\b|that\b|the (?!way\b|word\b|phrase\b|habit\b|style\b)\w"
        r"|option|to see\b|how\b|where\b|what\b|your (?:idea|approach|work)|#|\d|[a-e]\b))",
        r"\bi (?:don'?t|do not|never) want you to\b|\bi(?:'d like| want| need) you to (?:always|never)\b",
        r"\b(?:this|our) (?:repo\w*|project|codebase|team|company|service|package|app|monorepo) (?:uses"
        r"|runs on|targets"
        r"|requires|follows|only|supports|is on|has no|ships|does not|doesn't|never|always)\b",
        r"^(?:please )?keep (?:all |your |the |my )?(?:answers?|replies|responses|summar\w+|explanations?"
        r"|commits|prs|pull requests"
        r"|messages|commit messages|functions|comments|output) \w+",
        r"\bi(?:'d| would) (?:much )?(?:rather|prefer)\b(?! (?:the (?:first|second|third|other|latter"
        r"|former)|option|it\b"
        r"|this\b|that\b))",
        r"\bi (?:always|allways|never|usually|normally|mostly|typically) (?:use|want|mean|work|do|run|write"
        r"|commit|need"
        r"|read|expect|review|test|write|type|push|check|merge)\b",
        r"\b(?:second|third|fourth|fifth|sixth|tenth|\d+(?:st|nd|rd|th)|last|hundredth|nth|umpteenth) time"
        r"(?: (?:now|today|this week))?(?:\s*[:,–—-]| that i| i(?:'m|'ve| am| have| say| tell)?\b)",
        r"\bi(?:'ve| have)? (?:already |just |literally )?(?:told you|said (?:this|that|it|so)|asked you|mentioned)\b"
        r"[^.]{0,20}\b(?:already|before|again|yesterday|twice|times|last (?:week|time)|the other day)\b",
        r"\bas i(?:'ve| have)? (?:already )?(?:said|told)|\blike i (?:already )?(?:said|told)"
        r"|\bi keep (?:telling|saying|repeating|having)",
        r"\bfor the (?:last|nth|third|hundredth|umpteenth|\w+th) time\b",
        r"\b(?:our|the (?:team|house|project|company)'?s?) (?:convention|policy|standard|rule|practice"
        r"|style|process)s?\b",
        rf"\b(?:all|every|any|anything|everything|each|no)\b[^,;:?]{{0,60}}\b(?:in|for|of|across) (?:this"
        rf"|our|the whole|the) {_HOUSE}\b",
        rf"\b(?:in|for|on|across|throughout|at) (?:this|our|the whole|my|all(?: of)? (?:our"
        rf"|my)) {_HOUSE}\b[, ]+(?:we\b|you\b|the\b|all\b"
        r"|every|everything|it'?s|no|use|only|always|never|\w+s (?!are (?:three|two|many|four)))",
        rf"\b(?:is|are) (?:strictly )?(?:forbidden|banned|not allowed|off[- ]limits|mandatory|prohibited"
        rf"|required)\b[^?]*"
        rf"\b(?:here|{_HOUSE})\b",
        rf"{_EDGE}(?:stop|quit) (?!it\b|doing (?:that|this)\b)(?!(?:\w+ing) (?:the|this|that|it)\b)\w+ing\b",
        r"\b(?:don'?t|do not|dont|no)\b[^?]*\b(?:unless i (?:\w+ )?(?:ask|say|tell)|without (?:asking|my"
        r"|checking with)"
        r"|for me\b|ever\b|any ?more\b|ever again|again\b)",
        r"\bwhen(?:ever)? i say\b.*\bi (?:always )?mean\b|\bcall me \w+|\bwhenever you\b"
        r"|\bevery (?:single )?time(?! (?:i|it|the|we|a|this|that)\b)"
        r"|\beach time\b",
        r"\bi(?:'m| am) (?:colou?r[- ]?blind|dyslexic|blind|deaf|left-handed|new to|not (?:a|an|very"
        r"|that) [\w ]{0,20}"
        r"(?:native|developer|programmer|familiar|good at)|a (?:\w+ ){0,3}(?:developer|engineer|designer"
        r"|beginner|scientist"
        r"|student|manager|writer|researcher|analyst|teacher|dev|sre|admin)|based in|on (?:fish|zsh|bash"
        r"|windows|mac\w*"
        r"|linux|arch|ubuntu|nixos|powershell|wsl|an? (?:m\d|arm|intel))|using (?:vim|neovim|emacs|fish|zsh"
        r"|windows))\b",
        r"\bi (?:use|work (?:on|in|with|from)|live in|speak|read|only (?:know|speak|read))\b[^?]*\b(?:so"
        r"|please|always)\b",
        r"\bmy (?:native language|time ?zone|editor|shell|keyboard|pronouns|name) (?:is|are)\b",
        r"\b(?:answer|reply|respond|write|talk|speak)(?: to)? (?:me"
        r"|back)? ?(?:only )?in [A-Z]?\w+\b[^?]*\b(?:always|even|no"
        r" matter|please\b.*\bfrom now)",
        r"\byou (?:must|should|have to|need to|can|may) (?:always|never|not ever)\b",
        r"\bmake sure (?:to |you |that you |we )?(?:always|never)\b|\balways make sure\b|\bnever assume\b",
        r"\bwherever we work\b|\bin (?:all|every) (?:my|our) (?:projects|repos\w*)\b"
        r"|\bacross (?:all )?(?:my|our) projects\b",
    ),
    medium=(
        r"^our (?!.*\b(?:broken|failing|slow|down|red|wrong|missing)\b)[a-z -]{2,40} (?:are|is|must|should"
        r"|go|live|have|use"
        r"|start|follow|run|get|come)\b",
        r"^(?:please )?[a-z]+ .*\b(?:in all|in every|for all|for every|across all|in any|in each|everywhere)\b",
        r"^we (?:name|call|tag|prefix|write|use|keep|work|deploy|release|test|store|do|follow) (?!it\b"
        r"|this\b|that\b)\w+",
        rf"\b(?:in|for|on|across|throughout) (?:this|our|the whole|my|the) {_HOUSE}\b|\baround here\b"
        rf"|\bover here\b|\bwe (?:\w+ ){{0,2}}here\b",
        r"^(?:please )?(?:use|prefer|stick (?:to|with)|write|run|install|format|name) .{2,60}(?:, ?not "
        r"| instead of | rather than |, never | over )(?!.*\b(?:in|on|at|for) the\b)",
        r"^(?:[a-z-]+ ){0,3}[a-z-]+s (?:start|begin|end|follow|use|go|live|get|stay|carry|need|require|come"
        r"|belong|always"
        r"|never|(?:are|must be|should be|have to be) (?:named|written|stored|kept|versioned|formatted"
        r"|prefixed|tagged))\b",
        r"^(?:please )?(?:don'?t|do not|avoid) .*\b(?:any|in (?:\w+ )?(?:tests|commits|prs|code|docs|comments|replies"
        r"|answers|messages))\b",
        r"^(?:when|before|after) you (?!are\b|were\b|said\b)\w+ [^,]{2,60}, (?:please )?(?:use|run|add"
        r"|write|put|check|ask"
        r"|show|update|regenerate|keep|include|do|make|start|call|bump|tell|give)\b",
        r"\b(?:by hand|manually|directly)\b|\b(?:don'?t|do not|never) (?:edit|touch|change|modify) (?:it"
        r"|them|those)\b",
        r"\b(?:don'?t|do not|no need to|never)\b.*\b(?:to|for)? ?me\b|\bno need to\b|^(?:nobody|no one) "
        r"|\bso (?:no|never|don'?t|always|only"
        r"|we (?:can'?t|cannot|must))\b|^(?:please )?(?:speak|talk|write) to me\b|^avoid \w+",
        r"\b(?:are|is) (?:always|never) \w+ed\b",
        r"\bowned by\b|\bbranch is called\b",
        r"^(?:no|zero) (?!\w+ (?:idea|clue|problem|worries|wonder|need|more)\b)(?!idea|clue|problem|worries"
        r"|wonder|need|way|it|i |you |errors?|luck|changes?|issues?|response|output"
        r"|tests? )(?!.*\bnow\b)[\w` /-]{3,40}(?:[.,;!]|$)",
        r"\bonly[.!]?$|\bnowhere else\b|\band nothing else\b",
        r"\b(?:go(?:es)?|live[s]?|belong[s]?|sit[s]?) (?:in|under|into|through|via|next to|to)\b",
        r"\b(?:always|never)\b[^?]*\b(?:need|needs|must|should|go|goes|get|gets|have|has|require|requires"
        r"|on|in|with|from|floats?|at)\b",
        r"^(?:all|every|any|anything|everything|each|new|only) .*\b(?:must|need|needs|should|has to|have to"
        r"|get|gets|go|goes"
        r"|come|comes|require|requires|(?:is|are) (?:\w+ )?(?:stored|written|named|kept|reviewed|tested"
        r"|deployed|typed|in|on|by|to)\b|stay|stays|live|lives|use|uses|follow|follows)\b",
        r"^(?!(?:the|this|it|that) ).*\b(?:must|may|can|should) (?:only|never|not|always)\b|\bmustn'?t\b"
        r"|\bhas to (?:be|come|go)\b"
        r"|\bhave to (?:be|come|go)\b",
        r"\b(?:is|are) (?:forbidden|banned|not allowed|off[- ]limits|mandatory|prohibited|frozen|read-only"
        r"|deprecated here)\b",
        r"\bthis is an? [\w+.#-]+ (?:workspace|monorepo|repo|project|shop|codebase)\b",
        r"\bis pinned to\b|\bdon'?t (?:ever )?upgrade\b|\b(?:is|are) (?:deployed|released|cut|built"
        r"|generated|written|stored|kept|managed) (?:from|on|by|in|via|with|through|as)\b",
        r"\bby convention\b|\bas usual\b|\bthe way we\b",
        r"\bgenerally\b|\bdefaults? to\b",
    ),
    weak=(
        r", ?not \w|, never \w| instead of | rather than ",
        r"\b(?:must|should|need|needs|has to|have to)\b",
        r"\b(?:our|we)\b",
        r"\bbecause\b|\bso that\b|\botherwise\b",
        r"^(?:all|every|any|anything|everything|each|no|only|new|[a-z]+s) ",
    ),
    carries=(
        r"\bhow (?:many|often)\b.*\b(?:do|must|did|have|should) i\b[^:,]*$|\b(?:second|third|fourth|fifth"
        r"|\w+th) time i\b"
        r"|\bi(?:'ve| have)? (?:already )?(?:said|told you|mentioned) (?:this|that|it)?\b.*\b(?:already"
        r"|before|yesterday|times|twice)\b"
        r"|\bnot how we do\b|\bwe(?:'ve| have)? (?:been over|discussed|talked about) this\b"
        r"|^(?:please )?(?:remember|note|keep in mind|bear in mind)(?: (?:this|that"
        r"|the following))?(?: for[\w ]+)?[.!:]*$"
        r"|\b(?:a few|two|three|some|couple of|one) (?:more )?(?:ground |house )?(?:things|rules|notes"
        r"|conventions|points|preferences)\b"
        r"|\bfor (?:the future|next time|later)[.!:]*$|^(?:decision|decided|new rule|rule)[.!:]*$"
    ),
    corrects=(
        r"no\b|nope\b|wrong\b|not (?:there|quite|like that|again)\b|that'?s (?:not|wrong)\b|stop\b|again\b"
        r"|still\b|ugh\b|please don'?t"
        r"|you (?:\w+ )?(?:used|did|put|forgot|added)\b.*\bagain\b|looks good but\b"
    ),
    points_back=(
        r"^(?:(?:please|pls|and|so) )+(?:remember|memori[sz]e|note)[.! ]*$|^(?:(?:please|and|so"
        r"|also) )*(?:remember|keep|note|save|store|write|put|take|add) (?:that|this|it)\b"
        r"(?=.*\b(?:notes?|mind|memory|future|next time|from now|always|going forward|into account|down"
        r"|claude\.md|agents\.md)\b|[ .!]*(?:please)?[.!]*$)"
        r"|^(?:please )?(?:remember|memori[sz]e) (?:that|this|it)\b[ ,]*(?:please|for .*|next time|ok)?[.! ]*$"
        r"|^(?:general|house|hard|standing) rule[.!]*$|^(?:that|this)(?:'s| is) (?:a|the|our) (?:general "
        r"|hard |house |standing )?(?:rule|convention|policy)\b"
        r"|^(?:that|this|it|same) (?:holds|goes|applies|counts) (?:for|to|everywhere|always)\b"
        r"|\btake (?:that|this) into account\b.*\bfrom now on\b"
    ),
    heading=(
        r"\b(?:remember|rules?|conventions?|guidelines|note|notes|keep in mind|from now on|going forward|preferences?"
        r"|for (?:the future|next time|later|future \w+)|in this (?:repo\w*|project|codebase)|decisions?"
        r"|we (?:decided|agreed)"
        r"|things to know|how we (?:work|do)|standards?|always|never|i (?:like|prefer)|house style|memory|memories)\b"
    ),
    once=(
        r"\b(?:(?<!not only )(?<!not just )this (?:one )?time|just (?:this )?once|only (?:this )?once"
        r"|this once|for now|for the moment"
        r"|for (?:just |only )?(?:this|that|the current|these) (?:\w+ ){0,2}?(?:refactor\w*|prs?|task"
        r"|change|one|commit|branch|file"
        r"|ticket|fix|migration|session|once|run|step|feature|release|review|sprint|demo|round|bug|issue"
        r"|test|call|chat|conversation)"
        r"|(?<!not )only today|for today|(?<!not )just today|today only|right now|tonight"
        r"|(?<!not )until (?:i|we|the|he|she|they|tomorrow|then|monday|tuesday|wednesday|thursday|friday"
        r"|next|further|it|this|that)\b"
        r"|(?:in|within|during) this (?:session|pr|commit|chat|conversation|branch|task|change|round"
        r"|iteration|review|thread|ticket)\b"
        r"|for the (?:demo|time being|next \w+)|(?<!from )(?<!starting )tomorrow(?! on)|until (?:lunch|noon"
        r"|end|i'm|tonight)"
        r"|in this (?:function|file|method|class|module|component|test|script|query|case|loop|view|page"
        r"|form|dialog|step)\b|, you (?:passed|forgot|used|missed|wrote)\b|^(?:this|it|that)(?:'s"
        r"| is) (?:only|just)\b|^it (?:says|fails|was|does|happens)\b|, so hardcode|for the rest of\b"
        r"|at the moment|temporarily|one[- ]off|when(?:ever)? you(?:'re| are) (?:done|finished|through)"
        r"|once (?:you(?:'re| are)|it'?s|that'?s)"
        r"|before you (?:finish|push this|commit this|merge this|move on)|in the (?:second|first|third|last"
        r"|next) (?:branch|case|function|step)"
        r"|while (?:i|we|you|the) \w+|this (?:week|morning|afternoon|evening|sprint)(?! (?:and|in|we|with"
        r"|i)\b)|for a (?:moment|second|minute)"
        r"|back to normal|yet[,.]|yet$|then stop\b|go ahead\b)"
    ),
    narrows=r"only\b|just\b|afterwards\b|after that\b|but only\b",
    foreign=(
        r"^i (?:think|believe|guess|suspect|assume) |, (?:fix|change|correct|handle) (?:that|this|it)\b|"
        r"(?<!\bi )(?<!\bwe )(?<!'ve )(?<!have )\b(?:said|says|told (?:me|us)|tells (?:me|us|contributors)"
        r"|tells|wrote|writes that|thinks?|claims?|argues?|insists?"
        r"|suggests?|suggested|recommends?|recommended|believes?|swears|complains?|expects that"
        r"|warns?) (?:that |to |we |you |in |always|never|[\"“'])"
        r"|\b(?:readme|docs?|documentation|guide|linter|spec|rfc|manual|book|article|blog|tutorial|reviewer"
        r"|error|message|comment"
        r"|boss|manager|cto|customer|client|colleague|coworker|bot|copilot|chatgpt|wiki"
        r"|page) (?:\w+ )?(?:says?|said|states?|told|wants|recommends?|suggests?|writes|tells|claims)\b"
        r"|\baccording to\b|\bapparently\b|\busers? (?:\w+ ){0,3}(?:prefer|want|like|pick)\b|\b(?:they|he"
        r"|she) (?:\w+ )?(?:always|never|prefers?|hates?|likes?|don'?t|decided|agreed)\b"
        r"|\b(?:people|folks|guys) (?:\w+ )?(?:say|told|think|always|never|prefer)\b|\bi(?:'m"
        r"| am) (?:writing|not convinced|drafting)\b"
        r"|\bused to\b|\bback (?:at|in|then|when)\b|\b(?:old|last|previous|former) (?:job|company|team"
        r"|employer|project)\b|\b(?:in|since) (?:19|20)\d\d\b"
        r"|(?<!\bare )(?<!\bis )(?<!\bbe )\b(?:always|never) (?!need)(?:\w{2,}ed|had|got|did|was|were|went"
        r"|thought|knew|saw|came|made|took"
        r"|ran|felt|forgot|understood|found|been)\b"
        r"|\bnot (?:yet )?decided\b|\bat some point\b|\bmaybe\b|\bperhaps\b|\bi wonder\b|\bwondering\b"
        r"|\bnot sure\b|\bshould we\b|\bwhat if\b"
        r"|\bhypothetical|\bin theory\b|\bwould (?:be|it|have)\b|\bnever (?:mind|gonna|change)\b"
        r"|\bi remember\b|\bdo you remember\b"
        r"|\bthe (?:test|function|code|script|page|method|cache|api|server|app|build|job|spec|user|button"
        r"|modal|query|loop|worker|websocket|endpoint)"
        r" (?:\w+ ){0,3}(?:always|never) \w+|\bit (?:always|never|still always) \w+s\b|\b(?:that"
        r"|which) (?:always|never) \w+s?\b"
        r"|^(?:if|suppose|supposing|assuming|imagine|let'?s say"
        r"|in case)\b(?!.*, (?:then )?(?:please )?(?:always|never)\b)"
        r"|\bi don'?t (?:understand|get why|know)\b|, explain (?:it|this|how|why)\b|^always an? "
        r"|, find out\b|\b(?:someone|somebody|everyone|everybody) (?:\w+ ){0,4}(?:always|never)\b"
        r"|, so (?:add|change|make|fix|remove|create|update|hardcode)\b|^[qa]: |\be\.g\.,? (?:always"
        r"|never)\b|^you (?:always|never)\b"
        r"|\bshould(?:n't| not| never)? have \w+ed\b|^(?:again,? )?you(?:'re|'ve)? (?:\w+ )?(?:are|were|did"
        r"|used|wrote|added|put|forgot|reformatted|made|changed"
        r"|keep|have|still)\b|\bstep \w+ (?:always|never)\b|\b(?:tests?|specs?) (?:\w+ )?expects?\b"
    ),
    question=(
        r"(?:should|do|does|did|is|are|was|were|have|has|can|could|would|will|why|what|what'?s|how|when did"
        r"|where|which|who|whose|am|shall|may)"
        r"\s+(?:we|you|i|it|the|this|that|they|there|he|she|a|an|any|one|come|about|do|does|did|is|are|many"
        r"|if|would|should|to|these|those|our|my|your)\b"
    ),
    polite=(
        r"(?:can|could|would|will) you (?:please |pls |just |maybe )*(?:always|never|stop|not|remember"
        r"|keep in mind|from now on|start)\b"
    ),
    order=(
        r"(?:(?:can|could|would|will) (?:you|u)|please|pls|go|now|next|let'?s|i(?:'d| would) like you to"
        r"|i (?:want|need) (?:you )?(?:to|the)|"
        r"help me|try to)?\s*(?:and )?(?:implement|add|create|make(?! sure)|change|rename|fix|translate|commit"
        r"|summari[sz]e|draft|refactor|replace"
        r"|update|move|build|generate|explain|show|convert|remove|delete|rephrase|rewrite|improve|tighten"
        r"|set|let|write|localstorage|bump|find"
        r"|look|check|test|push|review|migrate|answer with|commit with|sketch|plot|clean|extend|port|split"
        r"|merge)\b(?! (?:me|us) in\b)(?! (?:messages?|files?|names?|branches|cases|data|code|scripts?"
        r"|comments?|titles?|requests?"
        r"|images?|artifacts?|dates?|bumps?|commits|merges|notes|plans?)\b)"
    ),
    person=(
        r"\bi(?:'m|'d)?\b(?!.*\b(?:we|our)\b)|\b(?:answer|reply|respond|explain|talk|speak|summar\w+"
        r"|answers?|explanations?|responses?|repl(?:y|ies)"
        r"|apolog\w+|emojis?|tone|verbose|concise|call me|tell me|ask me|show me|give me|for me|plan first"
        r"|greet\w*)\b|\bwherever we work\b"
        r"|\byour (?:answers?|summar\w+|replies|responses|messages|explanations?)\b|\bask (?:before"
        r"|first)\b|\bmy ok\b|\bbefore (?:you )?(?:coding|editing|changing)\b"
    ),
    decision=(
        r"\b(?:decided|decision|agreed|settled|going with|chose|switched|moved (?:to|on|off|away)|dropp(?:ed"
        r"|ing)|standardi[sz]|signed off|final|no longer)\b"
    ),
    correction=(
        r"\b(?:time i|told you|i said|how many times|stop \w+ing|quit \w+ing|again|anymore|any more"
        r"|not how we)\b"
    ),
    cuts=(r"\b(?:and|but|so|because)\s+",),
    rewrites=(
        (r"^i(?:'d| would) like you to |^i (?:want|need) you to ", ""),
        (r"^i (?:don'?t|do not|never) want you to ", "Do not "),
        (r"^(?:can|could|would|will) you (?:please |pls |just )*(.*?)\??$", r"\1"),
        (r"^i(?:'d| would) (?:much )?rather\b", "The person would rather"),
        (r"^i(?:'d| would) (?:much )?prefer\b", "The person prefers"),
        (
            r"^i (?:really |much |just |also |do |absolutely |strongly |generally )*(prefer|like|love|want"
            r"|need|use|work|usually work|live|speak|appreciate)\b",
            r"The person \1s",
        ),
        (r"^i (?:really |just |also |absolutely )*(hate|dislike)\b", r"The person \1s"),
        (r"^i (?:really |just )*(?:don'?t|do not) (like|want|need|read)\b", r"The person does not \1"),
        (r"^i can'?t stand\b", "The person cannot stand"),
        (r"^i (always|never|usually|normally)\b", r"The person \1"),
        (r"^i(?:'m| am)\b", "The person is"),
    ),
    forget=(
        r"(?:forget|ignore|disregard|scratch|drop|discard|take back|never ?mind) (?:about )?(?:what"
        r"|everything|the thing|all)"
        r" (?:that )?(?:i|we)(?:'ve| have)? (?:said|told you|taught you|decided|mentioned|asked)(?: (?:you"
        r"|before|earlier))*"
        r" (?:about|on|regarding|concerning|for|with) (?P<about>[^.,;!?\n]{2,120})"
        r"|(?:forget|ignore|disregard|scratch|drop) (?:the|that|my|our) (?:rule|preference|note|memory"
        r"|decision|convention)"
        r" (?:about|on|regarding|that|for) (?P<about2>[^.,;!?\n]{2,120})"
    ),
)
