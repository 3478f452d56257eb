"""`python -m tools.knots`: modules of the package that import each other in a circle, late imports counted too.

An import inside a function hides a knot from the interpreter, not from the reader. Imports for type checkers alone
never run; the circles that only they close are counted apart and are no failure.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.check import ROOT

SRC = ROOT / "src"


@dataclass(frozen=True, slots=True)
class Imports:
    """What one module imports: when it runs, and as a type checker reads it."""

    real: frozenset[str]
    every: frozenset[str]


def imports_of(package: Path) -> Mapping[str, Imports]:
    """Of every module of a package, of modules in it alone."""
    paths = {_name(path, package.parent): path for path in sorted(package.rglob("*.py"))}
    found = dict[str, Imports]()
    for name, path in paths.items():
        tree = ast.parse(path.read_text())
        every = frozenset(_imported(ast.walk(tree), paths)) - {name}
        blocks = [block for block in ast.walk(tree) if isinstance(block, ast.If) and _is_for_types(block.test)]
        typed = {node for block in blocks for one in block.body for node in ast.walk(one)}
        real = frozenset(_imported((node for node in ast.walk(tree) if node not in typed), paths)) - {name}
        found[name] = Imports(real, every)
    return found


def _name(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def _is_for_types(test: ast.expr) -> bool:
    return ast.unparse(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _imported(nodes: Iterator[ast.AST], modules: Collection[str]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if whole in modules or node.module in modules:
                    yield whole if whole in modules else node.module


def knots(graph: Mapping[str, Collection[str]]) -> list[list[str]]:
    """Sets of modules in which each leads to every other (Tarjan), without those that stand alone."""
    order, low = dict[str, int](), dict[str, int]()
    waiting, found = list[str](), list[list[str]]()

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        waiting.append(name)
        for other in sorted(graph[name]):
            if other not in order:
                visit(other)
            if other in waiting:
                low[name] = min(low[name], low[other])
        if low[name] == order[name]:
            knot = waiting[waiting.index(name) :]
            del waiting[waiting.index(name) :]
            if len(knot) > 1:
                found.append(sorted(knot))

    for name in sorted(graph):
        if name not in order:
            visit(name)
    return sorted(found)


def main(arguments: Sequence[str] = ()) -> int:
    imports = imports_of(Path(arguments[0]) if arguments else SRC / "memlane")
    found = knots({name: each.real for name, each in imports.items()})
    typed = [one for one in knots({name: each.every for name, each in imports.items()}) if one not in found]
    print(f"{len(imports)} modules, {len(found)} knots; {len(typed)} more if imports for type checkers counted")
    for knot in found:
        print("knot: " + ", ".join(knot))
    for knot in typed:
        print("for types: " + ", ".join(knot))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
