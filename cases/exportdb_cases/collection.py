"""The cases as a list: found on disk and read with `ast`, so that asking for them imports neither torch nor a case."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).parent

# The families of ExportDB's tags, in the order of the rules' codes.
FAMILIES = (
    "control_flow",
    "dynamic_value",
    "dynamic_shape",
    "mutation",
    "builtin",
    "operators",
    "inputs_outputs",
    "custom_operators",
    "export_api",
)


# What a case says about itself: none of it changes what export does with the program.
_ABOUT = frozenset({"tags", "twin", "exportdb_case", "issues"})


@dataclass(frozen=True)
class Case:
    """One program of the collection.

    `description` is the docstring of the model's class. `twin` names the case that does the same and exports.
    `exportdb_case` is the program inside torch that teaches the same lesson, `issues` are links into torch's tracker.
    """

    name: str
    family: str
    path: Path
    description: str
    tags: frozenset[str]
    twin: str | None = None
    exportdb_case: str | None = None
    issues: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """The text of the file."""
        return self.path.read_text(encoding="utf-8")

    @property
    def assume_dynamic(self) -> Literal["all", "none"]:
        """What to tell an analysis of it about sizes: all are dynamic where the case asks for dynamic shapes."""
        return "all" if "dynamic_shapes" in self.source else "none"

    @property
    def fingerprint(self) -> str:
        """A hash of what is exported: the text without docstrings and without what the case says about itself.

        A measurement belongs to the program that was exported; its file has this beside the verdict.
        """
        return fingerprint(self.source)


class CaseError(ValueError):
    """A file in the collection is not a case; the message names it and says what is missing."""


@lru_cache(maxsize=1)
def all_cases() -> tuple[Case, ...]:
    """Every case, by family and name.

    Raises:
        CaseError: a file does not follow the conventions.
    """
    paths = [path for family in FAMILIES for path in sorted((ROOT / family).glob("*.py"))]
    names = {path.stem for path in paths}
    return tuple(_read(path, names) for path in paths)


def find(name: str) -> Case | None:
    """The case of this name."""
    return next((case for case in all_cases() if case.name == name), None)


def _read(path: Path, names: set[str]) -> Case:
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    values: dict[str, ast.expr] = {}
    classes: dict[str, ast.ClassDef] = {}
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            classes[statement.name] = statement
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            values[statement.targets[0].id] = statement.value
    for wanted in ("model", "example_args", "tags"):
        if wanted not in values:
            raise CaseError(f"{path}: no module-level `{wanted}`")
    twin = _text(values.get("twin"))
    if twin is None and f"{path.stem}_ok" in names:
        twin = f"{path.stem}_ok"
    issues = values.get("issues")
    return Case(
        name=path.stem,
        family=path.parent.name,
        path=path,
        description=_description(path, values["model"], classes),
        tags=frozenset(ast.literal_eval(values["tags"])),
        twin=twin,
        exportdb_case=_text(values.get("exportdb_case")),
        issues=tuple(ast.literal_eval(issues)) if issues is not None else (),
    )


def _description(path: Path, model: ast.expr, classes: dict[str, ast.ClassDef]) -> str:
    call = model
    while isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        # `Model().eval()` is `Model()`.
        call = call.func.value
    name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
    text = ast.get_docstring(classes[name]) if name in classes else None
    if not text:
        raise CaseError(f"{path}: `model` is not an instance of a class of this file that has a docstring")
    return " ".join(text.split())


def fingerprint(source: str) -> str:
    """A hash of the program in `source`; line numbers count, because records name them."""
    tree = ast.parse(source)
    said: list[ast.stmt] = [node for node in tree.body if _is_about(node)]
    said += [node.body[0] for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and ast.get_docstring(node)]
    silent = {row for node in said for row in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    lines = ["" if row in silent else line.rstrip() for row, line in enumerate(source.splitlines(), 1)]
    return hashlib.sha256("\n".join(lines).rstrip().encode()).hexdigest()[:12]


def _is_about(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in _ABOUT


def _text(value: ast.expr | None) -> str | None:
    return ast.literal_eval(value) if value is not None else None
