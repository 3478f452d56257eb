"""The encoder that ships, unpacked, is the same encoder when it is packed again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import safetensors.numpy

from memlane.embed.models import ENCODER_WEIGHTS
from training.pack import Stored, arrays
from training.unpack import arrays_of, checkpoint


def test_what_was_packed_and_unpacked_is_packed_alike(tmp_path: Path) -> None:
    safetensors.numpy.save_file(checkpoint(ENCODER_WEIGHTS), tmp_path / "unpacked")
    _, shipped = arrays_of(ENCODER_WEIGHTS)
    for name, again in arrays(Stored(tmp_path / "unpacked")):
        step = 1 if again.dtype == np.int8 else 2e-3
        assert np.allclose(again, shipped[name], rtol=2e-3, atol=step), name
