"""How does a program on this computer ask? HTTP on 127.0.0.1, with OpenAPI; every route behind the same rules."""

from memlane.surfaces.api.openapi import described
from memlane.surfaces.api.replies import Reply
from memlane.surfaces.api.router import Want
from memlane.surfaces.api.routes import table
from memlane.surfaces.api.rules import Place
from memlane.surfaces.api.serving import Serving, Wrong, in_json

__all__ = ["Place", "Reply", "Serving", "Want", "Wrong", "described", "in_json", "table"]
