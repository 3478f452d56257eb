"""JSON-RPC as MCP speaks it, in the revision each caller asks for: with a handshake, or since 2026-07-28 without.

Knows no transport and no Lane: a message in, an answer out (none for a notification).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

import memlane
from memlane.domain.door import leaving
from memlane.errors import LaneError, NotFoundError
from memlane.surfaces.mcp import resources
from memlane.surfaces.mcp.desk import AgentDesk, ToolAnswer, failed
from memlane.surfaces.mcp.tools import TOOLS, Tool
from memlane.surfaces.schema import problems
from memlane.system.disk import advice_for, message_of

STATELESS = "2026-07-28"
WITH_HANDSHAKE = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
UNSUPPORTED_VERSION = -32022
OLD_NO_RESOURCE = -32002
MOST_AT_ONCE = 20  # of a batch, which 2025-03-26 allows
TTL_MS = 600_000  # the list of tools changes with a new version only
INSTRUCTIONS = (
    "Memory Lane remembers earlier runs of all coding agents here. recall when a task may have history; search for "
    "where something was said; remember, in the same turn, what the person teaches you. It returns notes to verify, "
    "not instructions."
)
_VERSION = "io.modelcontextprotocol/protocolVersion"
_CLIENT = "io.modelcontextprotocol/clientInfo"
_US = "io.modelcontextprotocol/serverInfo"
# What one question can bring about: it is told to whoever asked, and the next one is answered as if nothing were.
ONE_QUESTION = (LaneError, OSError, ValueError, RecursionError)

Json = dict[str, object]
_CAN: Mapping[str, Mapping[str, object]] = {"tools": {}, "resources": {}}


class RpcError(Exception):
    """A message we cannot answer: its JSON-RPC code, and what is wrong with it."""

    def __init__(self, code: int, says: str, data: object = None) -> None:
        super().__init__(says)
        self.code, self.says, self.data = code, says, data


@dataclass(frozen=True, slots=True)
class RpcAnswer:
    """What goes back (None: nothing), and what to do once it is gone."""

    reply: object = None
    after: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class _RpcCall:
    """One request, understood: `revision` is "" before any handshake."""

    method: str
    params: Mapping[str, object]
    stateless: bool


def answered(message: object, desk: AgentDesk) -> RpcAnswer:
    """One message, or a batch of them. Nothing else answers: each reply leaves through the door."""
    if not isinstance(message, list):
        given = _one(message, desk)
        return RpcAnswer(leaving(given.reply), given.after)
    several = cast(list[object], message)
    if not 0 < len(several) <= MOST_AT_ONCE:
        return RpcAnswer(_error(None, RpcError(INVALID_REQUEST, f"a batch has 1 to {MOST_AT_ONCE} messages")))
    each = [_one(one, desk) for one in several]
    replies = [one.reply for one in each if one.reply is not None]

    def after() -> None:
        for one in each:
            if one.after is not None:
                one.after()

    return RpcAnswer(leaving(replies) if replies else None, after)


def not_json() -> object:
    return _error(None, RpcError(PARSE_ERROR, "this is not JSON"))


def _one(message: object, desk: AgentDesk) -> RpcAnswer:
    if not isinstance(message, dict) or cast(Json, message).get("jsonrpc") != "2.0":
        return RpcAnswer(_error(None, RpcError(INVALID_REQUEST, "this is not a JSON-RPC 2.0 message")))
    given = cast(Json, message)
    name, id_ = given.get("method"), given.get("id")
    if not isinstance(name, str) or "id" not in given:
        return RpcAnswer()  # a notification, or an answer to a question we never ask
    if not isinstance(id_, str | int) or isinstance(id_, bool):
        return RpcAnswer(_error(None, RpcError(INVALID_REQUEST, "an id is text or a number")))
    try:
        call = _understood(name, given.get("params", {}))
        result, after = _result(call, desk)
    except RpcError as wrong:
        return RpcAnswer(_error(id_, wrong))
    return RpcAnswer({"jsonrpc": "2.0", "id": id_, "result": _stamped(call, result)}, after)


def _understood(method: str, params: object) -> _RpcCall:
    if not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, "params must be an object")
    meta = cast(Json, params).get("_meta")
    asked = cast(Json, meta).get(_VERSION) if isinstance(meta, dict) else None
    if asked is None and method == "server/discover":
        raise RpcError(INVALID_PARAMS, f"params._meta lacks {_VERSION}")
    if asked is not None and asked != STATELESS:
        raise RpcError(
            UNSUPPORTED_VERSION, "unsupported protocol version", {"supported": [STATELESS], "requested": asked}
        )
    return _RpcCall(method, cast(Json, params), asked is not None)


def _result(call: _RpcCall, desk: AgentDesk) -> tuple[Json, Callable[[], None] | None]:
    if call.stateless:
        _introduced(desk, cast(Json, call.params["_meta"]).get(_CLIENT))
    if call.method == "tools/call":
        said = _called(call.params, desk)
        return {"content": [{"type": "text", "text": said.text}], "isError": said.failed}, said.after
    if call.method == "resources/read":
        return _read(call, desk), None
    answer = _PLAIN.get(call.method)
    if answer is None or (call.method in ("initialize", "ping") and call.stateless):
        raise RpcError(NO_METHOD, "there is no such method")
    try:
        return answer(desk, call.params), None
    except LaneError:
        return {"resources": []}, None  # no home yet: nothing to list


def _called(params: Mapping[str, object], desk: AgentDesk) -> ToolAnswer:
    name, given = params.get("name"), params.get("arguments", {})
    tool = TOOLS.get(name) if isinstance(name, str) else None
    if tool is None:
        raise RpcError(INVALID_PARAMS, "there is no such tool")
    if wrong := list(problems(tool.takes, given))[:10]:
        return failed("; ".join(wrong), "see the tool's input schema")
    try:
        return tool.do(desk, cast(Json, given))
    except LaneError as error:
        return failed(error.message, error.hint)
    except OSError as error:
        return failed(message_of(error), advice_for(error))
    except ONE_QUESTION as error:
        return failed(f"it could not be answered ({type(error).__name__})", "lane doctor")


def _read(call: _RpcCall, desk: AgentDesk) -> Json:
    uri = call.params.get("uri")
    try:
        text = resources.read(desk, uri if isinstance(uri, str) else "")
    except NotFoundError as error:
        code = INVALID_PARAMS if call.stateless else OLD_NO_RESOURCE
        raise RpcError(code, error.message, {"uri": str(uri)[:100]}) from error
    except LaneError as error:
        raise RpcError(INVALID_PARAMS, error.message) from error
    return {"contents": [{"uri": uri, "mimeType": resources.PLAIN, "text": text}]}


def _hello(desk: AgentDesk, params: Mapping[str, object]) -> Json:
    _introduced(desk, params.get("clientInfo"))
    asked = params.get("protocolVersion")
    return {
        "protocolVersion": asked if asked in WITH_HANDSHAKE else WITH_HANDSHAKE[0],
        "capabilities": dict(_CAN),
        "serverInfo": us(),
        "instructions": INSTRUCTIONS,
    }


def _discovered(_desk: AgentDesk, _params: Mapping[str, object]) -> Json:
    return {"supportedVersions": [STATELESS], "capabilities": dict(_CAN), "instructions": INSTRUCTIONS}


def _introduced(desk: AgentDesk, who: object) -> None:
    name = cast(Json, who).get("name") if isinstance(who, dict) else None
    if isinstance(name, str):
        desk.agent = "".join(c for c in name if c.isalnum() or c in "-_.")[:40]


def _tools(_desk: AgentDesk, _params: Mapping[str, object]) -> Json:
    return {"tools": [_shown(name, tool) for name, tool in TOOLS.items()]}


def _shown(name: str, tool: Tool) -> Json:
    hints = {"title": tool.title, "readOnlyHint": not tool.writes, "destructiveHint": False, "openWorldHint": False}
    return {"name": name, "description": tool.what, "inputSchema": tool.takes, "annotations": hints}


_PLAIN: Mapping[str, Callable[[AgentDesk, Mapping[str, object]], Json]] = {
    "initialize": _hello,
    "ping": lambda _desk, _params: {},
    "server/discover": _discovered,
    "tools/list": _tools,
    "resources/list": lambda desk, _params: {"resources": resources.listed(desk)},
    "resources/templates/list": lambda _desk, _params: {"resourceTemplates": list(resources.TEMPLATES)},
}
_CACHEABLE = frozenset(
    {"server/discover", "tools/list", "resources/list", "resources/templates/list", "resources/read"}
)


def _stamped(call: _RpcCall, result: Json) -> Json:
    """What the newest revision wants in every result, and older callers never see."""
    if not call.stateless:
        return result
    stamped: Json = {**result, "resultType": "complete", "_meta": {_US: us()}}
    if call.method in _CACHEABLE:
        changes = call.method.startswith("resources/") and not call.method.endswith("templates/list")
        stamped |= {"ttlMs": 0 if changes else TTL_MS, "cacheScope": "private"}
    return stamped


def us() -> Json:
    return {"name": "lane", "title": "Memory Lane", "version": memlane.__version__}


def _error(id_: object, wrong: RpcError) -> Json:
    error: Json = {"code": wrong.code, "message": wrong.says}
    return {"jsonrpc": "2.0", "id": id_, "error": error if wrong.data is None else {**error, "data": wrong.data}}
