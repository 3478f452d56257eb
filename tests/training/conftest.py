"""A world of four made-up projects, a toy tokenizer and random base weights: enough for five steps on a CPU."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

collect_ignore = (
    []
    if find_spec("torch")
    else ["test_five_steps.py", "test_look.py", "test_lessons.py", "test_teachings_look.py", "test_unpack.py"]
)  # training needs torch; the product does not

PROJECTS = ("harbour", "orchard", "mill", "tower")
WORDS = [
    "always",
    "never",
    "use",
    "run",
    "the",
    "tests",
    "before",
    "push",
    "deploy",
    "build",
    "table",
    "port",
    "key",
    "file",
    "cache",
    "log",
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """What `training.run` reads, made up: `tower` is validation."""
    folder = tmp_path / "data"
    folder.mkdir()
    memories = [_memory(project, n) for project in PROJECTS for n in range(6)]
    _lines(folder / "recall-train.jsonl", memories)
    _lines(folder / "recall-windows.jsonl", [_windowed(memory) for memory in memories[:4]])
    _lines(folder / "pairs.jsonl", [_pair(n) for n in range(12)])
    split = {"validation": {"repositories": [], "written_projects": ["tower"]}}
    (folder / "splits.json").write_text(json.dumps(split))
    return folder


def _memory(project: str, n: int) -> dict[str, object]:
    word, other = WORDS[n], WORDS[-n - 1]
    return {
        "id": f"{project}-{n}",
        "repo": project,
        "source": "real" if project == "tower" else "written",
        "title": f"always {word} the {other}",
        "content": f"never push the {other} before",
        "near": {"title": f"{other} log", "content": "the cache"},
        "probes": [f"deploy the {word}", f"build {word} {other}"],
        "non_probes": [f"{other} file", f"log {other}"],
    }


def _windowed(memory: dict[str, object]) -> dict[str, object]:
    window = {"messages": [{"who": "agent", "text": "run the build"}], "prompt": "push"}
    plain = {key: value for key, value in memory.items() if key not in ("probes", "non_probes")}
    return plain | {"windows": [window], "non_windows": [window]}


def _pair(n: int) -> dict[str, str]:
    return {"kind": "answer", "project": "mill", "key": str(n), "a": f"run {WORDS[n]}", "b": f"the {WORDS[n]} file"}


def _lines(path: Path, records: list[dict[str, object]] | list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import TemplateProcessing

    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS]
    toy = Tokenizer(WordLevel({name: n for n, name in enumerate(names)}, unk_token="[UNK]"))
    toy.pre_tokenizer = Whitespace()
    toy.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    path = tmp_path / "tokenizer.json"
    toy.save(str(path))
    return path
