"""Example inputs that the text gives for a class, as dtypes and shapes: inputs that its author says go together.

They stand where confirm looks for them too: in a comment above the class, under ExportDB's names, or in a call of the
model or of an export function.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite.known.names import parameters
from exportdb_rules.rewrite.known.signature import SCALAR
from exportdb_rules.rewrite.tree import below, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

Example = tuple["str | None", "Hashable"]
"""dtype (None: not said) and shape."""

_COMMENT = re.compile(r"#\s*exportdb:.*?\bargs=(.*)")
_MAKERS = frozenset(("randn", "rand", "ones", "zeros", "empty"))
_EXPORTS = frozenset(("export", "draft_export"))


@lru_cache(maxsize=16)
def examples(module: cst.Module, owner: cst.ClassDef) -> dict[str, Example]:
    """The example of each parameter of the class's `forward`, by name, as far as it is written out."""
    forward = next(
        (s for s in statements(owner.body) if isinstance(s, cst.FunctionDef) and s.name.value == "forward"), None
    )
    if forward is None:
        return {}
    given = [p.name.value for p in parameters(forward)][1:]
    scope = module_names(module)
    found: dict[str, Example] = {}
    for values in _arguments(module, owner, scope):
        for name, value in zip(given, values, strict=False):
            example = _example(value, scope)
            if example is not None and name not in found:
                found[name] = example
    return found


def module_names(module: cst.Module) -> dict[str, cst.BaseExpression]:
    """What the names of a module are bound to, by plain assignments."""
    return dict(assignments(list(module.body)))


def _arguments(
    module: cst.Module, owner: cst.ClassDef, scope: dict[str, cst.BaseExpression]
) -> Iterator[Sequence[cst.BaseExpression]]:
    for line in getattr(owner, "leading_lines", ()):
        match = _COMMENT.match(line.comment.value) if line.comment is not None else None
        if match is not None:
            yield _leading_tuple(match[1])
    shown = scope.get("example_args")
    if isinstance(shown, (cst.Tuple, cst.List)) and makes(scope.get("model"), owner, scope):
        yield [e.value for e in shown.elements]
    for call in _calls_outside_classes(module):
        if makes(call.func, owner, scope):
            yield [a.value for a in call.args if a.keyword is None and not a.star]
        elif dotted(call.func).rpartition(".")[2] in _EXPORTS and len(call.args) > 1:
            args = _followed(call.args[1].value, scope)
            if makes(call.args[0].value, owner, scope) and isinstance(args, (cst.Tuple, cst.List)):
                yield [e.value for e in args.elements]


@lru_cache(maxsize=4)
def _calls_outside_classes(module: cst.Module) -> Sequence[cst.Call]:
    """The calls in the module itself, its functions, its `__main__`: read once for all of its classes."""
    return tuple(below(module, cst.Call, outside=(cst.ClassDef,)))


def _leading_tuple(text: str) -> Sequence[cst.BaseExpression]:
    """The elements of the tuple that a text begins with."""
    depth = 0
    for index, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            try:
                value = cst.parse_expression(text[: index + 1])
            except cst.ParserSyntaxError:
                return ()
            return [e.value for e in value.elements] if isinstance(value, (cst.Tuple, cst.List)) else ()
    return ()


def makes(node: cst.BaseExpression | None, owner: cst.ClassDef, scope: dict[str, cst.BaseExpression]) -> bool:
    """Whether an expression is an object of the class: `Net(3)`, `Net(3).eval()`, a name for one."""
    for _ in range(6):
        if node is None:
            return False
        if isinstance(node, cst.Name):
            node = scope.get(node.value)
        elif isinstance(node, cst.Call):
            if isinstance(node.func, cst.Name):
                return node.func.value == owner.name.value
            node = node.func.value if isinstance(node.func, cst.Attribute) else None
        else:
            return False
    return False


def assignments(body: list[cst.CSTNode]) -> Iterator[tuple[str, cst.BaseExpression]]:
    """Plain assignments to names, of a module or a function and of what an `if __name__ …` in it holds."""
    pending = list(body)
    while pending:
        node = pending.pop(0)
        if isinstance(node, cst.SimpleStatementLine):
            for small in node.body:
                if isinstance(small, cst.Assign):
                    for target in small.targets:
                        yield from _pairs(target.target, small.value)
                elif isinstance(small, cst.AnnAssign) and small.value is not None:
                    yield dotted(small.target), small.value
        elif isinstance(node, cst.If):
            pending += statements(node.body)


def _pairs(target: cst.CSTNode, value: cst.BaseExpression) -> Iterator[tuple[str, cst.BaseExpression]]:
    if isinstance(target, cst.Name):
        yield target.value, value
    elif isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple) and len(target.elements) == len(value.elements):
        for one, other in zip(target.elements, value.elements, strict=True):
            yield from _pairs(one.value, other.value)


def _followed(node: cst.BaseExpression, scope: dict[str, cst.BaseExpression]) -> cst.BaseExpression:
    for _ in range(4):
        inner = scope.get(node.value) if isinstance(node, cst.Name) else None
        if inner is None:
            break
        node = inner
    return node


def _example(node: cst.BaseExpression, scope: dict[str, cst.BaseExpression]) -> Example | None:
    """dtype and shape of an example input such as `torch.randn(3, 2) * 8` or `torch.tensor([1, 2])`."""
    node = _followed(node, scope)
    if isinstance(node, cst.UnaryOperation):
        return _example(node.expression, scope)
    if isinstance(node, cst.Comparison):
        compared = _example(node.left, scope)
        return None if compared is None else ("bool", compared[1])
    if isinstance(node, cst.BinaryOperation) and isinstance(node.right, (cst.Integer, cst.Float)):
        return _example(node.left, scope)
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return None
    name = node.func.attr.value
    if dotted(node.func.value) != "torch":
        return _method(name, _example(node.func.value, scope))
    if any(a.keyword or a.star for a in node.args) or not node.args:
        return None
    values = [a.value for a in node.args]
    if name == "tensor":
        return _literal(values[0])
    if name == "arange":
        return _sized("int64", values) if len(values) == 1 else None
    if name in ("randint", "full"):
        shape = values[-1] if name == "randint" else values[0]
        inner = [e.value for e in shape.elements] if isinstance(shape, (cst.Tuple, cst.List)) else None
        return None if inner is None else _sized("int64" if name == "randint" else None, inner)
    if name not in _MAKERS:
        return None
    if len(values) == 1 and isinstance(values[0], (cst.Tuple, cst.List)):
        values = [e.value for e in values[0].elements]
    return _sized(None, values)


def _sized(dtype: str | None, sizes: Sequence[cst.BaseExpression]) -> Example | None:
    if not sizes:
        return dtype, SCALAR
    if not all(isinstance(size, cst.Integer) for size in sizes):
        return None
    return dtype, ("sizes", tuple([int(size.value) for size in sizes if isinstance(size, cst.Integer)]))


def _method(name: str, example: Example | None) -> Example | None:
    """What a method makes of an example: most that authors use here change the values only."""
    if example is None:
        return None
    if name in ("abs", "sin", "exp", "clone", "relu", "sigmoid", "requires_grad_", "softmax"):
        return example
    dtype = {"bool": "bool", "long": "int64", "int": "int32", "double": "float64"}.get(name)
    return None if dtype is None else (dtype, example[1])


def _literal(node: cst.BaseExpression) -> Example | None:
    """What `torch.tensor` makes of a literal."""
    if isinstance(node, cst.UnaryOperation):
        return _literal(node.expression)
    if isinstance(node, cst.Integer):
        return "int64", SCALAR
    if isinstance(node, cst.Float):
        return None, SCALAR
    if isinstance(node, cst.Name) and node.value in ("True", "False"):
        return "bool", SCALAR
    if not isinstance(node, (cst.List, cst.Tuple)) or not node.elements:
        return None
    inner = [_literal(e.value) for e in node.elements]
    first = inner[0]
    if first is None or any(one is None or one[1] != first[1] for one in inner):
        return None
    dtype = first[0] if len({one[0] for one in inner if one is not None}) == 1 else None
    below = () if first[1] == SCALAR else first[1][1]  # type: ignore[index]
    return dtype, ("sizes", (len(inner), *below))  # pyright: ignore[reportUnknownVariableType]
