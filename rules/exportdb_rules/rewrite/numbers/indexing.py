"""Numbers from tensors where Python wants an index or a size.

Measured on torch 2.13, in both modes: `t.item()` serves as a bound of a slice and as the size or start that an operator
wants; a Python list is no tensor, but `torch.tensor(numbers)[i.reshape(1)]` and `torch.stack(tensors)[i.reshape(1)]`
export; `t[i]` with an `i` of no dimensions is read as a number by strict export, `t[i.reshape(1)]` is not; a number from data is an index
where it stands alone and in `t.select(1, n)`, not beside others, and strict export loses the symbol of a slice that begins at one
before an index that begins further on. A view that lies where data says is not to be written where autograd follows, since
it makes the view anew; `t[torch.arange(n)] = …` makes none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.branching.predicate import single_value
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, locate
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.observed import keeps_statistics
from exportdb_rules.rewrite.known.signature import SCALAR, Items, Number, TensorSignature, agree
from exportdb_rules.rewrite.known.views import used_up
from exportdb_rules.rewrite.numbers.copies import refuse_seen_copy
from exportdb_rules.rewrite.numbers.size_operators import refuse_partner
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import children, dotted, enclosing, occurrences, parse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.known.inference import Environment

ITEM: Final = "Read the number with `.item()`"
NUMBERS: Final = "Convert the list to a tensor"
TENSORS: Final = "Stack the list"
MODULES: Final = "Run all modules and select one result (costs all of them)"
WHOLE: Final = "Index with the tensor"
# An index with dimensions is a mask where its dtype is one of these.
_MASKS: Final = ("bool", "uint8")
APART: Final = "Index one dimension at a time"
ELEMENT: Final = "Index with a one-element tensor"
PLACES: Final = "Index with torch.arange (if the slice lies within the tensor)"


def size_to_item(context: FixContext) -> tuple[Fix, ...]:
    """A tensor as a bound of a slice, or where an operator wants an int, as `.item()` of it.

    `safe`: Python would read the same number from it.
    """
    try:
        place, nodes = numbers(context)
        env = place.environment()
        found = [node for node in nodes if _is_tensor(place, node, env)]
    except FixNotApplicable:
        return ()
    edits = [place.tree.edit(node, f"{parenthesised(place.tree.code(node))}.item()") for node in found]
    every = validated_edits(place, tuple(sorted(edits, key=lambda e: e.span)))
    return (Fix(ITEM, Applicability.SAFE, every, preferred=True),) if every else ()


def _is_tensor(place: FixSite, node: cst.BaseExpression, env: Environment) -> bool:
    if isinstance(node, cst.Call) and any(arg.star for arg in node.args):
        # What the call is given from a list stands nowhere: the finding is about that, not about its result.
        return False
    return _item_of(node) is None and isinstance(place.inference.infer(node, dict(env)), TensorSignature)


def numbers(context: FixContext) -> tuple[FixSite, list[cst.BaseExpression]]:
    """The expressions that a finding may be about: the one at its place, or the bounds of the slices there."""
    try:
        place = locate(context, elements=True)
    except FixNotApplicable:
        pass
    else:
        return place, [place.node]
    place = _at_subscript(context)
    bounds = [e.slice for e in cst.ensure_type(place.node, cst.Subscript).slice if isinstance(e.slice, cst.Slice)]
    return place, [b for s in bounds for b in (s.lower, s.upper) if b is not None]


def _at_subscript(context: FixContext) -> FixSite:
    """The place of the subscript that has the finding between its brackets."""
    tree = parse(context.text)
    span = context.finding.span
    inner: cst.Subscript | None = None
    stack: list[cst.CSTNode] = [] if tree is None else [tree.module]
    while stack and tree is not None:
        node = stack.pop()
        where = tree.span(node)
        if where is not None and not (where.start <= span.start and span.end <= where.end):
            continue
        if isinstance(node, cst.Subscript) and (base := tree.span(node.value)) is not None and base.end < span.start:
            inner = node
        stack += children(node)
    if tree is None or inner is None or (where := tree.span(inner)) is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "there is nothing at this place")
    return locate(context, where, elements=True)


def list_index_to_tensor(context: FixContext) -> tuple[Fix, ...]:
    """An element of a Python list that a tensor picks, as one of a tensor made of the list; of a ModuleList, the result
    of one module picked from those of all.

    Always `unsafe`: what was a number is a tensor without dimensions, and modules that were not picked are run too.
    """
    try:
        place = locate(context)
        first = _kept_tensor(place)
        edit, title = _picked(place, kept=bool(first))
    except FixNotApplicable:
        return ()
    edits = validated_edits(place, (*first, edit))
    return (Fix(title, Applicability.UNSAFE, edits, preferred=True),) if edits else ()


def list_to_its_tensor(context: FixContext) -> tuple[Fix, ...]:
    """`x[t.tolist()]` as `x[t]`. `unsafe`: a tensor on another device is no index, and one of uint8 is a mask."""
    return make_fix(context, WHOLE, Applicability.UNSAFE, _unconverted)


def _unconverted(place: FixSite) -> Iterable[Edit]:
    node = place.node
    if not (isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "tolist"):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a conversion to a list")
    index, element, subscript = [*reversed(place.path[-4:-1])]
    alone = (
        isinstance(subscript, cst.Subscript) and len(subscript.slice) == 1 and isinstance(element, cst.SubscriptElement)
    )
    if not alone or not isinstance(index, cst.Index):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not the only index of a tensor")
    kinds = place.inference.kinds(node.func.value)
    # A list of lists is an index for each dimension, or a tensor of indices: torch decides by what is in it.
    if not kinds or not all(type(k) is domain.Tensor and k.rank == 1 and k.dtype != "uint8" for k in kinds):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known that the tensor has one dimension")
    yield place.tree.edit(node, place.tree.code(node.func.value))


def _subscript(place: FixSite) -> tuple[cst.Subscript, int]:
    """The subscript whose one index the finding is about, and where it stands in the place's path."""
    at = enclosing(place.path, cst.Subscript)
    if at < 0:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a subscript")
    subscript = cst.ensure_type(place.path[at], cst.Subscript)
    if (
        len(subscript.slice) != 1
        or not isinstance(only := subscript.slice[0].slice, cst.Index)
        or only.value is not place.node
    ):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than an index")
    return subscript, at


def _kept_tensor(place: FixSite) -> tuple[Edit, ...]:
    """The edit that lets a name keep the tensor that it was given the number of, where the index is all that it is for."""
    node = place.node
    given = single_value(place.function, node.value) if isinstance(node, cst.Name) else None
    inner = None if given is None else _item_of(given)
    if given is None or inner is None or isinstance(inner, cst.Name) or not isinstance(node, cst.Name):
        return ()
    span = place.tree.span(given)
    known = place.inference.value(inner)
    single = known is not None and all(type(c) is domain.Tensor and c.rank == 0 for c in lattice.choices(known))
    if span is None or not single or len(occurrences(place.function.body, node.value)) != 2:
        return ()
    return (Edit(span, place.tree.code(inner)),)


def _picked(place: FixSite, kept: bool) -> tuple[Edit, str]:
    """The edit at the subscript. `kept`: its index is a name that keeps the tensor."""
    path = place.path
    subscript, at = _subscript(place)
    env = place.environment()
    index = place.node if kept else _tensor_of(place, place.node, env)
    kinds = place.inference.kinds(subscript.value)
    container = place.tree.code(subscript.value)
    code = parenthesised(place.tree.code(index))
    if kinds and all(isinstance(k, domain.Instance) for k in kinds):
        return _of_modules(place, path, at, code)
    if not kinds or not all(isinstance(k, lattice.Sequence) for k in kinds):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a list")
    elements = [value for k in kinds if isinstance(k, lattice.Sequence) for value in lattice.choices(k.any())]
    edit = place.tree.edit
    if all(_number(value) for value in elements):
        if len({_type(value) for value in elements}) != 1:
            raise FixNotApplicable(NoFix.ELEMENTS_DIFFER, "the list has numbers of several kinds")
        _refuse_number(place, path, at)
        made = f"{place.torch}.tensor({container}{_device(place, index, env)})"
        return edit(subscript, f"{made}[{code}.reshape(1)].squeeze(0)"), NUMBERS
    known = place.inference.infer(subscript.value, dict(env))
    if not isinstance(known, Items) or not all(type(value) is domain.Tensor for value in elements):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "the elements are not sure to be tensors")
    if not all(isinstance(item, TensorSignature) and agree(known.items[0], item) for item in known.items):
        raise FixNotApplicable(NoFix.ELEMENTS_DIFFER, "the elements may differ")
    refuse_seen_copy(place, subscript.value, subscript)
    return edit(subscript, f"{place.torch}.stack({container})[{code}.reshape(1)].squeeze(0)"), TENSORS


def _tensor_of(place: FixSite, node: cst.BaseExpression, env: Environment) -> cst.BaseExpression:
    """The tensor of one element that an index is, or is read from."""
    if isinstance(node, cst.Name):
        given = single_value(place.function, node.value)
        inner = None if given is None else _item_of(given)
        if isinstance(inner, cst.Name) and single_value(place.function, inner.value) is not None:
            node = inner
    node = _item_of(node) or node
    known = place.inference.infer(node, dict(env))
    if not isinstance(known, TensorSignature):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the index is not a tensor")
    return node


def _item_of(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """`t` of `t.item()` and `int(t)`."""
    if not isinstance(node, cst.Call):
        return None
    if isinstance(node.func, cst.Attribute) and node.func.attr.value == "item" and not node.args:
        return node.func.value
    if dotted(node.func) == "int" and len(node.args) == 1:
        return _item_of(node.args[0].value) or node.args[0].value
    return None


def _number(value: domain.Value) -> bool:
    return _type(value) in ("int", "float")


def _type(value: domain.Value) -> str:
    """The type of a Python value, where it is known."""
    if isinstance(value, domain.Const):
        return type(value.value).__name__
    return value.type if isinstance(value, domain.Static) else ""


def _refuse_number(place: FixSite, path: tuple[cst.CSTNode, ...], at: int) -> None:
    """Raises FixNotApplicable unless the number goes into arithmetic with a tensor whose dtype it leaves alone."""
    parent = path[at - 1]
    if not isinstance(parent, cst.BinaryOperation):
        raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the element is used as a Python number")
    refuse_partner(place, parent.right if parent.left is path[at] else parent.left)


def _device(place: FixSite, index: cst.BaseExpression, env: Environment) -> str:
    """The argument that puts a new tensor where the index is."""
    node: cst.CSTNode = index
    while isinstance(node, (cst.Call, cst.Attribute, cst.Subscript)):
        node = node.func if isinstance(node, cst.Call) else node.value
    if isinstance(node, cst.Name) and isinstance(env.get(node.value), TensorSignature):
        return f", device={node.value}.device"
    return ""


def _of_modules(place: FixSite, path: tuple[cst.CSTNode, ...], at: int, index: str) -> tuple[Edit, str]:
    call, subscript = path[at - 1], cst.ensure_type(path[at], cst.Subscript)
    if not isinstance(call, cst.Call) or call.func is not subscript:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the module is not called at once")
    container, kinds = place.tree.code(subscript.value), place.inference.kinds(subscript.value)
    lists = all(isinstance(kind, domain.Instance) and kind.external == "torch.nn.ModuleList" for kind in kinds)
    if not lists or not place.inference.submodules.alike(container.removeprefix("self.")):
        raise FixNotApplicable(NoFix.ELEMENTS_DIFFER, "the modules may differ")
    if keeps_statistics(kinds):
        raise FixNotApplicable(NoFix.MODULE_STATE, "a module that was not selected would change its statistics")
    if not place.inference.is_tensor(call):
        raise FixNotApplicable(NoFix.NOT_A_TENSOR, "the modules give more than a tensor")
    if not all(a.keyword is None and not a.star and isinstance(a.value, cst.Name) for a in call.args):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the arguments are computed in the call")
    taken = names(place.function.body).reads | names(place.function.body).writes
    each = next(n for n in ("module", "expert", "each") if n not in taken)
    given = ", ".join(place.tree.code(a.value) for a in call.args)
    stacked = f"{place.torch}.stack([{each}({given}) for {each} in {container}])"
    return place.tree.edit(call, f"{stacked}[{index}.reshape(1)].squeeze(0)"), MODULES


def subscripts_apart(context: FixContext) -> tuple[Fix, ...]:
    """`t[i, k]` with a number from data or a dynamic size, `k`, as `t[i][k]`, `t[:, k]` as `t.select(1, k)`, and `t[..., k]` as
    `t.select(-1, k)`; `t[a:b, c:d]` whose first slice begins where data says as `t[a:b][:, c:d]`. A write likewise.

    `safe`: the same view of the same elements.
    """
    return make_fix(context, APART, Applicability.SAFE, _apart, _at_subscript)


def _apart(place: FixSite) -> Iterable[Edit]:
    subscript = cst.ensure_type(place.node, cst.Subscript)
    env = place.environment()
    if not isinstance(place.inference.infer(subscript.value, dict(env)), TensorSignature):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "what is indexed may be something else than a tensor")
    code, parts, sliced, begun = place.tree.code(subscript.value), list[str](), 0, False
    # The dimensions behind `...` are counted from the end.
    dots = False
    for at, element in enumerate(subscript.slice):
        part, text = element.slice, place.tree.code(element.slice)
        symbol = isinstance(part, cst.Index) and _symbol(place, part.value)
        if symbol or (begun and text != ":"):
            code, parts, begun = _indexed(code, parts), ["..."] if dots else [":"] * sliced, False
        if isinstance(part, cst.Slice):
            sliced += 1
            parts.append(text)
            begun |= part.lower is not None and not isinstance(part.lower, cst.Integer)
        elif symbol:
            axis = at - len(subscript.slice) if dots else sliced
            code = f"{code}.select({axis}, {text})" if axis else f"{code}[{text}]"
        elif text == "..." and not sliced:
            dots = True
            parts.append(text)
        elif isinstance(part, cst.Index) and isinstance(place.inference.infer(part.value, dict(env)), Number):
            parts.append(text)
        else:
            raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "an index that is not sure to be a number")
    code = _indexed(code, parts)
    above = place.path[-2]
    written = isinstance(above, (cst.AssignTarget, cst.AugAssign)) and above.children[0] is subscript
    if written and any(_requires_grad(place, node) for node in (subscript, *children(place.path[-3]))):
        raise FixNotApplicable(NoFix.EXPORT_WOULD_FAIL, "autograd makes the view anew that is written then")
    return [place.tree.edit(subscript, f"{code}[...]" if written and code.endswith(")") else code)]


def _requires_grad(place: FixSite, node: cst.CSTNode) -> bool:
    """Whether a tensor that requires grad goes into an expression."""
    return any(type(value) is domain.Tensor and value.requires_grad for value in place.inference.parts(node))


def slice_to_indices(context: FixContext) -> tuple[Fix, ...]:
    """`t[a:b] = …` with bounds from data as `t[torch.arange(a, b)] = …`, also beside numbers and whole dimensions.

    `unsafe`: where a slice would be cut off, or begins before the tensor does, an index raises or picks others.
    """
    return make_fix(context, PLACES, Applicability.UNSAFE, _indices)


def _indices(place: FixSite) -> Iterable[Edit]:
    subscript, above = place.node, place.path[-2]
    if not isinstance(subscript, cst.Subscript) or not isinstance(above, (cst.AssignTarget, cst.AugAssign)):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no slice is written")
    code, parts = dotted(subscript.value), [element.slice for element in subscript.slice]
    sliced = [part for part in parts if isinstance(part, cst.Slice) and place.tree.code(part) != ":"]
    if not code or len(sliced) != 1 or sliced[0].step is not None or not _side_by_side(place, parts, sliced[0]):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not one slice beside numbers and whole dimensions")
    (part,) = sliced
    given = [bound for bound in (part.lower, part.upper) if bound is not None]
    if names(given).writes or any(isinstance(bound, cst.UnaryOperation) for bound in given):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a bound may count from the end")
    _refuse_other_dtype(place, subscript)
    end = f"{code}.shape[{parts.index(part)}]" if part.upper is None else place.tree.code(part.upper)
    ends = [end] if part.lower is None else [place.tree.code(part.lower), end]
    return [place.tree.edit(part, f"{place.torch}.arange({', '.join(ends)}, device={code}.device)")]


def _refuse_other_dtype(place: FixSite, subscript: cst.Subscript) -> None:
    """Raises FixNotApplicable where what is assigned has another dtype than the tensor: a number or a slice as index converts
    it, an index tensor does not."""
    assign = place.path[-3]
    if not isinstance(assign, cst.Assign):
        return
    env = place.environment()
    into, value = (place.inference.infer(node, dict(env)) for node in (subscript.value, assign.value))
    if (
        isinstance(value, TensorSignature)
        and isinstance(into, TensorSignature)
        and (value.dtype is None or value.dtype != into.dtype)
    ):
        raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "the value is converted to the dtype of the tensor")


def _side_by_side(place: FixSite, parts: list[cst.BaseSlice], slice_: cst.Slice) -> bool:
    """Whether all parts of an index but whole dimensions stand in one row, and are numbers but for one slice: what an index of
    numbers in its place picks has its dimensions in the same order."""
    env = place.environment()
    taken = [at for at, part in enumerate(parts) if place.tree.code(part) != ":"]
    return taken == [*range(taken[0], taken[-1] + 1)] and all(
        part is slice_
        or (isinstance(part, cst.Index) and isinstance(place.inference.infer(part.value, dict(env)), Number))
        for part in (parts[at] for at in taken)
    )


def _indexed(code: str, parts: list[str]) -> str:
    """A tensor indexed by what selects some of it."""
    return f"{code}[{', '.join(parts)}]" if any(part not in (":", "...") for part in parts) else code


def _symbol(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether an index is a number from data, or a dynamic size."""
    kinds = place.inference.kinds(node)
    return bool(kinds) and all(type(kind) is domain.Sym for kind in kinds)


def element_to_reshaped(context: FixContext) -> tuple[Fix, ...]:
    """`t[i]` with an `i` of no dimensions as `t[i.reshape(1)].squeeze(0)`, also beside numbers and slices; a write to it
    likewise.

    `safe` where the index is sure to have no dimensions, and a new tensor is made of the element at once, or it is written:
    the same elements are read and written. Elsewhere a view becomes a copy.
    """
    for applicability in (Applicability.SAFE, Applicability.UNSAFE):
        try:
            place = _at_subscript(context)
            place.inference.strict = applicability is Applicability.SAFE
            edits = validated_edits(place, tuple(_reshaped(place)))
            if applicability is Applicability.SAFE and not used_up(place.path):
                raise FixNotApplicable(NoFix.ALIASED_WRITE, "the view may outlive the statement")
        except FixNotApplicable:
            continue
        return (Fix(ELEMENT, applicability, edits, preferred=True),) if edits else ()
    return ()


def _reshaped(place: FixSite) -> Iterable[Edit]:
    subscript = cst.ensure_type(place.node, cst.Subscript)
    env = place.environment()
    if not isinstance(place.inference.infer(subscript.value, dict(env)), TensorSignature):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no tensor is indexed")
    codes: list[str] = []
    # The dimensions of the result before the new one, and the indices that make it.
    before, found, sliced = 0, list[cst.BaseExpression](), 0
    for element in subscript.slice:
        part, text = element.slice, place.tree.code(element.slice)
        if not isinstance(part, cst.Index):
            sliced += 1
        elif not isinstance(index := place.inference.infer(part.value, dict(env)), Number):
            if not isinstance(index, TensorSignature) or index.shape != SCALAR or index.dtype in _MASKS:
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the index is not a number")
            before, text = sliced, f"{parenthesised(text)}.reshape(1)"
            found.append(part.value)
        codes.append(text)
    if not found or (len(found) > 1 and sliced):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "tensors with slices between them")
    above = place.path[-2]
    if isinstance(above, (cst.AssignTarget, cst.AugAssign)) and above.children[0] is subscript:
        if before:
            raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "the value would have to get another dimension")
        _refuse_other_dtype(place, subscript)
        return [place.tree.edit(one, f"{parenthesised(place.tree.code(one))}.reshape(1)") for one in found]
    refuse_seen_copy(place, subscript.value, subscript)
    return [place.tree.edit(subscript, f"{place.tree.code(subscript.value)}[{', '.join(codes)}].squeeze({before})")]
