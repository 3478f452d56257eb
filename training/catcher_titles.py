"""`python -m training.catcher_titles --moments FILE --splits FILE [--most 150]`: does meaning choose better titles?

Where several sentences of a person could be a title, the catcher takes the one that reads most like a lesson. Here the
encoder chooses (the nearest to all that was typed) or the second look does (the one it thinks is needed most by that),
and each choice is measured by how near it is to the title a careful reader gave, and by whether the later prompt that
needs the memory is nearer to it than the one that does not. An experiment: nothing ships from here.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from memlane import embed
from memlane.catch.embedded import worth_a_look
from memlane.catch.embedded.classifier import classifier
from memlane.catch.embedded.questions import question
from memlane.catch.embedded.titles import titled
from training.moments_data import Labelled, labelled, sides
from training.progress import say
from training.split import Split

Likeness = Callable[[str], float]


def choices(one: Labelled, encoder: Any, look: Any) -> dict[str, str]:
    """The title by each way of choosing."""
    typed, moment = encoder.query(one.moment.person), one.moment
    ways: dict[str, Likeness] = {
        "lesson": classifier().lesson,
        "encoder": lambda sentence: float(encoder.passages([sentence])[0] @ typed),
        "second look": lambda sentence: look.log_odds(moment.person, [sentence])[0],
    }
    asked = question(moment.before_agent, moment.person)
    found = {name: titled(moment, asked, way) for name, way in ways.items()}
    return {name: title.text for name, title in found.items() if title}


def measured(one: Labelled, titles: dict[str, str], encoder: Any) -> Iterator[tuple[str, float, bool]]:
    memory = max(one.record["memories"], key=lambda memory: memory["worth"])
    probe, other = (encoder.query(memory[name]) for name in ("probe", "non_probe"))
    true = encoder.passages([memory["title"]])[0]
    for name, title in titles.items():
        made = encoder.passages([title])[0]
        yield name, float(made @ true), bool(made @ probe > made @ other)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("moments", "splits"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--most", type=int, default=150)
    given = parser.parse_args()
    training, _validation = sides(labelled(given.moments), Split.load(given.splits))
    encoder, look = embed.embedder(embed.EmbedderSpec(model="tuned"), {}), embed.second_look()
    found: dict[str, list[tuple[float, bool]]] = {}
    differ = many = 0
    for one in (one for one in training if one.positive and worth_a_look(one.moment)):
        titles = choices(one, encoder, look)
        if len(titles) < 3:
            continue
        many, differ = many + 1, differ + (len(set(titles.values())) > 1)
        for name, near, over in measured(one, titles, encoder):
            found.setdefault(name, []).append((near, over))
        if many == given.most:
            break
    say("moments", many, "chosen differently", differ)
    for name, rows in found.items():
        say(
            name,
            "nearness",
            round(float(np.mean([near for near, _over in rows])), 4),
            "probe over non_probe",
            round(float(np.mean([over for _near, over in rows])), 4),
        )


if __name__ == "__main__":
    main()
