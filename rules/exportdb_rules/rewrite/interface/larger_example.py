"""Example inputs that are larger in a dynamic dimension: where they, or what the model computes of them, were of size one."""

from __future__ import annotations

from typing import Final

from exportdb_rules.file_inputs import inputs_in_file
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.namespaces import local_classes
from exportdb_rules.project import Module, Project, parameters_of
from exportdb_rules.rewrite.context import FixContext
from exportdb_rules.rewrite.outline import still_parses
from exportdb_rules.terms import LEAST
from exportdb_rules.written_sizes import Written, written

TITLE: Final = "Use an example size of {}"


def larger_example(context: FixContext) -> tuple[Fix, ...]:
    """The fix for a size of one in the example of a dynamic dimension, or for one of which the model leaves one, and for all
    that are declared to be equal to it.

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
    demand = context.finding.demand
    sizes = written(spec, function)
    if demand is None:
        said = (size for size in sizes if module.lines.span(size.node) == context.finding.span)
    else:
        said = (
            size
            for size in sizes
            if (size.dim or f"{size.place}.shape[{size.index}]") == demand.dimension
            and (size.number == demand.number or (demand.kind == "most" and size.number < demand.number))
        )
    here = next(said, None)
    if here is None:
        return ()
    larger = str(max((here.number if demand is None else demand.number) + 1, LEAST))
    edits = tuple(
        sorted((Edit(module.lines.span(one.node), larger) for one in _tied(sizes, here)), key=lambda e: e.span)
    )
    fix = Fix(TITLE.format(larger), Applicability.UNSAFE, edits, preferred=True)
    return (fix,) if still_parses(context.text, edits) else ()


def _tied(found: list[Written], here: Written) -> list[Written]:
    """The sizes that change together: of one name, or, where nothing is named, of one index."""
    index = None if here.dim is not None else here.index
    return [one for one in found if (one.dim, one.number) == (here.dim, here.number) and index in (None, one.index)]
