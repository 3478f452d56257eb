"""`python -m training.teachings_looked ROWS OUT WRITER…`: what the transformer that ships says of new writers.

ROWS is what `training.teachings --rows` wrote; WRITER are the names of files it was not trained on, and `real`. OUT.npy
serves as `--looked`: with more writers the line is fitted anew and weighed beside the transformer as it is.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from memlane.embed import teaching_look
from training.teachings import LOOKED


def main() -> None:
    source, out, writers = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    rows = [json.loads(line) for line in source.read_text().splitlines()]
    looked = np.full(len(rows), np.nan, np.float32)
    for n, row in enumerate(rows):
        if row["writer"] in writers and row["language"] in LOOKED:
            looked[n] = teaching_look().log_odds(row["text"])
    np.save(out, looked)


if __name__ == "__main__":
    main()
