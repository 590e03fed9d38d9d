"""Which models of a file can be exported, and where their example inputs stand. Reads text; runs nothing."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from exportdb_rules.declared import names_target
from exportdb_rules.finding import Position, Span
from exportdb_rules.input_comment import above
from exportdb_rules.source import split_lines

from exportdb_lsp.confirm.result import InputOrigin
from exportdb_lsp.confirm.syntax import parsed
from exportdb_lsp.files.names import problem_line
from exportdb_lsp.settings import read_pyproject

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

Kind = Literal["class", "function", "object"]

# Without these settings nothing can be exported: the file as a whole, and the example inputs that it has.
NEEDED: Final = ("", "targets")


@dataclass(frozen=True)
class InputSource:
    """One place that has example inputs for a target, as source text to be evaluated in the module."""

    source: InputOrigin
    args: str = ""
    kwargs: str = ""
    dynamic_shapes: str = ""
    constructor: str = ""
    model: str = ""
    extra: str = ""
    setup: str = ""
    package: str = ""
    file: str = ""
    row: int | None = None
    place: str = ""
    description: str = ""
    called: bool = False
    """The model is only called there, not exported: the call may be meant to fail, and says little of the mode."""

    def to_json(self) -> dict[str, Any]:
        """As the worker reads it."""
        return {**self.__dict__, "source": self.source.value}


@dataclass(frozen=True)
class Target:
    """Something that can be exported. `span` is its name in the text; `whole` all of it."""

    name: str
    kind: Kind
    span: Span
    whole: Span
    input_sources: tuple[InputSource, ...] = ()
    names: tuple[str, ...] = field(default=())
    """Other names that pick it: `model` for the module-level instance."""

    @property
    def source(self) -> InputOrigin:
        """Where its inputs come from."""
        return self.input_sources[0].source if self.input_sources else InputOrigin.INFERRED


class ConfigError(ValueError):
    """The project's settings cannot be read; the message names file and line."""


def configured(root: Path) -> dict[str, InputSource]:
    """`[tool.exportdb.targets]` of the project, by the key that names the target.

    Raises:
        ConfigError: pyproject.toml is no TOML, or its targets are not what they must be.
    """
    settings, problems = read_pyproject(root / "pyproject.toml")
    for problem in problems:
        if problem.name in NEEDED:
            raise ConfigError(problem_line(problem))
    path = str(root / "pyproject.toml")
    return {
        name: InputSource(InputOrigin.CONFIG, **target.__dict__, file=path, place="pyproject.toml")
        for name, target in settings.targets.items()
    }


def find(
    text: str,
    filename: str,
    config: Mapping[str, InputSource] | None = None,
    calls: Mapping[str, Sequence[InputSource]] | None = None,
) -> list[Target]:
    """All targets of a file, in the order of the text; inferred ones have no input_source.

    Raises:
        SyntaxError: the text is no Python.
        CommentError: a comment with inputs cannot be read.
    """
    tree = parsed(text)
    lines = split_lines(text)
    config = config or {}
    calls = calls or {}
    modules = set(_module_classes(tree))
    convention = _convention(tree, modules)
    found: list[Target] = []
    for node, name in _definitions(tree):
        input_sources: list[InputSource] = []
        is_class = isinstance(node, ast.ClassDef)
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        comment = above(lines, first)
        if comment is not None:
            input_sources.append(
                InputSource(InputOrigin.COMMENT, **comment.fields, file=filename, row=comment.row, called=False)
            )
        input_sources += _from_config(config, name, filename)
        names: tuple[str, ...] = ()
        if convention is not None and convention[1] == name:
            input_sources.append(convention[0])
            names = ("model",) if convention[0].model else ()
            convention = None
        input_sources += calls.get(name, ())
        if not input_sources and not (is_class and name in modules):
            continue
        keyword = "class " if is_class else "async def " if isinstance(node, ast.AsyncFunctionDef) else "def "
        start = Position(node.lineno, _code_points(lines, node.lineno, node.col_offset) + len(keyword) + 1)
        span = Span(start, Position(start.row, start.column + len(node.name)))
        found.append(
            Target(
                name, "class" if is_class else "function", span, _whole(node, first, lines), tuple(input_sources), names
            )
        )
    for name, _, node in assignments(tree.body):
        comment = above(lines, node.lineno)
        input_sources = []
        if comment is not None:
            input_sources.append(
                InputSource(
                    InputOrigin.COMMENT, **comment.fields, model=name, file=filename, row=comment.row, called=False
                )
            )
        input_sources += [_with_model(input_source, name) for input_source in _from_config(config, name, filename)]
        if name == "model" and convention is not None:
            input_sources.append(convention[0])
        if input_sources:
            start = Position(node.lineno, 1)
            span = Span(start, Position(node.lineno, 1 + len(name)))
            found.append(Target(name, "object", span, _whole(node, node.lineno, lines), tuple(input_sources)))
    return found


def choose(targets: Sequence[Target], name: str | None) -> list[Target]:
    """The target of that name; without a name those that somebody wrote inputs for, or else all of them.

    Where one class has inputs, the others are taken for its parts.
    """
    if name is None:
        explicit = [target for target in targets if target.input_sources]
        return explicit or list(targets)
    exact = [target for target in targets if target.name == name or name in target.names]
    return exact[:1]


def assignments(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.expr, ast.Assign | ast.AnnAssign]]:
    """The names that statements bind, each with its value: `model = Net()`, `model: Net = Net()`, `model, args = Net(), (x,)`."""
    for node in body:
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            yield from ((name, value, node) for name, value in _pairs(node.target, node.value))
        elif isinstance(node, ast.Assign):
            yield from ((name, value, node) for target in node.targets for name, value in _pairs(target, node.value))


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for part, given in zip(target.elts, value.elts, strict=True):
            if not isinstance(part, ast.Starred) and not isinstance(given, ast.Starred):
                yield from _pairs(part, given)


def _with_model(input_source: InputSource, name: str) -> InputSource:
    return input_source if input_source.constructor else replace(input_source, model=name)


def _from_config(config: Mapping[str, InputSource], name: str, filename: str) -> list[InputSource]:
    return [input_source for key, input_source in config.items() if names_target(key, name, filename)][:1]


def _definitions(
    tree: ast.Module,
) -> Iterator[tuple[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, str]]:
    """Classes (nested in classes too) and functions of the module, with their dotted names."""

    def inside(body: list[ast.stmt], prefix: str) -> Iterator[tuple[Any, str]]:
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield node, prefix + node.name
                yield from inside(node.body, prefix + node.name + ".")
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not prefix:
                yield node, node.name
            elif isinstance(node, (ast.If, ast.Try)) and not prefix:
                yield from inside(node.body, prefix)
                yield from inside(node.orelse, prefix)

    # A class that is defined twice is, once the module has run, the last one.
    last: dict[str, Any] = {}
    for node, name in inside(tree.body, ""):
        last.pop(name, None)
        last[name] = node
    for name, node in sorted(last.items(), key=lambda item: item[1].lineno):
        yield node, name


def _module_classes(tree: ast.Module) -> Iterator[str]:
    """Classes that define or inherit a `forward`, as far as the file shows."""
    with_forward: set[str] = set()
    for node, name in _definitions(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        own = any(isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.name == "forward" for n in node.body)
        bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        if "Function" in bases:  # torch.autograd.Function has a forward, and is no module
            continue
        if own or bases & with_forward:
            with_forward.add(name)
            yield name


def _convention(tree: ast.Module, classes: Iterable[str]) -> tuple[InputSource, str] | None:
    """ExportDB's own names at module level (`model`, `example_args`, …), and the class that `model` is made of; without a
    `model`, that is the one model class at the top level of the file.

    `extra_inputs`, a list of further `args` that take other branches, is this project's addition to them.
    """
    values: dict[str, tuple[ast.expr, int]] = {}
    for name, value, node in assignments(tree.body):
        values[name] = (value, node.lineno)
    shown = [values[name][1] for name in ("example_args", "example_kwargs") if name in values]
    own = [name for name in classes if "." not in name]
    if not shown or ("model" not in values and len(own) != 1):
        return None
    value, row = values.get("model", (None, shown[0]))
    built = ast.unparse(value.func) if isinstance(value, ast.Call) else "" if value is not None else own[0]
    input_source = InputSource(
        InputOrigin.MODULE,
        args="example_args" if "example_args" in values else "()",
        kwargs="example_kwargs" if "example_kwargs" in values else "",
        dynamic_shapes="dynamic_shapes" if "dynamic_shapes" in values else "",
        model="model" if value is not None else "",
        extra="extra_inputs" if "extra_inputs" in values else "",
        row=row,
        description="values",
    )
    return input_source, built


def _whole(node: ast.stmt, first: int, lines: list[str]) -> Span:
    end_row = node.end_lineno or node.lineno
    end = Position(end_row, _code_points(lines, end_row, node.end_col_offset or 0) + 1)
    return Span(Position(first, 1), end)


def _code_points(lines: list[str], row: int, offset: int) -> int:
    """ast counts columns in UTF-8 bytes."""
    return len(lines[row - 1].encode()[:offset].decode(errors="ignore"))
