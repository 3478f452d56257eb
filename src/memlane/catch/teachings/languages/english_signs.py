"""What shows a rule in English: for sure, perhaps, and a little."""

from __future__ import annotations

_EDGE = r"(?:^|[,;:.!–—-]\s*|\b(?:and|but|so|please|pls|plz|to|just|then|btw)\s)"
_HOUSE = (
    r"(?:repos?|repositor(?:y|ies)|projects?|code ?bases?|teams?|company|org|organi[sz]ation|monorepo"
    r"|workspace|app|shop"
    r"|code|stack|house|package|product|system|domain|crate|service|platform|frontend|backend|api|library)"
)
_ADVERB = (
    r"(?:(?:really|much|strongly|generally|always|usually|do|just|absolutely|also|would|very|totally|personally) )*"
)

STRONG = (
    r"\bwe(?:'re| are) an? [\w ]{2,24}(?:shop|team|company|house)\b|^(?:that'?s|this is"
    r"|that isn'?t) (?:not right|wrong|not correct|incorrect|right), (?:we|our|the)\b",
    r"\b(?:don'?t|do not|no need to|stop) (?:summari[sz]|explain|apologi[sz]|repeat|recap|thank|prais|greet"
    r"|narrat)\w*\b(?!.*\b(?:this|yet|here|now)\b)",
    r"\bit (?:was|has been|is|got) (?:\w+ )?decided\b|\bwant (?:\w+ ){1,2}(?:answers|replies|explanations)\b",
    r"^we (?!have|had|see|saw|get|need|are|were|could|should|might|can|want)\w+ [^?]{3,60} here[.!]*$",
    r"^we \w+ [^,?]{2,40}, (?:no|not|never|without|don'?t) (?!longer sure|sure|idea|problem|clue)\w+",
    r"^our [\w ]{2,30} (?:forbids?|requires?|allows?|prohibits?|expects?|does not allow|doesn'?t allow)\b",
    r"\bwe have an? (?:very )?(?:strict )?[\w-]+ (?:policy|rule|convention)\b|\bi(?:'d| would) (?:appreciate"
    r"|love|be happy|like|prefer)(?: it)? if you\b",
    r"\bwe(?:'ve| have)? (?:\w+ )?stopped \w+ing\b|\baddress me as\b|\bis off[- ]limits\b|\b(?:everything"
    r"|it all|all of it) is (?:on|in) [\w ]{2,30} now\b",
    r", (?:so )?(?:please |pls )?(?:remember|note|keep) (?:that|this|it)(?: in mind)?(?: for (?:later"
    r"|next time|the future|good))?(?: please| pls)?[.!]*$",
    r"\bwhen (?:you'?re |you are )?(?:talking|speaking|writing|replying|answering|explaining|chatting"
    r"|working)\b[^?]*\b(?:me|us)\b"
    r"|\bwhen it(?:'s| is| comes) (?:about|to)\b|\bi find [\w ]{2,40} (?:easier|better|clearer|harder"
    r"|nicer|more|hard|annoying|confusing)\b",
    r"\b(?:is|are) (?:now )?our \w+|\bi (?:don'?t|do not) (?:ever )?want to see\b|\bthat'?s (?:how"
    r"|the way) we (?:roll|do|work|like)\b",
    r"^(?:please |pls )?(?:skip|omit|leave out|drop|shorten|limit|avoid|use|put|start|end|format|include"
    r"|keep|begin|don'?t \w+)\b[^?]*"
    r"\b(?:your (?:answers|replies|responses|messages|explanations|summaries|output|reviews|commits)"
    r"|(?:answers|replies) (?:to|for) me)\b",
    r"\bi(?:'m| am|m) an? [\w -]{2,24}(?:thinker|learner|reader)\b",
    # decisions and corrections
    r"\bwe(?:'ll| will)? (?:now )?(?:go|stay|stick|roll) with\b|\bwe won'?t (?:be )?(?:support|us|do|ship"
    r"|need|hav|migrat|add)\w*\b"
    r"|\bit is[.!]*$|^[\w-]+ it is\b|\bis (?:out|gone|history), we\b",
    r"^(?!.{0,20}\b(?:bug|problem|issue|error|question|reason|cause|fault|failure|it|this|that"
    r"|there)\b)[\w -]{2,40} (?:is|are|lives?|runs?|uses?|sits?|goes|go"
    r"|belongs?|gets?)\b[^,?]{1,60}(?:, ?not (?!yet|sure|working|the case)|, never | and not )",
    r"^(?:it'?s|it is) (?:a |our |the )?(?:policy|convention|rule|custom|standard|standard practice|tradition)\b",
    # rules about what is here
    r"^(?!(?:put|add|move|use|leave|do|set|let|keep|why|what|which) )[\w /-]{3,45} here (?:are|is|must"
    r"|follow|use|go|live|get|have"
    r"|need|stay|start|end|come|should|belong|run|has|gets|goes)\b(?!.*\b(?:wrong|broken|slow|odd|weird"
    r"|missing)\b)",
    rf"^(?!(?:the|this|that|it|there) )[\w -]{{3,40}} (?:in|of|for|on) (?:this {_HOUSE}|our \w+) (?:are"
    r"|must|get|go|live|have"
    r"|follow|use|start|end|stay|come|always|never|need)\b(?!.*\b(?:broken|failing|slow|down|wrong|missing"
    r"|fail)\b)",
    rf"^(?:in|on|for) (?:this|our) {_HOUSE},? (?!why|how|what|can|could|add|fix|there (?:is|are) a)",
    r"\byou(?:'re| are)? (?:are )?(?:never|not|only) allowed to\b|\byou don'?t (?:have|need) to ask\b"
    r"|\bno need to ask\b",
    r"\b(?:this|that|it) (?:counts|holds|goes|applies|is true) (?:for|to|in) (?:every|all|any|each)",
    r"^if you(?:'re| are)? (?:ever )?(?:unsure|not sure|in doubt|stuck|don'?t know|do not know|uncertain)\b",
    r"\bby (?:our )?policy\b|\bforbidden by\b|\bour limit\b|\bmake it a habit\b|\brefrain from \w+ing\b",
    r", (?:always|ever|period|no exceptions)[.!]*$|, now and forever\b",
    r"\bask (?:me|us|first|her|him|them) before (?:you )?\w+|\b(?:check with|ask) \w+ before (?:you )?\w+ing\b",
    # how the person wants it
    r"^when(?:ever)? i (?:ask|say|paste|send|write|give|report|mention|show|share"
    r"|request)\b[^,?]*, (?!it\b|the\b|this\b)",
    rf"\bi {_ADVERB}(?:want|need|expect) (?:short|brief|concise|long|detailed|small|only|all|my|plain"
    r"|simple|no|direct"
    rf"|straight\w*|bullet\w*|code|type|tests|full|short\w+) ?\w*\b(?!.*\b(?:here|this|for now)\b)",
    r"\bi(?:'d| would) like (?:short|brief|concise|longer|shorter|detailed|small|only|plain|simple|more"
    r"|fewer|less) \w+",
    r"\bi(?:'d| would) (?:always |generally |much )?(?:rather|prefer) (?:see|have|get|you|that you|it when"
    r"|if you|not|a|use|\w+ing)\b"
    r"(?! (?:the (?:first|second|third|other|latter|former)|option|it\b|this\b|that\b(?! you)))",
    r"\bi want you to (?!go through|remove|add|rename|fix|find|check|look)\w+[^?]*\b(?:after|before|on|for"
    r"|with|in) (?:each|every)\b",
    r"\bi(?:'m| am|m) (?:on|using) (?:a |an |my )?(?:mac\w*|windows|linux|fish|zsh|arm|m\d)\b"
    r"|\bmy (?:machine|laptop|computer"
    r"|setup|os|box|screen|terminal) (?:is|has|runs)\b[^?]*\b(?:so|please|hence)\b",
    r"\bi(?:'m| am|m) (?:a|an|more of a|mostly a|mainly a) [\w -]{2,30}(?:person|guy|gal|dev\w*|engineer"
    r"|beginner|newbie|noob"
    r"|user|speaker|designer|scientist|analyst)\b[^?]*(?:, |\bso\b)",
    r"\bi (?:don'?t|do not) (?:know|speak|understand|read) \w+[^?]*\bso (?:please |always )?\w+",
    r"\bi go by \w+|\bmy pronouns\b|\b(?:she/her|he/him|they/them)\b|\bcall me \w+",
    r"\bas short as (?:possible|this|that)\b.*\balways\b|\bmake (?:it|this) a habit\b",
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
    r"|have\b|was\b|and\b|or\b"
    r"|the\b|a\b|(?!pass|discuss|address|process|focus|express|access|guess)[a-z]+s\b)[a-z]",
    r"\bnever[,.]? ever\b|, ever\b|\bno exceptions?\b|\bat all times\b|\bwithout exceptions?\b",
    r"\bwe (?:(?:here|now|also|really|generally|usually|still) )?(?:always|never|only|no longer"
    r"|strictly|exclusively)\b(?! (?:get|got|see|saw|have|need|had|receive|run into|end up|hit|forget|find|hear)\b)",
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
    r"\byou (?:must|should|have to|need to) (?:always|never|not ever)\b",
    r"\bmake sure (?:to |you |that you |we )?(?:always|never)\b|\balways make sure\b|\bnever assume\b",
    r"\bwherever we work\b|\bin (?:all|every) (?:my|our) (?:projects|repos\w*)\b"
    r"|\bacross (?:all )?(?:my|our) projects\b",
)
MEDIUM = (
    r"^(?:please )?(?:use|keep|write|put|run|test|name|pin|squash|rebase) (?!it\b|this\b|that\b|the\b|a\b"
    r"|an\b)[^,?]{2,40}, we \w+",
    r"^we use (?:the|our) ",
    r"\b(?:happen|run|go out|are cut|are made|reset|resets|get wiped|gets wiped|rotate|expire|ship"
    r"|deploy)\b[^?]*\b(?:every|each|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|at (?:midnight"
    r"|noon))\b",
    r"^[a-z-]+s [a-z]+ [^,?]{2,40}, (?:they|we|it) (?:don'?t|never|do not|doesn'?t)\b",
    r"^(?:when|before|after|if) you [^,?]{3,60}, (?:also|first|always|never|don'?t) ",
    r"\bneeds? (?:at least|to be|the|an?)\b[^?]*\b(?:otherwise|or else|else)\b",
    r"^only [\w -]{2,40} (?:may|can|is allowed|are allowed|should)\b|^[\w./-]+, not [\w./-]+[.!]*$"
    r"|^one \w+ per \w+|: one \w+ per \w+",
    r"^the (?:default|main|primary|staging|prod\w*|release|official|minimum|maximum"
    r"|canonical) [\w -]{2,30} (?:is|are|lives) ",
    r"\bowns the\b|\bis (?:responsible|the owner|in charge)\b",
    r"^(?!(?:my|your|his|her|users?|requests?|customers?|clicks?|visitors?|buttons?|rows?"
    r"|tests? fail) )(?:[a-z-]+ ){0,3}[a-z-]+s (?:must|have to|need to"
    r"|should|may|are to|can)\b(?! (?:we|i|you)\b)",
    r"^(?:[a-z-]+ ){0,3}[a-z-]+s (?:are|get) (?:always |never |only |all )?(?:squashed|reviewed|signed"
    r"|sorted|generated|pinned|deployed"
    r"|done|merged|written|wrapped|validated|plural|singular|lowercase|uppercase|immutable|reversible"
    r"|tagged|cut|made|rebased)\b",
    r"\b(?:are|is) (?:always|never) \w+",
    r"^[\w -]{3,40} for [\w -]{3,40}, [\w -]{3,40} for [\w -]{3,40}$",
    r"^(?:please )?(?:default to|stick to|refrain from|prefer|avoid) (?!it\b|this\b|that\b|the (?:first"
    r"|second|other)\b)\w+",
    r"^(?:please )?(?:don'?t|do not) (?:use|add|write|put|create|introduce|hard-?code|abbreviate"
    r"|mock) (?:any )?[\w -]{2,40}"
    r"(?: in (?:variable|function|class|test|file|commit|branch)\b|s(?:[.!,]|$))(?!.*\b(?:this|here|that|yet|now)\b)",
    r"^you should (?:ask|check with|tell) ",
    r"^our (?!.*\b(?:broken|failing|slow|down|red|wrong|missing)\b)[a-z -]{2,40} (?:are|is|must|should"
    r"|go|live|have|use"
    r"|start|follow|run|get|come)\b",
    r"^(?:please )?[a-z]+ .*\b(?:in all|in every|for all|for every|across all|in any|in each|everywhere)\b",
    r"^we (?:name|call|tag|prefix|write|keep|deploy|release|store|follow) (?!it\b"
    r"|this\b|that\b)\w+",
    rf"\b(?:in|for|on|across|throughout) (?:this|our|the whole|my|the) {_HOUSE}\b|\baround here\b"
    rf"|\bover here\b|\bwe (?:\w+ ){{0,2}}here\b",
    r"^(?!.*\bhere\b)(?:please )?(?:use|prefer|stick (?:to|with)|write|run|install|format|name) .{2,60}(?:, ?not "
    r"| instead of | rather than |, never | over )(?!.*\b(?:(?:in|on|at|for) the|here|(?:in"
    r"|for) [\w.]*[_(./][\w()./]*|in [a-z]+[A-Z]\w*)\b)"
    r"(?!.*\b(?:a|an|the|this|these|that) )",
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
    r"^(?!(?:please )?(?:run|show|use|change|test|print|list|commit|push|deploy|check|format|fix"
    r"|touch) ).*\bonly[.!]?$|\bnowhere else\b|\band nothing else\b",
    r"(?<!to )\b(?:go(?:es)?|live[s]?|belong[s]?|sit[s]?) (?:in|under|into|through|via|next to|to)\b",
    r"\b(?:always|never)\b(?!-)[^?]*\b(?:need|needs|must|should|go|goes|get|gets|have|has|require|requires"
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
)
WEAK = (
    r", ?not \w|, never \w| instead of | rather than ",
    r"\b(?:must|should|need|needs|has to|have to)\b",
    r"\b(?:our|we)\b",
    r"\bbecause\b|\bso that\b|\botherwise\b",
    r"^(?:all|every|any|anything|everything|each|no|only|new|[a-z]+s) ",
)
CHATTER = (  # what is said of the work at hand
    r"\b(?:i'?d|i(?: also)? would) like (?:to|us|your)\b|\b(?:you|we) can always\b|\btechnically\b|\bany ?more\b"
    r"|(?:^|: )\s*[+#>/-]|\bwas useful\b|\bconsider\b|\bsays\b|\bin the future\b|\bi (?:think|reckon|believe)\b"
    r"|\blast time i\b|^(?:no|nah),? (?:you|we|remove|revert|undo|this|that|it)\b|\bmay\b"
    r"|\bthis (?:pr|commit|change|branch|test|function|file)\b|\bshould (?:also |still |not )?be\b"
)
