"""`python -m training.teachings --seen F… --fresh F… --real F… --asked F --splits F [--rows FILE] [--looked FILE]
[--out FILE] [--save FILE]`.

The weights by which teachings are found. Words are fitted on all prompts. How much the patterns of a language say is
fitted beside what the words say of a writer left out; writers that the patterns were written for (`--seen`) count
little there. Figures and all bars come from the others (`--fresh`), each left out. Real prompts, and requests of
made-up projects (`--asked`, training side only), teach nothing. Nothing of a text is kept but numbers.

`--rows` writes the sentences as tokens and stops: `training.teachings_look` trains the transformer with them. What
that says of writers it was not trained on (`--looked`) is weighed beside the line in the languages it reads. It is of
the models that left them out, or of the one that ships and never saw them (`training.teachings_looked`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from memlane.catch.teachings.likelihood import LineHeader, LookWeights, packed, read_as
from memlane.catch.teachings.signs import DECIDED, SIZE, grams, place, signs
from memlane.embed.encoder.recall_encoder import WordPiece
from memlane.embed.encoder.weights import opened
from memlane.embed.models import ENCODER_SHA256, ENCODER_WEIGHTS
from training.logistic import Dense, Line, Numbers, Sparse, fit
from training.split import Split
from training.teachings_data import (
    ASKED,
    EXAMPLES,
    MADE,
    REAL,
    LabelledSentence,
    examples,
    made,
    of_prompts,
    real,
    requests,
    written,
)

WEIGHT = {ASKED: 0.3, MADE: 0.3, EXAMPLES: 3.0}  # of a sentence; 1 for what somebody wrote or typed
STRENGTH, STEPS = 3.0, 300
SIGN_STRENGTH, SEEN = 0.3, 0.2  # SEEN: what a sentence counts for the patterns that were written for it
PLAIN_PRECISION = 0.88  # from where on a Teaching is active
ALARMS, PLAIN_ALARMS = 0.02, 0.004  # real prompts that may bring something at all, and something active, at most
LOOKED = ("en",)  # languages in which the transformer is asked: in the others it adds nothing
LEAST = 0.02  # of the taught sentences of these are so far below the line that they are not read
READ = 64  # tokens of a sentence
_LARGEST = 127


@dataclass(frozen=True, slots=True)
class Table:
    """All sentences as numbers."""

    words: Sparse
    signs: Numbers
    names: list[str]
    taught: Numbers
    weights: Numbers
    writers: NDArray[np.str_]
    prompts: NDArray[np.str_]
    languages: NDArray[np.str_]
    seen: NDArray[np.bool_]  # by whoever wrote the patterns

    @classmethod
    def of(cls, found: Sequence[LabelledSentence], seen: Sequence[str]) -> Table:
        shown = [set(signs(each.seen)) for each in found]
        names = sorted(set[str]().union(*shown))
        return cls(
            words=Sparse.of([_row(each) for each in found], SIZE),
            signs=np.asarray([[float(name in each) for name in names] for each in shown]),
            names=names,
            taught=np.asarray([float(each.taught) for each in found]),
            weights=np.asarray([WEIGHT.get(each.writer, 1.0) for each in found]),
            writers=np.asarray([each.writer for each in found]),
            prompts=np.asarray([each.prompt for each in found]),
            languages=np.asarray([each.seen.rules.language for each in found]),
            seen=np.asarray([each.writer in seen for each in found]),
        )


def _row(each: LabelledSentence) -> dict[int, float]:
    row = dict[int, float]()
    for worth, found in grams(each.seen):
        for gram in found:
            row[place(gram)] = row.get(place(gram), 0.0) + worth
    return row


Places = NDArray[np.int64]


def words_fit(table: Table, inside: Places) -> Line:
    return fit(table.words.taken(inside), table.taught[inside], table.weights[inside], STRENGTH, STEPS)


def left_out(table: Table, writers: Sequence[str]) -> list[Places]:
    """One writer at a time, with some of the prompts that teach nothing."""
    folds = list[Places]()
    others, dealt = np.isin(table.writers, (REAL, ASKED)), [n % len(writers) for n in map(_number, table.prompts)]
    for n, writer in enumerate(writers):
        folds.append(np.flatnonzero((table.writers == writer) | (others & (np.asarray(dealt) == n))))
    return folds


def _number(prompt: np.str_) -> int:
    return int(hashlib.sha256(str(prompt).encode()).hexdigest()[:8], 16)


def scores_of_words(table: Table, folds: Sequence[Places]) -> Numbers:
    """What the words say of writers they were not fitted on; of the others, nothing."""
    scores = np.full(len(table.taught), np.nan)
    for outside in folds:
        inside = np.setdiff1d(np.arange(len(table.taught)), outside)
        scores[outside] = words_fit(table, inside).of(table.words.taken(outside))
    return scores


def _together(table: Table, words: Numbers, rows: Places) -> Dense:
    return Dense(np.column_stack([words[rows], table.signs[rows]]))


def signs_fit(table: Table, words: Numbers, rows: Places) -> Line:
    weights = np.where(table.seen, SEEN, table.weights)[rows]
    return fit(_together(table, words, rows), table.taught[rows], weights, SIGN_STRENGTH, 400)


def scores_of_all(table: Table, words: Numbers, folds: Sequence[Places]) -> Numbers:
    scores = np.full(len(table.taught), np.nan)
    for outside in folds:
        inside = np.setdiff1d(np.concatenate(list(folds)), outside)
        scores[outside] = signs_fit(table, words, inside).of(_together(table, words, outside))
    return scores


# -- bars and figures ------------------------------------------------------------------------------------------------


def shares(scores: Numbers, taught: Numbers, bar: float) -> tuple[float, float]:
    over = scores >= bar
    right = float((over * taught).sum())
    return right / max(1.0, float(taught.sum())), right / max(1, int(over.sum()))


Bars = dict[str, float]


def bars(table: Table, scores: Numbers, fresh: NDArray[np.bool_]) -> tuple[Bars, Bars]:
    """Of each language. Held: where recall and precision are even. Active: where precision is enough. English prompts,
    the only ones of which real ones are at hand, stay quiet besides."""
    held, active, steps = Bars(), Bars(), np.arange(-4.0, 6.0, 0.05)
    english = np.where(table.languages == "en", scores, -np.inf)
    quiet = {"en": [_quiet(table, english, steps, most) for most in (ALARMS, PLAIN_ALARMS)]}
    for language in sorted(set(table.languages[fresh])):
        rows = fresh & (table.languages == language)
        found = [shares(scores[rows], table.taught[rows], float(bar)) for bar in steps]
        even = steps[int(np.argmin([abs(recall - precision) or 1 - recall for recall, precision in found]))]
        plain = next((bar for bar, (_, precision) in zip(steps, found, strict=True) if precision >= PLAIN_PRECISION), 6)
        least = quiet.get(str(language), [-4.0, -4.0])
        held[str(language)] = round(max(float(even), least[0]), 2)
        active[str(language)] = round(max(float(plain), held[str(language)], least[1]), 2)
    return held, active


def _quiet(table: Table, scores: Numbers, steps: Numbers, most: float) -> float:
    """The lowest bar that no more than this share of real prompts reaches."""
    return next((float(bar) for bar in steps if alarms(table, scores, float(bar)) <= most), float(steps[-1]))


def alarms(table: Table, scores: Numbers, bar: float) -> float:
    """The share of real prompts with a sentence over the bar."""
    rows = table.writers == REAL
    return len(set(table.prompts[rows & (scores >= bar)])) / max(1, len(set(table.prompts[rows])))


def figures(
    table: Table, scores: Numbers, fresh: NDArray[np.bool_], cut: tuple[Bars, Bars], barred: NDArray[np.str_]
) -> dict[str, object]:
    """`barred`: by which bar each sentence is measured."""
    over = [scores - np.asarray([bar.get(str(name), 6.0) for name in barred]) for bar in cut]

    def of(rows: NDArray[np.bool_]) -> list[float]:
        each = [share for above in over for share in shares(above[rows], table.taught[rows], 0.0)]
        return [round(share, 3) for share in each]

    return {
        "columns": "recall, precision, recall of active ones, their precision",
        "all": of(fresh),
        "writers": {str(w): of(fresh & (table.writers == w)) for w in sorted(set(table.writers[fresh]))},
        "languages": {str(n): of(fresh & (table.languages == n)) for n in sorted(set(table.languages[fresh]))},
        "real_prompts": [round(alarms(table, above, 0.0), 4) for above in over],
    }


# -- the transformer beside the line ----------------------------------------------------------------------------------


def part_of(table: Table, fresh: Sequence[str]) -> Places:
    """In which part of its training a sentence is left out; -1: in none."""
    parts = np.full(len(table.taught), -1)
    for n, writer in enumerate(fresh):
        parts[table.writers == writer] = n
    others = np.flatnonzero(np.isin(table.writers, (REAL, ASKED)))
    parts[others] = [_number(table.prompts[n]) % len(fresh) for n in others]
    return parts


def write_rows(found: Sequence[LabelledSentence], table: Table, fresh: Sequence[str], out: Path) -> None:
    pieces = WordPiece(opened(ENCODER_WEIGHTS, ENCODER_SHA256).pieces)
    with out.open("w") as file:
        for each, weight, part in zip(found, table.weights, part_of(table, fresh), strict=True):
            text = read_as(each.seen.one.text)
            row = {"text": text, "tokens": pieces.tokens(text, READ), "taught": each.taught}
            row |= {"weight": min(float(weight), 1.0), "part": int(part)}
            row |= {"writer": each.writer, "language": each.seen.rules.language}
            file.write(json.dumps(row) + "\n")


def together(
    table: Table, scores: Numbers, looked: Numbers, fresh: NDArray[np.bool_]
) -> tuple[dict[str, LookWeights], Numbers, NDArray[np.str_]]:
    """How line and transformer are weighed where it is asked; then all scores, there of both, and by which bar they are
    measured."""
    weights, both, barred = dict[str, LookWeights](), scores.copy(), table.languages.astype("U16")
    sides, decided = np.column_stack([scores, looked]), np.zeros(len(scores), bool)
    for sign in DECIDED:
        decided |= table.signs[:, table.names.index(sign)] > 0
    for language in LOOKED:
        read = (table.languages == language) & ~np.isnan(looked) & ~decided
        rows = read & fresh
        line = fit(Dense(sides[rows]), table.taught[rows], np.ones(int(rows.sum())), STRENGTH)
        least = float(np.quantile(scores[rows & (table.taught > 0)], LEAST))
        both[read] = np.where(scores[read] >= least, line.of(Dense(sides[read])), -np.inf)
        held, active = bars(table, np.where(read, both, -np.inf), rows)
        told = (round(float(number), 3) for number in (*line.slope, line.base, least))
        weights[language] = LookWeights(*told, held[language], active[language])
        barred[read] = f"{language}, read"
    return weights, both, barred


# -- the file --------------------------------------------------------------------------------------------------------


def file_of(table: Table, words: Line, over: Line, cut: tuple[Bars, Bars], looks: dict[str, LookWeights]) -> bytes:
    """Both lines are one: what the words say counts as often as the second line takes it."""
    slopes = words.slope * over.slope[0]
    scale = float(np.abs(slopes).max()) / _LARGEST
    named = {name: round(float(slope), 4) for name, slope in zip(table.names, over.slope[1:], strict=True)}
    header = LineHeader(named, scale, float(over.base + words.base * over.slope[0]), *cut, looks)
    return packed(header, np.rint(slopes / scale).astype(np.int8).tobytes())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.teachings", description=__doc__)
    for name in ("seen", "fresh"):
        parser.add_argument(f"--{name}", type=Path, nargs="+", required=True)
    parser.add_argument("--real", type=Path, nargs="+", required=True, help="lines with a `text` that teaches nothing")
    parser.add_argument("--asked", type=Path, required=True, help="recall-train.jsonl.xz")
    parser.add_argument("--splits", type=Path, required=True)
    parser.add_argument("--rows", type=Path, help="write the sentences as tokens, and stop")
    parser.add_argument("--looked", type=Path, help="what the transformer says of those rows, each left out")
    parser.add_argument("--out", type=Path, help="the weights; their checksum belongs into likelihood.py")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    found = [each for file in (*asked.seen, *asked.fresh) for each in of_prompts(written(file), file.stem)]
    found += real(asked.real)
    found += of_prompts(requests(asked.asked, Split.load(asked.splits)), ASKED)
    found += [*of_prompts(list(made()), MADE), *of_prompts(examples(), EXAMPLES)]
    seen, fresh = [EXAMPLES, *(file.stem for file in asked.seen)], [file.stem for file in asked.fresh]
    table = Table.of(found, seen)
    if asked.rows:
        write_rows(found, table, fresh, asked.rows)
        return
    folds = left_out(table, [*seen, *fresh])
    words = scores_of_words(table, folds)
    scores, is_fresh = scores_of_all(table, words, folds), np.isin(table.writers, fresh)
    cut = bars(table, scores, is_fresh)
    record: dict[str, object] = {"sentences": len(found), "held": cut[0], "active": cut[1]}
    record["line alone"] = figures(table, scores, is_fresh, cut, table.languages)
    looks = dict[str, LookWeights]()
    if asked.looked:
        looks, scores, barred = together(table, scores, np.load(asked.looked), is_fresh)
        record["looks"] = {language: msgspec.structs.asdict(one) for language, one in looks.items()}
        held, active = ({f"{n}, read": getattr(w, bar) for n, w in looks.items()} for bar in ("held", "active"))
        record |= figures(table, scores, is_fresh, (cut[0] | held, cut[1] | active), barred)
    if asked.out:
        over = signs_fit(table, words, np.concatenate(folds))
        asked.out.write_bytes(file_of(table, words_fit(table, np.arange(len(found))), over, cut, looks))
        record["sha256"] = hashlib.sha256(asked.out.read_bytes()).hexdigest()
    said = json.dumps(record, indent=2) + "\n"
    if asked.save:
        asked.save.write_text(said)
    sys.stdout.write(said)


if __name__ == "__main__":
    main()
