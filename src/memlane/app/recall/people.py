"""Whom does a prompt name that notes name too, where nobody was told who that is? One, or several that fit.

A name in a note makes an Entity for the length of one look; the directory's own rules say whom the prompt means.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from memlane.domain import Ambiguous, Entity, Known, Memory, Query, Reader
from memlane.entities import Directory, MentionPlace, TextMention, mentions, name_words, people, slug_of
from memlane.recall import PERSON, AmbiguousName, PromptEntity, for_agent, sharing
from memlane.storage import Storage

_ARTICLE = re.compile(r"\b(?:a|an|the)\s+\Z", re.IGNORECASE)


def people_named(
    query: Query, taken: Collection[str], reader: Reader, storage: Storage
) -> tuple[list[PromptEntity], list[AmbiguousName]]:
    """`taken`: words of the prompt, casefolded, whose meaning is known already."""
    words = sorted(name_words(query.words) - {word for raw in taken for word in raw.split()})
    notes = [one for one in sharing(words, query, reader, storage) if for_agent(one, query)] if words else []
    naming = _by_name(notes)
    if not naming:
        return [], []
    directory = Directory([one.entity for one in naming.values()])
    known, unclear = dict[str, PromptEntity](), list[AmbiguousName]()
    for one in mentions(query.words, directory, MentionPlace(query.project, text=query.words)):
        if one.raw.casefold() in taken or _is_a_word(one, query.words):
            continue
        match one.resolution:
            case Known(entity):
                known[entity.key] = replace(naming[entity.key], raw=one.raw)
            case Ambiguous(fitting):
                unclear.append(AmbiguousName(one.raw, tuple(naming[entity.key] for entity in fitting)))
    return list(known.values()), unclear


def _is_a_word(one: TextMention, text: str) -> bool:
    """`a Jordan curve`: nobody is called so with an article."""
    return " " not in one.raw and _ARTICLE.search(text, 0, one.start) is not None


def _by_name(notes: Sequence[Memory]) -> dict[str, PromptEntity]:
    """Each person with the notes that name them. Where a note says only the first name of one whom another names
    whole, both mean the same."""
    every = {name for note in notes for name in people(note.text)}
    whole = {name[0]: [other for other in every if len(other) > 1 and other[0] == name[0]] for name in every}
    found = dict[str, PromptEntity]()
    for note in notes:
        for name in people(note.text):
            for meant in whole[name[0]] if len(name) == 1 and whole[name[0]] else [name]:
                called = " ".join(word.capitalize() for word in meant)
                entity = Entity(PERSON, slug_of(called, PERSON), called)
                known = found.get(entity.key, PromptEntity("", entity, ()))
                found[entity.key] = replace(known, memories=tuple(dict.fromkeys((*known.memories, note.id))))
    return dict(sorted(found.items()))
