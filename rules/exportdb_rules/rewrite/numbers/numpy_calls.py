"""Code that leaves torch for numpy and comes back, as torch all the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import joins
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.finished import finished
from exportdb_rules.rewrite.imports import numpy_name
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import Tensor, floating
from exportdb_rules.rewrite.numbers import numpy_statistics
from exportdb_rules.rewrite.numbers import numpy_table as table
from exportdb_rules.rewrite.place import Place, locate
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.tree import arguments, below, children, dotted, statements

if TYPE_CHECKING:
    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Use torch instead of numpy"

_SHAPING: Final = frozenset("reshape transpose squeeze expand_dims flatten ravel clip repeat round around".split())
_BACK: Final = ("from_numpy", "as_tensor", "tensor")
# Python's own functions that take an array or a tensor alike: a tensor has no `round`, and other keys in a dict.
_ALIKE: Final = ("float", "int", "bool", "len", "abs")
_PASSING: Final = ("min", "max", "sum", "zip", "enumerate", "reversed", "list", "tuple", "range", "print")


@dataclass(frozen=True)
class _Code:
    """An expression in torch. `kind` is float, int or bool; `own`: it is a tensor that nothing else shares."""

    text: str
    kind: str
    own: bool = True


def numpy_to_torch(context: FixContext) -> tuple[Fix, ...]:
    """The fix for all that a function does with numpy arrays of its tensors; () where one use has no equal in torch.

    `unsafe`: where the gradient was cut it may flow now, and inputs whose dtype is not known are taken to be floating.
    """
    try:
        place = locate(context)
        edits = finished(place, _Translation(place).edits())
    except Refused:
        return ()
    return (Fix(TITLE, Applicability.UNSAFE, edits, preferred=True),) if edits else ()


class _Translation:
    """The arrays of one function, and what becomes of the expressions that hold them."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.torch = place.torch
        self.numpy = numpy_name(place.tree)
        self.kinds: dict[str, str] = {}
        self._swaps: list[tuple[cst.BaseExpression, str]] = []
        self._env = place.inference.entry()
        self._learn()

    def _learn(self) -> None:
        """The local names that hold arrays, by what is assigned to them."""
        block = self.place.function.body
        for _ in range(8):
            before = dict(self.kinds)
            for assign in below(block, cst.Assign):
                target = assign.targets[0].target
                if self.holds(assign.value):
                    held = [e.value for e in target.elements] if isinstance(target, cst.Tuple) else [target]
                    if len(assign.targets) != 1 or not all(isinstance(one, cst.Name) for one in held):
                        if not isinstance(target, cst.Subscript):
                            raise Refused("an array is put somewhere")
                        continue
                    # The parts of an array, `low, high = …`, are of its kind.
                    kind = self.code(assign.value).kind
                    self.kinds.update({one.value: kind for one in held if isinstance(one, cst.Name)})
            if self.kinds == before:
                return

    def edits(self) -> tuple[Edit, ...]:
        """What to change in the function."""
        for statement in statements(self.place.function.body):
            self._visit(statement, (statement,))
        found: list[Edit] = []
        for node, text in self._swaps:
            span = self.place.tree.span(node)
            assert span is not None
            found.append(Edit(span, text))
        return tuple(sorted(found, key=lambda e: e.span))

    # --- where arrays are used ----------------------------------------------------------------------------------

    def _visit(self, node: cst.CSTNode, path: tuple[cst.CSTNode, ...]) -> None:
        if isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            if names(node).reads & self.kinds.keys():
                raise Refused("an inner function uses an array")
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

    def _bound(self, path: tuple[cst.CSTNode, ...]) -> bool:
        """A name that is assigned to; `a[i] = …` stays as it is."""
        if len(path) < 2:
            return False
        parent, inner = path[-2], path[-1]
        if isinstance(parent, (cst.AssignTarget, cst.AugAssign)) and parent.target is inner:
            if isinstance(inner, cst.Subscript) and any(self.holds(child) for s in inner.slice for child in children(s.slice) if isinstance(child, cst.BaseExpression)):  # fmt: skip
                raise Refused("an array is indexed by an array")
            return True
        return False

    def _returns(self, call: cst.Call) -> bool:
        """Whether a call makes a tensor of an array: `torch.from_numpy(a)`."""
        owner, _, name = dotted(call.func).rpartition(".")
        return owner == self.torch and name in _BACK and bool(call.args) and self.holds(call.args[0].value)

    def _back(self, call: cst.Call, inner: _Code) -> str:
        text = inner.text
        copies = dotted(call.func).endswith(".tensor")
        for arg in call.args[1:]:
            key = arg.keyword.value if arg.keyword is not None else ""
            if key not in ("dtype", "device"):
                raise Refused("an unusual argument")
            text = f"{parenthesised(text)}.to({self._source(arg.value)})"
        if copies and not inner.own and len(call.args) == 1:
            text = f"{parenthesised(text)}.clone()"
        return text

    def _refuse_context(self, path: tuple[cst.CSTNode, ...]) -> None:
        """Raises Refused where a tensor would not do what the array did."""
        node, parent = path[-1], path[-2] if len(path) > 1 else None
        value = self.place.inference.value(node)
        known = value is not None and all(type(c) is domain.Tensor for c in joins.choices(value))
        if known and not self._handed_to_python(path):
            return
        if isinstance(parent, cst.Attribute) and parent.attr.value in ("shape", "ndim", "item", "tolist"):
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
        raise Refused("the array itself is handed on")

    def _handed_to_python(self, path: tuple[cst.CSTNode, ...]) -> bool:
        """Whether an array, with no tensor in it, is an argument of a function that may not take a tensor for it."""
        node = path[-1]
        call = path[-3] if len(path) > 2 and isinstance(path[-2], cst.Arg) else None
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Name) or call.func.value in _PASSING:
            return False
        if not isinstance(node, cst.BinaryOperation):
            return True
        return all(self.holds(one) or not self._tensor(one) for one in (node.left, node.right))

    # --- expressions --------------------------------------------------------------------------------------------

    def holds(self, node: cst.CSTNode) -> bool:
        """Whether an expression is an array (or a number of numpy's) that comes from a tensor."""
        if isinstance(node, cst.Name):
            return node.value in self.kinds
        if isinstance(node, cst.Call):
            if isinstance(node.func, cst.Attribute):
                if node.func.attr.value == "numpy" and not node.args:
                    return self._tensor(node.func.value)
                owner = dotted(node.func.value)
                if owner == self.numpy or owner.startswith(f"{self.numpy}."):
                    return any(self.holds(a.value) or self._tensor(a.value) or self._listed(a.value) for a in node.args)
                return self.holds(node.func.value) and node.func.attr.value not in ("item", "tolist")
            return False
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
            self.holds(e.value) or self._tensor(e.value) for e in node.elements
        )

    def _tensor(self, node: cst.BaseExpression) -> bool:
        value = self.place.inference.value(node)
        return value is not None and all(type(c) is domain.Tensor for c in joins.choices(value))

    def _source(self, node: cst.BaseExpression) -> str:
        return self.place.tree.code(node.with_changes(lpar=[], rpar=[]) if node.lpar else node)

    def code(self, node: cst.BaseExpression) -> _Code:
        """The expression in torch."""
        if isinstance(node, cst.Name) and node.value in self.kinds:
            return _Code(node.value, self.kinds[node.value], own=False)
        if not self.holds(node):
            return self._other(node)
        if isinstance(node, cst.Call):
            return self._call(node)
        if isinstance(node, cst.BinaryOperation):
            return self._binary(node)
        if isinstance(node, cst.UnaryOperation):
            inner = self.code(node.expression)
            return _Code(
                f"{self.place.tree.module.code_for_node(node.operator)}{parenthesised(inner.text)}", inner.kind
            )
        if isinstance(node, cst.Comparison):
            text = parenthesised(self.code(node.left).text)
            for link in node.comparisons:
                if isinstance(link.operator, (cst.In, cst.NotIn, cst.Is, cst.IsNot)):
                    raise Refused("membership")
                sign = self.place.tree.module.code_for_node(link.operator).strip()
                text += f" {sign} {parenthesised(self.code(link.comparator).text)}"
            return _Code(text, table.BOOL)
        if isinstance(node, cst.Subscript):
            return self._subscript(node)
        if isinstance(node, cst.Attribute):
            inner = self.code(node.value)
            return _Code(f"{parenthesised(inner.text)}.T", inner.kind, own=False)
        raise Refused("an unusual expression")

    def _other(self, node: cst.BaseExpression) -> _Code:
        """An operand that is no array: a tensor, a number."""
        if self._tensor(node):
            known = self.place.inference.infer(node, dict(self._env))
            dtype = known.dtype if isinstance(known, Tensor) else None
            kind = table.BOOL if dtype == "bool" else table.FLOAT if floating(dtype) else table.INTEGER
            return _Code(self._source(node), kind, own=False)
        if names(node).reads & self.kinds.keys():
            raise Refused("an array is used in a way that has no equal")
        whole = isinstance(node, cst.Integer)
        return _Code(self.place.tree.code(node), table.INTEGER if whole else table.FLOAT)

    def _binary(self, node: cst.BinaryOperation) -> _Code:
        left, right = self.code(node.left), self.code(node.right)
        sign = self.place.tree.module.code_for_node(node.operator).strip()
        kinds = {left.kind, right.kind}
        one = parenthesised(left.text)
        kind = table.FLOAT if table.FLOAT in kinds else table.INTEGER if table.INTEGER in kinds else table.BOOL
        if isinstance(node.operator, cst.Divide) and table.FLOAT not in kinds:
            one, kind = f"{one}.to({self.torch}.float64)", table.FLOAT
        if isinstance(node.operator, (cst.Subtract,)) and kinds == {table.BOOL}:
            raise Refused("numpy refuses it, too")
        return _Code(f"{one} {sign} {parenthesised(right.text)}", kind)

    def _subscript(self, node: cst.Subscript) -> _Code:
        inner = self.code(node.value)
        for element in node.slice:
            part = element.slice
            if isinstance(part, cst.Slice) and part.step is not None and not isinstance(part.step, cst.Integer):
                raise Refused("torch takes no negative step")
            if isinstance(part, cst.Index) and (self.holds(part.value) or self._listed(part.value)):
                raise Refused("an array is indexed by an array")
        shown = self.place.tree.code(node)
        return _Code(
            f"{parenthesised(inner.text)}{shown[len(self.place.tree.code(node.value)) :]}", inner.kind, own=False
        )

    def _call(self, node: cst.Call) -> _Code:
        assert isinstance(node.func, cst.Attribute)
        name = node.func.attr.value
        given = arguments(node.args)
        args, keywords = given.positional, given.named
        if any(a.star for a in node.args):
            raise Refused("starred arguments")
        owner = dotted(node.func.value)
        if owner == self.numpy:
            return self._function(name, args, keywords)
        if owner.startswith(f"{self.numpy}."):
            raise Refused("a part of numpy that is not in the table")
        if name == "numpy" and not self.holds(node.func.value):
            known = self._other(node.func.value)
            return _Code(known.text, known.kind, own=False)
        return self._function(name, [node.func.value, *args], keywords, method=True)

    def _function(
        self,
        name: str,
        args: list[cst.BaseExpression],
        keywords: dict[str, cst.BaseExpression],
        *,
        method: bool = False,
    ) -> _Code:
        if not args:
            raise Refused("no array is given")
        if name in ("stack", "concatenate", "hstack", "vstack") and not method:
            return self._joined(name, args, keywords)
        if name in ("array", "asarray", "ascontiguousarray", "copy", "astype"):
            return self._cast(name, args, keywords)
        first = self.code(args[0])
        one = parenthesised(first.text)
        if name in table.REDUCTIONS:
            return self._reduced(name, first, args[1:], keywords)
        if name in numpy_statistics.NAMES and not method:
            array = (first.text, first.kind)
            return _Code(*numpy_statistics.statistic(self.place.tree, self.torch, name, array, args[1:], keywords))
        if name in _SHAPING:
            return self._shaped(name, first, args[1:], keywords)
        if name in ("cumsum", "argsort", "sort"):
            return self._along(name, first, args[1:], keywords)
        if keywords:
            raise Refused("an unusual argument")
        if name in table.FLOATING and len(args) == 1:
            cast = "" if first.kind == table.FLOAT else f".to({self.torch}.float64)"
            return _Code(
                f"{self.torch}.{table.FLOATING[name] or name}({first.text if not cast else one + cast})", table.FLOAT
            )
        if name in table.KEEPING and len(args) == 1:
            return _Code(f"{self.torch}.{table.KEEPING[name] or name}({first.text})", first.kind)
        if name in table.PREDICATES and len(args) == 1:
            return _Code(f"{self.torch}.{name}({first.text})", table.BOOL)
        if name in ("zeros_like", "ones_like", "empty_like") and len(args) == 1:
            return _Code(f"{self.torch}.{name}({first.text})", first.kind)
        if len(args) == 2 and (name in table.BINARY or name in table.COMPARISONS):
            return self._infix(name, first, self.code(args[1]))
        if len(args) == 2 and name in table.LOGICAL:
            return _Code(f"{self.torch}.{name}({first.text}, {self.code(args[1]).text})", table.BOOL)
        if len(args) == 2 and name in ("maximum", "minimum"):
            return self._limited(name, args)
        if len(args) == 2 and name == "dot":
            return _Code(f"{one} @ {parenthesised(self.code(args[1]).text)}", first.kind)
        if len(args) == 3 and name == "where":
            two, three = self.code(args[1]), self.code(args[2])
            kinds = {two.kind, three.kind}
            kind = table.FLOAT if table.FLOAT in kinds else table.INTEGER
            return _Code(f"{self.torch}.where({first.text}, {two.text}, {three.text})", kind)
        raise Refused(f"{name} is not in the table")

    def _infix(self, name: str, left: _Code, right: _Code) -> _Code:
        sign = table.BINARY.get(name) or table.COMPARISONS[name]
        kinds = {left.kind, right.kind}
        kind = table.BOOL if name in table.COMPARISONS else table.FLOAT if table.FLOAT in kinds else table.INTEGER
        one = parenthesised(left.text)
        if sign == "/" and table.FLOAT not in kinds:
            one, kind = f"{one}.to({self.torch}.float64)", table.FLOAT
        return _Code(f"({one} {sign} {parenthesised(right.text)})", kind)

    def _limited(self, name: str, args: list[cst.BaseExpression]) -> _Code:
        """`np.maximum(a, 0)`: torch's wants tensors, and clamps by numbers."""
        array, other = args if self.holds(args[0]) or self._tensor(args[0]) else (args[1], args[0])
        first, second = self.code(array), self.code(other)
        if self.holds(other) or self._tensor(other):
            return _Code(f"{self.torch}.{name}({first.text}, {second.text})", first.kind)
        if first.kind != table.FLOAT and second.kind == table.FLOAT:
            raise Refused("an array of integers limited by a float")
        bound = "min" if name == "maximum" else "max"
        return _Code(f"{self.torch}.clamp({first.text}, {bound}={second.text})", first.kind)

    def _joined(self, name: str, args: list[cst.BaseExpression], keywords: dict[str, cst.BaseExpression]) -> _Code:
        listed = args[0]
        if not isinstance(listed, (cst.List, cst.Tuple)) or any(
            isinstance(e, cst.StarredElement) for e in listed.elements
        ):
            raise Refused("the arrays are not written out")
        axis = keywords.pop("axis", None) or (args[1] if len(args) > 1 else None)
        if keywords or len(args) > 2:
            raise Refused("an unusual argument")
        parts = [self.code(e.value) for e in listed.elements]
        if len({p.kind for p in parts}) != 1:
            raise Refused("arrays of different kinds")
        dim = "" if axis is None else f", dim={self._source(axis)}"
        torch_name = {"concatenate": "cat"}.get(name, name)
        return _Code(f"{self.torch}.{torch_name}([{', '.join(p.text for p in parts)}]{dim})", parts[0].kind)

    def _cast(self, name: str, args: list[cst.BaseExpression], keywords: dict[str, cst.BaseExpression]) -> _Code:
        wanted = keywords.pop("dtype", None) or (args[1] if len(args) > 1 else None)
        keywords.pop("copy", None)
        if keywords or len(args) > 2:
            raise Refused("an unusual argument")
        if isinstance(args[0], (cst.List, cst.Tuple)):
            parts = [self.code(e.value) for e in args[0].elements]
            if len({p.kind for p in parts}) != 1:
                raise Refused("elements of different kinds")
            first = _Code(f"{self.torch}.stack([{', '.join(p.text for p in parts)}])", parts[0].kind)
        else:
            first = self.code(args[0])
        text, kind = first.text, first.kind
        if wanted is not None:
            dtype = self._dtype(wanted)
            text, kind = f"{parenthesised(text)}.to({self.torch}.{dtype})", table.kind(dtype)
            return _Code(text, kind, own=False)
        if name in ("array", "copy") and not first.own:
            return _Code(f"{parenthesised(text)}.clone()", kind)
        if name == "astype":
            raise Refused("no dtype is given")
        return _Code(text, kind, first.own)

    def _dtype(self, node: cst.BaseExpression) -> str:
        name = dotted(node)
        if isinstance(node, cst.SimpleString):
            name = str(node.evaluated_value)
        dtype = table.DTYPES.get(name.removeprefix(f"{self.numpy}."))
        if dtype is None:
            raise Refused("an unusual dtype")
        return dtype

    def _reduced(
        self, name: str, first: _Code, args: list[cst.BaseExpression], keywords: dict[str, cst.BaseExpression]
    ) -> _Code:
        keywords = dict(keywords)
        axis = keywords.pop("axis", None) or (args[0] if args else None)
        keep = keywords.pop("keepdims", None)
        correction = keywords.pop("ddof", None)
        if keywords or len(args) > 1 or (correction is not None and name not in ("std", "var")):
            raise Refused("an unusual argument")
        if axis is not None and dotted(axis) == "None":
            axis = None
        if keep is not None and axis is None:
            raise Refused("all dimensions are kept")
        whole, along = table.REDUCTIONS[name]
        text, kind = first.text, first.kind
        if name in ("any", "all"):
            kind = table.BOOL
        elif name in ("argmax", "argmin"):
            kind = table.INTEGER
            if isinstance(axis, cst.Tuple):
                raise Refused("one axis only")
        elif name in ("mean", "std", "var", "nanmean") and kind != table.FLOAT:
            text, kind = f"{parenthesised(text)}.to({self.torch}.float64)", table.FLOAT
        elif name in ("sum", "prod", "nansum") and kind == table.BOOL:
            kind = table.INTEGER
        if name == "prod" and isinstance(axis, cst.Tuple):
            raise Refused("one axis only")
        parts = [text]
        if axis is not None:
            parts.append(f"dim={self._source(axis) if not isinstance(axis, cst.Tuple) else self.place.tree.code(axis)}")
        if name in ("std", "var"):
            parts.append(f"correction={'0' if correction is None else self._source(correction)}")
        if keep is not None:
            parts.append(f"keepdim={self._source(keep)}")
        return _Code(f"{self.torch}.{whole if axis is None else along}({', '.join(parts)})", kind)

    def _shaped(
        self, name: str, first: _Code, args: list[cst.BaseExpression], keywords: dict[str, cst.BaseExpression]
    ) -> _Code:
        one = parenthesised(first.text)
        given = [self.place.tree.code(a) for a in args]
        if name == "clip":
            given += [self.place.tree.code(keywords[k]) for k in ("a_min", "a_max", "min", "max") if k in keywords]
            if len(given) != 2 or first.kind != table.FLOAT or len(keywords) + len(args) != 2:
                raise Refused("an unusual clip")
            return _Code(f"{self.torch}.clamp({first.text}, {', '.join(given)})", first.kind)
        if name in ("round", "around"):
            decimals = given or [self.place.tree.code(keywords["decimals"])] if keywords else given
            shown = f", decimals={decimals[0]}" if decimals else ""
            return _Code(f"{self.torch}.round({first.text}{shown})", first.kind)
        axis = keywords.pop("axis", None) if keywords else None
        if keywords:
            raise Refused("an unusual argument")
        if axis is not None:
            given.append(self.place.tree.code(axis))
        if name in ("flatten", "ravel"):
            if given:
                raise Refused("an order")
            return _Code(f"{one}.flatten(){'.clone()' if name == 'flatten' else ''}", first.kind, own=name == "flatten")
        if name == "reshape" and given:
            return _Code(f"{one}.reshape({', '.join(given)})", first.kind, own=False)
        if name == "squeeze":
            return _Code(f"{one}.squeeze({', '.join(given)})", first.kind, own=False)
        if name == "expand_dims" and len(given) == 1 and given[0].lstrip("-").isdigit():
            return _Code(f"{one}.unsqueeze({given[0]})", first.kind, own=False)
        if name == "transpose" and given:
            return _Code(f"{one}.permute({', '.join(given)})", first.kind, own=False)
        raise Refused(f"{name} in an unusual form")

    def _along(
        self, name: str, first: _Code, args: list[cst.BaseExpression], keywords: dict[str, cst.BaseExpression]
    ) -> _Code:
        keywords = dict(keywords)
        axis = keywords.pop("axis", None) or (args[0] if args else None)
        if keywords or len(args) > 1:
            raise Refused("an unusual argument")
        if name == "cumsum":
            if first.kind == table.BOOL:
                raise Refused("a count of bools")
            if axis is None:
                return _Code(f"{self.torch}.cumsum({parenthesised(first.text)}.flatten(), dim=0)", first.kind)
            return _Code(f"{self.torch}.cumsum({first.text}, dim={self._source(axis)})", first.kind)
        dim = "-1" if axis is None else self._source(axis)
        if name == "sort":
            return _Code(f"{self.torch}.sort({first.text}, dim={dim}).values", first.kind)
        return _Code(f"{self.torch}.argsort({first.text}, dim={dim}, stable=True)", table.INTEGER)
