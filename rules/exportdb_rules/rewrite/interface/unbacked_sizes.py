"""Named Dims as `ShapesSpec` says them (torch 2.14 and newer): unbacked sizes, over which relations are checked when the
program runs instead of being refused.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from packaging.version import Version

from exportdb_rules import verdict_table
from exportdb_rules.definitions import parameters_of
from exportdb_rules.finding import Applicability, Edit, Fix, Position, Span
from exportdb_rules.inputs import said_in_file
from exportdb_rules.interpreter.machine import AnalysisState
from exportdb_rules.namespaces import local_classes
from exportdb_rules.no_fix import NoFix
from exportdb_rules.project import Project
from exportdb_rules.rewrite.interface.declarations import declarations_of
from exportdb_rules.rewrite.outline import valid_edits
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.values import Tensor

if TYPE_CHECKING:
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.interface.declarations import Declarations, Leaf

TITLE: Final = "Declare the sizes with `ShapeVar`"
# torch/fx/experimental/dynamic_spec.py is new in this version.
_SINCE: Final = Version("2.14.0")
_HOME: Final = "torch.fx.experimental.dynamic_spec"
_NAMES: Final = ("ParamsSpec", "ShapesSpec", "ShapeVar", "TensorSpec")
_PLACE: Final = re.compile(r"(\w+)\.shape\[(\d+)\]")
_SIMPLE: Final = (ast.Dict, ast.Tuple, ast.List)


def unbacked_sizes(context: FixContext) -> tuple[Fix, ...]:
    """The fix that turns the declaration of an entry's dimensions into the new form; () for an older torch, and where it is
    not written out in this file.

    `unsafe` and `optional`: the exported program is another one, which takes sizes of 0 and 1 as well.
    """
    if verdict_table.release(context.torch_version) < _SINCE:
        return ()
    try:
        edits = _edits(context, declarations_of(context))
    except FixNotApplicable:
        return ()
    every = valid_edits(context.text, edits)
    return (Fix(TITLE, Applicability.UNSAFE, every, optional=True, declares=True),) if every else ()


def _edits(context: FixContext, file: Declarations) -> list[Edit]:
    if len(file.specifications) != 1 or not isinstance(file.specifications[0], _SIMPLE):
        raise FixNotApplicable(NoFix.DIMS_DECLARED_ELSEWHERE, "the declaration is not written out in one place")
    specification = file.specifications[0]
    file.refuse_shared(frozenset([name for leaf in file.leaves for name in leaf.named()]))
    ranks = _ranks(context)
    sizes: dict[str, list[str]] = {}
    edits: list[Edit] = []
    bare: set[str] = set()
    for leaf in file.leaves:
        place = _PLACE.fullmatch(leaf.place)
        if place is None or place[1] not in ranks or int(place[2]) >= ranks[place[1]]:
            raise FixNotApplicable(
                NoFix.TYPE_UNKNOWN, "the tensor is inside of another input, or its rank is not known"
            )
        written = _written(file, leaf, f"{place[1]}_{place[2]}")
        if written != "None":
            sizes.setdefault(place[1], ["None"] * ranks[place[1]])[int(place[2])] = written
        bare |= {use.name for use in leaf.uses if use.node is leaf.node}
    used = [use for leaf in file.leaves for use in leaf.uses]
    if not sizes or any(use.name not in bare for use in used):
        raise FixNotApplicable(NoFix.DIMS_DECLARED_ELSEWHERE, "a Dim is declared only by what derives from it")
    inline = [use.name for use in used if not isinstance(use.node, ast.Name)]
    if any([use.name for use in used].count(name) > 1 for name in inline):
        raise FixNotApplicable(
            NoFix.DECLARATION_SHARED, "two Dims of one name are one dimension, and two variables are not"
        )
    for call in {id(use.call): use.call for use in used if isinstance(use.node, ast.Name)}.values():
        edits.append(Edit(file.span(call.func), "ShapeVar"))
    parts = [f'"{name}": TensorSpec([{", ".join(found)}])' for name, found in sizes.items()]
    edits.append(Edit(file.span(specification), f"ShapesSpec(ParamsSpec({{{', '.join(parts)}}}))"))
    return [*edits, *_imported(file)]


def _written(file: Declarations, leaf: Leaf, name: str) -> str:
    """What the new form says of one dimension."""
    if not leaf.uses:
        made = leaf.made
        keywords = made.keywords if isinstance(made, ast.Call) else []
        word = ast.unparse(made.func if isinstance(made, ast.Call) else made).rpartition(".")[2]
        if word in ("AUTO", "DYNAMIC"):
            said = ", ".join([f'"{name}"', *map(file.code, keywords)])
            return f"ShapeVar({said})"
        return "None"
    if isinstance(leaf.node, ast.Name) and leaf.node is not leaf.uses[0].node:
        raise FixNotApplicable(NoFix.DECLARATION_SHARED, "a derived Dim that has a name of its own")
    code = file.code(leaf.node)
    for use in leaf.uses:
        if not isinstance(use.node, ast.Name):
            code = code.replace(f"{file.code(use.call.func)}(", "ShapeVar(")
    return code


def _ranks(context: FixContext) -> dict[str, int]:
    """The ranks of the tensors of the example, by parameter."""
    project = Project()
    project.set_text(context.finding.filename, context.text)
    module = project.whole(context.finding.filename)
    class_name, _, method = context.finding.entry.rpartition(".")
    if module is None or module.problem is not None:
        raise FixNotApplicable(NoFix.NOT_PARSED, "the text does not parse")
    owner = next((cls for cls in (*module.classes, *local_classes(module)) if cls.name == class_name), None)
    function = None if owner is None else owner.methods.get(method)
    if owner is None or function is None:
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the entry is not defined in this file")
    found: dict[str, set[int | None]] = {name: set() for name in parameters_of(function)}
    for given in said_in_file(AnalysisState(project), owner, function):
        for name, value in given.values.items():
            if type(value) is Tensor:
                found.setdefault(name, set()).add(value.rank)
    return {name: rank for name, ranks in found.items() if len(ranks) == 1 and (rank := ranks.pop()) is not None}


def _imported(file: Declarations) -> list[Edit]:
    """The edit that imports the new names, behind the last import at the top of the file."""
    scope = file.module.scope
    missing = [name for name in _NAMES if name not in scope]
    if not missing:
        return []
    if len(missing) != len(_NAMES):
        raise FixNotApplicable(NoFix.NAME_CLASH, "some of the names are bound already")
    imports = [node for node in file.module.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    if not imports:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the file imports nothing")
    row = file.span(imports[-1]).end.row + 1
    return [Edit(Span(Position(row, 1), Position(row, 1)), f"from {_HOME} import {', '.join(_NAMES)}\n")]
