"""Where a number goes that is read from the state, and whether a tensor does there what the number did.

A buffer holds a tensor without dimensions. In arithmetic, in `min` and `max` of two and in conditions it does what the
number did (measured on torch 2.13, in both modes); functions of `math` have their own in torch. What Python computed
in double precision from an integer torch would compute in single precision, so such a number is read as a double.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Edit, Span
from exportdb_rules.messages import is_message
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.buffers.number_types import MATH, check_partner, python_type
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted, occurrences

if TYPE_CHECKING:
    from exportdb_rules.rewrite.buffers.state_uses import State
    from exportdb_rules.rewrite.fix_site import FixSite

Path = tuple[cst.CSTNode, ...]

_TORCH_NAMES: Final = {"fabs": "abs"}
_TESTS: Final = (cst.If, cst.While, cst.IfExp)


class Flow:
    """What becomes of one read of a number. `whole` says that it has no fraction, `tensors` that tensors are written to
    the state; `edits` are those around the read."""

    def __init__(self, place: FixSite, state: State, *, whole: bool, tensors: bool) -> None:
        self.place = place
        self.state = state
        self.edits: dict[Span, Edit] = {}
        self._whole = whole
        self._tensors = tensors
        self._partners: list[cst.CSTNode] = []
        self._seen: set[str] = set()
        self._fraction = False
        self._kept = False

    def method(self, path: Path) -> str:
        """The method that is to be called on the buffer where its number is read, '' if none is.

        Raises:
            FixNotApplicable: a tensor would not do what the number did.
        """
        if _told(path):
            # What people read is a number still; the line is kept out of the export.
            return ".item()"
        self._follow(path, fresh=False)
        fraction = self._whole and self._fraction
        method = ".double()" if fraction else ".clone()" if self._kept else ""
        double = fraction or not (self._whole or self._tensors)
        for partner in self._partners:
            check_partner(self.place, partner, double)
        return method

    def _follow(self, path: Path, fresh: bool) -> None:
        """Follow a number, which the last node of the path gives. `fresh` says that something was computed: it is not the
        buffer itself."""
        while above := self._computed(path):
            fresh = fresh or not isinstance(path[-1 - above], (cst.Call, cst.IfExp))
            path = path[:-above]
            if python_type(self.place, path[-1]) is float:
                self._fraction = True
        top, parent = path[-1], path[-2]
        if isinstance(parent, cst.BinaryOperation):
            self._partners.append(parent.right if parent.left is top else parent.left)
        elif isinstance(parent, (cst.Comparison, cst.ComparisonTarget)) or _tested(path):
            return
        elif (
            isinstance(parent, cst.AugAssign) and parent.value is top and python_type(self.place, parent.target) is None
        ):
            self._partners.append(parent.target)
        elif isinstance(parent, cst.Assign) and len(parent.targets) == 1:
            self._assigned(path, parent.targets[0].target, fresh)
        else:
            raise FixNotApplicable(NoFix.PYTHON_NUMBER, "a number is computed from the attribute")

    def _computed(self, path: Path) -> int:
        """How far above a number stands the number that is computed from it; 0 if none is."""
        top, parent = path[-1], path[-2]
        if isinstance(parent, cst.BinaryOperation):
            kind = python_type(self.place, parent)
            if kind is int and isinstance(parent.operator, cst.Power):
                raise FixNotApplicable(
                    NoFix.DTYPE_MAY_CHANGE, "a power of integers is a fraction for negative exponents"
                )
            other = parent.right if parent.left is top else parent.left
            return 1 if kind is not None or python_type(self.place, other) is not None else 0
        if isinstance(parent, cst.UnaryOperation):
            if isinstance(parent.operator, cst.Not):
                if _tested(path[:-1]):
                    return 0
                raise FixNotApplicable(NoFix.PYTHON_NUMBER, "a bool is computed from the attribute")
            return 1
        if isinstance(parent, cst.IfExp) and parent.test is not top:
            return 1 if python_type(self.place, parent) is not None else 0
        call = path[-3] if len(path) > 2 and isinstance(parent, cst.Arg) else None
        return 2 if isinstance(call, cst.Call) and self._number_of(call, parent) else 0

    def _number_of(self, call: cst.Call, given: cst.CSTNode) -> bool:
        """Whether a call gives a number of the numbers it is given, also when one of them is a tensor."""
        name = dotted(call.func)
        if any(a.keyword or a.star for a in call.args):
            return False
        if name in ("min", "max"):
            if len(call.args) != 2 or python_type(self.place, call) is None:
                return False
            return self._bounded(call, given, name)
        if len(call.args) != 1:
            return False
        if name == "abs":
            return True
        if name == "round":
            # A tensor has a method for it, and is rounded in the same way: half to even.
            self._replace(call.func, f"{self.place.torch}.round")
            return True
        if name.startswith("math.") and name[5:] in MATH:
            self._replace(call.func, f"{self.place.torch}.{_TORCH_NAMES.get(name[5:], name[5:])}")
            # torch takes an integer for these, and would compute in single precision.
            self._fraction = True
            return True
        if name == "float" and not call.args[0].value.lpar:
            self._fraction = True
            self._replace(call.func, "")
            return True
        return False

    def _bounded(self, call: cst.Call, given: cst.CSTNode, name: str) -> bool:
        """Whether `min(self.n, 5)` could be made `torch.clamp(self.n, max=5)`: for a bound of the same type, which stays."""
        arg = next(a for a in call.args if a is given)
        bound = next(a.value for a in call.args if a is not given)
        value = self.place.inference.value(bound)
        fixed = all(isinstance(c, (domain.Const, domain.Static)) for c in lattice.choices(value)) if value else False
        same = python_type(self.place, arg.value) is python_type(self.place, bound)
        if not same or not (fixed or isinstance(bound, (cst.Integer, cst.Float))):
            return False
        first, last = (self.place.tree.span(a.value) for a in call.args)
        assert first is not None
        assert last is not None
        code = f", {'max' if name == 'min' else 'min'}={self.place.tree.code(bound)}"
        self._replace(call.func, f"{self.place.torch}.clamp")
        if call.args[0] is arg:
            gone = Span(first.end, last.end)
            self.edits[gone] = Edit(gone, code)
        else:
            whole = self.place.tree.span(call)
            assert whole is not None
            gone, end = Span(first.start, last.start), Span(last.end, whole.end)
            self.edits[gone], self.edits[end] = Edit(gone, ""), Edit(end, f"{code})")
        return True

    def _replace(self, node: cst.CSTNode, code: str) -> None:
        span = self.place.tree.span(node)
        assert span is not None
        self.edits[span] = Edit(span, code)

    def _assigned(self, path: Path, target: cst.BaseExpression, fresh: bool) -> None:
        if self.state.same(target):
            return
        if not isinstance(target, cst.Name):
            raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "a number that comes from the attribute is stored")
        self._named(path, target.value, fresh)

    def _named(self, path: Path, name: str, fresh: bool) -> None:
        """Follow a local name that holds the number."""
        function = next((n for n in reversed(path) if isinstance(n, cst.FunctionDef)), None)
        if function is None:
            raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "a number that comes from the attribute is stored")
        self._kept = self._kept or not fresh
        key = f"{id(function)} {name}"
        if key in self._seen:
            return
        self._seen.add(key)
        above = path[: path.index(function)]
        for use in occurrences(function.body, name):
            if isinstance(use[-2], cst.AssignTarget) or (
                isinstance(use[-2], cst.Element)
                and any(isinstance(n, cst.AssignTarget) for n in use)
                and not any(isinstance(n, cst.Subscript) for n in use)
            ):
                continue
            if _told((*above, function, *use)):
                self._replace(use[-1], f"{name}.item()")
                continue
            self._follow((*above, function, *use), fresh=False)


def _tested(path: Path) -> bool:
    """Whether a value only decides a branch: it is a test, or a part of one that `and`, `or` and `not` make."""
    for node, child in zip(reversed(path[:-1]), reversed(path[1:]), strict=True):
        if isinstance(node, _TESTS):
            return node.test is child
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            continue
        if not isinstance(node, cst.BooleanOperation):
            return False
    return False


def _told(path: Path) -> bool:
    """Whether a value stands in a call that prints or logs."""
    return any(isinstance(n, cst.Call) and is_message(dotted(n.func)) for n in path)
