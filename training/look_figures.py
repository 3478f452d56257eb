"""What a judge of the nearest five is worth, on the tuning side: only the best of them is shown, above a floor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from training import figures
from training.near import Near
from training.questions import Question

LOOKED_AT = 5
SHARES = (0.05, 0.10, 0.15)  # of the non_probes that still bring up their memory


def told(asked: Sequence[Question], near: Sequence[Near], said: Sequence[Sequence[float]] | None) -> dict[str, Any]:
    """`said`: a score of each of the five, else their cosines."""
    hits, best, own = {1: 0, 5: 0}, list[tuple[float, bool, bool]](), {True: list[float](), False: list[float]()}
    for n, one in enumerate(asked):
        five = near[n].notes[:LOOKED_AT]
        scores = list(said[n]) if said is not None else near[n].cosines[:LOOKED_AT].tolist()
        order = sorted(range(len(five)), key=lambda k: -scores[k])
        if one.needs:
            hits[1] += five[order[0]] == one.own
            hits[5] += one.own in five
        if one.own in five:
            own[bool(one.needs)].append(scores[five.index(one.own)])
        best.append((scores[order[0]], five[order[0]] == one.own, bool(one.needs)))
    probes = sum(b[2] for b in best)
    out: dict[str, Any] = {f"hit{k}": round(v / probes, 4) for k, v in hits.items()}
    out["auc"] = round(figures.area(*(np.array(own[k], np.float32) for k in (True, False))), 4)
    return out | {f"{share:.2f}": shown(best, share) for share in SHARES}


def shown(best: Sequence[tuple[float, bool, bool]], share: float) -> dict[str, float]:
    """Of (score of the best, is it the own one, is it a probe)."""
    probes, others = sum(b[2] for b in best), sum(not b[2] for b in best)
    astray = sorted((score for score, is_own, probe in best if is_own and not probe), reverse=True)
    floor = astray[int(share * others)] if int(share * others) < len(astray) else -1e9
    notes = [b for b in best if b[0] > floor and b[2]]
    right = sum(b[1] for b in notes)
    return {"shown": round(right / probes, 4), "right": round(right / max(1, len(notes)), 4)}
