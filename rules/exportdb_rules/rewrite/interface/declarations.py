"""The declaration of dynamic dimensions, changed to say what the model requires of them.

A finding that knows its demand (`exportdb_rules.terms.Demand`) is mended at the `dynamic_shapes` of the file: one Dim for
two dimensions, a derived Dim, a range, a static dimension, or `Dim.AUTO`, which adopts whatever the guards say. These are
what torch itself suggests behind "Constraints violated" (torch docs, "Dynamic shapes"), before it was asked.

The specification is read as the analysis reads it (`exportdb_rules.shape_spec`). Only what is written out is edited, and
only where nothing else rests on it: a Dim that another export or another name uses as well stays as it is.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Final

from exportdb_rules.definitions import ClassInfo, FunctionInfo, Module, dotted, parameters_of
from exportdb_rules.dynamic_shapes import place_of
from exportdb_rules.export_calls import export_calls, exported
from exportdb_rules.file_inputs import inputs_in_file
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.namespaces import local_classes
from exportdb_rules.no_fix import NoFix
from exportdb_rules.project import Project
from exportdb_rules.rewrite.interface.source_file import SourceFile
from exportdb_rules.rewrite.outline import valid_edits
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.shape_spec import NotRead, declarations, read_spec
from exportdb_rules.terms import LEAST, Term, solved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from exportdb_rules.export_calls import Scope
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.terms import Demand

STATIC: Final = "Declare {} as Dim.STATIC"
AUTO: Final = "Declare {} as Dim.AUTO"
ONE: Final = "Use one Dim for {} and {}"
DERIVED: Final = "Declare {} as `{}`"
BOUNDED: Final = "Declare {} with `{}`"
_Range = tuple[int, "int | None"]


def declaration_fixes(context: FixContext) -> tuple[Fix, ...]:
    """The fixes at the declaration for a finding that knows its demand, best first; () where the dimensions are not written
    out in this file, or what they are written with is used for something else.

    `unsafe`: eager stays as it is, and the exported program takes fewer sizes than were declared.
    """
    demand = context.finding.demand
    if demand is None:
        return ()
    try:
        file = declarations_of(context)
        file.refuse_shared(demand.dimensions)
    except FixNotApplicable:
        return ()
    found: list[Fix] = []
    for make in _MAKERS[demand.kind]:
        try:
            title, edits = make(file, demand)
        except FixNotApplicable:
            continue
        every = valid_edits(context.text, edits)
        if every:
            # What tracing freezes is the code's affair: nobody who did not choose it gives the dimension up.
            optional = demand.kind == "frozen"
            found.append(
                Fix(title, Applicability.UNSAFE, every, preferred=not optional, optional=optional, declares=True)
            )
    return tuple(found)


@dataclass(frozen=True)
class _Use:
    """A Dim where it stands in a specification: `node` is a name for it, or the call `Dim(…)` itself."""

    node: ast.expr
    call: ast.Call

    @property
    def name(self) -> str:
        """What the Dim is called."""
        first = self.call.args[0] if self.call.args else None
        return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


@dataclass(frozen=True)
class Leaf:
    """What is declared of one dimension: `made` is what stands behind a name for it, `place` what a demand calls it where
    it has no name."""

    node: ast.expr
    made: ast.expr
    place: str
    uses: tuple[_Use, ...]

    def named(self) -> frozenset[str]:
        """The names by which a demand speaks of it."""
        return frozenset([use.name for use in self.uses]) or frozenset({self.place})


@dataclass
class Declarations(SourceFile):
    """The declarations for one entry, in the text that they stand in."""

    leaves: list[Leaf]
    elsewhere: frozenset[int]
    """The nodes that other specifications of the file are made of, by identity."""
    specifications: list[ast.expr] = field(default_factory=list[ast.expr])
    """The values of `dynamic_shapes`, as far as names lead to them."""

    def of(self, names: frozenset[str]) -> list[Leaf]:
        """The declarations that speak of any of these dimensions, each place of the text once.

        Raises:
            FixNotApplicable: there is none, or one place of the text also declares a dimension that is not meant.
        """
        chosen = {id(leaf.node): leaf for leaf in self.leaves if leaf.named() & names}
        if not chosen or not names <= frozenset().union(*[leaf.named() for leaf in chosen.values()]):
            raise FixNotApplicable(NoFix.DIMS_DECLARED_ELSEWHERE, "the dimension is not declared in this file")
        if any(id(leaf.node) in chosen and not leaf.named() & names for leaf in self.leaves):
            raise FixNotApplicable(NoFix.DECLARATION_SHARED, "one place of the text declares other dimensions too")
        return [*chosen.values()]

    def uses(self, name: str) -> list[_Use]:
        """Where a named Dim stands, each place of the text once."""
        return [*{id(use.node): use for leaf in self.leaves for use in leaf.uses if use.name == name}.values()]

    def calls(self, name: str) -> list[ast.Call]:
        """The calls that make the Dims of a name."""
        return [*{id(use.call): use.call for use in self.uses(name)}.values()]

    def bounds(self, name: str) -> _Range:
        """The range that a named Dim is declared with.

        Raises:
            FixNotApplicable: it is computed, or declared twice with different ranges.
        """
        found = {_bounds(call) for call in self.calls(name)}
        if len(found) != 1:
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the range of the Dim is not one that is written out")
        return found.pop()

    def function(self, node: ast.AST) -> ast.AST | None:
        """The function around a node."""
        above = self.parents.get(id(node))
        while above is not None and not isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            above = self.parents.get(id(above))
        return above

    def refuse_shared(self, names: frozenset[str]) -> None:
        """Raises FixNotApplicable where what declares a dimension is used for something else, too."""
        for leaf in self.of(names):
            for node in (leaf.node, *[part for use in leaf.uses for part in (use.node, use.call)]):
                if id(node) in self.elsewhere:
                    raise FixNotApplicable(NoFix.DECLARATION_SHARED, "another export shares the declaration")
        known = {id(use.node) for leaf in self.leaves for use in leaf.uses} | {id(leaf.node) for leaf in self.leaves}
        for leaf in self.of(names):
            for node, made in [(leaf.node, leaf.made), *[(use.node, use.call) for use in leaf.uses]]:
                if isinstance(node, ast.Name) and any(id(load) not in known for load in self.loads(node, made)):
                    raise FixNotApplicable(NoFix.DECLARATION_SHARED, "the Dim is used elsewhere")

    def loads(self, name: ast.Name, made: ast.expr) -> Iterator[ast.Name]:
        """Where a variable is read that stands for an expression."""
        home = self.function(made)
        for node in ast.walk(ast.Module(self.module.body, []) if home is None else home):
            if isinstance(node, ast.Name) and node.id == name.id and isinstance(node.ctx, ast.Load):
                inner = self.function(node)
                while inner is not None and inner is not home and not _binds(inner, node.id):
                    inner = self.function(inner)
                if inner is home:
                    yield node

    def forgotten(self, uses: list[_Use], gone: set[int]) -> Iterator[Edit]:
        """The edits that take away the assignments of Dims that nothing reads once the nodes `gone` are."""
        seen: set[int] = set()
        for use in uses:
            if not isinstance(use.node, ast.Name) or id(use.call) in seen:
                continue
            seen.add(id(use.call))
            statement = self.parents.get(id(use.call))
            if (
                all(id(node) in gone for node in self.loads(use.node, use.call))
                and (edit := self._without_assignment(statement)) is not None
            ):
                yield edit

    def _without_assignment(self, statement: ast.AST | None) -> Edit | None:
        """The edit that takes away an assignment to a name, if its rows hold nothing else and its block holds something else."""
        if not (isinstance(statement, ast.Assign) and [type(target) for target in statement.targets] == [ast.Name]):
            return None
        try:
            edit = self.without(statement)
        except FixNotApplicable:
            return None
        return edit if edit.span.end.column == 1 else None  # a comment behind it speaks of it


def _binds(function: ast.AST, name: str) -> bool:
    """Whether a name is a function's own."""
    return any(
        (isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.arg) and node.arg == name)
        for node in ast.walk(function)
    )


@lru_cache(maxsize=2)
def _parsed(filename: str, text: str) -> Module:
    """A text, which the findings in it share."""
    return Module(filename, "", text, is_package=False, digest="")


def declarations_of(context: FixContext) -> Declarations:
    """The declarations for the entry of a finding.

    Raises:
        FixNotApplicable: they do not stand in this file, or are built by code.
    """
    class_name, _, method = context.finding.entry.rpartition(".")
    try:
        module = _parsed(context.finding.filename, context.text)
    except (SyntaxError, ValueError):
        raise FixNotApplicable(NoFix.NOT_PARSED, "the text does not parse") from None
    owner = next((cls for cls in (*module.classes, *local_classes(module)) if cls.name == class_name), None)
    functions = [] if class_name else module.functions
    function = owner.methods.get(method) if owner is not None else None
    function = function or next((one for one in functions if one.name == method), None)
    if function is None:
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the entry is not defined in this file")
    target: ClassInfo | FunctionInfo = owner or function
    parameters = parameters_of(function)
    said = [one for one in inputs_in_file(Project(), target, parameters) if one.dimensions is not None]
    if not said or any(not one.written or one.specification is None for one in said):
        raise FixNotApplicable(
            NoFix.DIMS_DECLARED_ELSEWHERE, "the dimensions are not declared in the code of this file"
        )
    leaves: list[Leaf] = []
    own: set[int] = set()
    for one in said:
        assert one.specification is not None
        scope, shapes = one.specification.scope, one.specification.shapes
        spec, known = (
            read_spec(scope, shapes),
            {*parameters, *[argument.arg for argument in function.node.args.kwonlyargs]},
        )
        if (
            isinstance(spec, dict)
            and function.node.args.kwarg is None
            and any(str(key).isidentifier() and key not in known for key in spec)
        ):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the declaration names an input that does not exist")
        own.add(id(shapes))
        for path, axis, node in declarations(scope, shapes, parameters, one.specification.args):
            place = f"{place_of(path)}.shape[{axis}]"
            leaves.append(Leaf(node, scope.follow(node), place, tuple(_uses(scope, node))))
    specifications = [one.specification.scope.follow(one.specification.shapes) for one in said if one.specification]
    return Declarations(module, leaves, frozenset(_elsewhere(module, target, own)), specifications)


def _elsewhere(module: Module, target: ClassInfo | FunctionInfo, own: set[int]) -> Iterator[int]:
    """The nodes of the specifications of other exports, and of the Dims in them, by identity.

    Raises:
        FixNotApplicable: one of them is built by code.
    """
    for call in export_calls(module):
        shapes = call.dynamic_shapes
        if shapes is None or id(shapes) in own or exported(call.scope, call.model) is target:
            continue
        try:
            waiting = [read_spec(call.scope, shapes)]
        except NotRead:
            raise FixNotApplicable(
                NoFix.DIMS_DECLARED_ELSEWHERE, "the dimensions of another export are built by code"
            ) from None
        while waiting:
            part = waiting.pop()
            if isinstance(part, (dict, list)):
                waiting += part.values() if isinstance(part, dict) else part
            elif part is not None:
                yield id(part)
                for use in _uses(call.scope, part):
                    yield from (id(use.node), id(use.call))


def _uses(scope: Scope, node: ast.expr) -> Iterator[_Use]:
    """The named Dims in what is declared of one dimension."""
    waiting = [node]
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, ast.BinOp):
            waiting += [part.left, part.right]
            continue
        made = scope.follow(part)
        if isinstance(made, ast.BinOp):
            # A derived Dim that has a name of its own.
            yield from _uses(scope, made)
        elif isinstance(made, ast.Call) and dotted(made.func).rpartition(".")[2] == "Dim":
            yield _Use(part, made)


def _bounds(call: ast.Call) -> _Range:
    found: dict[str | None, int | None] = {}
    for keyword in call.keywords:
        if not isinstance(keyword.value, ast.Constant) or keyword.arg not in ("min", "max"):
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the range of the Dim is computed")
        value = keyword.value.value
        if value is not None and type(value) is not int:
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the range of the Dim is computed")
        found[keyword.arg] = value
    return found.get("min") or 0, found.get("max")


def _written(file: Declarations, call: ast.Call, name: str, bounds: _Range) -> str:
    """The call `Dim(…)` with another name, or another range.

    Raises:
        FixNotApplicable: no more than one size is left.
    """
    low, high = bounds
    if high is not None and high <= max(low, LEAST):
        raise FixNotApplicable(NoFix.NO_DIM_RELATION, "the range leaves no more than one size")
    if len(call.args) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a Dim of an unknown form")
    quoted = file.code(call.args[0]) if name == _Use(call, call).name else f'"{name}"'
    # A size of 1 is no dynamic one: `min=1` would promise what the exported program refuses.
    told = [f"min={low}"] if low >= LEAST else []
    told += [] if high is None else [f"max={high}"]
    return f"{file.code(call.func)}({', '.join([quoted, *told])})"


def _quoted(names: frozenset[str]) -> str:
    return " and ".join([f"`{name}`" for name in sorted(names)])


def _static(file: Declarations, demand: Demand) -> tuple[str, list[Edit]]:
    leaves = file.of(demand.dimensions)
    return STATIC.format(_quoted(demand.dimensions)), _replaced(
        file, leaves, lambda leaf: f"{_word(file, leaf)}.STATIC"
    )


def _word(file: Declarations, leaf: Leaf) -> str:
    """The text's word for `torch.export.Dim`, as it stands in what is declared of a dimension.

    Raises:
        FixNotApplicable: it has none there.
    """
    made = leaf.uses[0].call if leaf.uses else leaf.made
    if isinstance(made, ast.Call):
        made = made.func
    word = dotted(made) if leaf.uses else dotted(made).rpartition(".")[0]
    if word.rpartition(".")[2] != "Dim":
        raise FixNotApplicable(NoFix.DIMS_DECLARED_ELSEWHERE, "the dimension is not declared by a Dim")
    return word


def _auto(file: Declarations, demand: Demand) -> tuple[str, list[Edit]]:
    leaves = file.of(demand.dimensions)

    def written(leaf: Leaf) -> str:
        made = leaf.uses[0].call if leaf.uses else leaf.made
        keywords = made.keywords if isinstance(made, ast.Call) else []
        if dotted(made.func if isinstance(made, ast.Call) else made).endswith(".AUTO"):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the dimension is Dim.AUTO already")
        bounds = ", ".join([file.code(keyword) for keyword in keywords])
        derived = bool(leaf.uses) and leaf.node is not leaf.uses[0].node
        return f"{_word(file, leaf)}.AUTO" + (f"({bounds})" if bounds and not derived else "")

    return AUTO.format(_quoted(demand.dimensions)), _replaced(file, leaves, written)


def _replaced(file: Declarations, leaves: list[Leaf], written: Callable[[Leaf], str]) -> list[Edit]:
    """Other declarations in the place of some, and no variable left that nothing reads."""
    edits = [Edit(file.span(leaf.node), written(leaf)) for leaf in leaves]
    uses = [use for leaf in leaves for use in leaf.uses]
    if any(id(use.node) not in _within(leaf.node) for leaf in leaves for use in leaf.uses):
        raise FixNotApplicable(NoFix.DECLARATION_SHARED, "a derived Dim that has a name of its own")
    return [*edits, *file.forgotten(uses, {id(use.node) for use in uses})]


def _within(node: ast.expr) -> set[int]:
    return {id(part) for part in ast.walk(node)}


def _multiple(file: Declarations, demand: Demand) -> tuple[str, list[Edit]]:
    name, by = demand.dimension, demand.number
    calls = file.calls(name)
    if not calls:
        raise FixNotApplicable(NoFix.DIMS_DECLARED_ELSEWHERE, "the dimension has no name")
    low, high = file.bounds(name)
    part = _fresh(file, f"_{name}")
    # The code computes the part: the program refuses a size where that is 1, and a range that is written out promises it.
    least = max(LEAST, -(-low // by)) if low else 0
    edits: list[Edit] = []
    for call in calls:
        root = _written(file, call, part, (least, None if high is None else high // by))
        edits.append(Edit(file.span(call), f"{by} * {root}"))
    return DERIVED.format(f"`{name}`", f"{by} * {part}"), edits


def _fresh(file: Declarations, wanted: str) -> str:
    """A name that no Dim of the file has."""
    taken = {use.name for leaf in file.leaves for use in leaf.uses}
    return next(name for name in (f"{wanted}{number or ''}" for number in count()) if name not in taken)


def _bounded(file: Declarations, demand: Demand) -> tuple[str, list[Edit]]:
    name, number = demand.dimension, demand.number
    calls = file.calls(name)
    if not calls:
        raise FixNotApplicable(NoFix.DIMS_DECLARED_ELSEWHERE, "the dimension has no name")
    low, high = file.bounds(name)
    if demand.kind == "least":
        low, told = max(low, number), f"min={number}"
    else:
        high, told = number if high is None else min(high, number), f"max={number}"
    edits = [Edit(file.span(call), _written(file, call, name, (low, high))) for call in calls]
    return BOUNDED.format(f"`{name}`", told), edits


def _related(file: Declarations, demand: Demand) -> tuple[str, list[Edit]]:
    """One named Dim in terms of another."""
    if demand.difference is None or len(demand.dimensions) != 2:
        raise FixNotApplicable(NoFix.NO_DIM_RELATION, "no Dim can say the relation")
    found = [one for name in _ordered(file, demand.dimensions) if (one := solved(demand.difference, name))]
    # What is larger in terms of what is smaller, where there is a choice.
    for name, root, factor, rest in sorted(found, key=lambda one: one[3] < 0):
        try:
            return _in_terms_of(file, name, root, factor, rest)
        except FixNotApplicable:
            continue
    raise FixNotApplicable(NoFix.NO_DIM_RELATION, "no Dim can say the relation")


def _ordered(file: Declarations, names: frozenset[str]) -> list[str]:
    """Names, that of the last declaration first."""
    places = {use.name: number for number, use in enumerate(use for leaf in file.leaves for use in leaf.uses)}
    return sorted(names, key=lambda name: -places.get(name, -1))


def _in_terms_of(file: Declarations, name: str, root: str, factor: int, rest: int) -> tuple[str, list[Edit]]:
    uses, others = file.uses(name), file.uses(root)
    if not uses or not others:
        raise FixNotApplicable(NoFix.DIMS_DECLARED_ELSEWHERE, "the dimension has no name")
    (low, high), (root_low, root_high) = file.bounds(name), file.bounds(root)
    # The sizes of the root for which both are within their ranges; export takes none below 2.
    low = max(root_low, -(-(max(low, LEAST) - rest) // factor))
    high = None if high is None else (high - rest) // factor
    high = root_high if high is None else high if root_high is None else min(high, root_high)
    bounds = (low if low > LEAST else root_low, high)
    edits: list[Edit] = []
    if bounds != (root_low, root_high):
        edits += [Edit(file.span(call), _written(file, call, root, bounds)) for call in file.calls(root)]
    for use in uses:
        told = _reference(file, others[0], use, root, bounds)
        told = told if factor == 1 else f"{factor} * {told}"
        told += "" if rest == 0 else f" {'+' if rest > 0 else '-'} {abs(rest)}"
        inner = isinstance(file.parents.get(id(use.node)), ast.BinOp) and (factor != 1 or rest != 0)
        edits.append(Edit(file.span(use.node), f"({told})" if inner else told))
    edits += file.forgotten(uses, {id(use.node) for use in uses})
    if factor == 1 and rest == 0:
        return ONE.format(f"`{root}`", f"`{name}`"), edits
    shown = Term.dimension(root) * Term.number(factor) + Term.number(rest)
    return DERIVED.format(f"`{name}`", str(shown)), edits


def _reference(file: Declarations, known: _Use, at: _Use, name: str, bounds: _Range) -> str:
    """How a Dim is written at the place of another.

    Raises:
        FixNotApplicable: its variable is not there yet, or not seen from there.
    """
    if not isinstance(known.node, ast.Name):
        return _written(file, known.call, name, bounds)
    home = file.function(known.call)
    if home not in (None, file.function(at.node)) or file.span(known.call).end > file.span(at.node).start:
        raise FixNotApplicable(NoFix.DIMS_DECLARED_ELSEWHERE, "the variable of the Dim is not seen from there")
    return known.node.id


_MAKERS: Final[dict[str, tuple[Callable[[Declarations, Demand], tuple[str, list[Edit]]], ...]]] = {
    "number": (_static, _auto),
    "frozen": (_static, _auto),
    "multiple": (_multiple, _auto),
    "least": (_bounded, _auto),
    "most": (_bounded, _auto),
    "relation": (_related, _auto),
    "unproven": (_auto,),
}
