"""Calls that strict export does not trace, and what they are computed with under export instead.

Measured on torch 2.13, in both modes: under `A if torch.compiler.is_exporting() else B` only `A` is traced. A progress bar is
the iterable that it is of, a generator of random numbers the default one, a lock or a setting of the backends
`contextlib.nullcontext()`, and the function that is checkpointed is called directly. Eager does as before.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability
from exportdb_rules.interpreter.torch_library import CHECKPOINT_OPTIONS
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import alone, wrapped
from exportdb_rules.rewrite.fix_site import locate
from exportdb_rules.rewrite.higher_order.operator_call import swapped
from exportdb_rules.rewrite.imports import module_import
from exportdb_rules.rewrite.interface.eager_only import exporting, in_eager
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import arguments, dotted, only_statement

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

DIRECT: Final = "Call the function itself under export"
BAR: Final = "Iterate without the progress bar under export"
GENERATOR: Final = "Use the default generator under export"
LEAF: Final = "Use `requires_grad` in eager only"
MANAGER: Final = "Use the context manager in eager only"
SETTING: Final = "Use the backend setting in eager only"

# What stands in a file that takes a gradient.
_DIFFERENTIATING: Final = ("autograd.grad", "import grad", ".backward(", "vjp", "jacobian", "jacrev", "hessian")
_ANYWHERE: Final = partial(locate, anywhere=True)
# Calls that take an iterable and give its elements.
_ITERATING: Final = frozenset(("enumerate", "zip", "list", "tuple", "iter", "reversed"))


def checkpoint_in_eager(context: FixContext) -> tuple[Fix, ...]:
    """`checkpoint(f, x, use_reentrant=False)` as `f(x)` under export, which has no backward pass to save memory for.

    `safe`: eager does as before. `unsafe` where a dict of options is left out: another caller may pass more than options in it.
    """

    def weighed(place: FixSite) -> Applicability:
        call = place.call()
        return (
            Applicability.UNSAFE
            if call is not None and any(arg.star == "**" for arg in call.args)
            else Applicability.SAFE
        )

    def called(place: FixSite) -> Iterable[Edit]:
        call = place.call()
        if call is None or not call.args or call.args[0].star or call.args[0].keyword is not None:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the function is not the first argument")
        function = call.args[0].value
        given = [arg for arg in call.args[1:] if arg.keyword is None or arg.keyword.value not in CHECKPOINT_OPTIONS]
        given = [arg for arg in given if arg.star != "**" or not _are_options(place, arg.value)]
        codes = [place.tree.code(arg.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for arg in given]
        direct = f"{wrapped(function, place.tree.code(function))}({', '.join(codes)})"
        test, line = exporting(place, context), place.statement()
        small = only_statement([line])
        if not isinstance(small, (cst.Assign, cst.Return)) or small.value is not call:
            return (place.tree.edit(call, f"({direct} if {test} else {place.tree.code(call)})"),)
        assert isinstance(line, cst.SimpleStatementLine)
        bare = line.with_changes(leading_lines=[])
        value = small.with_changes(value=cst.parse_expression(direct))
        inner = cst.IndentedBlock([cst.SimpleStatementLine([value])])
        after = None if isinstance(small, cst.Return) else cst.Else(cst.IndentedBlock([bare]))
        branch = cst.If(cst.parse_expression(test), inner, after, leading_lines=line.leading_lines)
        return swapped(place, [(line, branch if after else cst.FlattenSentinel([branch, bare]))])

    return make_fix(context, DIRECT, weighed, called, any_types=True)


def _are_options(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether a dict holds options of the checkpoint alone.

    Raises:
        FixNotApplicable: what it holds is not known, or is for the function too.
    """
    found = lattice.choices(place.inference.value(node) or domain.TOP)
    if not all(isinstance(one, lattice.Mapping) and one.element is None for one in found):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the options are not written out")
    keys = {key for one in found if isinstance(one, lattice.Mapping) for key in one.items}
    if keys & CHECKPOINT_OPTIONS and keys - CHECKPOINT_OPTIONS:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "options and arguments in one dict")
    return keys <= CHECKPOINT_OPTIONS


def bar_in_eager(context: FixContext) -> tuple[Fix, ...]:
    """A loop over `tqdm(xs)` as one over `xs` under export. `safe`: eager does as before."""

    def bare(place: FixSite) -> Iterable[Edit]:
        call = place.call()
        if call is None:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call")
        if not _is_iterated(place, call):
            raise FixNotApplicable(NoFix.RESULT_USED, "the bar is used for more than the loop")
        given = arguments(call.args)
        if dotted(call.func).endswith("trange"):
            code = f"range({', '.join(map(place.tree.code, given.positional))})" if given.positional else ""
        else:
            iterable = given.get(0, "iterable")
            code = "" if iterable is None else wrapped(iterable, place.tree.code(iterable))
        if not code or any(arg.star == "*" for arg in call.args):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the bar is not of an iterable")
        chosen = _chosen(place, context, call, code)
        # In a comprehension an `if` behind the iterable would filter.
        whole = isinstance(place.upto(call)[-2], (cst.For, cst.Arg))
        return (place.tree.edit(call, chosen if whole else f"({chosen})"),)

    return make_fix(context, BAR, Applicability.SAFE, bare, _ANYWHERE, any_types=True)


def _is_iterated(place: FixSite, call: cst.Call) -> bool:
    """Whether the result of a call is nothing but the elements of a loop or of a comprehension."""
    node: cst.CSTNode = call
    for parent in reversed(place.upto(call)[:-1]):
        if isinstance(parent, (cst.For, cst.CompFor)):
            return parent.iter is node
        if isinstance(parent, cst.Call) and (dotted(parent.func) not in _ITERATING or parent.func is node):
            return False
        if not isinstance(parent, (cst.Arg, cst.Call)):
            return False
        node = parent
    return False


def generator_in_eager(context: FixContext) -> tuple[Fix, ...]:
    """`generator=self.rng` as None under export. `unsafe`: the exported program draws other numbers than eager."""

    def default(place: FixSite) -> Iterable[Edit]:
        call = place.call()
        given = (
            [] if call is None else [a for a in call.args if a.keyword is not None and a.keyword.value == "generator"]
        )
        if len(given) != 1:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the generator is not a keyword argument")
        _refuse_own(place, given[0].value)
        return (place.tree.edit(given[0].value, _chosen(place, context, given[0].value, "None")),)

    return make_fix(context, GENERATOR, Applicability.UNSAFE, default, _ANYWHERE, any_types=True)


def _refuse_own(place: FixSite, node: cst.BaseExpression) -> None:
    """Raises FixNotApplicable where the function itself makes what is used, which is not traced either."""
    if isinstance(node, cst.Name) and node.value in names(place.function.body).writes:
        raise FixNotApplicable(NoFix.NOT_TRACED, "the function makes it itself")


def leaf_in_eager(context: FixContext) -> tuple[Fix, ...]:
    """`requires_grad=True` and `t.requires_grad_()` in eager only, where no gradient is taken in the file.

    `unsafe`: the exported program returns tensors that do not require a gradient, unless what they are computed from does.
    """

    def without(place: FixSite) -> Iterable[Edit]:
        refuse_gradients(place)
        call, test = place.call(), exporting(place, context)
        if call is not None and dotted(call.func).endswith("Variable"):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the obsolete `Variable` is replaced first")
        node, line = place.node, place.statement()
        func = node.func if isinstance(node, cst.Call) else None
        owner = func.value if isinstance(func, cst.Attribute) and func.attr.value == "requires_grad_" else None
        for arg in call.args if call is not None and owner is None else ():
            if arg.keyword is not None and arg.keyword.value == "requires_grad":
                flag = "" if dotted(arg.value) == "True" else f"{wrapped(arg.value, place.tree.code(arg.value))} and "
                return (place.tree.edit(arg.value, f"{flag}not {test}"),)
        small = only_statement([line])
        called = isinstance(small, cst.Expr) and small.value is node
        assigned = isinstance(small, cst.Assign) and [target.target for target in small.targets] == [node]
        if line is not None and (called or assigned):
            return in_eager(place, context, line)
        if owner is None:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call that requires a gradient")
        return (place.tree.edit(node, f"({place.tree.code(owner)} if {test} else {place.tree.code(node)})"),)

    return make_fix(context, LEAF, Applicability.UNSAFE, without, any_types=True)


def refuse_gradients(place: FixSite) -> None:
    """Raises FixNotApplicable where a gradient is taken in the file: it may be the one that a tensor is to require."""
    if any(place.tree.mentions(word) for word in _DIFFERENTIATING):
        raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "a gradient is taken in the same file")


def manager_in_eager(context: FixContext) -> tuple[Fix, ...]:
    """`with self.lock:` without the lock under export, and the like. `safe`: eager does as before, and a graph has no use for it."""
    return make_fix(context, MANAGER, Applicability.SAFE, lambda place: _unmanaged(place, context), any_types=True)


def setting_in_eager(context: FixContext) -> tuple[Fix, ...]:
    """`with torch.backends.cudnn.flags(…):` without the setting under export. `unsafe`: the exported program runs on the
    backends that are set when it is called."""
    return make_fix(context, SETTING, Applicability.UNSAFE, lambda place: _unmanaged(place, context), any_types=True)


def _unmanaged(place: FixSite, context: FixContext) -> Iterable[Edit]:
    item = place.upto(place.node)[-2]
    if not isinstance(item, cst.WithItem) or item.asname is not None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a context manager of a `with` statement")
    _refuse_own(place, place.node)
    if "fork_rng" in dotted(place.node.func if isinstance(place.node, cst.Call) else place.node):
        raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "the exported program has no state of the generator to go back to")
    return (
        *module_import(place.tree, "contextlib"),
        place.tree.edit(place.node, _chosen(place, context, place.node, "contextlib.nullcontext()")),
    )


def _chosen(place: FixSite, context: FixContext, node: cst.BaseExpression, code: str) -> str:
    """The code of an expression that is another one under export."""
    return f"{code} if {exporting(place, context)} else {alone(place.tree.code(node))}"
