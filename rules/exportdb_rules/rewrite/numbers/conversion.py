"""Tensors that become Python numbers, copies or new tensors, by ways that stay in the graph.

Measured on torch 2.13: `int(t)`, `float(t)` and `len(t)` of a size that data decides fail in non-strict export, `t.item()` and
`t.shape[0]` export in both modes;
`copy.deepcopy(t)` fails in both; `torch.tensor([t, …])` fails in non-strict.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.interpreter.byte_masks import is_byte_mask
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, locate
from exportdb_rules.rewrite.known.arrays import refuse_arrays
from exportdb_rules.rewrite.known.signature import INTEGERS, SCALAR, Items, Number, TensorSignature, floating
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, is_item, occurrences, replace_all
from exportdb_rules.torch_api import TYPED_TENSORS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.rewrite.context import FixContext

ITEM: Final = "Replace `{name}()` with `.item()`"
SHAPE: Final = "Replace `len()` with `.shape[0]`"
CLONE: Final = "Replace `deepcopy` with `.clone()`"
DETACH: Final = "Replace `copy` with `.detach()`"
POWER: Final = "Replace `pow` with `**`"
ISINSTANCE: Final = "Replace `type(…)` with `isinstance`, which is true of subclasses too"
MASK: Final = "Convert the mask with `.bool()`"
UNPACKED: Final = "Pass the sizes one by one"
STACK: Final = "Replace `torch.tensor` with `torch.stack`"
TENSOR: Final = "Use `torch.tensor`"


def number_to_item(context: FixContext) -> tuple[Fix, ...]:
    """`int(t)` and `float(t)` as `t.item()`, with the conversion that they imply done on the tensor.

    `safe` where the dtype is known to be one that `.item()` gives the right Python type for; else `unsafe`: `int` raises
    for NaN and infinities, which the conversion of a tensor makes some integer of.
    """
    try:
        place = locate(context, elements=True)
        call, argument = _call(place, ("int", "float"))
        refuse_arrays(place.tree, place.function, argument)
        env = place.environment()
        name = dotted(call.func)
        known = place.inference.infer(argument, env)
        inner = argument
        if isinstance(known, Number):
            # `int(t.item())`: do it on the tensor that the number comes from.
            if not is_item(argument):
                return _truncated(place, call, argument)
            assert isinstance(argument, cst.Call)
            assert isinstance(argument.func, cst.Attribute)
            inner = argument.func.value
            known = place.inference.infer(inner, env)
        if not isinstance(known, TensorSignature):
            return ()
    except FixNotApplicable:
        return ()
    code = parenthesised(place.tree.code(inner))
    dtype = known.observed[0] if known.observed is not None else None
    certain = isinstance(dtype, str)
    seen = certain or (isinstance(dtype, tuple) and dtype[:1] == ("example",))
    if name == "int":
        # int() truncates, and so does the conversion to an integer dtype.
        exact = known.dtype in INTEGERS
        code = f"{code}.item()" if exact and seen else f"{code}.to({place.torch}.int64).item()"
        safe = certain and (exact or known.dtype == "bool")
    else:
        exact = floating(known.dtype)
        code = f"{code}.item()" if exact and seen else f"{code}.to({place.torch}.float64).item()"
        safe = certain
    edits = validated_edits(place, (place.tree.edit(call, code),))
    applicability = Applicability.SAFE if safe and known.shape == SCALAR else Applicability.UNSAFE
    return (Fix(ITEM.format(name=name), applicability, edits, preferred=True, dtypes=True),) if edits else ()


def _truncated(place: FixSite, call: cst.Call, argument: cst.BaseExpression) -> tuple[Fix, ...]:
    """`int(n * t.item())` as the integer of a tensor in double precision, as Python computes."""
    kinds = place.inference.kinds(argument)
    if dotted(call.func) != "int" or not kinds or not all(isinstance(k, domain.Sym) and not k.backed for k in kinds):
        return ()
    edits = _truncated_where_read(place, call, argument) if isinstance(argument, cst.Name) else ()
    edits = validated_edits(place, edits or (place.tree.edit(call, _in_doubles(place, argument)),))
    return (Fix(ITEM.format(name="int"), Applicability.UNSAFE, edits, preferred=True),) if edits else ()


def _in_doubles(place: FixSite, argument: cst.BaseExpression) -> str:
    """The integer of an expression of numbers, computed by a tensor in double precision."""
    items = [one for one in below(argument, cst.Call) if _is_read(one)]
    plain = all(_is_python_number(place, node) for node in _operands(argument))
    if len(items) == 1 and plain and isinstance(argument, cst.BinaryOperation):
        receiver = cst.ensure_type(items[0].func, cst.Attribute).value if not items[0].args else items[0].args[0].value
        tensor = cst.parse_expression(f"{parenthesised(place.tree.code(receiver))}.double()")
        return f"({place.tree.code(replace_all(argument, [(items[0], tensor)]))}).long().item()"
    return f"{place.torch}.full((), {place.tree.code(argument)}, dtype={place.torch}.float64).long().item()"


def _truncated_where_read(place: FixSite, call: cst.Call, name: cst.Name) -> tuple[Edit, ...]:
    """The edits that read `n = t.item()` as an integer where `int(n)` is all that it is for; () where it is not."""
    uses = occurrences(place.function.body, name.value)
    binding = next((use[-3] for use in uses if isinstance(use[-2], cst.AssignTarget)), None)
    given = binding.value if isinstance(binding, cst.Assign) and len(binding.targets) == 1 else None
    if given is None or not is_item(given) or len(uses) != 2:
        return ()
    span, tensor = place.tree.span(given), cst.ensure_type(cst.ensure_type(given, cst.Call).func, cst.Attribute).value
    if span is None:
        return ()
    read = f"{parenthesised(place.tree.code(tensor))}.long().item()"
    return (Edit(span, read), place.tree.edit(call, name.value))


def _operands(node: cst.BaseExpression) -> Iterable[cst.BaseExpression]:
    """The operations of an expression, and what they are of, but for what is read from tensors."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.Add, cst.Subtract, cst.Multiply, cst.Divide)):  # fmt: skip
        yield from _operands(node.left)
        yield from _operands(node.right)
    elif not _is_read(node):
        yield node


def _is_python_number(place: FixSite, node: cst.BaseExpression) -> bool:
    kinds = place.inference.kinds(node)
    return isinstance(node, (cst.Integer, cst.Float)) or (
        bool(kinds) and all(isinstance(kind, (domain.Sym, domain.Const, domain.Static)) for kind in kinds)
    )


def _is_read(node: cst.BaseExpression) -> bool:
    """Whether an expression is `t.item()` or `float(t)`."""
    return is_item(node) or (isinstance(node, cst.Call) and dotted(node.func) == "float" and len(node.args) == 1)


def len_to_shape(context: FixContext) -> tuple[Fix, ...]:
    """`len(t)` as `t.shape[0]`, which may be a symbol where `len` must return an int.

    `safe`: the same number, and a tensor without dimensions has neither (the one raises TypeError, the other IndexError).
    """

    def rewrite(place: FixSite) -> Iterable[Edit]:
        call, argument = _call(place, ("len",))
        if any(
            isinstance(node, (cst.If, cst.IfExp, cst.While, cst.Assert)) and child is node.test
            for node, child in pairwise(place.path)
        ):
            raise FixNotApplicable(NoFix.EXPORT_WOULD_FAIL, "a condition, which is rewritten as a whole")
        kinds = place.inference.kinds(argument)
        if not kinds or not all(type(kind) is domain.Tensor and not kind.array for kind in kinds):
            raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "not sure to be a tensor")
        return [place.tree.edit(call, f"{parenthesised(place.tree.code(argument))}.shape[0]")]

    return make_fix(context, SHAPE, Applicability.SAFE, rewrite, lambda one: locate(one, elements=True))


def deepcopy_to_clone(context: FixContext) -> tuple[Fix, ...]:
    """`copy.deepcopy(t)` as `t.clone()`. `unsafe`: a copied Parameter was a Parameter."""
    return make_fix(context, CLONE, Applicability.UNSAFE, lambda place: _called_on(place, "deepcopy", "clone"))


def copy_to_detach(context: FixContext) -> tuple[Fix, ...]:
    """`copy.copy(t)` as `t.detach()`: another tensor of the same storage, without its history. `unsafe`: a copied
    Parameter was a Parameter."""
    return make_fix(context, DETACH, Applicability.UNSAFE, lambda place: _called_on(place, "copy", "detach"))


def pow_to_operator(context: FixContext) -> tuple[Fix, ...]:
    """The builtin `pow(a, b)` as `a ** b`, which it calls."""

    def rewrite(place: FixSite) -> Iterable[Edit]:
        call = place.call()
        if (
            call is None
            or dotted(call.func) != "pow"
            or len(call.args) != 2
            or any(a.star or a.keyword for a in call.args)
        ):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not the builtin of two arguments")
        base, exponent = (parenthesised(place.tree.code(a.value)) for a in call.args)
        parent = place.path[place.path.index(call) - 1]
        power = f"{base} ** {exponent}"
        inside = not isinstance(parent, (cst.Assign, cst.AnnAssign, cst.Return, cst.Arg, cst.AugAssign))
        return [place.tree.edit(call, f"({power})" if inside else power)]

    return make_fix(context, POWER, Applicability.SAFE, rewrite)


def size_unpacked(context: FixContext) -> tuple[Fix, ...]:
    """`torch.FloatTensor(x.size())` as `torch.FloatTensor(*x.size())`, which makes the same tensor."""

    def rewrite(place: FixSite) -> Iterable[Edit]:
        call = place.call()
        if call is None or len(call.args) != 1 or call.args[0].star or call.args[0].keyword is not None:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call of one argument")
        size = call.args[0].value
        return [place.tree.edit(size, f"*{parenthesised(place.tree.code(size))}")]

    return make_fix(context, UNPACKED, Applicability.SAFE, rewrite)


def mask_to_bool(context: FixContext) -> tuple[Fix, ...]:
    """A mask of uint8 as `mask.bool()`, which is what eager takes it for."""

    def rewrite(place: FixSite) -> Iterable[Edit]:
        kinds = place.inference.kinds(place.node)
        if not kinds or not all(is_byte_mask(kind) for kind in kinds):
            raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "elsewhere the index is no mask of uint8")
        return [place.tree.edit(place.node, f"{parenthesised(place.tree.code(place.node))}.bool()")]

    return make_fix(context, MASK, Applicability.SAFE, rewrite)


def class_to_isinstance(context: FixContext) -> tuple[Fix, ...]:
    """`type(t) is C` as `isinstance(t, C)`. `unsafe`: that is true of subclasses of `C`, too, such as nn.Parameter."""

    def rewrite(place: FixSite) -> Iterable[Edit]:
        test = next((node for node in reversed(place.path) if isinstance(node, cst.Comparison)), None)
        if test is None or len(test.comparisons) != 1:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not one comparison")
        operator, classes = test.comparisons[0].operator, test.comparisons[0].comparator
        read = test.left
        if not isinstance(read, cst.Call) or dotted(read.func) != "type" or len(read.args) != 1:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not type(t)")
        if isinstance(operator, (cst.In, cst.NotIn)) and not isinstance(classes, cst.Tuple):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "isinstance takes a tuple of classes")
        code = f"isinstance({place.tree.code(read.args[0].value)}, {place.tree.code(classes)})"
        if isinstance(operator, (cst.IsNot, cst.NotEqual, cst.NotIn)):
            code = f"not {code}"
        elif not isinstance(operator, (cst.Is, cst.Equal, cst.In)):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no comparison of classes")
        return [place.tree.edit(test, code)]

    return make_fix(context, ISINSTANCE, Applicability.UNSAFE, rewrite)


def _called_on(place: FixSite, copier: str, method: str) -> Iterable[Edit]:
    """A call of a function of the module `copy` on a tensor, as a method of the tensor."""
    call, argument = _call(place, (copier, f"copy.{copier}"))
    if not isinstance(place.inference.infer(argument, place.environment()), TensorSignature):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "not sure to be a tensor")
    return [place.tree.edit(call, f"{parenthesised(place.tree.code(argument))}.{method}()")]


def tensor_to_stack(context: FixContext) -> tuple[Fix, ...]:
    """`torch.tensor([t, 1.0, …])` as `torch.stack`; () unless the elements are 0-dimensional and of one dtype.

    `unsafe`: a gradient flows through `torch.stack`, and did not through the copy.
    """

    def rewrite(place: FixSite) -> Iterable[Edit]:
        call = _enclosing_call(place)
        if len(call.args) != 1 or call.args[0].keyword is not None or call.args[0].star:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
        return (place.tree.edit(call, _stacked(place, call.args[0].value)),)

    return make_fix(context, STACK, Applicability.UNSAFE, rewrite)


def symbols_to_tensor(context: FixContext) -> tuple[Fix, ...]:
    """`torch.as_tensor(n)`, `x.new_tensor([n])` and `torch.FloatTensor([n])` of numbers as `torch.tensor`, which copies them as these
    do."""

    def rewrite(place: FixSite) -> Iterable[Edit]:
        call = place.node
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call of torch")
        name, receiver = call.func.attr.value, call.func.value
        if dotted(call.func) == f"{place.torch}.as_tensor":
            return (place.tree.edit(call.func, f"{place.torch}.tensor"),)
        if len(call.args) != 1 or call.args[0].keyword is not None or call.args[0].star:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
        data = place.tree.code(call.args[0].value)
        dtype = "get_default_dtype()" if name == "Tensor" else TYPED_TENSORS.get(name)
        like = dotted(receiver)
        if like == place.torch and dtype is not None:
            return (place.tree.edit(call, f"{place.torch}.tensor({data}, dtype={place.torch}.{dtype})"),)
        if not like or name not in ("new_tensor", "new"):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the receiver is no name")
        return (place.tree.edit(call, f"{place.torch}.tensor({data}, dtype={like}.dtype, device={like}.device)"),)

    return make_fix(context, TENSOR, Applicability.SAFE, rewrite)


def _stacked(place: FixSite, value: cst.BaseExpression) -> str:
    known = place.inference.infer(value, place.environment())
    if isinstance(known, TensorSignature):
        # torch.tensor(t) copies.
        return f"{parenthesised(place.tree.code(value))}.detach().clone()"
    if not isinstance(known, Items) or not isinstance(value, (cst.List, cst.Tuple)):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the elements are not given as a literal")
    tensors = [i for i in known.items if isinstance(i, TensorSignature)]
    if not tensors or any(t.shape != SCALAR or t.dtype != tensors[0].dtype for t in tensors):
        raise FixNotApplicable(NoFix.ELEMENTS_DIFFER, "the elements may differ")
    if any(isinstance(i, Items) for i in known.items):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a nested list")
    pattern = next(e for e, i in zip(value.elements, known.items, strict=True) if isinstance(i, TensorSignature))
    parts: list[str] = []
    for element, item in zip(value.elements, known.items, strict=True):
        code = place.tree.code(element.value)
        if isinstance(item, TensorSignature):
            parts.append(code)
        elif isinstance(item, Number):
            if item.floating and not floating(tensors[0].dtype):
                raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "a float among integers")
            if not floating(tensors[0].dtype) and (not item.code or tensors[0].dtype != "int64"):
                raise FixNotApplicable(
                    NoFix.DTYPE_MAY_CHANGE, "a number of unknown kind, or of a wider one than the tensors"
                )
            if item.floating and tensors[0].dtype in ("float16", "bfloat16"):
                raise FixNotApplicable(
                    NoFix.DTYPE_MAY_CHANGE,
                    "a Python float is of the default dtype, which is wider than that of the tensors",
                )
            parts.append(f"{place.torch}.full_like({place.tree.code(pattern.value)}, {code})")
        else:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an element that is not a number")
    return f"{place.torch}.stack([{', '.join(parts)}])"


def _call(place: FixSite, names: tuple[str, ...]) -> tuple[cst.Call, cst.BaseExpression]:
    """The call of one of the functions that the finding's expression is, or is the argument of."""
    for node in reversed(place.path[-3:]):
        if isinstance(node, cst.Call) and dotted(node.func) in names:
            if len(node.args) != 1 or node.args[0].star or node.args[0].keyword is not None:
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported call")
            return node, node.args[0].value
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "another call")


def _enclosing_call(place: FixSite) -> cst.Call:
    for node in reversed(place.path):
        if isinstance(node, cst.Call) and dotted(node.func) in (f"{place.torch}.tensor", f"{place.torch}.as_tensor"):
            return node
        if isinstance(node, cst.BaseStatement):
            break
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call of torch.tensor")
