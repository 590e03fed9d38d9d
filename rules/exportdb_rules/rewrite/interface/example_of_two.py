"""Example inputs of size two in a dynamic dimension, where they were of size one."""

from __future__ import annotations

from typing import Final

from exportdb_rules.dynamic_shapes import declared
from exportdb_rules.example_ones import One, ones
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.project import FunctionInfo, Module
from exportdb_rules.rewrite.context import FixContext
from exportdb_rules.rewrite.outline import still_parses

TITLE: Final = "Give the example a size of two"


def example_of_two(context: FixContext) -> tuple[Fix, ...]:
    """The fix for a size of one in the example of a dynamic dimension, and for all that are declared to be equal to it.

    `unsafe`: the model stays as it is, and the example is another one.
    """
    class_name, _, method = context.finding.entry.rpartition(".")
    try:
        module = Module(context.finding.filename, "", context.text, is_package=False, digest="")
    except (SyntaxError, ValueError):
        return ()
    function = _function(module, class_name, method)
    spec = declared(module, class_name or method, function) if function is not None else None
    if function is None or spec is None:
        return ()
    found = ones(module, spec, function)
    here = next((one for one in found if module.lines.span(one.node) == context.finding.span), None)
    if here is None:
        return ()
    edits = tuple(sorted((Edit(module.lines.span(one.node), "2") for one in _tied(found, here)), key=lambda e: e.span))
    return (Fix(TITLE, Applicability.UNSAFE, edits, preferred=True),) if still_parses(context.text, edits) else ()


def _function(module: Module, class_name: str, method: str) -> FunctionInfo | None:
    if not class_name:
        return next((function for function in module.functions if function.name == method), None)
    owner = next((cls for cls in module.classes if cls.name == class_name), None)
    return None if owner is None else owner.methods.get(method)


def _tied(found: list[One], here: One) -> list[One]:
    """The sizes that change together: of one name, or, where nothing is named, of one index."""
    if here.dim is not None:
        return [one for one in found if one.dim == here.dim]
    return [one for one in found if one.dim is None and one.index == here.index]
