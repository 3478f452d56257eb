"""Prints what every surface knows of types. `python -m tests.flow.type_surfaces FOLDER`, in a process of its own."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import cast

import click

from memlane.catch.embedded.titles import Title
from memlane.catch.embedded.writer import reasoning
from memlane.catch.model.answer import schema
from memlane.catch.model.prompt import prompt
from memlane.catch.moment import Moment
from memlane.domain import Type
from memlane.dream.folder.page import kind_of
from memlane.flow.journal import understand
from memlane.recall.need import needed
from memlane.surfaces.cli.remember import command
from memlane.surfaces.mcp.tools import TOOLS
from memlane.surfaces.web.pages.map import DOT
from tests.flow.homes import a_lane
from tests.rooms.api.http_home import served

NOTE = "Somebody heard that the build moves to another machine"


def main(folder: Path) -> None:
    (folder / "home").mkdir()
    told: dict[str, object] = {"types": list(Type), "prompt": prompt().text, "answer": json.dumps(schema())}
    rumour = Type("rumour")
    told["reason"] = reasoning(rumour, Moment(NOTE), Title(NOTE, NOTE, 9), ())
    told["boosted"] = sorted(needed("is there a problem with the build?").boosted)
    with a_lane(folder) as lane:
        memory = lane.memories.remember(NOTE, Path("/"), type=rumour)
        told["page kind"] = kind_of(memory)
        understand(lane.dream_tools())
        lane.map.give()
    (offered,) = (one for one in cast(click.Command, command).params if one.name == "type")
    told["cli"] = list(cast("click.Choice[str]", offered.type).choices)
    told["mcp"] = cast("dict[str, dict[str, dict[str, object]]]", TOOLS["remember"].takes)["properties"]["type"]["enum"]
    with served(folder) as http:
        page = {path: http.ask("GET", f"/{path}").body.decode() for path in ("map", "memories")}
        (sheet,) = re.findall(r'href="(/static/\w+/types\.css)"', page["map"])
        told |= page | {"css": http.ask("GET", sheet).body.decode()}
        told["dot"] = DOT.unpack(http.ask("GET", "/map/dots").body)[2]
        told["river"] = http.ask("GET", "/river.json").document["data"]["bands"]
        paths = http.ask("GET", "/api/openapi.json").document["paths"]
        given = paths["/api/memories"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        told["api"] = given["properties"]["type"]["enum"]
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
