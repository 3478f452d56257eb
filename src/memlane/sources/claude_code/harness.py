"""What the client itself writes between people and agents: `system` and `attachment` records. Most of it is noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from memlane.domain import Author, Kind
from memlane.sources.claude_code import noise
from memlane.sources.claude_code.about import About
from memlane.sources.claude_code.who import Words, words_in
from memlane.sources.records import Record, mapping, sequence, text


def system_words(record: Record, about: About, *, subagent: bool) -> Iterator[Words]:
    subtype, said = text(record.get("subtype")), text(record.get("content"))
    match subtype:
        case "local_command":  # newer builds write here what the client runs itself
            for words in words_in({"entrypoint": about.entrypoint}, said, subagent=subagent):
                yield replace(words, starts=False)
        case "api_error":
            yield Words(Author.SYSTEM, Kind.ERROR, _api_error(record))
        case "away_summary" if said:
            yield Words(Author.AGENT, Kind.META, said)
        case "compact_boundary" | "" if said:  # the oldest builds have no subtypes
            yield Words(Author.SYSTEM, Kind.META, said)
        case _ if subtype not in noise.SYSTEM:
            about.unknown(f"system/{subtype}")
        case _:
            return


def attachment_words(attachment: Record, about: About) -> Iterator[Words]:
    kind = text(attachment.get("type"))
    match kind:
        case "hook_additional_context":  # our own briefs come back here
            parts = attachment.get("content")
            said = text(parts) or "\n".join(text(part) for part in sequence(parts))
        case "file" | "goal_status":
            said = text(attachment.get("filename")) or text(attachment.get("content"))
        case _:
            said = ""
            if kind not in noise.ATTACHMENTS:
                about.unknown(f"attachment/{kind}")
    if said:
        yield Words(Author.SYSTEM, Kind.META, said)


def link_words(record: Record) -> Words:
    return Words(Author.SYSTEM, Kind.META, text(record.get("prUrl")))


def _api_error(record: Record) -> str:
    error = mapping(record.get("error"))
    inner, cause = mapping(error.get("error")), mapping(error.get("cause"))
    told = (error.get("formatted"), inner.get("message"), error.get("message"), cause.get("code"), record.get("error"))
    return next((said for said in map(text, told) if said), "API error")
