"""How does a program on this computer query us? HTTP on 127.0.0.1, with OpenAPI; every route behind the same rules."""

from memlane.surfaces.api.central_routes import central_routes
from memlane.surfaces.api.http import HttpReply
from memlane.surfaces.api.listener import HttpFailure, HttpListener, in_json
from memlane.surfaces.api.openapi import described
from memlane.surfaces.api.router import RouteRequest
from memlane.surfaces.api.routes import agent_table, table
from memlane.surfaces.api.rules import HttpAddress

__all__ = [
    "HttpAddress",
    "HttpFailure",
    "HttpListener",
    "HttpReply",
    "RouteRequest",
    "agent_table",
    "central_routes",
    "described",
    "in_json",
    "table",
]
