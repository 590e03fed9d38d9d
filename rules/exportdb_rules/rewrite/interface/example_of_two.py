"""Example inputs of size two in a dynamic dimension, where they were of size one."""

from __future__ import annotations

from typing import Final

from exportdb_rules.file_inputs import inputs_in_file
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.namespaces import local_classes
from exportdb_rules.project import Module, Project, parameters_of
from exportdb_rules.rewrite.context import FixContext
from exportdb_rules.rewrite.outline import still_parses
from exportdb_rules.size_one_examples import One, ones

TITLE: Final = "Use an example size of 2"


def example_of_two(context: FixContext) -> tuple[Fix, ...]:
    """The fix for a size of one in the example of a dynamic dimension, and for all that are declared to be equal to it.

    `unsafe`: the model stays as it is, and the example is another one.
    """
    class_name, _, method = context.finding.entry.rpartition(".")
    name = class_name.rpartition(".")[2]
    try:
        module = Module(context.finding.filename, "", context.text, is_package=False, digest="")
    except (SyntaxError, ValueError):
        return ()
    owner = next((cls for cls in (*module.classes, *local_classes(module)) if cls.node.name == name), None)
    function = owner.methods.get(method) if owner is not None else None
    if not class_name:
        function = next((function for function in module.functions if function.name == method), None)
    if function is None:
        return ()
    said = inputs_in_file(Project(), owner or function, parameters_of(function))
    spec = next((one.dimensions for one in said if one.dimensions is not None), None)
    if spec is None:
        return ()
    found = ones(spec, function)
    here = next((one for one in found if module.lines.span(one.node) == context.finding.span), None)
    if here is None:
        return ()
    edits = tuple(sorted((Edit(module.lines.span(one.node), "2") for one in _tied(found, here)), key=lambda e: e.span))
    return (Fix(TITLE, Applicability.UNSAFE, edits, preferred=True),) if still_parses(context.text, edits) else ()


def _tied(found: list[One], here: One) -> list[One]:
    """The sizes that change together: of one name, or, where nothing is named, of one index."""
    if here.dim is not None:
        return [one for one in found if one.dim == here.dim]
    return [one for one in found if one.dim is None and one.index == here.index]
