"""Who wrote it? A user record of Codex is a person's prompt, or one of the many things that only look like one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memlane.agents.records import mapping, sequence, text

REQUEST = "## My request for Codex:"
SUMMARY_OPENING = "Another language model started to solve this problem"
INTERRUPTION = "<turn_aborted>"
_PLAN_OPENINGS = ("PLEASE IMPLEMENT THIS PLAN:", "A previous agent produced the plan below")
_CITATION = "<oai-mem-citation>"
_MEDIA = re.compile(r"</?(?:image|audio)(?: name=[^>]*)?>")
_SHELL = "<user_shell_command>"
_CWD = re.compile(r"<cwd>([^<\n]{1,4096})</cwd>")
_SKILL = re.compile(r"\s*<skill>\s*<name>([^<\n]{1,200})</name>")
_MAIL = re.compile(r"Message Type: (?P<sort>\w+)\n(?:[^\n]*\n){0,4}?Payload:\n?")

# Written into every run by the client: not even worth showing.
_BOILERPLATE = (
    "<environment_context>", "<permissions instructions>", "<collaboration_mode>", "<skills_instructions>",
    "<apps_instructions>", "<plugins_instructions>", "<environments_instructions>", "<multi_agent_mode>",
    "<multi_agent_role>", "<model_switch>", "<personality_spec>", "<realtime_conversation>", "<tools>",
    "<context_window", "<token_budget>", "<rollout_budget>", "<managed_developer_instructions>", "<git_attribution>",
    "<recommended_plugins>", "you are `/root",
)  # fmt: skip
# Stands in a user record and was not typed: instructions files, notices, results handed back.
_HARNESS = (
    *_BOILERPLATE, "# agents.md instructions", "<user_instructions>", "<instructions>", INTERRUPTION,
    "<subagent_notification>", "<skill>", "<user_action>", "<codex_delegation>", "<realtime_delegation>",
    _SHELL, "<hook_prompt", "<external_", "<codex_internal_context", "<goal_context>",
    "warning: the maximum number of unified exec processes", "warning: apply_patch was requested via",
    SUMMARY_OPENING.lower(), "you were originally given instructions from a user over one or more turns",
)  # fmt: skip
_LONGEST_OPENING = max(map(len, _HARNESS))


@dataclass(frozen=True, slots=True)
class ShellLine:
    """A command the person ran themselves with `!`."""

    command: str
    output: str
    failed: bool


def blocks(content: object) -> list[str]:
    """The texts of a message, without the tags that only frame an image."""
    if isinstance(content, str):
        return [text(content)]
    found = (mapping(block).get("text") for block in sequence(content))
    return [text(each) for each in found if isinstance(each, str) and not _MEDIA.fullmatch(each.strip())]


def is_boilerplate(words: str) -> bool:
    return _opening(words).startswith(_BOILERPLATE)


def is_harness(words: str) -> bool:
    return _opening(words).startswith(_HARNESS)


def _opening(words: str) -> str:
    return words.lstrip()[:_LONGEST_OPENING].lower()


def typed(message: str) -> tuple[str, str]:
    """What a person typed, and the agent's plan when a button sent one along.

    The desktop app and the IDE put files, tabs and selections before the request, under a heading of its own.
    """
    request = message.rpartition(REQUEST)[2].strip() or message.strip()
    if request.startswith(_PLAN_OPENINGS):
        head, _, plan = request.partition("\n")
        return head, plan.strip()
    return request, ""


def said_by_agent(message: str) -> str:
    """As the person saw it: without the list of memories it drew on."""
    return message.partition(_CITATION)[0].rstrip()


def shell_line(words: str) -> ShellLine | None:
    if not words.lstrip().startswith(_SHELL):
        return None
    command, _, rest = words.partition("<command>")[2].partition("</command>")
    head, _, output = rest.partition("Output:\n")
    return ShellLine(command.strip(), output.rpartition("</result>")[0].strip(), "Exit code: 0\n" not in head)


def folder_told(words: str) -> str:
    """The working folder as the environment tells it: the only place of it in the oldest files."""
    found = _CWD.search(words)
    return found[1].strip() if found else ""


def skill_name(words: str) -> str:
    found = _SKILL.match(words)
    return found[1].strip() if found else ""


def mail(words: str) -> tuple[str, str]:
    """What one agent sent another: its sort (`NEW_TASK`, `MESSAGE`, `FINAL_ANSWER`) and its text."""
    found = _MAIL.match(words)
    return (found["sort"], words[found.end() :].strip()) if found else ("", words.strip())


def summary(message: str) -> str:
    """A compaction's summary without the sentence that introduces it to the next model."""
    head, _, rest = message.partition("\n")
    return (rest if head.startswith(SUMMARY_OPENING) else message).strip()
