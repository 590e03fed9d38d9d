"""Operators that look at the numbers they are given, as formulas that do not.

Measured on torch 2.13, in both modes, also for inputs that make eager raise: a centred product is the covariance;
`triu_indices` count the pairs of `combinations`; `pinv(a) @ b` solves what `linalg.lstsq` solves, of all solutions the
smallest one too; and the check of `gaussian_nll_loss` for negative variances becomes an assertion in the graph.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.equivalents.elements import elementwise
from exportdb_rules.rewrite.equivalents.tensor_call import TensorCall, computed, within
from exportdb_rules.rewrite.fix_site import FixSite
from exportdb_rules.rewrite.known.signature import SCALAR, TensorSignature, agree, floating, numeric
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import arguments, dotted, index_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Replace `{name}` with its formula"


def operator_to_formula(context: FixContext) -> tuple[Fix, ...]:
    """The call of an operator that looks at its numbers, as what it computes.

    `unsafe`: the last digits may differ, and where eager raised ValueError an assertion of the graph fails.
    """
    case = context.finding.case
    if case == "apply_to_elements":
        return elementwise(context)
    make = _FORMULAS.get(case)
    if make is None:
        return ()
    return make_fix(context, lambda place: TITLE.format(name=_name(place, case)), Applicability.UNSAFE, make)


def _name(place: FixSite, case: str) -> str:
    """The operator that the title names: a finding of `covariance` is of `cov` or of `corrcoef`."""
    if case == "covariance":
        return TensorCall(place).name
    return {"least_squares": "lstsq", "gaussian_nll": "gaussian_nll_loss"}.get(case, case)


def _covariance(place: FixSite) -> Iterable[Edit]:
    call = TensorCall(place)
    if call.tensor is None or call.name not in ("cov", "corrcoef"):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no call of them")
    call.check_tensor(call.tensor)
    call.refuse_more(0, "correction", "input", "fweights", "aweights")
    if any(dotted(call.named[name]) != "None" for name in ("fweights", "aweights") if name in call.named):
        raise FixNotApplicable(NoFix.NO_EQUIVALENT, "the observations have weights")
    correction = call.number(1, "correction", default=1)
    # One row of observations may come without a dimension of its own.
    rows = call.another("rows")
    call.lines.append(f"{rows} = {place.torch}.atleast_2d({place.tree.code(call.tensor)})")
    count = f"{rows}.shape[1]"
    centred = call.bind("centred", f"{rows} - {rows}.sum(1, keepdim=True) / {count}")
    if correction:
        # There are never less than no degrees of freedom.
        count = f"max({count} - {correction}, 0)" if correction > 0 else f"({count} + {-correction})"
    # `H` is for matrices alone, as the covariance is.
    product = f"{centred} @ {centred}.H / {count}"
    if call.name == "cov":
        return computed(call, call.node, f"({product}).squeeze()")
    covariance = call.bind("covariance", product)
    deviation = call.bind("deviation", f"{covariance}.diagonal().sqrt()")
    code = f"({covariance} / {deviation}.unsqueeze(1) / {deviation}).clip(-1, 1).squeeze()"
    return computed(call, call.node, code)


def _combinations(place: FixSite) -> Iterable[Edit]:
    call = TensorCall(place)
    call.refuse_more(2, "r", "with_replacement")
    if call.tensor is None or call.number(0, "r", default=2) != 2:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not pairs")
    start = 0 if call.flag(1, "with_replacement") else 1
    values = call.name_of(call.tensor, "values")
    size = f"{values}.shape[0]"
    pairs = f"{place.torch}.triu_indices({size}, {size}, {start}, device={values}.device)"
    # `t` is for matrices alone, and combinations are of vectors alone.
    return computed(call, call.node, f"{values}[{pairs}].t().contiguous()")


def _least_squares(place: FixSite) -> Iterable[Edit]:
    call = TensorCall(place)
    call.refuse_more(1, "B", "driver")
    right = call.argument(0, "B")
    if call.tensor is None or right is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    solution = (isinstance(call.parent, cst.Attribute) and call.parent.attr.value == "solution") or (
        isinstance(call.parent, cst.Subscript) and index_of(call.parent) == 0
    )
    if not solution:
        raise FixNotApplicable(NoFix.RESULT_USED, "more than the solution is used")
    left, known = call.known(call.tensor), call.known(right)
    ranks = [numeric(s.shape) if isinstance(s, TensorSignature) else None for s in (left, known)]
    if ranks[0] is None or ranks[1] is None or (len(ranks[0]) != 2 and len(ranks[0]) != len(ranks[1])):
        # A batch of vectors looks like a matrix.
        raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "whether these are vectors or matrices is not known")
    matrix, vector = place.tree.code(call.tensor), parenthesised(place.tree.code(right))
    code = f"{place.torch}.linalg.pinv({matrix}) @ {vector}"
    return computed(call, call.parent, within(call.above, code))


def _gaussian(place: FixSite) -> Iterable[Edit]:
    call = TensorCall(place)
    options = _options(call)
    if call.tensor is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    target, variance = call.argument(0, "target"), call.argument(1, "var")
    if target is None or variance is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    one, two = call.known(call.tensor), call.known(variance)
    if not agree(one, two) or not isinstance(two, TensorSignature) or not floating(two.dtype):
        raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "the variances may be of another shape")
    mean, var = call.name_of(call.tensor, "mean"), call.name_of(variance, "var")
    goal = parenthesised(place.tree.code(target))
    call.lines += [
        f'assert {var}.shape == {mean}.shape, "var is of incorrect size"',
        f'{place.torch}._assert_async(~({var} < 0).any(), "var has negative entry/entries")',
    ]
    # Its gradient is that of the variances themselves, as it is in torch.
    bounded = call.bind("bounded", f"{var}.clone()")
    call.lines += [f"with {place.torch}.no_grad():", f"    {bounded}.clamp_(min={options['eps']})"]
    loss = f"0.5 * ({bounded}.log() + ({mean} - {goal}) ** 2 / {bounded})"
    if options["full"] == "True":
        loss += f" + {0.5 * math.log(2 * math.pi)!r}"
    elif options["full"] != "False":
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "an option is not a literal")
    reduction = options["reduction"].strip("\"'")
    if reduction not in ("mean", "sum", "none"):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "an option is not a literal")
    return computed(call, call.node, within(call.parent, loss) if reduction == "none" else f"({loss}).{reduction}()")


def _nested(place: FixSite) -> Iterable[Edit]:
    call = TensorCall(place, "nested_tensor", "as_nested_tensor")
    given = call.argument(0, "tensor_list", "ts")
    at = place.path.index(call.node)
    padding = place.path[at - 2]
    call.refuse_more(1, "tensor_list", "ts")
    if not isinstance(given, (cst.List, cst.Tuple)) or not given.elements:
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the tensors are not given as a literal")
    if not isinstance(call.parent, cst.Attribute) or call.parent.attr.value != "to_padded_tensor":
        raise FixNotApplicable(NoFix.RESULT_USED, "more is done with the nested tensor than to pad it")
    if not isinstance(padding, cst.Call) or padding.func is not call.parent or len(padding.args) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "it is padded to a size")
    parts = [element.value for element in given.elements if not isinstance(element, cst.StarredElement)]
    known = [call.known(part) for part in parts]
    alike = all(isinstance(k, TensorSignature) and k.shape not in (None, SCALAR) and agree(known[0], k) for k in known)
    if len(parts) != len(given.elements) or not (alike or all(_is_row(call, part) for part in parts)):
        raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "the tensors may differ in more than their length")
    fill = padding.args[0]
    if fill.star or (fill.keyword is not None and fill.keyword.value != "padding"):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "it is padded to a size")
    code = ", ".join([place.tree.code(part) for part in parts])
    made = f"{place.torch}.nn.utils.rnn.pad_sequence([{code}], batch_first=True, padding_value={place.tree.code(fill.value)})"
    return computed(call, padding, made)


def _is_row(call: TensorCall, node: cst.BaseExpression) -> bool:
    """Whether an expression is sure to be a tensor of one dimension."""
    value = call.place.inference.value(node)
    kinds = lattice.choices(value) if value is not None else ()
    return bool(kinds) and all(isinstance(c, domain.Tensor) and c.rank == 1 for c in kinds)


def _options(call: TensorCall) -> dict[str, str]:
    """The code of the options of a Gaussian loss, where they are given: in the call, or to the constructor of the module."""
    options = {"full": "False", "eps": "1e-06", "reduction": '"mean"'}
    given: dict[str, cst.BaseExpression] = {}
    if call.function.startswith("self."):
        made = call.place.inference.submodules.calls.get(call.function.removeprefix("self."))
        if made is None or any(a.keyword is None or a.star for a in made.args):
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the options are not known")
        given = arguments(made.args).named
        # The method that `self.loss(…)` looks like has no tensor in front of its name.
        call.tensor = call.positional.pop(0) if call.positional else call.named.pop("input", None)
        call.refuse_more(2, "target", "var")
    else:
        call.refuse_more(2, "target", "var", *options)
        given = {name: node for name, node in call.named.items() if name in options}
    for name, node in given.items():
        if name not in options or not isinstance(node, (cst.Name, cst.Float, cst.Integer, cst.SimpleString)):
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "an option is not a literal")
        if name == "eps" and isinstance(node, cst.Name):
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "an option is not a literal")
        options[name] = call.place.tree.code(node)
    return options


_FORMULAS: Final[dict[str, Callable[[FixSite], Iterable[Edit]]]] = {
    "covariance": _covariance,
    "combinations": _combinations,
    "least_squares": _least_squares,
    "gaussian_nll": _gaussian,
    "nested_tensor": _nested,
}
