"""How people teach in English."""

from __future__ import annotations

from memlane.catch.lead_in import LEAD_IN
from memlane.catch.teachings.languages.english_signs import CHATTER, MEDIUM, STRONG, WEAK
from memlane.catch.teachings.rules import TeachingRules

_VERB = (
    r"\b(?:is|are|am|im|(?:it|that|he|she|there)'s|'m|'re|was|must|has|have|had|lives?|runs?|needs?|uses?"
    r"|talks?|gets?|goes|go|keeps?"
    r"|only|never"
    r"|always|should|can|cannot|can't|belongs?|comes?|stays?|works?|takes?|sits?|starts?|ends?|expires?|requires?"
    r"|supports?|don't|doesn't|dont|do|does|will|won't|may|prefer|hate|like|want|call|deploy|follow|write|live|ship)\b"
)
_FUTURE = (
    r"(?:from (?:now|here|today|this point|this moment|tomorrow) (?:on(?:wards?)?|forward)(?: out)?|going forward"
    r"|moving forward|in (?:the )?future|henceforth|starting (?:today|now|tomorrow)|as of (?:today|now)|from here on"
    r"|for (?:the|all|any)(?: \w+)? future(?: \w+)?|for next time|(?:the )?next time(?! (?:it|i|the|he|she"
    r"|they|this)\b)|for later(?: sessions?)?"
    r"|as an? (?:general )?(?:rule|convention|principle)|by default(?!,? (?:the|it|this|that|an?) )|(?:the|our"
    r"|my|a|one)? ?(?:general"
    r"|ground|house|golden|standing|hard)"
    r" rules?(?: (?:here|is))?|(?:the|our|my|new) (?:rule|policy|convention|standard)(?: here)?(?: is)?"
    r"|in general(?!,? (?:the|it|this|that) )|for good|permanently|once and for all)"
)
_KEEP = (
    r"(?:remember|memori[sz]e|for (?:some |your |more )?(?:context|background)|just a (?:quick )?note"
    r"|keep (?:(?:this|that|it) )?in (?:mind|your (?:notes|memory)|memory)|bear in mind|(?:don'?t|do not"
    r"|never) (?:ever )?forget"
    r"|take (?:a )?note|make a (?:mental )?note|mental note|for the record|(?:add|save|write|put|store|commit)"
    r" (?:this |that |it )?(?:down )?(?:to|in|into) (?:your |the )?(?:long[- ]term )?(?:memory|notes"
    r"|memories|claude\.md"
    r"|agents\.md|rules)|store this|learn this|write (?:this|that|it) down|(?:just )?so (?:that )?you know"
    r"|for (?:future|your) reference"
    r"|note(?: to (?:self|you|yourself))?(?: and (?:to )?(?:self|you))?(?= (?:that|this|for|down)\b| ?:|,)"
    r"|be aware|reminder|psa|fyi|for your (?:info\w*|notes|memory|records?)|write down|jot down|know that|mind that"
    r"|(?:good|worth|useful|important|helpful) to know|for what it'?s worth|you (?:should|must|need to"
    r"|have to) know|what you should know)"
)

RULES = TeachingRules(
    language="en",
    padding=(
        r"(?:ok(?:ay)?|so(?! (?:that )?you know)|well|hmm+|wait|actually|sorry|hey|hi|oh|ah|also|and|but|yeah"
        r"|yep|yes|sure|great|cool|nice"
        r"|perfect|thanks|thank you|thx|ty|btw|by the way|right|ugh|argh|then|now|please|pls|plz"
        r"|alright|haha\w*|lol"
        r"|(?:just )?one (?:more |last |other )?(?:small |quick )?thing(?: tho(?:ugh)?)?|another thing|a few things"
        r"|seriously|besides|just|look|listen|dude|man|folks|team|update"
        r"|correction|also"
        r"|lastly|finally"
        r"|attention|careful|hint|wrong|and for good|before (?:i forget|we start|you start)"
        r"|p\.?s\.?|todo|let me be clear|to be clear)"
        r"(?:[\s,.:!;…–—-]+|$)|(?:no+ )?(?:no+|nope|nah|stop|wrong|nvm|jesus|omf?g|wtf)[,.:!;…–—-]+\s*"
        rf"|{LEAD_IN}"
    ),
    ending=r"[\s,;:]*(?:please|pls|plz|thanks|thank you|thx|ok|okay|right|alright|:\)|;\)|:-\)|😅|🙏|👍|lol)?[\s.!]*",
    opener=(
        r"(?:^|[,;.–—-]\s*|\b(?:and|but|so|please|pls|you)\s)(?:please |pls |also |do |you "
        rf"|so )*(?<!remember, ){_KEEP}(?!,? remember)(?! (?:that|this|it)(?: for (?:later|next time|the future"
        r"|good))?[.! ]*$)"
        r"(?: (?:this|that|it|the following|these))?(?: (?:for|in|across) (?:next time|later(?: \w+)?|the future"
        r"|(?:all |any )?future(?: \w+){0,2}|all[\w ]{1,24}|(?:the )?next \w+))?(?: please| pls)?(?! to\b)"
        r"(?:[^:,.?]{0,45}?\s*[:–—]\s*|, | that | - |\s+(?=(?:we|our|all|every|any|never|always|i|im|i'm|my)\b))"
        r"|(?:^|[,;.–—-]\s*|\b(?:and|but|so|please|pls|also|btw)\s)(?:please "
        r"|pls )*(?<!remember, )remember,? (?!to\b|when\b|how\b|where\b"
        r"|what\b|if\b|why\b|whether\b|which\b|who\b|me\b|remember\b|the time\b|last\b)"
        rf"(?=[^?]{{2,80}}?{_VERB})"
        rf"|(?:^|[,;.–—-]\s*|\b(?:and|but|so|also)\s)(?:just )?(?:fyi|psa),? (?=[^?]{{2,80}}?{_VERB})"
        r"(?!.*\b(?:broken|failing|fails?|failed|down|red|crash\w*|stuck|late|busy|lunch|done|back|merged"
        r"|pushed|fixed)\b)"
        r"|^(?!.*\b(?:typos?|bugs?|errors?|issues?|problem|question)\b[^:]{0,30}:)"
        r"(?!(?:please )?(?:implement|create|make (?!a note)|fix|change|update|set|translate|commit|check"
        r"|rename|review|explain)\b)"
        r"[^:.?]{0,70}\b(?:correction|your notes|to your memory|to memory|claude\.md|agents\.md|later work"
        r"|all sessions|for good"
        r"|signed (?:it |this )?off|write down|note|notes|things? (?:to|you)|stick to|gotcha|caveat|lesson"
        r"|learned|learnt|good to know"
        r"|we'?re going|standing|principle|house style|how (?:we|i) (?:like|do|work|want|name|write)"
        r"|the way we \w+|about me|follow|habit"
        r"|not how we [\w ]{2,20})"
        r"\b[^:.?]{0,40}:\s*(?!\d)"
        r"|\b(?:to|in|into) (?:claude|agents)\.md that "
        r"|^(?:it'?s|it is) (?:good|worth|useful|important) (?:to know|noting|knowing|remembering)(?: that)? "
        rf"|(?:^|[,;.–—-]\s*|\b(?:but|and) )(?:and |but |so |also )?{_FUTURE}[^:,.]{{0,20}}?(?:\s*[:–—]\s*|,\s*|\s+)"
        rf"|^[^:.?]{{0,60}}\b{_FUTURE}\b[^:.?]{{0,24}}:\s*"
        r"|^(?!.*\b(?:typos?|bugs?|errors?)\b[^:]{0,30}:)"
        r"(?!(?:please )?(?:implement|add|create|make|write|fix|change|update|set|translate|commit|check|rename)\b)"
        r"[^:.?]{0,60}\b(?:time|times|habit|clear|repeating|how we \w+|told you|said|keep saying"
        r"|keep telling you|keep forgetting"
        r"|forgot again|decided"
        r"|decision|final|agreed|agree|settle|settled|rules?|repeat it|remember|conventions?|policy"
        r"|preferences?|reminder"
        r"|standards?|for the record|to (?:know|remember)|important)\b[^:.?]{0,30}:\s*(?!\d)"
        r"|^(?:small |quick |just a |little )*(?:heads[- ]up|side ?note|quick note|note|important|reminder)\s*[,:–—]\s*"
        r"(?!.*\b(?:broken|failing|fails?|failed|down|red|crash\w*|stuck|late|merged|pushed|fixed)\b)"
        r"|^as (?:we )?(?:discussed|agreed|mentioned)(?: \w+)?[,:] |^in case you (?:wonder\w*|didn'?t know"
        r"|don'?t know|care), |^(?:again|once more|once again|as i said"
        r"|like i said|rule|note|fact|tip|lesson learned)\s*[:,–—]"
        r"(?!\s*(?:let'?s|look|try|can|could|why|what|how|please (?:look|try))\b)\s*"
    ),
    chatter=CHATTER,
    strong=STRONG,
    medium=MEDIUM,
    weak=WEAK,
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
        r"^(?:please |pls |and |so |just )*(?:keep|do|leave|have|make|use|write|treat|handle) (?:it|this|that"
        r"|them|these|the same|so)\b[^:?]*"
        r"\b(?:that way|always|every time|from (?:now|here) on|in all|everywhere|going forward|for good"
        r"|in (?:the )?future|in every"
        r"|every (?:chat|session|time))\b|^(?:please |pls )?(?:remember|memori[sz]e|note) (?:it|them|these)[.! ]*$"
        r"|^(?:please |pls )?stick to (?:it|that|this)\b|^(?:for good|always|every time|from now on"
        r"|no exceptions|period)[.! ]*$"
        r"|^(?:that|this)(?:'s| is) (?:how we|the way we|a standing|standing|general|always)\b|"
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
        r"|things to (?:know|save|keep|remember)|agreed|stick to|follow|for (?:later|good)|all sessions"
        r"|about me|how (?:we|i) (?:like to )?(?:work|do|want)|standards?|always|never|i (?:like|prefer)"
        r"|house style|memory|memories)\b"
    ),
    once=(
        r"\bagain from\b|\b(?:of|from) our (?:chat|conversation)\b"
        r"|\b(?:as it is|as is|unchanged|anything else|nothing else please)\b|, just (?:the|this|give)\b"
        r"|\bbefore you (?:hand|submit|send|deliver)\b"
        r"|\bfor the \w+ (?:field|button|column|page|form|menu|banner|screen|box|table)\b|\bfor (?:this|these"
        r"|that|those) (?:\w+ )?(?:banner|columns?|page|button|screen|form|field)\b"
        r"|\bi(?:'d| would) (?:rather|prefer)\b[^?]*\bhere\b|\b(?:with|like|take|prefer) the \w+ one\b"
        r"|\bin that (?:call|case|function|file|line)\b"
        r"|\bin this (?:[\w-]+ )?(?:section|paragraph|notebook|cell|line|block|snippet|endpoint|email|mail|doc|document"
        r"|table|sentence|example|draft|message|reply|answer|readme)\b|\bin (?:line \d|the (?:\w+ )?(?:line"
        r"|row|branch))\b"
        r"|\bfor (?:this|that) (?:notebook|script|one|experiment|spike|prototype|function|class|module|page|run|time)\b"
        r"|\bbefore you start on\b|\bon this (?:ticket|branch|task|pr)\b|\bby (?:tonight|friday|monday|tomorrow|noon)\b"
        r"|\bfrom now until\b|\b(?:to|until) see if\b|\bi just want to\b|\bonce (?:i|we) (?:have|are|'ve)\b"
        r"|\bwhile i'?m\b"
        r"|\b(?:on|for|with) (?:this|that) one\b|\byou just (?:wrote|added|made|created|changed)\b"
        r"|\bthe \w+ you (?:just )?wrote\b"
        r"|\b(?:(?<!not only )(?<!not just )this (?:one )?time|just (?:this )?once|only (?:this )?once"
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
        r"|at the moment|temporarily|one[- ]off|when you(?:'re| are) (?:done|finished|through)(?!,? always)"
        r"|once (?:you(?:'re| are)|it'?s|that'?s)"
        r"|before you (?:finish|push this|commit this|merge this|move on)|in the (?:second|first|third|last"
        r"|next) (?:branch|case|function|step)"
        r"|while (?:i|we|you|the) \w+|this (?:week|morning|afternoon|evening|sprint)(?! (?:and|in|we|with"
        r"|i)\b)|for a (?:moment|second|minute)"
        r"|back to normal|yet[,.]|yet$|then stop\b|go ahead\b)"
    ),
    narrows=r"only\b|just\b|afterwards\b|after that\b|but only\b",
    foreign=(
        r"^make sure (?:that )?(?:the|this|a|an) |\bprefer not to\b|\bfor fun\b|\bin the demo\b|"
        r"\b(?:doesn't|does not|won't|isn't) (?:stick|stay|save|load|render|update|show)(?:ing)?\b|"
        r"^.{0,30}\b(?:this|that|these|those) (?:\w+ )?(?:functions?|files?|class(?:es)?|methods?|modals?|components?"
        r"|variables?|endpoints?|columns?|buttons?|tests?"
        r"|loops?|quer(?:y|ies)|scripts?|lines?|params?|branch|tables?|errors?|bugs?)\b|\bmuch time\b"
        r"|\bdays? left\b|\bbe on top\b|"
        r"\bi (?:told|asked|taught|convinced) (?:my|the|them|him|her|our)\b|"
        r"^you can (?:always|never|also)\b|^(?:this|that|here)(?:'s| is) (?:where|why|how|when|what)\b(?! we)"
        r"|^when (?:parsing|rendering|loading|saving|sorting|clicking|serializing"
        r"|starting up|scrolling|hovering)\b|(?<!\bi )(?<!\bwe )(?<!'ve )\b(?:asked|told|reminded|advised"
        r"|expects|wants) (?:us|me|them|everyone|people) to\b"
        r"|^(?:the|a|an|each|this|that) [\w-]+(?: [\w-]+)? (?:should|shall) (?!be (?:named|written|kept|stored"
        r"|reviewed|called))"
        r"|^if (?:the|a|an|there|it|no|any|some) (?!.*\b(?:our|the|a) (?:rule|convention|policy)\b)|"
        r"\bi could imagine\b|\btheir (?:policy|rule|convention)\b|\b(?:celebrat\w+|(?<!-)party|lunch|dinner"
        r"|invite|invitation|budget|meeting to)\b"
        r"|\bbut (?:never|always)\b|\bnot agreed\b|\bi swear\b|\bnobody thought\b|^when (?:we|they"
        r"|i) (?:decided|agreed|chose|started|moved)"
        r"|\w's team\b|\btheir (?:team|side)\b|\b(?:postpone|reschedule|push back|delay)\b"
        r"|\b(?:says|claims|argues|insists|swears|thinks|believes|reckons|wants (?:that|us|me))\b"
        r"|^(?:as an? )?users? (?:should|must|can|may|never|always)\b|^as an? \w+,? i want\b"
        r"|\bwhen(?:ever)? (?:the|a|an) users?\b"
        r"|^(?:the|a|an|each|this|that) [\w-]+(?: [\w-]+)? (?:should|shall|needs to|has to|must) (?:always "
        r"|never |only )?"
        r"(?:be (?:able|disabled|enabled|shown|hidden|visible)|remember|return|show|say|answer|display|keep"
        r"|save|store|open|close"
        r"|throw|raise|accept|have|send|fire|retry|render|load|work|handle|support)\b"
        r"|^(?:the|our|this|that|my|it|each) (?:[\w-]+ ){1,4}?(?:always|never) (?!gets\b|is\b|has\b|needs\b"
        r"|goes\b|lives\b|requires\b"
        r"|comes\b|uses\b|runs on\b)[a-z]+s\b"
        r"|\b(?:always|never|only) (?:pass|fail|crash|hang|time out|return|take|break|lose|miss|timeout"
        r"|redirect|complain|finish"
        r"|get (?:a|an|this|the|stuck|reset|lost|killed))(?:s|es|ed)?\b|\bthe \w+ (?:is|are) never \w+ed\b"
        r"|\bi always forget\b|\bwe have a (?:bug|problem)\b|\b(?:oom\w*|segfault\w*|5\d\ds?|timeouts?) (?:in"
        r"|on|since|again)\b"
        r"|, (?:help|why|any idea\w*|write (?:a|me)|please (?:debug|fix|help|look)|fix it|can you)\b|\b(?:and"
        r"|but) (?:the|it|i|they)"
        r" [\w ]{2,30}\b(?:fails?|crash\w*|killed|oomkilled|breaks?|hangs?|timed? ?out|returns?)\b"
        r"|^i use (?:this|that|the) |^use (?:that|this|it)\b|^i could |^we (?:could|might|may) |\bnumber one:|"
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
        r"|(?<!\bare )(?<!\bis )(?<!\bbe )(?<!if you )\b(?:always|never) (?!need|allowed|supposed)(?:\w{2,}ed"
        r"|had|got|did"
        r"|was|were|went"
        r"|thought|knew|saw|came|made|took"
        r"|ran|felt|forgot|understood|found|been)\b"
        r"|\bnot (?:yet )?decided\b|\bat some point\b|\bmaybe\b|\bperhaps\b|\bi wonder\b|\bwondering\b"
        r"|\bnot sure\b|\bshould we\b|\bwhat if\b"
        r"|\bhypothetical|\bin theory\b|\bwould (?:be|it|have)\b|\bnever (?:mind|gonna|change)\b"
        r"|\bi remember\b|\bdo you remember\b"
        r"|\bthe (?:test|function|code|script|page|method|cache|api|server|app|build|job|spec|user|button"
        r"|modal|query|loop|worker|websocket|endpoint)"
        r" (?:(?!are |is )\w+ ){0,3}(?<!are )(?<!is )(?:always|never) \w+|\bit (?:always|never"
        r"|still always) \w+s\b|\b(?:that"
        r"|which) (?:always|never) \w+s?\b"
        r"|^(?:if(?! you(?:'re| are)? (?:ever )?(?:unsure|not sure|in doubt|stuck|don'?t know|do not know"
        r"|uncertain))(?!.*\b(?:our|the|a) (?:rule|convention|policy)\b)|suppose|supposing|assuming|imagine|let'?s say"
        r"|in case)\b(?!.*, (?:then )?(?:please )?(?:always|never)\b)"
        r"|\bi don'?t (?:understand|get why|know)\b|, explain (?:it|this|how|why)\b|^always an? "
        r"|, find out\b|\b(?:someone|somebody|everyone|everybody) (?:\w+ ){0,4}(?:always|never)\b"
        r"|, (?<!policy, )(?<!rule, )so (?:add|change|make|fix|remove|create|update|hardcode)\b|^[qa]: "
        r"|\be\.g\.,? (?:always"
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
        r"(?:can|could|would|will) you (?:please |pls )*(?:make sure|ensure)\b.*\b(?:from now on|always|never"
        r"|going forward)\b|"
        r"(?:can|could|would|will) you (?:please |pls |just |maybe )*(?:always|never|stop|not|remember"
        r"|keep in mind|from now on|start|in (?:the )?future|going forward|each time|every time)\b"
    ),
    order=(
        r"(?!.*\b(?:me|us)\b.*,\s*(?:always|every time|from now on|ever)[.!]*$)(?!.*\b(?:after|before|on|for"
        r"|with) (?:each|every)\b)"
        r"(?!.*\bthat'?s (?:how|the way) we\b)"
        r"(?:(?:can|could|would|will) (?:you|u)|please|pls|go|now|next|let'?s|i(?:'d| would) like you to"
        r"|i (?:want|need) (?:you )?(?:to|the)|"
        r"help me|try to)?\s*(?:and )?(?:implement|add|create|make(?! sure| it a habit)|run (?:the|this|my|it)"
        r"|change|rename|fix|translate|commit"
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
    choice=(
        r"\b(?:prefer|like|rather|take|love|choose|pick)\b[^.?]{0,40}\b(?:option|version|variant|approach"
        r"|the (?:first|second|third"
        r"|other|latter|former|last) (?:one|way|idea)?|#?\d\b|[ab]\b[.!,]*$)|\bi like to (?:know|see)\b"
        r"|, (?:go ahead|revert to it"
        r"|let'?s do (?:it|that))\b"
    ),
    hands_over=(
        r"(?:please |pls |so |now |then |can you |could you )*(?:implement|fix|build|debug"
        r"|estimate|find out|look into|investigate) (?:it|that|this|why|and implement)\b|(?:please )?debug\b"
        r"|find out why\b|(?:please )?estimate and\b|help\b"
    ),
    trouble=(
        r"\b(?:broken|fail(?:s|ed|ing)?|crash\w*|twice|slow|stuck|missing|wrong|hangs?|red|outdated|bug|leaks?"
        r"|flaky|since|duplicated?)\b"
        r"|[,;] (?:so |and |please |pls )*(?:add|handle|run|tail|fix|write|check|find|show|tell|remove|delete"
        r"|convert|update|rename|look|parse|help)"
        r" (?:it|them|that|this|those|me|a|an|the|into|up)\b"
    ),
    several=(
        r"\b(?:two|three|four|five|\d|a few|some|couple of|several|these|following) (?:more |small |quick "
        r"|important )?(?:things|rules"
        r"|points|notes|facts|conventions|preferences|items|reminders)\b"
    ),
    between=(
        r";\s+(?:and |also )?|,?\s+and (?=(?:i|we|the|my|our|you|never|always|no|all|every|use|don'?t)\b)"
        r"|,\s+(?=(?:i|we|the|my|our|and)\b)"
    ),
    decision=(
        r"\b(?:decided|decision|agreed|settled|going with|chose|switched|moved (?:to|on|off|away)|dropp(?:ed"
        r"|ing)|standardi[sz]|signed off|final|no longer)\b"
    ),
    correction=(
        r"\b(?:time i|told you|i said|how many times|stop \w+ing|quit \w+ing|again|anymore|any more"
        r"|not how we)\b"
    ),
    cuts=(r"\b(?:and|but|because)\s+",),
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
        (r"^(\w+(?: \w+)?) and i are\b", r"The person and \1 are"),
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
