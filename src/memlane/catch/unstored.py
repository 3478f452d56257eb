"""What is not worth remembering because a checkout, git or the terminal says it, or because it is over by tomorrow.

Every sentence of a Draft has to be of that sort, and none may give a reason or a rule: precision first.
"""

from __future__ import annotations

import re

_TICKED = r"(?:`[^`\n]+`|[\w./-]*(?:[_./]|\(\)|[a-z][A-Z])[\w./()-]*)"  # a name as code writes it
_PLACE = r"(?:`[^`\n]+`|[\w-]+(?:/[\w.-]+)+|[\w-]+\.[a-z]{1,5}\b|line \d+)"
_THING = (
    r"(?:function|method|class|module|file|component|hook|constant|variable|type|interface|struct|enum|endpoint"
    r"|route|tests?|handler|script|config(?:uration)?|package|schema|model|controller|helper|fixture|entry ?point"
    r"|code"
    r"|implementation|definition|folder|directory|logic|parser|command)s?"
)
_STANDS = (
    r"(?:is|are|lives?|sits?|resides?|stands?|exists?|can be found|(?:is|are) (?:defined|declared|implemented|located"
    r"|placed|found|stored|written|kept))"
)
_STRUCTURE = (
    rf"^(?:the |a |an |our |its )?(?:{_TICKED} )?(?:\w+ ){{0,3}}{_THING}\b[^.;]{{0,60}}? {_STANDS} (?:in|at|under"
    rf"|inside|on) "
    rf"(?:the |a )?(?:\w+ )?{_PLACE}[^.;]{{0,40}}$",
    rf"^(?:the )?{_TICKED}[^.;]{{0,30}}? {_STANDS} (?:in|at|under|inside"
    rf"|on) (?:the )?(?:\w+ )?{_PLACE}[^.;]{{0,40}}$",
    rf"^(?:the )?(?:file |module |folder )?{_PLACE} (?:only )?(?:contains?|defines?|has|holds?|exports?|implements?"
    rf"|declares?)\b",
    rf"^there (?:is|are) (?:\w+ ){{1,3}}{_THING}\b.{{0,60}} (?:in|at|under) (?:the )?{_PLACE}",
    rf"^(?:the )?(?:{_THING} )?{_TICKED} (?:{_THING} )?(?:takes?|accepts?|returns?|calls?|imports?|inherits"
    rf"|extends?|wraps?)\b",
    rf"^(?:the )?(?:repo|repository|project|package|module|codebase|folder) (?:has|contains|consists of) (?:\d+|two"
    rf"|three"
    rf"|four|five|six|seven|eight|nine|ten|several|many) (?:\w+ )?{_THING}\b",
)
_DONE_IN_GIT = (
    r"(?:merged|committed|pushed|rebased|released|tagged|cherry[- ]picked|reverted|landed|shipped|squashed|opened"
    r"|closed|published|backported)"
)
_IN_GIT = (
    r"(?:prs?\b|pull requests?|merge requests?|issues?\b|commits?\b|branch(?:es)?|releases?\b|tags?\b|fix(?:es)?\b"
    r"|changes?\b|hotfix|patch(?:es)?\b|#\d+|!\d+|v\d+[\d.]*|[0-9a-f]{7,40}\b|feature|refactoring|work|it\b"
    r"|everything|main|master)"
)
_HISTORY = (
    rf"^(?:(?:i|we|he|she|they|you|the (?:person|user|agent|team)|[A-Z]\w+) )?(?:have |has |had |just "
    rf"|already )*{_DONE_IN_GIT}"
    rf" (?:\S+ ){{0,4}}?{_IN_GIT}",
    rf"^(?:the |a |our |my )?(?:\S+ ){{0,3}}?{_IN_GIT}(?: \S+){{0,4}}? (?:was|were|is|are|has been|have been|got) "
    rf"(?:now |already |just |finally )?{_DONE_IN_GIT}\b",
    r"^(?:the )?(?:last|latest|newest|previous|head|most recent) (?:commit|release|tag|pr|merge)\b.{0,40}\b(?:is"
    r"|was)\b",
    r"^(?:the )?(?:branch|pr|pull request) \S+ (?:is|was|has) .{0,40}\b(?:ahead|behind|open|closed|stale|approved"
    r"|conflicts?|draft)\b",
    r"^(?:commit|pr|pull request|merge request) #?\S+ (?:adds?|added|fixe[sd]|removes?|removed|changes?|changed"
    r"|introduced|bumps?|bumped|renamed)\b",
)
_TO_DO = (
    r"(?:run|rerun|fix|add|commit|push|update|continue|try|check|make|create|write|delete|remove|rename|restart"
    r"|deploy"
    r"|test|build|start|finish|look|read|open|show|do|move|install|format|lint|clean|revert|merge|review|refactor"
    r"|implement|retry)"
)
_STATE = (
    rf"^(?:(?:ok|okay|great|good|yes|alright|perfect|thanks)\b[,.!]? *)?(?:now|next|then|first|please|just"
    rf"|go ahead(?: and)?"
    rf"|let's|can you|could you)[, ]+(?:please |now |just )?{_TO_DO}\b",
    rf"^{_TO_DO} (?:the |all |this |that |it|these |those |both )[^.;]{{0,60}}\b(?:now|again|today|next|first"
    rf"|please|for me)$",
    r"^(?:re)?run (?:all |the |all the |unit |integration )*(?:tests?|suite|build|linter|checks?|migrations?|script"
    r"|benchmarks?)$",
    r"^(?:all |the |both |\d+ )*(?:\w+ ){0,2}(?:tests?|builds?|ci|pipeline|lint(?:er)?|checks?|suite|type ?checks?"
    r"|migrations?)"
    r" (?:are |is |have |has |was |were )?(?:now |still |all |currently |again )*(?:pass|passes|passing|passed|fail"
    r"|fails|failing|failed"
    r"|green|red|done|running|finished|broken|fixed)\b(?: now| again| locally| on main)?$",
    r"^(?:the )?(?:next steps?|remaining (?:work|steps?|tasks?)|todos?|left to do|still to do|in progress"
    r"|current task)\b",
    r"^\d+ (?:of|out of) \d+ (?:\w+ )?(?:tasks?|tests?|steps?|items?|files?)\b",
    r"^(?:i|we|the agent|the assistant|claude|codex) (?:am|are|is|was|were)(?: currently| now| still"
    r"| busy)* \w+ing\b",
    r"^(?:currently |still |now )?(?:waiting for|working on|in the middle of|about to|halfway through)\b",
    rf"^(?:the )?(?:person|user|human) (?:asked|wants|wanted|told|requested)(?: the agent| me| us| it)? to {_TO_DO} "
    r"(?:the |all |this |that |it|these |those )[^.;]{0,60}$",
    r"^(?:i |we |the agent )?(?:have |has |just |now )*(?:fixed|added|updated|implemented|removed|corrected"
    r"|resolved|cleaned up"
    r"|finished|completed|addressed) (?:\S+ ){0,4}?(?:bugs?|typos?|tests?|readme|issues?|errors?|lint|warnings?"
    r"|imports?"
    r"|changelog|comments?|todos?|tasks?|feature|failures?)\b[^.;]{0,60}$",
)
_LASTS = re.compile(
    r"\b(?:because|so that|in order to|otherwise|unless|instead of|rather than|always|never|prefers?|preferred|must"
    r"|should"
    r"|shall|avoid|do ?n[o']t|whenever|every time|each time|from now on|by hand|on purpose|deliberately|decided"
    r"|decides?"
    r"|decision|chose|chosen|agreed|policy|convention|rule|wants? (?!the agent to|to|me to|us to)|likes?|hates?"
    r"|only (?:when|if|after"
    r"|before|on|in)|(?:before|after) (?:every|each|any)|turned out|root cause|caused by|weil|damit|immer"
    r"|nie(?:mals)?|statt)\b",
    re.IGNORECASE,
)
_LOGGED = re.compile(
    r"^\s*(?:at \S.*[(:]\S*\d+\)?|File \".+\", line \d+.*|Traceback \(most recent.*|(?:[\w.]+\.)?\w*(?:Error"
    r"|Exception|Panic)\b.*"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*|\[?\d\d:\d\d:\d\d.*|\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|FATAL)\b.*"
    r"|npm (?:ERR!|WARN).*"
    r"|E\s{2,}\S.*|goroutine \d+.*|={3,}.*={3,}|-{5,}.*|\S+::\S+ (?:PASSED|FAILED|ERROR).*|(?:PASSED|FAILED|PASS"
    r"|FAIL|ok)\s+\S+"
    r"|\s*\d+ \|.*|\s*\^+~*|caused by: .*|\.{3} \d+ more|thread '.*' panicked.*|\S+:\d+(?::\d+)?: .*|\s+raise \w.*"
    r"|\+ \S+.*)\s*$",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"(?<=[.!?])[)\"'’”]*\s+|\n+|;\s+")
_ATTRIBUTION = re.compile(
    r"^(?:the )?(?:person|user|agent|assistant|they|he|she)(?: \w+)? (?:said|says|wrote|asked|typed|noted"
    r"|reported)(?: that)?[:,]? +(?=[\"'“‘`]|\w)",
    re.IGNORECASE,
)
_EDGES = " \t-*#>\"'“”‘’.!?:,()"
_RULES = tuple(
    (name, tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns))
    for name, patterns in (("code-structure", _STRUCTURE), ("history", _HISTORY), ("task-state", _STATE))
)
SHARE_OF_LOG = 0.5  # of the lines: an error quoted in a lesson is less


def unstored(title: str, content: str) -> str | None:
    """The name of the rule that says no."""
    if _is_log(title, content):
        return "log"
    text = f"{title}\n{content}"
    if lasts(text):
        return None
    rules = [_rule(sentence) for sentence in _SENTENCES.split(text) if re.search(r"\w", sentence)]
    return rules[0] if rules and None not in rules else None


def lasts(text: str) -> bool:
    """Whether it gives a reason or a rule."""
    return _LASTS.search(text) is not None


def _rule(sentence: str) -> str | None:
    said = _ATTRIBUTION.sub("", sentence.strip(" \t-*#>")).strip(_EDGES)
    return next((name for name, patterns in _RULES if any(p.search(said) for p in patterns)), None)


def _is_log(title: str, content: str) -> bool:
    lines = [line for line in content.splitlines() if line.strip() and not line.lstrip().startswith(("```", "~~~"))]
    logged = [line for line in lines if _LOGGED.match(line)]
    if len(lines) < 4:
        return bool(lines) and len(logged) == len(lines) and (title in content or _LOGGED.match(title) is not None)
    return len(logged) > SHARE_OF_LOG * len(lines)
