"""The tool for shares: an agent suggests one, the person gives it."""

from __future__ import annotations

from memlane.surfaces.mcp.desk import NAMELESS, AgentDesk, Given, ToolAnswer, ours


def share(desk: AgentDesk, given: Given) -> ToolAnswer:
    from memlane.app.control import Reading  # noqa: PLC0415 - the first answer waits for no Lane

    lane = desk.lane()
    reading = Reading.TRANSCRIPTS if given.get("transcripts") else Reading.LESSONS
    until = lane.grant_plans.end_of(str(given.get("until", "")))
    grant = lane.grant_plans.meant(str(given["what"]), str(given["whom"]), reading, until)
    wish = lane.grant_wishes.propose(grant, desk.agent or NAMELESS, str(given.get("because", "")))
    return ours(
        f"Nothing was shared yet: only the person can. It waits for them in `lane shares`; yes: lane share {wish.id}, "
        f'no: lane unshare {wish.id} ("{grant.title}", {reading.value}, with {grant.whom})'
    )
