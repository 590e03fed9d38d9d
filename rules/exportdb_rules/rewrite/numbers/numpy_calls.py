"""Code that leaves torch for numpy and comes back, as torch all the way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.imports import numpy_name
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names, targets
from exportdb_rules.rewrite.known.signature import TensorSignature, floating
from exportdb_rules.rewrite.numbers import numpy_table as table
from exportdb_rules.rewrite.numbers.numpy_code import Code, joint
from exportdb_rules.rewrite.numbers.numpy_functions import Functions
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import arguments, below, children, dotted, occurrences, statements

if TYPE_CHECKING:
    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Replace NumPy with torch"

_BACK: Final = ("from_numpy", "as_tensor", "tensor")
# Where an element of an array is an operand, a tensor is one, too.
_COMPUTING: Final = (cst.BinaryOperation, cst.AugAssign)
# Python's own functions that take an array or a tensor alike: a tensor has no `round`, and other keys in a dict.
_ALIKE: Final = ("float", "int", "bool", "len", "abs")
_WRITING_OUT: Final = ("str", "repr", "format", "type")
_PASSING: Final = ("min", "max", "sum", "zip", "enumerate", "reversed", "list", "tuple", "range", "print")


def numpy_to_torch(context: FixContext) -> tuple[Fix, ...]:
    """The fix for all that a function does with numpy arrays of its tensors; () where one use has no equal in torch.

    `unsafe`: where the gradient was cut it may flow now, and inputs whose dtype is not known are taken to be floating.
    """
    return make_fix(context, TITLE, Applicability.UNSAFE, lambda place: _Translation(place).edits())


class _Translation(Functions):
    """The arrays of one function, and what becomes of the expressions that hold them."""

    def __init__(self, place: FixSite) -> None:
        self.place = place
        self.torch = place.torch
        self.numpy = numpy_name(place.tree)
        self.copying = bool(side_effects(statements(place.function.body)).names)
        self.held: dict[str, Code] = {}
        self._swaps: list[tuple[cst.BaseExpression, str]] = []
        self._env = place.inference.entry()
        self._learn()

    def _learn(self) -> None:
        """The local names that hold arrays, by what is assigned to them."""
        block = self.place.function.body
        for _ in range(8):
            before, found = dict(self.held), dict[str, Code]()
            for assign in below(block, cst.Assign):
                target = assign.targets[0].target
                if self.holds(assign.value):
                    held = [e.value for e in target.elements] if isinstance(target, cst.Tuple) else [target]
                    if len(assign.targets) != 1 or not all(isinstance(one, cst.Name) for one in held):
                        if not isinstance(target, cst.Subscript):
                            raise FixNotApplicable(NoFix.ARRAY_ESCAPES, "an array is put somewhere")
                        continue
                    # The parts of an array, `low, high = …`, are of its kind.
                    given = self.code(assign.value)
                    given = replace(given, number=None) if isinstance(target, cst.Tuple) else given
                    for name in [one.value for one in held if isinstance(one, cst.Name)]:
                        mine = given.named(name)
                        found[name] = mine.merged(found[name]) if name in found else mine
                        self.held[name] = found[name]
            if self.held == before:
                return

    def edits(self) -> tuple[Edit, ...]:
        """What to change in the function."""
        self._refuse_mixed()
        self._refuse_shared_numbers()
        self._refuse_elements()
        for statement in statements(self.place.function.body):
            self._visit(statement, (statement,))
        return tuple([self.place.tree.edit(node, text) for node, text in self._swaps])

    def _refuse_mixed(self) -> None:
        """Raises FixNotApplicable where a name holds an array of torch's at one time, and perhaps one of numpy's own at another; or
        where `from_numpy`, which takes no tensor, is given what comes of an array in another way."""
        block = self.place.function.body
        bound = [(target, assign.value) for assign in below(block, cst.Assign) for target in assign.targets]
        for target, value in bound:
            ours = self.holds(value) or self.place.inference.is_tensor(value) or self._plain(value)
            if isinstance(target.target, cst.Name) and target.target.value in self.held and not ours:
                raise FixNotApplicable(NoFix.ARRAY_ESCAPES, "a name may hold another array as well")
        given = [(target.target, value) for target, value in bound]
        given += [(loop.target, loop.iter) for kind in (cst.For, cst.CompFor) for loop in below(block, kind)]
        given += [(walrus.target, walrus.value) for walrus in below(block, cst.NamedExpr)]
        derived, known = set(self.held), 0
        while known != len(derived):
            known = len(derived)
            for target, value in given:
                if names(value).reads & derived or any(self.holds(one) for one in below(value, cst.BaseExpression)):
                    derived |= {name.value for name in targets(target)}
        for call in below(block, cst.Call):
            if dotted(call.func) != f"{self.torch}.from_numpy" or self._returns(call):
                continue
            if names(call.args).reads & derived or any(self.holds(one) for one in below(call, cst.BaseExpression)):
                raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "from_numpy takes no tensor")

    def _refuse_shared_numbers(self) -> None:
        """Raises FixNotApplicable where something is written in place that may be a number of numpy's, which nothing else can see
        change, or that one was taken out of: a tensor without dimensions is a view of it."""
        block = statements(self.place.function.body)
        if not side_effects(block).names & self.held.keys():
            return
        for assign in below(self.place.function.body, cst.Assign):
            value = assign.value
            parts = [e.value for e in value.elements] if isinstance(value, cst.Tuple) else [value]
            for part in parts:
                if (
                    isinstance(part, (cst.Name, cst.Subscript))
                    and self.holds(part)
                    and self.code(part).number is not False
                ):
                    raise FixNotApplicable(
                        NoFix.NUMPY_DIFFERS, "a number of numpy's is a copy, and a zero-dimensional tensor is not"
                    )
        for added in below(self.place.function.body, cst.AugAssign):
            mine = self.held.get(dotted(added.target))
            if mine is not None and mine.number is not False and mine.kind != table.FLOAT:
                raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "a number of numpy's may become one of another kind")

    def _refuse_elements(self) -> None:
        """Raises FixNotApplicable where what a loop takes out of an array goes where a tensor would not do: numpy's numbers are found
        in a dict by their value, a tensor is not."""
        for loop in (*below(self.place.function.body, cst.For), *below(self.place.function.body, cst.CompFor)):
            if not any(self.holds(part) for part in below(loop.iter, cst.BaseExpression)):
                continue
            for name in names(loop.target).reads | {one.value for one in targets(loop.target)}:
                for path in occurrences(self.place.function.body, name):
                    if any(part is loop.target for part in path):
                        continue
                    if not isinstance(path[-2], _COMPUTING) and not _reduces(path):
                        self._refuse_context(path, array=True)

    # --- where arrays are used ----------------------------------------------------------------------------------

    def _visit(self, node: cst.CSTNode, path: tuple[cst.CSTNode, ...]) -> None:
        if isinstance(node, (cst.Assign, cst.AugAssign)):
            self._refuse_put(node)
        if isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            if names(node).reads & self.held.keys():
                raise FixNotApplicable(NoFix.ARRAY_ESCAPES, "an inner function uses an array")
            return
        if isinstance(node, cst.Call) and self._returns(node):
            inner = self.code(node.args[0].value)
            self._swaps.append((node, self._back(node, inner)))
            return
        if isinstance(node, cst.BaseExpression) and self.holds(node) and not self._bound(path):
            self._refuse_context(path)
            self._swaps.append((node, self.code(node).text))
            return
        for child in children(node):
            self._visit(child, (*path, child))

    def _refuse_put(self, node: cst.Assign | cst.AugAssign) -> None:
        """Raises FixNotApplicable where an array is written to what is none, or what may be none of torch's to one that will be."""
        targets_ = [target.target for target in node.targets] if isinstance(node, cst.Assign) else [node.target]
        for target in targets_:
            whole = target.value if isinstance(target, cst.Subscript) else target
            if isinstance(node, cst.Assign) and whole is target:
                continue
            if self.holds(whole):
                self.code(node.value)
            elif self.holds(node.value) and not self.place.inference.is_tensor(whole):
                raise FixNotApplicable(NoFix.ARRAY_ESCAPES, "an array is put somewhere")

    def _bound(self, path: tuple[cst.CSTNode, ...]) -> bool:
        """A name that is assigned to; `a[i] = …` stays as it is."""
        if len(path) < 2:
            return False
        parent, inner = path[-2], path[-1]
        if isinstance(parent, (cst.AssignTarget, cst.AugAssign)) and parent.target is inner:
            if isinstance(inner, cst.Subscript) and any(self.holds(child) for s in inner.slice for child in children(s.slice) if isinstance(child, cst.BaseExpression)):  # fmt: skip
                raise FixNotApplicable(NoFix.NO_EQUIVALENT, "an array is indexed by an array")
            return True
        return False

    def _returns(self, call: cst.Call) -> bool:
        """Whether a call makes a tensor of an array: `torch.from_numpy(a)`."""
        owner, _, name = dotted(call.func).rpartition(".")
        return owner == self.torch and name in _BACK and bool(call.args) and self.holds(call.args[0].value)

    def _back(self, call: cst.Call, inner: Code) -> str:
        text = inner.text
        copies = dotted(call.func).endswith(".tensor")
        for arg in call.args[1:]:
            key = arg.keyword.value if arg.keyword is not None else ""
            if key not in ("dtype", "device"):
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported argument")
            copied = ", copy=True" if copies and self.copying and not inner.own else ""
            text = f"{parenthesised(text)}.to({self.source(arg.value)}{copied})"
        if copies and not inner.own and len(call.args) == 1:
            text = f"{parenthesised(text)}.clone()"
        return text

    def _refuse_context(self, path: tuple[cst.CSTNode, ...], *, array: bool = False) -> None:
        """Raises FixNotApplicable where a tensor would not do what the array did; `array`: it is known to be one."""
        node, parent = path[-1], path[-2] if len(path) > 1 else None
        value = self.place.inference.value(node)
        known = value is not None and all(type(c) is domain.Tensor for c in lattice.choices(value))
        array = array or (
            known and any(c.array for c in lattice.choices(value or domain.TOP) if isinstance(c, domain.Tensor))
        )
        if isinstance(parent, cst.Attribute) and parent.attr.value in ("shape", "ndim", "item", "tolist"):
            call = path[-4] if len(path) > 3 else None
            if isinstance(call, cst.Call) and dotted(call.func) in _WRITING_OUT:
                raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "a torch.Size is written in another way than a tuple")
            return
        if isinstance(parent, cst.Attribute) and (array or self.holds(node)):
            raise FixNotApplicable(NoFix.NUMPY_DIFFERS, f"`{parent.attr.value}` of an array is another one of a tensor")
        if known and not self._handed_to_python(path) and not (array and self._handed_on(path)):
            return
        call = path[-3] if len(path) > 2 else None
        if isinstance(parent, cst.Arg) and isinstance(call, cst.Call):
            name = dotted(call.func)
            if name in _ALIKE or (name.startswith(f"{self.torch}.") and name.rpartition(".")[2] in _BACK):
                return
        allowed = (cst.Assign, cst.AugAssign, cst.If, cst.While, cst.IfExp, cst.For, cst.Assert, cst.BooleanOperation)
        if isinstance(parent, allowed) or (
            isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not)
        ):
            return
        raise FixNotApplicable(NoFix.ARRAY_ESCAPES, "the array itself is passed on")

    def _handed_on(self, path: tuple[cst.CSTNode, ...]) -> bool:
        """Whether an array goes where nobody sees what is done to it: another function, a caller, a container."""
        parent = path[-2] if len(path) > 1 else None
        if isinstance(parent, (cst.Return, cst.Element, cst.DictElement, cst.Yield, cst.Lambda)):
            return True
        call = path[-3] if len(path) > 2 else None
        if not isinstance(parent, cst.Arg) or not isinstance(call, cst.Call):
            return False
        name = dotted(call.func)
        if name in (*_ALIKE, *_PASSING) or name.startswith((f"{self.torch}.", "F.")):
            return False
        # The method of a tensor takes tensors.
        return not isinstance(call.func, cst.Attribute) or not self.place.inference.is_tensor(call.func.value)

    def _handed_to_python(self, path: tuple[cst.CSTNode, ...]) -> bool:
        """Whether an array, with no tensor in it, is an argument of a function that may not take a tensor for it."""
        node = path[-1]
        call = path[-3] if len(path) > 2 and isinstance(path[-2], cst.Arg) else None
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Name) or call.func.value in _PASSING:
            return False
        if not isinstance(node, cst.BinaryOperation):
            return True
        return all(self.holds(one) or not self.place.inference.is_tensor(one) for one in (node.left, node.right))

    # --- expressions --------------------------------------------------------------------------------------------

    def holds(self, node: cst.CSTNode) -> bool:
        """Whether an expression is an array (or a number of numpy's) that comes from a tensor."""
        if isinstance(node, cst.Name):
            return node.value in self.held
        if isinstance(node, cst.Call):
            if isinstance(node.func, cst.Attribute):
                if node.func.attr.value == "numpy" and not node.args:
                    return self.place.inference.is_tensor(node.func.value)
                owner = dotted(node.func.value)
                if owner == self.numpy or owner.startswith(f"{self.numpy}."):
                    return any(
                        self.holds(a.value) or self.place.inference.is_tensor(a.value) or self._listed(a.value)
                        for a in node.args
                    )
                return self.holds(node.func.value) and node.func.attr.value not in ("item", "tolist")
            return dotted(node.func) == "abs" and len(node.args) == 1 and self.holds(node.args[0].value)
        if isinstance(node, cst.BinaryOperation):
            return self.holds(node.left) or self.holds(node.right)
        if isinstance(node, cst.UnaryOperation):
            return not isinstance(node.operator, cst.Not) and self.holds(node.expression)
        if isinstance(node, cst.Comparison):
            return self.holds(node.left) or any(self.holds(c.comparator) for c in node.comparisons)
        if isinstance(node, cst.Subscript):
            return self.holds(node.value)
        if isinstance(node, cst.Attribute):
            return node.attr.value == "T" and self.holds(node.value)
        return False

    def _listed(self, node: cst.BaseExpression) -> bool:
        return isinstance(node, (cst.List, cst.Tuple)) and any(
            self.holds(e.value) or self.place.inference.is_tensor(e.value) for e in node.elements
        )

    def is_array(self, node: cst.BaseExpression) -> bool:
        return self.holds(node) or self.place.inference.is_tensor(node)

    def code(self, node: cst.BaseExpression) -> Code:
        if isinstance(node, cst.Name) and node.value in self.held:
            return self.held[node.value]
        if not self.holds(node):
            return self._other(node)
        if isinstance(node, cst.Call):
            return self._call(node)
        if isinstance(node, cst.BinaryOperation):
            return self._binary(node)
        if isinstance(node, cst.UnaryOperation):
            inner = self.code(node.expression)
            if inner.kind == table.BOOL and not isinstance(node.operator, cst.BitInvert):
                raise FixNotApplicable(NoFix.NO_EQUIVALENT, "torch has no sign of a bool")
            return joint(f"{self.place.tree.code(node.operator)}{parenthesised(inner.text)}", inner.kind, inner)
        if isinstance(node, cst.Comparison):
            parts = [self.code(node.left), *[self.code(link.comparator) for link in node.comparisons]]
            text = parenthesised(parts[0].text)
            for link, part in zip(node.comparisons, parts[1:], strict=True):
                if isinstance(link.operator, (cst.In, cst.NotIn, cst.Is, cst.IsNot)):
                    raise FixNotApplicable(NoFix.NO_EQUIVALENT, "membership")
                text += f" {self.place.tree.code(link.operator).strip()} {parenthesised(part.text)}"
            return joint(text, table.BOOL, *parts)
        if isinstance(node, cst.Subscript):
            return self._subscript(node)
        if isinstance(node, cst.Attribute):
            inner = self.code(node.value)
            return replace(inner, text=f"{parenthesised(inner.text)}.T", own=False)
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported expression")

    def _other(self, node: cst.BaseExpression) -> Code:
        """An operand that is no array: a tensor, a number."""
        if self.place.inference.is_tensor(node):
            known = self.place.inference.infer(node, dict(self._env))
            dtype = known.dtype if isinstance(known, TensorSignature) else None
            kind = table.BOOL if dtype == "bool" else table.FLOAT if floating(dtype) else table.INTEGER
            return Code(self.source(node), kind, own=False, tensor=True, narrow=dtype in table.NARROW)
        if names(node).reads & self.held.keys():
            raise FixNotApplicable(NoFix.NO_EQUIVALENT, "an array is used in a way that has no equal")
        if not self._plain(node):
            raise FixNotApplicable(NoFix.ARRAY_ESCAPES, "an operand may be an array that no tensor went into")
        return Code(self.place.tree.code(node), table.INTEGER if self._whole(node) else table.FLOAT, plain=True)

    def _plain(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is known to be no array: a number, a text, None, or a tuple of such."""
        if isinstance(node, (cst.Integer, cst.Float, cst.SimpleString)) or dotted(node) in ("None", "True", "False"):
            return True
        if isinstance(node, (cst.Tuple, cst.List)):
            return all(self._plain(element.value) for element in node.elements)
        if isinstance(node, cst.UnaryOperation):
            return self._plain(node.expression)
        if isinstance(node, cst.BinaryOperation):
            return self._plain(node.left) and self._plain(node.right)
        if dotted(node).startswith(f"{self.numpy}.") and dotted(node).count(".") == 1:
            return True  # a constant, or a dtype
        value = self.place.inference.value(node)
        return value is not None and all(_is_number(c) for c in lattice.choices(value))

    def _whole(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is a Python integer."""
        value = self.place.inference.value(node)
        if value is None:
            inner = node.expression if isinstance(node, cst.UnaryOperation) else node
            return isinstance(inner, cst.Integer)
        types = {
            type(c.value).__name__ if isinstance(c, domain.Const) else getattr(c, "type", "")
            for c in lattice.choices(value)
        }
        return types <= {"int", "bool"}

    def _binary(self, node: cst.BinaryOperation) -> Code:
        left, right = self.code(node.left), self.code(node.right)
        return self.infix(self.place.tree.code(node.operator).strip(), left, right)

    def _subscript(self, node: cst.Subscript) -> Code:
        inner = self.code(node.value)
        if self.place.tree.code(node)[len(self.place.tree.code(node.value)) :] == "[::-1]":
            return replace(inner, text=f"{parenthesised(inner.text)}.flip(0)", own=True)
        for element in node.slice:
            part = element.slice
            if isinstance(part, cst.Slice) and part.step is not None and not isinstance(part.step, cst.Integer):
                raise FixNotApplicable(NoFix.NO_EQUIVALENT, "torch takes no negative step")
            if isinstance(part, cst.Index) and (self.holds(part.value) or self._listed(part.value)):
                raise FixNotApplicable(NoFix.NO_EQUIVALENT, "an array is indexed by an array")
        code = self.place.tree.code
        text = f"{parenthesised(inner.text)}{code(node)[len(code(node.value)) :]}"
        return replace(inner, text=text, own=False, number=self._picked_number(node))

    def _picked_number(self, node: cst.Subscript) -> bool | None:
        """Whether a subscript of an array gives a number; None where that is not known."""
        indices = [e.slice.value for e in node.slice if isinstance(e.slice, cst.Index)]
        more = any(isinstance(i, cst.Ellipsis) or dotted(i) in ("None", f"{self.numpy}.newaxis") for i in indices)
        ranks = self.ranks(node)
        if len(indices) < len(node.slice) or more or (None not in ranks and 0 not in ranks):
            return False
        return True if ranks == {0} else None

    def _call(self, node: cst.Call) -> Code:
        if not isinstance(node.func, cst.Attribute):
            return self.function("abs", [node.args[0].value], {})
        name = node.func.attr.value
        given = arguments(node.args)
        args, keywords = given.positional, given.named
        if any(a.star for a in node.args):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "starred arguments")
        owner = dotted(node.func.value)
        if owner == self.numpy:
            return self.function(name, args, keywords)
        if owner.startswith(f"{self.numpy}."):
            raise FixNotApplicable(NoFix.NO_EQUIVALENT, "a part of numpy that is not in the table")
        if name == "numpy" and not self.holds(node.func.value):
            known = self._other(node.func.value)
            return replace(known, own=False, tensor=False)
        return self.function(name, [node.func.value, *args], keywords, method=True)


def _reduces(path: tuple[cst.CSTNode, ...]) -> bool:
    """Whether the last node of a path is an array whose elements are put together, all of them: `a.max()`."""
    parent, call = path[-2], path[-3] if len(path) > 2 else None
    if not isinstance(parent, cst.Attribute) or not isinstance(call, cst.Call) or call.args:
        return False
    return parent.attr.value in table.REDUCTIONS and parent.attr.value not in ("std", "var")


def _is_number(value: domain.Value) -> bool:
    """Whether a value is a number of Python's or of export's, or another constant that is no array."""
    if isinstance(value, domain.TraceTime) and value.source.startswith("numpy"):
        return False
    if isinstance(value, (domain.Static, domain.TraceTime)):
        return value.type in ("int", "float", "bool", "str")
    return isinstance(value, (domain.Const, domain.Sym))
