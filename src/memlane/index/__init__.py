"""How does a Run become findable? Turns in, Chunks and a summary out. Everything here can be made again."""

from memlane.index.build import Build, Filed, Learned, Stretch
from memlane.index.chunk import chunks_of, split
from memlane.index.mind import Mind, SoFar, recalled

__all__ = ["Build", "Filed", "Learned", "Mind", "SoFar", "Stretch", "chunks_of", "recalled", "split"]
