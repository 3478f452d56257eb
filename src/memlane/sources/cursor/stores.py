"""Conversations out of Cursor's databases, as lines. Only theirs: the same files hold login tokens.

Newer ones are rows of their own (`cursorDiskKV`: a head, and one row per bubble), kept exactly. Older ones stand inside
one large value of `ItemTable`; there each head and each bubble becomes a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlparse

import msgspec

from memlane.errors import LaneError
from memlane.sources.records import Record, inner, mapping, moment, sequence, text
from memlane.sources.rows import row_line
from memlane.sources.source import Document, Peek, Transcript
from memlane.tables import Cell, Tables, opened

ROWS = "cursorDiskKV"
COLUMNS = ("key", "value")
HEADS = "composer.composerData"
TABS = "workbench.panel.aichat.view.aichat.chatdata"


def conversations(path: Path) -> Iterator[Document]:
    with opened(path) as tables:
        if tables.has(ROWS):
            yield from _of_rows(tables, path)
        if tables.has("ItemTable"):
            folder = _folder(path.parent)
            yield from _of_composers(_item(tables, HEADS), folder)
            yield from _of_tabs(_item(tables, TABS), folder)


def _of_rows(tables: Tables, path: Path) -> Iterator[Document]:
    """One conversation at a time: the database may be larger than memory."""
    folders = _folders_by_composer(path)
    for key, value in list(tables.rows(f"SELECT key, value FROM {ROWS} WHERE key LIKE 'composerData:%' ORDER BY key")):
        composer = text(key).partition(":")[2]
        head = mapping(inner(_decoded(value)))
        bubbles = list(
            tables.rows(
                f"SELECT key, value FROM {ROWS} WHERE key >= ? AND key < ? AND value IS NOT NULL ORDER BY key",
                (f"bubbleId:{composer}:", f"bubbleId:{composer};"),
            )
        )
        if not head or not (bubbles or sequence(head.get("conversation"))):
            continue  # an empty draft
        places = {name: at for at, name in enumerate(order_of(head))}
        bubbles.sort(key=lambda row: (places.get(text(row[0]).rpartition(":")[2], len(places)), text(row[0])))
        lines = [row_line(ROWS, COLUMNS, (key, _decoded(value)))]
        lines += [row_line(ROWS, COLUMNS, (name, _decoded(bubble))) for name, bubble in bubbles]
        yield _document(composer, lines, head, _own_folder(head) or folders.get(composer, ""))


def order_of(head: Record) -> list[str]:
    return [text(mapping(one).get("bubbleId")) for one in sequence(head.get("fullConversationHeadersOnly"))]


def _of_composers(value: Record, folder: str) -> Iterator[Document]:
    for head in map(mapping, sequence(value.get("allComposers"))):
        bubbles = sequence(head.get("conversation"))
        if bubbles:
            yield _in_lines("composer", text(head.get("composerId")), head, "conversation", folder)


def _of_tabs(value: Record, folder: str) -> Iterator[Document]:
    for head in map(mapping, sequence(value.get("tabs"))):
        if sequence(head.get("bubbles")):
            yield _in_lines("tab", text(head.get("tabId")), head, "bubbles", folder)


def _in_lines(table: str, name: str, head: Record, inside: str, folder: str) -> Document:
    rest = {key: value for key, value in head.items() if key != inside}
    lines = [_line(table, rest)]
    lines += [_line("bubble", mapping(bubble)) for bubble in sequence(head.get(inside))]
    return _document(name, lines, head, folder)


def _line(table: str, row: Record) -> bytes:
    return msgspec.json.encode({"table": table, "row": row})


def _document(name: str, lines: list[bytes], head: Record, folder: str) -> Document:
    started = moment(head.get("createdAt")) or moment(head.get("lastSendTime")) or moment(head.get("lastUpdatedAt"))
    return Document(Transcript(name), tuple(lines), Peek(started=started, cwd=folder))


def _item(tables: Tables, key: str) -> Record:
    row = next(tables.rows("SELECT value FROM ItemTable WHERE key = ?", (key,)), None)
    return mapping(inner(_decoded(row[0]))) if row else {}


def _decoded(cell: Cell) -> str:
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else text(cell)


def _own_folder(head: Record) -> str:
    return text(mapping(mapping(head.get("workspaceIdentifier")).get("uri")).get("fsPath"))


def _folder(storage: Path) -> str:
    """The folder a workspace's database belongs to, as `workspace.json` beside it says."""
    try:
        told = mapping(msgspec.json.decode((storage / "workspace.json").read_bytes()))
    except (OSError, msgspec.DecodeError):
        return ""
    return unquote(urlparse(text(told.get("folder")) or text(told.get("workspace"))).path)


def _folders_by_composer(path: Path) -> dict[str, str]:
    """The global database does not say where a conversation was had; the workspaces' lists do."""
    found: dict[str, str] = {}
    for storage in sorted((path.parents[1] / "workspaceStorage").glob("*/state.vscdb")):
        folder = _folder(storage.parent)
        try:
            with opened(storage) as tables:
                heads = sequence(_item(tables, HEADS).get("allComposers")) if tables.has("ItemTable") else ()
        except LaneError:
            continue  # that workspace is looked at by itself, and set aside if it cannot be read
        found |= {text(mapping(head).get("composerId")): folder for head in heads}
    return found
