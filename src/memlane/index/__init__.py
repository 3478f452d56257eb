"""How does a Run become searchable? Turns in, Chunks and a summary out. All of it can be rebuilt."""

from memlane.index.build import Build, FiledRun, RunLines, RunOrigin
from memlane.index.chunk import chunks_of, split
from memlane.index.summary import PassState, SoFar, resume

__all__ = ["Build", "FiledRun", "PassState", "RunLines", "RunOrigin", "SoFar", "chunks_of", "resume", "split"]
