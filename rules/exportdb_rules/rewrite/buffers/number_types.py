"""What is known of expressions that give numbers: of which type, and beside what a tensor may stand for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.known.inference import Inference
from exportdb_rules.rewrite.known.signature import INTEGERS, SCALAR, UNKNOWN, Signature, TensorSignature, floating
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted, is_item

if TYPE_CHECKING:
    from exportdb_rules.rewrite.fix_site import FixSite

# Functions of `math` that torch has under the same name, and that raise for no number that torch has no answer to but
# for those too large or of the wrong sign.
MATH: Final = frozenset(("sin", "cos", "tan", "tanh", "atan", "exp", "sqrt", "floor", "ceil", "fabs"))
WHOLE: Final = frozenset(("floor", "ceil"))


def python_type(place: FixSite, node: cst.CSTNode) -> type | None:
    """The type of an expression that is a Python number (or a size), None for any other."""
    value = place.inference.value(node)
    kinds: set[str] = set()
    for choice in lattice.choices(value) if value is not None else ():
        if isinstance(choice, domain.Const):
            kinds.add(type(choice.value).__name__)
        else:
            kinds.add(choice.type if isinstance(choice, (domain.Static, domain.TraceTime, domain.Sym)) else "")
    if kinds and kinds <= {"int", "float", "bool", "number"} and ("float" in kinds or "number" not in kinds):
        return float if "float" in kinds else int
    return _made_of_numbers(place, node) if kinds <= {"", "int", "float", "bool", "number"} else None


def _made_of_numbers(place: FixSite, node: cst.CSTNode) -> type | None:
    """The type of what `min`, `max` or a function of `math` makes of numbers."""
    if isinstance(node, cst.Call) and node.args and not any(a.keyword or a.star for a in node.args):
        types = [python_type(place, a.value) for a in node.args]
        name = dotted(node.func)
        if name in ("min", "max") and len(types) > 1 and None not in types:
            return float if float in types else int
        if name.startswith("math.") and name[5:] in MATH and types[0] is not None:
            return int if name[5:] in WHOLE else float
    if is_item(node):
        known = signature_of(place, cst.ensure_type(cst.ensure_type(node, cst.Call).func, cst.Attribute).value)
        return (
            None
            if not isinstance(known, TensorSignature) or known.dtype is None
            else float
            if floating(known.dtype)
            else int
        )
    if isinstance(node, cst.UnaryOperation):
        return python_type(place, node.expression)
    if isinstance(node, cst.BinaryOperation):
        both = (python_type(place, node.left), python_type(place, node.right))
        if None in both:
            return None
        return float if float in both or isinstance(node.operator, cst.Divide) else int
    if isinstance(node, cst.IfExp):
        both = (python_type(place, node.body), python_type(place, node.orelse))
        return None if None in both else float if float in both else int
    if isinstance(node, cst.Integer):
        return int
    return float if isinstance(node, cst.Float) else None


def check_partner(place: FixSite, other: cst.CSTNode, double: bool) -> None:
    """Raises FixNotApplicable unless an operand is a tensor whose dtype a number of no dimensions leaves alone."""
    value = place.inference.value(other)
    choices = list(lattice.choices(value)) if value is not None else []
    # A sum that begins with 0 is a tensor once something was added.
    tensors = [c for c in choices if not (isinstance(c, domain.Const) and c.value == 0)]
    known = signature_of(place, other) if value is None else None
    if isinstance(known, TensorSignature) and known.shape not in (None, SCALAR):
        # In code that the interpreter did not come to: the first number decides against it.
        pass
    elif not tensors or not all(type(c) is domain.Tensor for c in tensors):
        raise FixNotApplicable(NoFix.PYTHON_NUMBER, "a number is computed from the attribute")
    for tensor in tensors:
        assert isinstance(tensor, domain.Tensor)
        if tensor.rank == 0 and (double or tensor.dtype in INTEGERS - {"int64"}):
            raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "two zero-dimensional tensors promote to the wider dtype")
    if double and _whole(place, other):
        # A number makes them floats of the default dtype, a double of no dimensions doubles.
        raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "integers become floats of another dtype")


def _whole(place: FixSite, node: cst.CSTNode) -> bool:
    """Whether a tensor holds integers or bools, as far as is known."""
    known = signature_of(place, node)
    return isinstance(known, TensorSignature) and known.dtype is not None and not floating(known.dtype)


def signature_of(place: FixSite, node: cst.CSTNode) -> Signature:
    """The signature of an expression of the text, in whatever function it stands."""
    span = place.tree.span(node)
    path = place.tree.path(span) if span is not None else ()
    at = max((i for i, n in enumerate(path) if isinstance(n, cst.FunctionDef)), default=-1)
    function = path[at] if at >= 0 else place.function
    if not isinstance(function, cst.FunctionDef) or not isinstance(node, cst.BaseExpression):
        return UNKNOWN
    inference = place.inference
    if function is not place.function:
        inference = Inference(place.tree, place.inference.context, function, place.owner)
    kinds = (cst.SimpleStatementLine, cst.BaseCompoundStatement)
    env = inference.before(path[: max(i for i, n in enumerate(path) if isinstance(n, kinds)) + 1]) if path else {}
    return inference.infer(node, env)
