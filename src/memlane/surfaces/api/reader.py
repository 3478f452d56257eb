"""Reading inside an agent's open session: the next question for its model, and the answer that came back."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from memlane.surfaces.api.http import HttpReply, document
from memlane.surfaces.api.router import RouteRequest

if TYPE_CHECKING:
    from memlane.app import Lane


def next_question(lane: Lane, _want: RouteRequest) -> HttpReply:
    """`reads` is false where the person has not chosen this reader: nobody asks again in this turn."""
    reading = lane.catch.background
    question = reading.for_session()
    asked = (
        {"id": question.id, "model": question.model, "system": question.system, "prompt": question.prompt}
        | {"most": question.most}
        if question
        else None
    )
    return document({"reads": reading.in_sessions, "question": asked}, self="/api/reader/next")


def answered(lane: Lane, want: RouteRequest) -> HttpReply:
    from memlane.app.catch import SessionAnswer  # noqa: PLC0415 - loaded with the first question

    fields = want.fields
    answer = SessionAnswer(
        str(fields.get("text", "")),
        str(fields.get("reason", "")),
        cast(int, fields.get("tokens_in", 0)),
        cast(int, fields.get("tokens_out", 0)),
    )
    taken = lane.catch.background.by_session(str(fields["question"]), answer)
    return document({"taken": taken}, 201, self="/api/reader/answer")
