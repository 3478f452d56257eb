"""Words that say something about a moment: what a person says, how they open, what the agent said before and after.

None of them decides anything: the weights were learnt (`training/moments.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping


def _compiled(patterns: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(pattern, re.IGNORECASE | re.MULTILINE) for name, pattern in patterns.items()}


SAYS = _compiled({
    "always": r"\b(always|every ?time|each time|from now on|in general|generally|by default|as a rule|whenever"
    r"|going forward|in (the )?future|at all times)\b",
    "never": r"\b(never|not ever|no longer|any ?more)\b",
    "convention": r"\b(convention|standard|guideline|rule|pattern|consisten\w+|policy|principle|style|philosophy"
    r"|directive)\b",
    "prefer": r"\b(prefer\w*|i('d| would) (rather|like)|i like|rather|better|best|favou?r|nicer|cleaner)\b",
    "should": r"\b(should|must|needs? to|has to|have to|ought|supposed to)\b",
    "should not": r"\b(should ?n[o']?t|must ?n[o']?t|can'?t|cannot|should not|must not)\b",
    "do not": r"\b(don'?t|do not|stop|avoid|no need|not necessary|without|isn'?t needed|unnecessary|drop|skip|remove"
    r"|leave)\b",
    "let's not": r"\b(let'?s not|we (shouldn'?t|should not|don'?t (want|need))|no need to)\b",
    "is not": r"\b(is|are|was|does|do|did|has|have)(n'?t| not)\b",
    "not convinced": r"\b(i don'?t (think|like|want|see|understand|get|believe)|not sure|i doubt|doubt)\b",
    "instead": r"\b(instead|rather than|not just|as opposed to|over)\b",
    "not": r"\bnot\b",
    "reason": r"\b(because|since|cause|so that|otherwise|the reason|reason|that way|as it|in order to|to avoid|due to"
    r"|therefore|which means|that means)\b",
    "opinion": r"\b(i think|i feel|i guess|i believe|imo|i'd say|in my opinion|i suspect"
    r"|my (point|concern|worry|understanding))\b",
    "wish": r"\b(i want|i need|i'd like|we want|we need|i would like)\b",
    "we": r"\b(we|our|us|let'?s)\b",
    "you": r"\b(you|your)\b",
    "you did": r"\byou (missed|forgot|didn'?t|did not|haven'?t|broke|removed|deleted|said|are|were|made|changed|added"
    r"|just|keep|still|should|shouldn'?t|seem|did|need)\b|\byou'(re|ve)\b",
    "wrong": r"\b(wrong|incorrect|not correct|not right|not true|not what|mistake|bug|broken|misleading"
    r"|doesn'?t (work|make|match|seem|look)|does not|didn'?t|isn'?t|aren'?t|wasn'?t|won'?t|not working|confus\w+|weird"
    r"|odd|strange|problem|issue)\b",
    "not so": r"\b(that'?s|this is|it'?s|you'?re) (not|wrong|incorrect)|\bwrong\b|\bnot (correct|right|true|what)\b",
    "still": r"\b(still|again|same|another|also|already|yet)\b",
    "but": r"\b(but|however|although|though|except|unless|while|whereas|hmm+|wait|actually|hold on|no,)\b",
    "mind": r"\b(remember|note that|keep in mind|make sure|ensure|be careful|careful|don'?t forget|important"
    r"|bear in mind|fyi|to be clear|the point is|just so you know)\b",
    "only": r"\b(only|just|simply|simple|simpler|minimal|keep)\b",
    "choice": r"\b(decid\w+|go with|let'?s (go|do|use|keep|just|not|make|stick|start|leave|drop|remove|move)|option"
    r"|choose|pick|stick (to|with)|agree\w*|makes sense|sounds good|fine)\b",
    "praise": r"\b(great|nice|perfect|love|awesome|excellent|wow|exactly|amazing|cool|thanks|thank you|good)\b",
    "tests": r"\b(tests?|tdd|lint\w*|coverage|ci|e2e|integration)\b",
    "git": r"\b(pr|prs|commit\w*|push\w*|branch\w*|merge\w*|rebase|squash|git|review\w*)\b",
    "docs": r"\b(docs?|readme|comment\w*|changelog|claude\.md|agents\.md|documentation|plan|issue|linear|ticket)\b",
    "hedge": r"\b(maybe|perhaps|i guess|wonder\w*|probably|might|could|possibly|somewhat|thinking)\b",
    "order": r"\b(later|for now|follow[- ]?up|at some point|eventually|next|first|then|before|after|until)\b",
    "doubt": r"\b(why|how come|what about|is (it|that|this)|are (we|you|there)|isn'?t|shouldn'?t|couldn'?t|don'?t we"
    r"|doesn'?t|does|do we|would|did (you|we)|have (you|we))\b.*\?",
    "why": r"\b(why|how come|what'?s the (point|reason|purpose))\b",
    "question word": r"^\W*(what|where|when|who|which|how)\b",
    "please": r"\b(can|could|would|will) (you|we)\b|\bplease\b|\bpls\b",
    "example": r"\b(e\.g\.|for example|like|such as|i\.e\.|say)\b",
    "use": r"\b(use|using|used|run|running)\b",
    "all": r"\b(every|all|any|each|everything|everywhere|anything|none|no)\b",
    "others": r"\b(users?|customers?|people|someone|somebody|human|developer|team|them|they)\b",
    "outcome": r"\b(work(s|ed|ing)?|fail\w*|error\w*|pass\w*|crash\w*)\b",
    "sorry": r"\b(sorry|oops|my bad|ah|oh)\b",
    "agents": r"\b(claude|agent\w*|model|prompt|session\w*|context|sub-?agents?|skill\w*|hooks?)\b",
    "number": r"\b\d+\b",
    "on purpose": r"\b(explicit(ly)?|intentional\w*|on purpose|by design|deliberate\w*|expected|acceptable|supposed)\b",
    "already there": r"\b(already (have|has|exists?|did|do|done|in|there|cover\w*)|existing|re-?use\w*|built-?in"
    r"|(don'?t|didn'?t|do) we (already )?have)\b",
    "pays": r"\b(over-?kill|useful|useless|worth|duplicat\w*|noise|noisy|complex\w*|over-?complicat\w*|simpler"
    r"|cleaner)\b",
    "can change": r"\b(can (change|happen|be)|could be|might be|not (always|every|all|necessarily)|in theory"
    r"|sometimes)\b",
    "symptom": r"\b(i (get|got|see|saw|am getting|'m getting)|(it|this) (shows?|says|fails|crashes)|doesn'?t show|gone"
    r"|not showing|no output|stuck|hangs?)\b",
    "next piece of work": r"\b(go ahead|next (step|task|phase)|phase \d|task \d|continue|proceed|start with|rebase"
    r"|open a pr)\b",
    "meant": r"\b(i mean\w*|what i (mean|want)|to be clear|the point|my point|the idea|the goal|the whole point)\b",
    "rather not": r"\b(we don'?t want|i don'?t want|would not|wouldn'?t|i'd not|no reason|not needed"
    r"|doesn'?t need|needs? no)\b",
})  # fmt: skip

OPENS = _compiled({
    "no": r"\A\W*(no|nope|nah|not|don'?t|stop|wait|hmm+|hm|but|actually|why|well|wrong|that'?s not|this is not)\b",
    "yes": r"\A\W*(yes|yeah|yep|yup|ok|okay|sure|sounds|go|do it|agreed?|right|correct|fine|cool|great|perfect|nice"
    r"|thanks?)\b",
    "can you": r"\A\W*(can|could|would|will|please|pls|let'?s|lets)\b",
    "question": r"\A\W*(what|where|when|who|which|how|is|are|do|does|did|has|have|so)\b",
    "statement": r"\A\W*(i|i'm|i'd|i've|we|we're|my|it|it's|the|this|that|there|you|your)\b",
    "order": r"\A\W*(add|fix|run|check|commit|push|create|make|update|remove|move|use|write|look|read|review|implement"
    r"|change|rename|show|try|start|continue|rebase|merge|open|find|explain|test|build|give|proceed|do|go|set|put)\b",
    "option": r"\A\W*(option )?([a-d1-9])\b[\s.,:)-]",
})  # fmt: skip

OPENS_RAW = _compiled({
    "log": r"\A\s*([❯$>#%]|===|---|\[|\{|error|warning|traceback|<)",
    "command": r"\A\s*/\w",
    "plan": r"\Aimplement the following plan|\Athis session is being continued|\Acaveat"
    r"|base directory for this skill",
})  # fmt: skip

AGENT_ASKED = _compiled({
    "offer": r"\b(want me to|would you like|should i|shall i|do you want|let me know"
    r"|which (one|approach|option|do you|would)|what do you think|prefer|your (call|preference)"
    r"|how (do|would|should) you|sound good|does this|does that|thoughts|any (other|concerns|questions|tweaks)"
    r"|ready to)\b",
})  # fmt: skip

AGENT_SAID = _compiled({
    "options": r"(\boption \d|\boption [a-c]\b|^\W*[a-d1-5][.)] |\*\*[A-D][.)]|\balternatively|\bor\b.*\?|recommend)",
    "done": r"\b(done|fixed|pass(es|ed|ing)?|complete[d]?|updated|committed|pushed|created|added|removed|all tests"
    r"|ready|clean|implemented|now)\b|✅|✓",
    "code": r"```",
    "claim": r"\b(is|are) (correct|fine|already|not|only|needed|safe)|no changes needed|should (work|be)|because"
    r"|this means|the (issue|problem|fix|reason)",
    "plan": r"\b(plan|design|proposal|proposed|approach|steps?|phase)\b",
})  # fmt: skip

REPLY = _compiled({
    "you are right": r"\byou('?re| are) (absolutely |totally |completely |quite |both |so )*(right|correct)"
    r"|\b(that'?s|that is) (right|correct|a (good|great|fair|valid) (point|catch|question))|\bfair (point|enough)",
    "good point": r"\b(good|great|nice|excellent|sharp|fair) (catch|point|call|question|observation|idea|thinking"
    r"|instinct|eye|insight|thought)",
    "my mistake": r"\b(my (mistake|bad|error|apologies)|i (made|was wrong|missed|misread|misunderstood|overlooked"
    r"|forgot|incorrectly|mistakenly|assumed|conflated|should('ve| have)|didn'?t|shouldn'?t)|apolog\w+|sorry"
    r"|my earlier|i stand corrected)\b",
    "ah": r"\A\W*(ah|oh|oops|uh|hmm|aha|wait|interesting|hm)\b",
    "got it": r"\A\W*(got it|understood|makes sense|i see|right|agreed|exactly|noted|fair|will do|absolutely|sure|ok"
    r"|okay|yes|yep|no\b|correct|that makes sense|good)\b",
    "perfect": r"\A\W*(perfect|excellent|great|love|nice|done|good)\b",
    "let me": r"\A\W*(let me|i'll|now|looking|checking|first)\b",
    "finding": r"\b(turns out|root cause|the (real|actual|key|core) (issue|problem|reason|cause)|found (it|the|an?)"
    r"|now i (see|understand)|confirmed|it looks like|i see (the|what|now)|reveals?|explains|this changes|the bug"
    r"|real (bug|issue|gap|problem))\b",
    "rather": r"\b(actually|instead|rather|however|simpler|cleaner|better|unnecessary|redundant|overkill"
    r"|over-?engineer\w*|dead code)\b",
    "from now on": r"\b(from now on|going forward|in (the )?future|always|never|remember|convention"
    r"|i'll (make sure|keep|use|avoid|stick|remember|always|not|stop)|won'?t|memory|saved)\b",
    "undo": r"\b(revert\w*|undo\w*|undid|roll(ed|ing)? back|restor\w+|remov\w+|drop\w*|simplif\w+|re-?do|rewrit\w+"
    r"|switch\w*)\b",
    "weighs": r"\b(trade-?offs?|pros|cons|options?|approach(es)?|recommend\w*|depends|alternativ\w+)\b",
    "explains": r"\b(because|since|the reason|so that|which means|this means|by design|intentional\w*)\b",
    "was wrong": r"\b(i (was wrong|missed|misread|misunderstood|overlooked|should(n'?t)? have|had it backwards|assumed"
    r"|conflated|framed)|my (analysis|approach|assumption|previous|earlier)|i'?ve been)\b",
    "clarified": r"\b(that clarifies|that makes sense|makes sense|got it|understood"
    r"|that'?s (a )?(much )?(better|cleaner|simpler))\b",
    "rule of the reply": r"\b(should (always|never|not|only|be|just)|we should|must (not|be|always)|instead of"
    r"|rather than)\b",
    "answers a question": r"\b(good|great|fair) questions?\b",
    "works on": r"\b(let me|i'll|now (let|i))\b",
    "no or yes": r"\A\W*(no\b|not quite|not exactly|unfortunately|yes\b)",
})  # fmt: skip

REPLY_ANYWHERE = _compiled({
    "asks": r"\?\s*\Z",
    "done": r"\b(done|committed|pushed|all tests pass|updated|fixed)\b|✅",
    "notes file": r"CLAUDE\.md|AGENTS\.md|MEMORY|GEMINI\.md",
})  # fmt: skip

TOOLS: Mapping[str, tuple[str, ...]] = {
    "edit": ("Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch"),
    "shell": ("Bash", "shell", "exec"),
    "read": ("Read",),
    "search": ("Grep", "Glob"),
    "list": ("TodoWrite", "TaskUpdate", "TaskCreate"),
    "agent": ("Task ", "Agent"),
    "ask": ("AskUser",),
    "plan": ("EnterPlan", "ExitPlan"),
    "web": ("Web",),
    "outside": ("mcp__",),
    "skill": ("Skill",),
}

CALLS = _compiled({
    "commit": r"git commit",
    "github": r"gh ",
    "test": r"test|lint",
    "notes file": r"CLAUDE\.md|AGENTS\.md|memory",
    "undo": r"git (revert|checkout --|restore|reset|stash)",
})  # fmt: skip

ERRORS = _compiled({
    "rejected": r"doesn't want to proceed|rejected",
    "rejected with a reason": r"the user said|reason for rejection",
    "failed": r"exit code|error|fail",
    "interrupted": r"<<PERSON INTERRUPTED",
})  # fmt: skip
