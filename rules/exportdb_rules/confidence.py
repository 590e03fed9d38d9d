"""How sure a finding is: whether the value in question was seen to be what it is, or only taken for it."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from exportdb_rules.finding import Confidence
from exportdb_rules.project import own_nodes
from exportdb_rules.torch_api import lookup
from exportdb_rules.values import Evidence

if TYPE_CHECKING:
    from exportdb_rules.entry_points import EntryPoint
    from exportdb_rules.project import FunctionInfo
    from exportdb_rules.rule import Violation

# Attributes that other things than tensors have too, so that reading one proves nothing.
_COMMON = frozenset(
    {"data", "type", "index", "split", "T", "real", "imag", "numpy", "values", "indices", "size", "name", "to"}
)

# Functions that make a tensor from numbers.
_OF_NUMBERS = frozenset({"zeros", "ones", "empty", "rand", "randn", "arange", "linspace", "eye", "randperm"})


def confidence_of(report: Violation, entry: EntryPoint) -> Confidence:
    """`certain` where the value was seen, `likely` where an operation gives it away, else `possible`.

    A value that comes from one parameter only, which convention took for a tensor, is what that parameter is: unless
    the function uses the parameter as only a tensor can be used, it may as well be a number or a tuple.
    """
    if report.evidence >= Evidence.OBSERVED:
        return Confidence.CERTAIN
    if report.parameter is not None and report.parameter not in tensor_like(entry.function):
        return Confidence.POSSIBLE
    return (
        Confidence.LIKELY if report.evidence > Evidence.ASSUMED or report.parameter is not None else Confidence.POSSIBLE
    )


@lru_cache(maxsize=512)
def tensor_like(function: FunctionInfo) -> frozenset[str]:
    """The parameters of a function that it uses as only a tensor can be used, or takes first and as nothing else."""
    names = {a.arg for a in (*function.node.args.posonlyargs, *function.node.args.args, *function.node.args.kwonlyargs)}
    # The first thing that `forward` is given is what the model computes on.
    first_name = {a.arg for a in function.node.args.args[1:2]} if function.cls is not None else set[str]()
    found: set[str] = set()
    numbers: set[str] = set()
    others: set[str] = set()
    for node in own_nodes(function.node):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in names and node.attr not in _COMMON:
                (others if lookup(f"Tensor.{node.attr}") is None else found).add(node.value.id)
        elif (
            isinstance(node, ast.Attribute)
            and node.attr in ("keys", "values", "items")
            and isinstance(node.value, ast.Attribute)
        ):
            others.update(n.id for n in ast.walk(node.value) if isinstance(n, ast.Name))  # batch.data.items()
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            first = node.args[0]
            base = node.func.value
            own = isinstance(base, ast.Name) and base.id == "self"  # self.layer(x), but not self.method(x)
            own = own and (function.cls is None or node.func.attr not in function.cls.methods)
            if own and isinstance(first, ast.Name) and first.id in names:
                found.add(first.id)
            torch_like = isinstance(base, ast.Name) and base.id in ("F", "torch")  # torch.relu(x), F.relu(x)
            if torch_like and node.func.attr in _OF_NUMBERS:  # torch.linspace(0, 1, steps=n)
                given = (*node.args, *[keyword.value for keyword in node.keywords])
                numbers.update(value.id for value in given if isinstance(value, ast.Name))
            elif torch_like and isinstance(first, ast.Name) and first.id in names:
                found.add(first.id)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            found.update(n.id for n in (node.left, node.right) if isinstance(n, ast.Name) and n.id in names)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Name):
            others.add(node.operand.id)
    # What a tensor is made as large as is a number, also where `forward` is given it first; what may be empty, or has
    # an attribute that no tensor has, is none.
    return frozenset((found | (first_name - others)) - (numbers & first_name))
