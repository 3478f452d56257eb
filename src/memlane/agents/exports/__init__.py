"""What the exports of chats have in common: how they are packed, and that a chat is a tree."""

from memlane.agents.exports.chat import Chat, Message, Output, called, said
from memlane.agents.exports.export import Export, ExportHead, kinds_in
from memlane.agents.exports.objects import LARGEST, ExportPart, parts

__all__ = [
    "LARGEST",
    "Chat",
    "Export",
    "ExportHead",
    "ExportPart",
    "Message",
    "Output",
    "called",
    "kinds_in",
    "parts",
    "said",
]
