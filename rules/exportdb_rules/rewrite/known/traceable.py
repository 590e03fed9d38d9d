"""What Dynamo can follow: `torch.cond` and its kin compile their functions, in eager too, and raise where they cannot.

Measured on torch 2.13: torch's operators, the methods of a module and functions whose code is of torch are followed; scipy,
files, and objects whose class nobody knows are not.
"""

from __future__ import annotations

import ast
from collections import deque
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.definitions import own_nodes
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.effort import kept_with
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from exportdb_rules.definitions import ClassInfo, FunctionInfo
    from exportdb_rules.rewrite.known.inference import Inference
    from exportdb_rules.rewrite.tree import Tree

# Packages whose functions Dynamo follows, or knows.
_FOLLOWED: Final = frozenset(
    """
    torch math functools itertools operator collections typing typing_extensions einops einx dataclasses abc enum copy
    contextlib types torchvision torchaudio timm builtins __future__ warnings numbers beartype jaxtyping packaging
    """.split()
)
# What no graph can hold, however it is reached.
_OUTSIDE: Final = frozenset(("open", "input", "exec", "eval", "compile", "__import__", "breakpoint", "print"))
_LEAVING: Final = frozenset(("numpy", "tolist", "cpu_numpy", "__array__", "backward", "data_ptr"))
_LOSSES: Final = frozenset(("cross_entropy", "nll_loss", "CrossEntropyLoss", "NLLLoss"))
_OF_PROJECT: Final = (domain.Function, domain.Instance, domain.Class)
_DEEPEST: Final = 4


def refuse_untraceable(inference: Inference, block: Sequence[cst.CSTNode]) -> None:
    """Raises FixNotApplicable where statements, or functions that they call, call what Dynamo cannot follow."""
    _in_text(inference, block, set())


def _in_text(inference: Inference, block: Sequence[cst.CSTNode], seen: set[str]) -> None:
    origins = packages(inference.tree)
    for call in (call for node in block for call in below(node, cst.Call)):
        name = dotted(call.func)
        kinds = inference.kinds(call.func)
        if not kinds or not all(isinstance(kind, _OF_PROJECT) for kind in kinds):
            _refuse_name(name, origins.get(name.partition(".")[0], ""))
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in _LEAVING:
            raise FixNotApplicable(NoFix.UNTRACEABLE, f"`{call.func.attr.value}` leaves the graph")
        own = name.removeprefix("self.") if name.startswith("self.") else ""
        function = inference.submodules.methods.get(own) if own else inference.globals.get(name)
        if function is not None:
            if function.name.value not in seen and len(seen) < _DEEPEST**2:
                seen.add(function.name.value)
                _in_text(inference, [function.body], seen)
            continue
        for kind in kinds:
            _refuse_value(kind)
        made = inference.submodules.calls.get(own)
        if dotted(call.func if made is None else made.func).rpartition(".")[2] in _LOSSES:
            _refuse_rows(inference, call)


def _refuse_rows(inference: Inference, call: cst.Call) -> None:
    """Raises FixNotApplicable where a loss is given a number of rows that depends on data: within `torch.cond` it compares that
    number with 0 (measured on torch 2.13, in both modes; outside it does not)."""
    values = [inference.value(arg.value) for arg in call.args]
    if any(type(c) is domain.Tensor and c.unbacked for value in values if value for c in lattice.choices(value)):
        raise FixNotApplicable(NoFix.UNTRACEABLE, "the loss would compare how many rows are selected with 0")


def _refuse_value(value: domain.Value) -> None:
    """Raises FixNotApplicable where what is called is known to lead to code that cannot be followed."""
    if isinstance(value, domain.External):
        _refuse_name(value.name, value.name.partition(".")[0])
    if isinstance(value, domain.Class):
        _refuse_distribution(value.info)
    if isinstance(value, domain.Function):
        _refuse_function(value.info, set())
    if isinstance(value, domain.Instance) and value.cls is not None:
        forward = value.cls.methods.get("forward") or value.cls.methods.get("__call__")
        if forward is not None:
            _refuse_function(forward, set())


def _refuse_function(function: FunctionInfo, seen: set[int]) -> None:
    """The same of the code of a function of the project, wherever it stands."""
    if id(function) in seen or len(seen) > _DEEPEST:
        return
    seen.add(id(function))
    origins = dict(_imports(function.module.body))
    local = dict(_imports([n for n in ast.walk(function.node) if isinstance(n, ast.stmt)]))
    for node in own_nodes(function.node):
        if not isinstance(node, ast.Call):
            continue
        try:
            name = ast.unparse(node.func)
        except RecursionError:
            raise FixNotApplicable(NoFix.NOT_PARSED, "an expression that is nested too deeply") from None
        head = name.partition(".")[0]
        package = local.get(head, origins.get(head, ""))
        if package.partition(".")[0] != function.module.name.partition(".")[0]:
            _refuse_name(name, package)
        if isinstance(node.func, ast.Attribute) and node.func.attr in _LEAVING:
            raise FixNotApplicable(NoFix.UNTRACEABLE, f"`{node.func.attr}` leaves the graph")
        own = name.removeprefix("self.") if name.startswith("self.") else ""
        method = function.cls.methods.get(own) if own and function.cls is not None else None
        for cls in function.module.classes:
            if cls.name == name:
                _refuse_distribution(cls)
        if method is None and "." not in name:
            free = (one for one in function.module.functions if one.cls is None and one.name == name)
            method = next(free, None)
        if method is not None:
            _refuse_function(method, seen)


def _refuse_distribution(cls: ClassInfo) -> None:
    """Raises FixNotApplicable for a class that derives from a distribution of torch (measured on torch 2.13: `torch.cond` does
    not capture what makes one)."""
    origins = dict(_imports(cls.module.body))
    for base in map(ast.unparse, cls.node.bases):
        if "torch.distributions" in f"{origins.get(base.partition('.')[0], '')}.{base}":
            raise FixNotApplicable(
                NoFix.UNTRACEABLE, f"Dynamo does not follow a distribution of its own class, `{cls.name}`"
            )


def _refuse_name(name: str, package: str) -> None:
    if name in _OUTSIDE and not package:
        raise FixNotApplicable(NoFix.UNTRACEABLE, f"`{name}` has no place in a graph")
    if package and not package.startswith(".") and package.partition(".")[0] not in _FOLLOWED:
        raise FixNotApplicable(
            NoFix.UNTRACEABLE, f"`{name}` is of {package.partition('.')[0]}, which Dynamo may not follow"
        )


@kept_with
def packages(tree: Tree) -> dict[str, str]:
    """The package that each imported name of a text is of, its functions' imports included; '.' for those of the project,
    as far as the text says that they are."""
    try:
        waiting: deque[ast.AST] = deque([ast.parse(tree.text)])
    except (SyntaxError, ValueError, RecursionError):
        return {}
    imports: list[ast.stmt] = []
    while waiting:  # the outer ones first, and no expressions
        node = waiting.popleft()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            imports.append(node)
        for field in ("body", "handlers", "orelse", "finalbody", "cases"):
            waiting += getattr(node, field, ())
    return dict(_imports(imports))


def _imports(body: Sequence[ast.stmt]) -> Iterator[tuple[str, str]]:
    for node in body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0], alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                source = "." if node.level or not node.module else f"{node.module}.{alias.name}"
                yield alias.asname or alias.name, source
