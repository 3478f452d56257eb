"""What a text claims, without what it only reports: an agent's words beside it are no claim, the person's are."""

from __future__ import annotations

import re

_OPENS, _CLOSES = '“"«„', '”"»“'
_SAID = r"(?:said|says|asked|asks|wrote|answered|replied|noted|typed|reported|added|proposed|suggested)"
_QUOTED = rf"[:,]? *[{_OPENS}](?P<words>[^{_CLOSES}]*)[{_CLOSES}]\.?"
_AGENT = re.compile(
    rf"(?:[A-Z][\w ]{{0,20}} )?\b(?:the agent|the assistant|agent|assistant|it)(?: had| then| later)? {_SAID}{_QUOTED}",
    re.I,
)
_PERSON = re.compile(rf"\b(?:the )?(?:person|user|human)(?: had| then| later)? {_SAID}{_QUOTED}", re.I)


def claimed(text: str) -> str:
    return _PERSON.sub(lambda said: said["words"], _AGENT.sub("", text))
