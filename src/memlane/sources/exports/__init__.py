"""What the exports of chats have in common: how they are packed, and that a chat is a tree."""

from memlane.sources.exports.collection import About, kinds_in
from memlane.sources.exports.export import Export
from memlane.sources.exports.objects import LARGEST
from memlane.sources.exports.parts import Part, parts
from memlane.sources.exports.talk import Message, Output, Talk, called, said

__all__ = [
    "LARGEST",
    "About",
    "Export",
    "Message",
    "Output",
    "Part",
    "Talk",
    "called",
    "kinds_in",
    "parts",
    "said",
]
