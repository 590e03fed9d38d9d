"""`.data` as what it is used for: `.detach()` to read, `torch.no_grad()` to write."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, TypeGuard

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix, Span
from exportdb_rules.no_fix import NoFix
from exportdb_rules.operator_table import operator
from exportdb_rules.rewrite.branching.condition import wrapped
from exportdb_rules.rewrite.edits import lines_of
from exportdb_rules.rewrite.fix_site import FixSite, locate
from exportdb_rules.rewrite.interface.under_export import refuse_gradients
from exportdb_rules.rewrite.known.mutation import in_place
from exportdb_rules.rewrite.known.names import targets
from exportdb_rules.rewrite.looping.gradients import stops_gradients, without_gradients
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import arguments, below, dotted, replace_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from exportdb_rules.rewrite.context import FixContext

DETACH: Final = "Replace `.data` with `.detach()`"
WITHOUT: Final = "Use the tensor instead of its `.data`"
NO_GRAD: Final = "Write under torch.no_grad() instead of through `.data`"

_MAKING = frozenset(
    "arange empty eye full linspace ones rand randint randn randperm tensor zeros FloatTensor LongTensor Tensor".split()
)
# Attributes of the tensor itself: the same with and without `.data`, and never written through.
_PLAIN = frozenset(("shape", "dtype", "device", "ndim", "layout", "is_cuda", "itemsize", "nbytes"))


def data_to_detach(context: FixContext) -> tuple[Fix, ...]:
    """Replace a read of `x.data` by `x.detach()`; () for an assignment to it.

    Both are tensors without history that share x's storage. They differ where the storage is then changed in place:
    `.detach()` counts the change as one of x's own, so a backward pass that needed the old values raises instead of
    computing wrong gradients. A mere read by what keeps nothing for it is therefore `safe`, anything else `unsafe`.
    """
    try:
        place = locate(context)
    except FixNotApplicable:
        return ()
    node = place.node
    if not _is_data(node):
        return ()
    if _is_target(place):
        return ()
    span = place.tree.span(node)
    attribute = place.tree.span(node.attr)
    if span is None or attribute is None:
        return ()
    if _is_form(place) or (without_gradients(place) and isinstance(place.path[-2], cst.BinaryOperation)):
        edit = place.tree.edit(node, place.tree.code(node.value))
        return (Fix(WITHOUT, Applicability.SAFE, (edit,), preferred=True),)
    before = lines_of(context.text).slice(Span(span.start, attribute.start))
    edit = Edit(span, f"{before}detach()")
    safe = Applicability.SAFE if _only_read(place) else Applicability.UNSAFE
    return (Fix(DETACH, safe, (edit,), preferred=True),)


# What gives no gradient to the tensor that it is a method of, or to the first argument.
_NEW: Final = frozenset(("new", "new_empty", "new_full", "new_ones", "new_zeros"))
_ASKING: Final = _NEW | {"size", "dim", "numel", "stride", "item", "tolist"}
_LIKE: Final = frozenset(
    ("empty_like", "full_like", "ones_like", "rand_like", "randint_like", "randn_like", "zeros_like")
)
_AS: Final = frozenset(("expand_as", "reshape_as", "type_as", "view_as"))


def _is_form(place: FixSite) -> bool:
    """Whether what is read of the tensor has no gradient, with and without `.data`: its shape, its dtype, a Python number."""
    parent, above = place.path[-2], place.path[-3]
    if isinstance(parent, cst.Attribute):
        name = parent.attr.value
        return name in _PLAIN or (isinstance(above, cst.Call) and above.func is parent and name in _ASKING)
    if not isinstance(above, cst.Call) or not isinstance(above.func, cst.Attribute) or parent not in above.args[:1]:
        return False
    name = above.func.attr.value
    return name in (_LIKE if dotted(above.func.value) == place.torch else _AS)


def data_write_to_no_grad(context: FixContext) -> tuple[Fix, ...]:
    """A write to `x.data`, or in place through it, as one to `x` under `torch.no_grad()`: one block for those of consecutive
    lines, and none where gradients are off already.

    `unsafe`: an assignment gave the tensor a new storage, even one of another size; `copy_` keeps the old one.
    """
    return make_fix(
        context, lambda place: WITHOUT if without_gradients(place) else NO_GRAD, Applicability.UNSAFE, _under_no_grad
    )


def _under_no_grad(place: FixSite) -> Iterable[Edit]:
    line = place.statement()
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        raise FixNotApplicable(NoFix.SHARED_LINE, "several statements on one line")
    code = _written(place, line.body[0])
    if not code or _data_of(line.body[0]) is not place.node:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "nothing is written through it")
    if without_gradients(place):
        return (place.tree.edit(line.body[0], code),)
    if _is_kept(place, line):
        raise FixNotApplicable(
            NoFix.ALIASED_WRITE, "the backward pass may need what it was before: it counts such writes"
        )
    suite = place.path[place.path.index(line) - 1]
    assert isinstance(suite, (cst.IndentedBlock, cst.Module))
    at = next(i for i, one in enumerate(suite.body) if one is line)
    after = [*_writes(place, suite.body[at:])]
    lines = [*reversed([*_writes(place, suite.body[at::-1])][1:]), *after]
    first = at + len(after) - len(lines)
    block = cst.With(
        [cst.WithItem(cst.parse_expression(f"{place.torch}.no_grad()"))],
        cst.IndentedBlock(
            [made.with_changes(leading_lines=old.leading_lines if i else ()) for i, (old, made) in enumerate(lines)]
        ),
        leading_lines=lines[0][0].leading_lines,
    )
    body = (*suite.body[:first], block, *suite.body[at + len(after) :])
    return replaced(place.tree, suite, suite.with_changes(body=body))


def _writes(
    place: FixSite, statements: Iterable[cst.CSTNode]
) -> Iterator[tuple[cst.SimpleStatementLine, cst.SimpleStatementLine]]:
    """Statements that write through `.data`, up to the first that does not, each with what it is without."""
    for one in statements:
        if not isinstance(one, cst.SimpleStatementLine) or len(one.body) != 1:
            return
        code = _written(place, one.body[0])
        if not code or _is_kept(place, one):
            return
        made = cst.ensure_type(cst.parse_statement(code), cst.SimpleStatementLine)
        yield one, made.with_changes(trailing_whitespace=one.trailing_whitespace)


# What is read of a tensor beside its numbers, or without the backward pass.
_ASIDE: Final = frozenset({"data", "detach", "shape", "size", "dtype", "device", "dim", "ndim", "numel"})


def _is_kept(place: FixSite, line: cst.SimpleStatementLine) -> bool:
    """Whether the function computes with the tensor that a line writes, and may save it for the backward pass, before it; as far
    as its name tells."""
    data, here = _data_of(line.body[0]), place.tree.span(line)
    if data is None or here is None:
        return False
    body, code, kind = place.function.body, place.tree.code(data.value), type(data.value)
    aside = {read.value for read in below(body, cst.Attribute) if read.attr.value in _ASIDE}
    aside |= {bound for one in below(body, cst.AssignTarget) for bound in (one.target, *targets(one.target))}
    quiet = [block.body for block in below(body, cst.With) if stops_gradients(block, place.torch)]
    aside |= {read for block in quiet for read in below(block, kind)}
    reads = [read for read in below(body, kind) if read not in aside and place.tree.code(read) == code]
    return any((span := place.tree.span(read)) is not None and span.end <= here.start for read in reads)


_OPERATORS: Final[dict[type[cst.BaseAugOp], str]] = {
    cst.AddAssign: "add_",
    cst.SubtractAssign: "sub_",
    cst.MultiplyAssign: "mul_",
    cst.DivideAssign: "div_",
}


def _written(place: FixSite, small: cst.BaseSmallStatement) -> str:
    """A statement that writes to `.data`, or through it, as one that writes to the tensor, where gradients are off; '' of any
    other."""
    data = _data_of(small)
    if data is None:
        return ""
    code, tensor = place.tree.code, place.tree.code(data.value)
    swaps = [
        (read, read.value)
        for read in below(small, cst.Attribute)
        if read is data or (_is_data(read) and place.inference.is_tensor(read.value))
    ]
    if isinstance(small, cst.Assign) and small.targets[0].target is data:
        return f"{tensor}.copy_({code(replace_all(small.value, swaps))})"
    if isinstance(small, cst.AugAssign) and small.target is data:
        method = _OPERATORS.get(type(small.operator), "")
        return method and f"{tensor}.{method}({code(replace_all(small.value, swaps))})"
    return code(replace_all(small, swaps))


def _data_of(small: cst.CSTNode) -> cst.Attribute | None:
    """The `.data` that a statement assigns to, writes an item of, or calls methods of that work in place."""
    node: cst.CSTNode | None = None
    if isinstance(small, cst.Assign) and len(small.targets) == 1:
        node = small.targets[0].target
    elif isinstance(small, cst.AugAssign):
        node = small.target
    elif isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
        node = small.value
        while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and in_place(node):
            node = node.func.value
    if isinstance(node, cst.Subscript):
        node = node.value
    return node if _is_data(node) else None


def _is_data(node: cst.CSTNode | None) -> TypeGuard[cst.Attribute]:
    return isinstance(node, cst.Attribute) and node.attr.value == "data"


def _tensor_of(node: cst.BaseExpression) -> cst.BaseExpression:
    """`x` of `x.data`; any other expression as it is."""
    return node.value if _is_data(node) else node


def variable_to_detach(context: FixContext) -> tuple[Fix, ...]:
    """`Variable(t)` as `t.detach()`, which is what it has been since torch 0.4; with `.requires_grad_()` where it says so.

    `safe`: the result shares the storage of `t` and has no history. What was made to be wrapped needs no `.detach()`.
    """

    def detached(place: FixSite) -> Iterable[Edit]:
        call = place.call()
        given = (arguments(call.args).by_name("data", "requires_grad") if call is not None else None) or {}
        data = given.pop("data", None)
        if call is None or data is None or any(arg.star for arg in call.args):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain call")
        if not given.keys() <= {"requires_grad"}:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
        learned = given.get("requires_grad")
        wanted = _tensor_of(data)
        code = wrapped(wanted, place.tree.code(wanted))
        if learned is not None and dotted(learned) != "False":
            refuse_gradients(place)
            flag = "" if dotted(learned) == "True" else place.tree.code(learned)
            code = f"{code}.detach().requires_grad_({flag})"
        elif not _is_made(place, wanted):
            code = f"{code}.detach()"
        return (place.tree.edit(call, code),)

    return make_fix(
        context,
        "Replace `Variable` with `.detach()`",
        Applicability.SAFE,
        detached,
        partial(locate, anywhere=True),
        any_types=True,
    )


def _is_made(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether an expression makes a tensor that has no gradient: `torch.zeros(n)`, `x.new(n)`, `x.detach()`, and what their
    methods make of them and of numbers."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return _is_data(node)
    if any(arg.star or (arg.keyword and arg.keyword.value == "requires_grad") for arg in node.args):
        return False
    name, owner = node.func.attr.value, node.func.value
    if dotted(owner) == place.torch:
        return name in _MAKING or name in _LIKE
    if name in _NEW or name == "detach":
        return place.inference.is_tensor(_tensor_of(owner))
    given = [place.inference.kinds(arg.value) for arg in node.args]
    return _is_made(place, owner) and all(
        kinds and not any(isinstance(kind, domain.Tensor) for kind in kinds) for kinds in given
    )


def saved_variables_to_tensors(context: FixContext) -> tuple[Fix, ...]:
    """`ctx.saved_variables` as `ctx.saved_tensors`, its name since torch 0.4. `safe`: they are the same."""

    def named(place: FixSite) -> Iterable[Edit]:
        if not isinstance(place.node, cst.Attribute):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not an attribute")
        return (place.tree.edit(place.node.attr, "saved_tensors"),)

    return make_fix(
        context, "Replace `saved_variables` with `saved_tensors`", Applicability.SAFE, named, any_types=True
    )


def _is_target(place: FixSite) -> bool:
    """Whether the attribute itself is a target: `x.data = …`, `x.data += …`, `del x.data`."""
    parent, node = place.path[-2], place.path[-1]
    if isinstance(parent, (cst.AssignTarget, cst.Del, cst.NamedExpr)):
        return parent.target is node
    if isinstance(parent, (cst.AugAssign, cst.AnnAssign)):
        return parent.target is node
    return isinstance(parent, cst.Element) and any(isinstance(n, cst.AssignTarget) for n in place.path)


def _only_read(place: FixSite) -> bool:
    """Whether the expression around it makes a new value at once, and keeps nothing of it for a backward pass: an operand
    of a sum, or of what has no gradient, or an attribute like `.shape`."""
    parent, node = place.path[-2], place.path[-1]
    if isinstance(parent, (cst.Comparison, cst.ComparisonTarget)):
        return True
    if isinstance(parent, cst.UnaryOperation):
        return not isinstance(parent.operator, cst.Plus)
    if isinstance(parent, cst.BinaryOperation):
        other = parent.right if parent.left is node else parent.left
        return isinstance(parent.operator, (cst.Add, cst.Subtract)) or _is_literal(other)
    if isinstance(parent, cst.Attribute) and parent.value is node:
        if parent.attr.value in _PLAIN:
            return True
        above = place.path[-3]
        name = parent.attr.value
        called = isinstance(above, cst.Call) and above.func is parent and all(_is_literal(a.value) for a in above.args)
        return called and _fresh(name)
    return False


def _is_literal(node: cst.BaseExpression) -> bool:
    """Whether an expression is written out: a number, a text, a truth value, a tuple of these."""
    if isinstance(node, (cst.Tuple, cst.List)):
        return all(_is_literal(element.value) for element in node.elements)
    if isinstance(node, cst.UnaryOperation):
        return _is_literal(node.expression)
    return isinstance(node, (cst.Integer, cst.Float, cst.SimpleString)) or dotted(node) in ("True", "False", "None")


def _fresh(method: str) -> bool:
    return operator(method).fresh or method in ("item", "tolist", "size", "numel", "dim")
