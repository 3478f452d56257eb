"""What a person said inside a tool's result: the answer to a question, the reason of a refusal.

Newest clients record who answered. Before, the client's own words around the answer tell, and one of them is canned.
"""

from __future__ import annotations

from collections.abc import Mapping

from memlane.sources.records import Record, mapping, sequence, text

QUESTION = "ask_user"
PLAN = "exit_plan_mode"
BY_HAND = "human_response"
REFUSED = "denied-interactively-by-user"
_ANSWERED = ("User responded: ", "User selected: ")
_NOBODY = "The user is not available to respond"  # what autopilot answers in the person's place
_FEEDBACK = "User feedback:\n\n"
_ADVICE = "\n\nPlease update the plan"


def recorded(data: Record) -> str:
    """Of a `human_response.recorded`; nothing when a program answered."""
    response = mapping(data.get("response"))
    if data.get("actor") != BY_HAND:
        return ""
    answers = {text(key): _value(value) for key, value in mapping(response.get("content")).items()}
    return text(response.get("feedback")).strip() or text(response.get("answer")).strip() or _listed(answers)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    several = sequence(value)
    return ", ".join(_value(each) for each in several) if several else text(value) or _number(value)


def _number(value: object) -> str:
    return str(value)[:100] if isinstance(value, int | float) else ""


def _listed(answers: Mapping[str, str]) -> str:
    given = {key: value for key, value in answers.items() if value}
    if len(given) == 1:
        return next(iter(given.values()))
    return "\n".join(f"{key}: {value}" for key, value in given.items())


def told(name: str, result: str) -> str:
    """Before answers were recorded: read from what the tool gave back to the model."""
    if name == QUESTION:
        opening = next((each for each in _ANSWERED if result.startswith(each)), "")
        said = result[len(opening) :].strip() if opening else ""
        return "" if said.startswith(_NOBODY) else said
    if name == PLAN:
        return result.partition(_FEEDBACK)[2].rpartition(_ADVICE)[0].strip()
    return ""


def refusal(data: Record) -> str:
    """Of a `permission.completed`: what the person said when they refused a call."""
    result = mapping(data.get("result"))
    return text(result.get("feedback")).strip() if result.get("kind") == REFUSED else ""
