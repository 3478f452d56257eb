"""What of a prompt the person typed themselves: the same text, with a filler in place of everything that was pasted.

Places stay as they are, so that what is found in it can be quoted from the original. Judges nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlane.catch.teachings.languages import ALL

FILLER = "\x1f"  # in no prompt, and no part of any word
LONGEST = 12_000  # characters of a prompt that are looked at; whoever sends more has pasted it
_BLOCK = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|\{\s*\"[^{}]{2,4000}\}", re.DOTALL)  # code, and JSON
_TAG = re.compile(r"<(?P<closes>/?)(?P<name>[A-Za-z][\w:-]{0,40})[^<>\n]{0,200}>")
_QUOTED = re.compile(
    r"\"[^\"\n]{2,600}\"|“[^”\n]{1,600}”|«[^»\n]{1,600}»|„[^“”\n]{1,600}[“”]|「[^」\n]{1,600}」|『[^』\n]{1,600}』"
    r"|(?<!\w)'[^'\n]{3,300}'(?!\w)|‘[^’\n]{3,300}’(?!\w)"
)
_PASTED_LINE = re.compile(
    r"^\s*(?:>|\||\+\+\+|---\s|@@|[+-]{1}(?=[\w\t{}(])|\$ |❯|⏺|⎿|●|│|├|└|╭|╰|#!|at \S+[(:]|File \""
    r"|Traceback|\w*(?:Error|Exception):"
    r"|(?:npm|yarn|pnpm) (?:ERR|WARN|error)|\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d(?::\d\d)?\]?\s|(?:INFO"
    r"|WARN|ERROR|DEBUG|FATAL|FAIL|PASS)\b"
    r"|(?://|/\*|\*/|<!--|import |export |const |def |class |function |return |public |private |#include"
    r"|SELECT )|[{}\[\]();]+\s*$"
    r"|\"[\w.-]+\"\s*:|[\w.-]+/[\w./-]+:\d+"
    r"|\[(?i:warn\w*|error|info|debug|notice|deprecat\w*)\]\s*\S)"
)
_REPORTED_LINE = re.compile(  # what a program says, below something typed
    r"^\s*(?:warn(?:ing)?|deprecat\w*|error|aviso|avis|advertencia|avertissement|warnung|fehler|erreur|erro|警告|错误"
    r"|エラー)\s*[:：]\s*\S",
    re.IGNORECASE,
)
_MAIL = re.compile(
    r"^\s*(?:(?:From|Von|De|To|An|Subject|Betreff|Objet|Asunto|Assunto|Cc|Date|Sent|件名|发件人|主题)\s*[:：]\s*\S"
    r"|-{3,}\s*Original|On .{5,80} wrote:|Am .{5,80} schrieb|Le .{5,80} a écrit|El .{5,80} escribió"
    r"|Em .{5,80} escreveu)",
    re.IGNORECASE,
)
_SPEAKER = re.compile(
    r"^\s*(?:\[?\d\d?:\d\d(?::\d\d)?\]?\s*)?@?"
    r"[A-Za-zÀ-ÿ][\wÀ-ÿ.-]{1,20}(?: [A-Z][\wÀ-ÿ.-]{0,20})?\s*(?:\(\d[^)]*\))?:\s+\S"
)
_ANNOUNCES = re.compile(
    r"\b(?:review\w*|comments?|feedback|e-?mails?|mail|message|slack|thread|ticket|issue|logs?|output|docs?"
    r"|documentation|readme|guide"
    r"|spec|article|page|blog|post|text|snippet|prompt|error|transcript|notes from|minutes|paste[ds]?"
    r"|paragraph|section|changelog|release notes"
    r"|this (?:from|by)|kommentar\w*|nachricht|anmerkung\w*|auszug|artikel|fehler\w*|meldung|commentaires?"
    r"|courriel|extrait|remarques?|erreur"
    r"|comentarios?|correo|mensaje|texto|artículo|comentários?|mensagem|trecho|artigo|e-mail)\b[^\n]{0,80}[:：]\s*$"
    r"|(?:レビュー|コメント|メール|ログ|指摘|文章|エラー|ドキュメント|评论|邮件|日志|意见|文档|文章|报错"
    r"|内容)[^\n]{0,40}(?:[:：]|(?:もらいました|きました|届きました|です)。[^\n]{0,20})\s*$",
    re.IGNORECASE,
)
_HEADING = re.compile(r"#{1,6} \w")
_WORK = re.compile(
    r"^(?!.*\b(?:add|put|note|remember|save)\b).*\b[\w-]+\.(?:md|txt|json|ya?ml|toml)\b[^\n]{0,40}:\s*$"
    r"|^\W*(?:please |pls |can you |could you |bitte |stp |por favor,? )*(?:translate|summari[sz]e"
    r"|proofread|review|explain"
    r"|rewrite|rephrase|shorten|format|convert|check|improve|tighten|critique|reply to|answer|respond to"
    r"|implement|build"
    r"|create|write|turn|draft|polish|übersetz\w*|fass\w*|korrigier\w*|formulier\w*|prüf\w*|schreib\w*"
    r"|implementier\w*"
    r"|traduis|résume|corrige|reformule|vérifie|implémente|traduce|resume|revisa|mejora|implementa"
    r"|traduz\w*|resuma|revise"
    r"|implemente|requirements?|acceptance criteria|todos?|tasks?|specs?|steps?|features?|anforderungen"
    r"|aufgaben|exigences"
    r"|tâches|requisitos|tareas|tarefas)\b[^\n]{0,120}:\s*$"
    r"|^[^\n]{0,20}(?:翻訳|要約|添削|要件|タスク|実装|翻译|总结|润色|解释|改写|需求|任务)[^\n]{0,40}[:：]\s*$",
    re.IGNORECASE,
)
_LAST_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])(?=\S)")
_ITEM = re.compile(r"^\s*(?:[-*•・]|\d+[.)、])\s*\S")


def own_text(prompt: str) -> str:
    """As long as the prompt, or as its beginning."""
    text = prompt[:LONGEST]
    text = _BLOCK.sub(_filled, text)
    text = _without_elements(text)
    text = _without_foreign_lines(text)
    return _QUOTED.sub(_filled, text)


def _filled(found: re.Match[str]) -> str:
    return _veil(found[0])


def _without_elements(text: str) -> str:
    """Without tags, and without what stands between two that belong together."""
    tags, last = list(_TAG.finditer(text)), dict[str, int]()
    for tag in tags:
        if tag["closes"]:
            last[tag["name"]] = tag.end()
    pieces, place = list[str](), 0
    for tag in tags:
        if tag.start() < place:
            continue
        end = tag.end() if tag["closes"] else max(tag.end(), last.get(tag["name"], 0))
        pieces += [text[place : tag.start()], _veil(text[tag.start() : end])]
        place = end
    return "".join((*pieces, text[place:]))


def _veil(text: str) -> str:
    return "".join("\n" if character == "\n" else FILLER for character in text)


def _without_foreign_lines(text: str) -> str:
    lines = text.split("\n")
    speakers = [n for n, line in enumerate(lines) if _SPEAKER.match(line)]
    talk = set(speakers) if len(speakers) > 1 and _talked(lines, speakers) else set[int]()
    foreign = {n for n, line in enumerate(lines) if _PASTED_LINE.match(line)} | talk
    foreign |= {n for n, line in enumerate(lines) if n and _REPORTED_LINE.match(line)}
    foreign |= set(_mails(lines)) | set(_announced(lines)) | set(_documents(lines))
    return "\n".join(_veil(line) if n in foreign else line for n, line in enumerate(lines))


def _talked(lines: list[str], speakers: list[int]) -> bool:
    """Lines of a chat: each begins with a name, and no name is a word that headings have."""
    names = {lines[n].split(":")[0].strip().casefold() for n in speakers}
    return len(speakers) > len(names) or any(re.search(r"\d\d:\d\d", lines[n]) for n in speakers)


def _mails(lines: list[str]) -> Iterator[int]:
    """From the head of a mail on: nobody types below one."""
    start = next((n for n, line in enumerate(lines) if _MAIL.match(line)), None)
    return iter(()) if start is None else iter(range(start, len(lines)))


def _documents(lines: list[str]) -> Iterator[int]:
    """From the first heading of a document on, where something was typed above it."""
    start = next((n for n, line in enumerate(lines) if _HEADING.match(line)), 0)
    return iter(range(start, len(lines))) if start else iter(())


def _announced(lines: list[str]) -> Iterator[int]:
    """The paragraph after "here is the review:"; and the lists and quotes that follow it."""
    n = 0
    while n < len(lines):
        last = _LAST_SENTENCE.split(lines[n])[-1]
        pasted = _ANNOUNCES.search(last) or _WORK.match(last)
        if _ITEM.match(lines[n]) or not (pasted or _opens(last)):
            n += 1
            continue
        n += 1
        while n < len(lines) and not lines[n].strip():
            n += 1
        while n < len(lines) and lines[n].strip() and (pasted or not _ITEM.match(lines[n])):
            yield n
            n += 1
        while pasted and n < len(lines) and (not lines[n].strip() or _ITEM.match(lines[n])):
            yield n
            n += 1


def _opens(sentence: str) -> bool:
    """A line that ends in a colon and announces no rule: what follows it comes from elsewhere."""
    return sentence.rstrip().endswith((":", "：")) and not any(
        rules.compiled.heading.search(sentence) for rules in ALL.values()
    )
