"""What a condition such as `mask.any()` or `index.numel() > 0` asks about, and what else is empty where that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.interpreter.dimensions import number_of
from exportdb_rules.operator_table import operator
from exportdb_rules.rewrite.branching.where import cheap
from exportdb_rules.rewrite.fix_site import FixSite
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names, targets
from exportdb_rules.rewrite.known.signature import Number, TensorSignature
from exportdb_rules.rewrite.tree import CallArguments, arguments, below, dotted, integer, only_statement, unpacked
from exportdb_rules.torch_api import CASTS
from exportdb_rules.values import Instance
from exportdb_rules.values import Tensor as Known

if TYPE_CHECKING:
    from collections.abc import Set

    from exportdb_rules.rewrite.known.inference import Environment

# Where one of these comparisons of a count with a number holds, there is at least one element; where one of the others, none.
_SOME: Final = frozenset((">0", "!=0", ">=1"))
_NONE: Final = frozenset(("==0", "<1", "<=0"))
_SIGNS: Final[dict[type[cst.BaseCompOp], str]] = {
    cst.GreaterThan: ">", cst.GreaterThanEqual: ">=", cst.LessThan: "<", cst.LessThanEqual: "<=", cst.Equal: "==",
    cst.NotEqual: "!=",
}  # fmt: skip
_MIRRORED: Final = {">": "<", ">=": "<=", "<": ">", "<=": ">=", "==": "==", "!=": "!="}
# What changes the dimensions of a tensor, or its dtype, and no element.
_CONVERTING: Final = (CASTS.keys() - {"bool"}) | {"to", "type", "type_as", "contiguous", "detach", "requires_grad_"}
# Layers that fail for no rows, in eager or while tracing (cases `masked_batch_norm` and `masked_recurrent`).
_COUNTING_LAYERS: Final = ("BatchNorm", "LSTM", "GRU", "RNN")
# Written to where a mask or an index says: the name, and the place of that argument behind the tensor.
BY_MASK: Final = {"masked_fill": 0, "masked_scatter": 0}
BY_INDEX: Final = {"index_fill": 1, "index_add": 1, "index_copy": 1}


def _elementwise(name: str) -> bool:
    """Whether an operator looks at no two rows at once: export asks some that do how many there are (case `masked_roll`)."""
    row = operator(name)
    return row.fresh and row.each


def _reshapes(name: str) -> bool:
    """Whether an operator gives the same elements in other dimensions."""
    row = operator(name)
    return row.dtype == "kept" and not row.fresh and row.shape in ("", "broadcast") and name != "as_strided"


def _passes(name: str) -> bool:
    return _reshapes(name) or name in _CONVERTING


@dataclass
class Selection:
    """What is known to be empty where nothing is selected, as code: `masks` are False everywhere, `zeros` are 0 everywhere,
    `full` are True everywhere, `indices` select nothing, `rows` have no elements. `path` leads to the `if` that asks."""

    place: FixSite
    path: tuple[cst.CSTNode, ...]
    masks: set[str] = field(default_factory=set[str])
    zeros: set[str] = field(default_factory=set[str])
    full: set[str] = field(default_factory=set[str])
    indices: set[str] = field(default_factory=set[str])
    rows: set[str] = field(default_factory=set[str])
    env: Environment = field(init=False)
    _new: set[str] = field(default_factory=set[str])
    # The names that were bound since the condition was asked.
    _written: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        self.env = self.place.inference.before(self.path)

    def asks(self, test: cst.BaseExpression, *, some: bool) -> bool:
        """Whether a condition holds just where something is selected (or, with `some` unset, where nothing is); what that
        is gets known."""
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, (cst.Not, cst.BitInvert)):
            asked = method_of(self.place, test.expression)
            # `~` of a number is another number.
            truth = isinstance(test.operator, cst.Not) or (asked is not None and asked[0] in ("any", "all"))
            return truth and self.asks(test.expression, some=not some)
        if isinstance(test, cst.Comparison):
            return self._compared(test, some=some)
        call = _called(test)
        if isinstance(call, cst.Name):
            value = self.defined(call)
            return value is not None and self.asks(value, some=some)
        method = method_of(self.place, call)
        if method is None:
            return False
        name, receiver, rest = method
        if name in ("item", "bool") and not rest.positional and not rest.named:
            return self.asks(receiver, some=some)
        if name in ("any", "all") and not rest.positional and not rest.named and self.is_mask(receiver):
            if name == "any" and some:
                self._empty(receiver)
                return True
            if name == "all" and not some:
                # Not all are True: something of its negation is.
                self.full.add(self.code(receiver))
                return True
            return False
        return some and self._counts(test)

    def _compared(self, test: cst.Comparison, *, some: bool) -> bool:
        if len(test.comparisons) != 1:
            return False
        sign = _SIGNS.get(type(test.comparisons[0].operator))
        left, right = test.left, test.comparisons[0].comparator
        if sign is None:
            return False
        if integer(left) is not None:
            left, right, sign = right, left, _MIRRORED[sign]
        return f"{sign}{integer(right)}" in (_SOME if some else _NONE) and self._counts(left)

    def _counts(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is the number of what is selected, which gets known."""
        node = _called(node)
        if isinstance(node, cst.Name):
            value = self.defined(node)
            return value is not None and self._counts(value)
        if (
            isinstance(node, cst.Subscript)
            and isinstance(node.value, cst.Attribute)
            and node.value.attr.value == "shape"
        ):
            first = node.slice[0].slice if len(node.slice) == 1 else None
            return isinstance(first, cst.Index) and integer(first.value) == 0 and self._selects(node.value.value)
        method = method_of(self.place, node)
        if method is None:
            return False
        name, receiver, rest = method
        given = [*rest.positional, *rest.named.values()]
        if name in ("item", "int", "bool") and not given:
            return self._counts(receiver)
        if name in ("sum", "count_nonzero") and not given and self.is_mask(receiver):
            self._empty(receiver)
            return True
        if name in ("numel", "nelement", "len") and not given:
            return self._selects(receiver)
        return name == "size" and len(given) == 1 and integer(given[0]) == 0 and self._selects(receiver)

    def counts_nothing(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is the number of elements, or of rows, of what has none."""
        node = _called(node)
        if isinstance(node, cst.Subscript) and isinstance(node.value, cst.Attribute):
            first = node.slice[0].slice if len(node.slice) == 1 and node.value.attr.value == "shape" else None
            rows = isinstance(first, cst.Index) and integer(first.value) == 0
            return rows and self._is_empty(node.value.value)
        method = method_of(self.place, node)
        return (
            method is not None
            and method[0] in ("numel", "nelement", "len")
            and not method[2].positional
            and self._is_empty(method[1])
        )

    def _is_empty(self, node: cst.BaseExpression) -> bool:
        return self.has_no_elements(node) or self.is_index(node)

    def _selects(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is what a mask selects, or the places of that; the mask gets known as well."""
        chosen = self._selected_by(node)
        if chosen is not None:
            self.rows.add(self.code(node))
            if not self.is_mask(chosen):
                return self._selects(chosen)
            self._empty(chosen)
            return True
        mask = self._found_by(node)
        if mask is None:
            return False
        self.indices.add(self.code(node))
        self.zeros.add(self.code(mask))
        if self.is_mask(mask):
            self._empty(mask)
        return True

    def _selected_by(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """The mask that an expression selects the elements of a tensor with, or the places of that."""
        stale: Set[str] = frozenset()
        while isinstance(node, cst.Name) and (given := self._given_to(node)) is not None:
            node, changed = given
            stale |= changed
        only = node.slice[0].slice if isinstance(node, cst.Subscript) and len(node.slice) == 1 else None
        chosen = only.value if isinstance(only, cst.Index) else None
        # The tensor may be another by now (`x = x[mask]`), not the mask.
        if chosen is None or names(chosen).reads & stale:
            return None
        return chosen if self.is_mask(chosen) or self._found_by(chosen) is not None else None

    def _found_by(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """The tensor whose places that are not 0 an expression is."""
        if isinstance(node, cst.Name):
            value = self.defined(node)
            return None if value is None else self._found_by(value)
        if isinstance(node, cst.Subscript):
            return self._found_by(node.value)
        method = method_of(self.place, node)
        if method is None:
            return None
        name, receiver, rest = method
        if _reshapes(name) or name in ("to", "long"):
            return self._found_by(receiver)
        plain = not rest.positional and not rest.named.keys() - {"as_tuple"}
        found = name in ("nonzero", "where", "argwhere") and plain
        return receiver if found else None

    def _empty(self, mask: cst.BaseExpression) -> None:
        inner = _negated(self.place, mask)
        if inner is not None:
            self.full.add(self.code(inner))
        self.masks.add(self.code(mask))

    def is_mask(self, node: cst.BaseExpression) -> bool:
        known = self.place.inference.infer(node, dict(self.env))
        if isinstance(known, TensorSignature) and known.dtype == "bool":
            return True
        value = self.place.inference.value(node)
        return (type(value) is Known and value.dtype == "bool") or self._fills(node)

    def is_tensor(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is known to be a tensor."""
        return isinstance(
            self.place.inference.infer(node, dict(self.env)), TensorSignature
        ) or self.place.inference.is_tensor(node)

    def _fills(self, node: cst.BaseExpression) -> bool:
        """Whether the code that is guarded uses an expression where torch takes a mask of bools alone."""
        block = self.path[-2]
        assert isinstance(block, cst.IndentedBlock)
        at = next(index for index, statement in enumerate(block.body) if statement is self.path[-1])
        for statement in block.body[at:]:
            for call in below(statement, cst.Call):
                method = method_of(self.place, call)
                if method is None:
                    continue
                name, receiver, rest = method
                selection = (
                    receiver if name == "where" else rest.get(0, "mask") if name.rstrip("_") in BY_MASK else None
                )
                if selection is not None and self.code(_unshaped(self.place, selection)) == self.code(node):
                    return True
        return False

    def defined(self, name: cst.Name) -> cst.BaseExpression | None:
        """What a name was given, where that would still be the same if it were computed here."""
        given = self._given_to(name)
        return None if given is None or names(given[0]).reads & given[1] else given[0]

    def _given_to(self, name: cst.Name) -> tuple[cst.BaseExpression, Set[str]] | None:
        """What a name was given by the last statement that writes it, in the block or in those around it; and the names that
        may mean something else here than there."""
        passed: list[cst.CSTNode] = []
        index = self.path.index(self.place.function)
        for parent, child in reversed(list(zip(self.path[index:], self.path[index + 1 :], strict=False))):
            if isinstance(parent, (cst.For, cst.While)):
                passed.append(parent)
            if not isinstance(parent, cst.IndentedBlock):
                continue
            siblings = list(parent.body)
            for statement in reversed(siblings[: siblings.index(child)]):  # type: ignore[arg-type]
                if name.value in names(statement).writes:
                    value = _given(statement, name.value)
                    written = names(passed).writes | side_effects(passed).names
                    if value is None or name.value in written:
                        return None
                    return value, written | names(statement).writes
                passed.append(statement)
        return None

    def learn(self, name: str, value: cst.BaseExpression) -> bool:
        """Whether what a name is given is empty, or a mask of all: it is known to be from here on."""
        for known, holds in (
            (self.indices, self.is_index),
            (self.masks, self.is_false),
            (self.full, self.is_true),
            (self.rows, self.has_no_elements),
        ):
            if holds(value):
                self._keep(known, {name})
                return True
        return False

    def learn_parts(self, target: cst.Tuple, value: cst.BaseExpression) -> bool:
        """The same of the names that get the parts of what has no elements, cut along another dimension than the first; and of
        those that get what `sort` gives, the values and their places."""
        method = method_of(self.place, value)
        if method is not None and method[0] == "sort" and self.rank(method[1]) == 1 and len(target.elements) == 2:
            if not self.has_no_elements(method[1]):
                return False
            ordered, places = [{name.value for name in targets(element.value)} for element in target.elements]
            self._keep(self.rows, ordered)
            self._keep(self.indices, places)
            self._new = ordered | places
            return True
        along = method[2].get(1, "dim") if method is not None and method[0] in ("chunk", "split") else None
        if method is None or along is None or integer(along) == 0 or not self.is_number(along):
            return False
        if not self.has_no_elements(method[1]):
            return False
        self._keep(self.rows, {name.value for name in targets(target)})
        return True

    def _keep(self, known: set[str], bound: set[str]) -> None:
        self.forget(bound)
        known |= bound
        self._new = bound

    def forget(self, written: Set[str]) -> None:
        """Forget what is known of code that reads what was written, but of names that have just been given their values."""
        self._written |= written
        for known in (self.masks, self.zeros, self.full, self.indices, self.rows):
            for code in list(known):
                if code not in self._new and names(cst.parse_expression(code)).reads & written:
                    known.discard(code)
        self._new = set()

    def row_rank(self, target: cst.Subscript) -> int | None:
        """How many dimensions one row of what a subscript selects has; None where that is not known, or the rows are not
        what its first part selects."""
        rank, first = self.rank(target.value), target.slice[0].slice
        if rank is None or not isinstance(first, cst.Index):
            return None
        if len(target.slice) == 1:
            taken = self.rank(first.value) if self.is_false(first.value) else 1
            return None if taken is None else rank - taken
        indices = all(isinstance(e.slice, cst.Index) and self.is_index(e.slice.value) for e in target.slice)
        return rank - len(target.slice) if indices else None

    def selects_nothing(self, node: cst.Subscript) -> bool:
        """Whether one part of a subscript selects nothing, and the others are slices and numbers, or empty as well."""
        empty = False
        for element in node.slice:
            part = element.slice
            if isinstance(part, cst.Slice):
                continue
            if not isinstance(part, cst.Index) or part.star is not None:
                return False
            if self.is_index(part.value) or self.is_false(part.value):
                empty = True
            elif not _is_new_axis(part) and not self.is_number(part.value):
                return False
        return empty

    def is_false(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is a mask that is False everywhere."""
        if self.code(node) in self.masks:
            return True
        inner = _negated(self.place, node)
        if inner is not None:
            return self.is_true(inner)
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitAnd):
            sides = (node.left, node.right)
            return any(map(self.is_false, sides)) and all(map(self.is_mask, sides))
        if isinstance(node, cst.Subscript):
            return self.is_false(node.value)
        method = method_of(self.place, node)
        if method is None:
            return False
        name, receiver, rest = method
        if name == "logical_and" and len(rest.positional) == 1:
            return self.is_false(receiver) or self.is_false(rest.positional[0])
        return (_reshapes(name) or name in ("bool", "clone", "contiguous", "detach")) and self.is_false(receiver)

    def is_true(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is a mask that is True everywhere."""
        if self.code(node) in self.full:
            return True
        inner = _negated(self.place, node)
        if inner is not None:
            return self.is_false(inner)
        if isinstance(node, cst.Subscript):
            return self.is_true(node.value)
        method = method_of(self.place, node)
        return method is not None and _reshapes(method[0]) and self.is_true(method[1])

    def is_index(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is an index, or a tuple of them, of no rows."""
        if self.code(node) in self.indices:
            return True
        if isinstance(node, cst.Name):
            value = self.defined(node)
            return value is not None and not isinstance(value, cst.Name) and self.is_index(value)
        if isinstance(node, cst.Subscript):
            first = node.slice[0].slice
            whole = isinstance(first, cst.Slice) and first.lower is None and first.upper is None
            part = self.is_index(node.value) and (whole or self._is_tuple(node.value))
            # Of places, those that nothing selects: `places[mask]`.
            return part or (self._holds_places(node.value) and self.selects_nothing(node))
        method = method_of(self.place, node)
        if method is None:
            return False
        name, receiver, rest = method
        if name in ("nonzero", "where", "argwhere") and not rest.positional and not rest.named.keys() - {"as_tuple"}:
            return self.code(receiver) in self.zeros or self.is_false(receiver)
        if name == "argsort" and self.rank(receiver) == 1:
            return self.has_no_elements(receiver)
        return name in ("squeeze", "flatten", "view", "reshape", "long", "to") and self.is_index(receiver)

    def _is_tuple(self, node: cst.BaseExpression) -> bool:
        """Whether an index is a tuple of indices, one a dimension."""
        value = self.defined(node) if isinstance(node, cst.Name) else node
        return value is not None and _in_dimensions(value)

    def _holds_places(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is a tensor of integers, which no index takes for a mask."""
        known = self.place.inference.infer(node, dict(self.env))
        return cheap(node) and isinstance(known, TensorSignature) and known.dtype in ("int32", "int64")

    def has_no_elements(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is computed from rows that are not there, element for element or by a layer."""
        if self.code(node) in self.rows:
            return True
        if isinstance(node, cst.Name) and node.value not in self._written:
            chosen = self._selected_by(node)
            return chosen is not None and (self.is_false(chosen) or self.is_index(chosen))
        if isinstance(node, cst.Call) and self._is_layer(node.func):
            given = [arg.value for arg in node.args]
            return bool(given) and not any(arg.star for arg in node.args) and all(map(self.has_no_elements, given))
        if isinstance(node, cst.Subscript):
            sliced = all(isinstance(element.slice, cst.Slice) for element in node.slice)
            return self.has_no_elements(node.value) if sliced else cheap(node.value) and self.selects_nothing(node)
        if isinstance(node, cst.UnaryOperation):
            return not isinstance(node.operator, cst.Not) and self.has_no_elements(node.expression)
        if isinstance(node, cst.BinaryOperation) and not isinstance(node.operator, cst.MatrixMultiply):
            sides = (node.left, node.right)
            empty = [self.has_no_elements(side) for side in sides]
            return any(empty) and all(
                e or self.is_number(s) or self.rank(s) == 0 for e, s in zip(empty, sides, strict=True)
            )
        method = method_of(self.place, node)
        if method is None:
            return False
        name, receiver, rest = method
        sizes = rest.positional if name == "expand" else []
        if sizes and self._is_none(sizes[0]) and self._repeats(receiver, len(sizes)):
            return True
        if _passes(name) or name == "linear":
            return self.has_no_elements(receiver)
        numbers = all(map(self.is_number, [*rest.positional, *rest.named.values()]))
        return _elementwise(name) and numbers and self.has_no_elements(receiver)

    def _is_none(self, node: cst.BaseExpression) -> bool:
        """Whether a number is that of what is selected, where nothing is."""
        node = _called(node)
        if isinstance(node, cst.Name):
            value = self.defined(node)
            return value is not None and self._is_none(value)
        method = method_of(self.place, node)
        if method is None or self.counts_nothing(node):
            return method is not None
        name, receiver, rest = method
        if rest.positional or rest.named:
            return False
        return self._is_none(receiver) if name in ("item", "int") else name == "sum" and self.is_false(receiver)

    def _repeats(self, node: cst.BaseExpression, sizes: int) -> bool:
        """Whether a tensor can be expanded to any number of rows: it has one, or none of its dimensions are rows."""
        kinds = self.place.inference.kinds(node)
        return bool(kinds) and all(
            type(kind) is Known
            and kind.rank is not None
            and (kind.rank < sizes or (kind.dims is not None and number_of(kind.dims[0]) == 1))
            for kind in kinds
        )

    def _is_layer(self, node: cst.BaseExpression) -> bool:
        """Whether a call is of a module; one that asks how many rows there are may stand nowhere in the file."""
        kinds = self.place.inference.kinds(node)
        modules = bool(kinds) and all(type(kind) is Instance for kind in kinds)
        return modules and not any(map(self.place.tree.mentions, _COUNTING_LAYERS))

    def is_zero(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is the sum of no elements, or a mask that is False everywhere as a number; or a multiple of
        that by a number that is written out."""
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.Multiply, cst.Divide)):
            if _is_literal(node.right):
                return self.is_zero(node.left)
            return isinstance(node.operator, cst.Multiply) and _is_literal(node.left) and self.is_zero(node.right)
        if self.is_false(self._uncast(node)):
            return True
        method = method_of(self.place, node)
        if method is None:
            return False
        name, receiver, rest = method
        return name == "sum" and not rest.positional and not rest.named and self.has_no_elements(receiver)

    def is_one(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is a mask that is True everywhere, as a number, or one less such a mask that is False."""
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Subtract):
            return isinstance(node.left, (cst.Integer, cst.Float)) and float(node.left.evaluated_value) == 1 and self.is_false(self._uncast(node.right))  # fmt: skip
        return self.is_true(self._uncast(node))

    def _uncast(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The mask that an expression only gives another dtype, or other dimensions."""
        method = method_of(self.place, node)
        return self._uncast(method[1]) if method is not None and _passes(method[0]) else node

    def is_number(self, node: cst.BaseExpression) -> bool:
        if isinstance(node, cst.Name) and node.value == "None":
            return False
        if isinstance(node, cst.Call) and dotted(node.func) == "float" and len(node.args) == 1:
            return isinstance(node.args[0].value, cst.BaseString)
        return isinstance(self.place.inference.infer(node, dict(self.env)), Number)

    def rank(self, node: cst.BaseExpression) -> int | None:
        value = self.place.inference.value(node)
        return value.rank if type(value) is Known else None

    def code(self, node: cst.BaseExpression) -> str:
        return self.place.tree.code(node.with_changes(lpar=[], rpar=[]) if node.lpar else node)


def _is_literal(node: cst.BaseExpression) -> bool:
    """Whether an expression is a finite number that is written out."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, (cst.Minus, cst.Plus)):
        return _is_literal(node.expression)
    return isinstance(node, (cst.Integer, cst.Float)) and isfinite(float(node.evaluated_value))


def _given(statement: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    """What a statement gives a name that it binds, alone or as one of several; None where it does something else."""
    only = only_statement([statement])
    if not isinstance(only, cst.Assign) or len(only.targets) != 1:
        return None
    target = only.targets[0].target
    # The places of what is selected come as a tuple, one index a dimension.
    several = isinstance(target, cst.Tuple) and all(isinstance(e.value, cst.Name) for e in target.elements)
    if several and _in_dimensions(only.value):
        return only.value
    return dict(unpacked(target, only.value)).get(name)


def _in_dimensions(node: cst.BaseExpression) -> bool:
    """Whether an expression is `torch.where(mask)` or `mask.nonzero(as_tuple=True)`."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return False
    given = arguments(node.args)
    return node.func.attr.value == "where" or dotted(given.named.get("as_tuple", cst.Name("False"))) == "True"


def _unshaped(place: FixSite, node: cst.BaseExpression) -> cst.BaseExpression:
    """The mask that an expression only gives other dimensions: `mask` of `mask[:, None]` and `mask.unsqueeze(-1)`."""
    if isinstance(node, cst.Subscript):
        parts = [element.slice for element in node.slice]
        plain = all(isinstance(part, cst.Slice) or _is_new_axis(part) for part in parts)
        return _unshaped(place, node.value) if plain else node
    method = method_of(place, node)
    return _unshaped(place, method[1]) if method is not None and _reshapes(method[0]) else node


def _is_new_axis(part: cst.BaseSlice) -> bool:
    """Whether a part of a subscript is `None` or `...`."""
    return isinstance(part, cst.Index) and (isinstance(part.value, cst.Ellipsis) or dotted(part.value) == "None")


def _called(node: cst.BaseExpression) -> cst.BaseExpression:
    """What `bool(…)` and `int(…)` are around."""
    if isinstance(node, cst.Call) and dotted(node.func) in ("bool", "int") and len(node.args) == 1:
        only = node.args[0]
        return _called(only.value) if only.keyword is None and not only.star else node
    return node


def method_of(place: FixSite, node: cst.CSTNode) -> tuple[str, cst.BaseExpression, CallArguments] | None:
    """The name, the tensor and the other arguments of `x.f(…)`, `torch.f(x, …)`, `F.f(x, …)` and `len(x)`."""
    if not isinstance(node, cst.Call) or any(arg.star for arg in node.args):
        return None
    given = arguments(node.args)
    if isinstance(node.func, cst.Name) and node.func.value == "len" and len(given.positional) == 1 and not given.named:
        return "len", given.positional[0], CallArguments([], {})
    if not isinstance(node.func, cst.Attribute):
        return None
    base = dotted(node.func.value)
    if base in (place.torch, "F", f"{place.torch}.nn.functional"):
        if not given.positional:
            return None
        return node.func.attr.value, given.positional[0], CallArguments(given.positional[1:], given.named)
    return node.func.attr.value, node.func.value, given


def _negated(place: FixSite, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """`mask` of `~mask` and `mask.logical_not()`."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.BitInvert):
        return node.expression
    method = method_of(place, node)
    return method[1] if method is not None and method[0] == "logical_not" else None
