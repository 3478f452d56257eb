"""One pass over one transcript: records in, Turns out, never more than one Turn in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from memlane.agents.agent import Line, Transcript
from memlane.agents.claude_code import calls, harness
from memlane.agents.claude_code.authors import Utterance, is_relayed, queued_words, speaker, words_in
from memlane.agents.claude_code.facts import SYNTHETIC, ClaudeCodeFacts
from memlane.agents.claude_code.harness import attachment_words, link_words, system_words
from memlane.agents.claude_code.turns import ClaudeCodeTurns, OpenStep, OpenTurn, TranscriptPlace
from memlane.agents.records import BrokenRecordError, Record, mapping, mark, moment, records, sequence, text
from memlane.domain import Author, Facts, Kind, Relation, ToolCall, Turn

WARM_UP = "Warmup"  # fills the model's cache before a subagent has anything to do
NOTHING_TO_SAY = "No response requested."
CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")


@dataclass(slots=True)
class ClaudeCodeState:
    """All a reading knows where it stands."""

    telling: ClaudeCodeTurns
    seen: dict[int, int] = field(default_factory=dict[int, int])  # what each record id said, both as marks
    links: dict[int, None] = field(default_factory=dict[int, None])  # the marks of pull requests


class ClaudeCodeParser:
    """`facts` is complete once `turns` is exhausted."""

    append_only = True
    resumable = True

    def __init__(self, lines: Iterable[Line], transcript: Transcript) -> None:
        self._lines = lines
        self._subagent = transcript.relation is Relation.SUBAGENT
        self.state = ClaudeCodeState(ClaudeCodeTurns(ClaudeCodeFacts(transcript), self._subagent))

    @property
    def _telling(self) -> ClaudeCodeTurns:
        return self.state.telling

    @property
    def _about(self) -> ClaudeCodeFacts:
        return self.state.telling.about

    def facts(self) -> Facts:
        return self._about.facts(self.state.seen)

    def turns(self) -> Iterator[Turn]:
        done = self._telling.done
        for line in self._lines:
            try:
                found = records(line)
            except BrokenRecordError as broken:
                self._about.broken(line.n, str(broken))
                continue
            for record in found:
                self._read(record, line.n)
            if done:
                yield from done
                done.clear()
        self._telling.finish()
        yield from done
        done.clear()

    def _read(self, record: Record, line: int) -> None:
        match text(record.get("type")):
            case kind if kind in harness.NOISE_RECORDS:
                return
            case "user" | "assistant" | "system" | "attachment" as kind:
                self._conversation(kind, record, line)
            case "queue-operation":
                self._telling.queue.note(record, line)
            case "pr-link":
                self._link(record, line)
            case kind if not self._about.note(kind, record):
                self._about.unknown(kind or "without a type")
            case _:
                return

    def _conversation(self, kind: str, record: Record, line: int) -> None:
        self._about.envelope(record)
        place = TranscriptPlace(line, moment(record.get("timestamp")), text(record.get("uuid")))
        message = mapping(record.get("message"))
        if kind == "assistant":
            self._about.message(record, message)
        if self._is_repeat(place.native_id, message, record):
            return
        match kind:
            case "user":
                self._user(record, message, place)
            case "assistant":
                self._assistant(record, message, place)
            case "system":
                self._tell(system_words(record, self._about, subagent=self._subagent), place)
            case _:
                self._attachment(record, place)

    def _is_repeat(self, native_id: str, message: Record, record: Record) -> bool:
        """The same id with the same words is skipped; with other words the newest version wins."""
        if not native_id:
            return False
        key, said = mark(native_id), mark(_gist(message) or text(record.get("content")))
        before = self.state.seen.get(key)
        self.state.seen[key] = said
        if before is not None and before != said:
            self._telling.turn.forget(native_id)
        return before == said

    def _tell(self, told: Iterable[Utterance], place: TranscriptPlace) -> None:
        for words in told:
            self._telling.say(words, place)

    # -- user ----------------------------------------------------------------------------------------------------

    def _user(self, record: Record, message: Record, place: TranscriptPlace) -> None:
        content = message.get("content")
        if isinstance(content, str):
            self._said(record, text(content), place)
            return
        blocks = [mapping(block) for block in sequence(content)]
        results = [block for block in blocks if block.get("type") == "tool_result"]
        for block in results:
            self._result(record, block, place)
        if not results:
            self._said(record, words_of(blocks), place)

    def _said(self, record: Record, said: str, place: TranscriptPlace) -> None:
        aside = self._subagent or record.get("isSidechain") is True
        if record.get("isMeta") is True:
            self._about.skill_body(said)
        else:
            self._telling.queue.repeated(said)
        for words in words_in(record, said, subagent=aside):
            if words.starts and aside and words.text.strip() == WARM_UP:
                self._telling.begin(OpenTurn(shown=False))
            else:
                inline = aside and not self._subagent  # 1.0.x kept subagents inside the main file
                self._telling.say(replace(words, starts=words.starts and not inline), place)

    def _result(self, record: Record, block: Record, place: TranscriptPlace) -> None:
        draft = self._telling.turn.answered(text(block.get("tool_use_id")), place)
        before = draft.call or ToolCall("", {})
        result, failed = calls.result_text(block.get("content")), block.get("is_error") is True
        changes = before.name in calls.WRITERS and not failed
        draft.call = replace(before, result=result, error=failed, changes=changes)
        asks = calls.is_question(before.name)
        answer = calls.reason_of(record, result) if failed else calls.answers_of(record, result)
        answer = calls.dialog_answer(before.name, record, result) if asks and not failed else answer
        if answer and not failed and not before.name:
            draft.answer = answer
        elif answer and (failed or asks):
            self._telling.say(_answer(record, answer), place)

    # -- assistant -------------------------------------------------------------------------------------------------

    def _assistant(self, record: Record, message: Record, place: TranscriptPlace) -> None:
        self._telling.let_queue_out(place.at)
        content = message.get("content")
        blocks = [mapping(block) for block in sequence(content)] or [{"type": "text", "text": content}]
        model = text(message.get("model"))
        if model == SYNTHETIC or record.get("isApiErrorMessage") is True:
            self._made_up(record, words_of(blocks), place)
            return
        draft = OpenStep(Author.AGENT, Kind.TEXT, place, model=model, message=text(message.get("id")))
        for block in blocks:
            self._block(block, draft)

    def _made_up(self, record: Record, said: str, place: TranscriptPlace) -> None:
        failed = record.get("isApiErrorMessage") is True or "error" in record
        if said and said != NOTHING_TO_SAY:
            self._telling.say(Utterance(Author.SYSTEM, Kind.ERROR if failed else Kind.META, said), place)

    def _block(self, block: Record, draft: OpenStep) -> None:
        match block.get("type"):
            case "text":
                self._agent_said(text(block.get("text")), draft)
            case "thinking":
                self._agent_said(text(block.get("thinking")), replace(draft, kind=Kind.THINKING))
            case "redacted_thinking":
                return
            case kind if kind in CALLS:
                self._call(block, draft)
            case kind:
                self._about.unknown(f"assistant/{text(kind)}")

    def _agent_said(self, said: str, draft: OpenStep) -> None:
        if said := said.strip():
            self._telling.turn.add(replace(draft, parts=[said]))

    def _call(self, block: Record, draft: OpenStep) -> None:
        name, given = text(block.get("name")), calls.input_of(block)
        if name == "Skill":
            self._about.skill(given.get("skill") or given.get("command"))
        call = ToolCall(name, given, files=calls.files_of(name, given))
        ours, call_id = calls.is_ours(name, given), text(block.get("id"))
        made = replace(draft, author=Author.TOOL, kind=Kind.TOOL_CALL, call=call, call_id=call_id, ours=ours)
        answer = self._telling.turn.call(made)
        if answer and calls.is_question(name):
            self._telling.say(_answer({"entrypoint": self._about.entrypoint}, answer), draft.place)

    # -- the client's own ------------------------------------------------------------------------------------------

    def _attachment(self, record: Record, place: TranscriptPlace) -> None:
        attachment = mapping(record.get("attachment"))
        if attachment.get("type") == "queued_command":
            self._queued(record, attachment, place)
        else:
            self._tell(attachment_words(attachment, self._about), place)

    def _queued(self, record: Record, attachment: Record, place: TranscriptPlace) -> None:
        prompt = attachment.get("prompt")
        said = text(prompt) or words_of([mapping(block) for block in sequence(prompt)])
        if not self._telling.queue.attached(said):
            return
        notice = attachment.get("commandMode") == "task-notification"
        known = {
            "entrypoint": record.get("entrypoint"),
            "isMeta": attachment.get("isMeta"),
            "origin": {"kind": "task-notification"} if notice else attachment.get("origin"),
        }
        self._tell(queued_words(known, said, subagent=self._subagent), place)

    def _link(self, record: Record, line: int) -> None:
        """A pull request is named again and again; once is enough."""
        words = link_words(record)
        if words.text and mark(words.text) not in self.state.links:
            self.state.links[mark(words.text)] = None
            self._telling.say(words, TranscriptPlace(line, moment(record.get("timestamp")), ""))


def _answer(record: Record, said: str) -> Utterance:
    return Utterance(speaker(record, subagent=False), Kind.ANSWER, said, relayed=is_relayed(record, subagent=False))


def words_of(blocks: Sequence[Record]) -> str:
    """What is said in a message; what is not text is only named, and only when there is nothing else."""
    said = [text(block.get("text")) for block in blocks if block.get("type") == "text"]
    shown = [f"[{block['type']}]" for block in blocks if block.get("type") in ("image", "document")]
    return "\n".join(part for part in said if part) or " ".join(shown)


def _gist(message: Record) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    keys = ("text", "thinking", "id", "tool_use_id", "content")
    return "\0".join(text(mapping(block).get(key)) for block in sequence(content) for key in keys)
