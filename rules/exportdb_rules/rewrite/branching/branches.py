"""Branches of one function as calls of `torch.cond`, inner ones first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.branch_lowering import (
    BranchLowering,
    Statements,
    refuse_unbacked,
    without_aliases,
)
from exportdb_rules.rewrite.branching.condition import Predicate
from exportdb_rules.rewrite.branching.escapes import escaping_mutations
from exportdb_rules.rewrite.branching.float_outputs import Casts, as_floats, casts, of_floats, restored
from exportdb_rules.rewrite.branching.operands import in_order, listed, passed
from exportdb_rules.rewrite.branching.predicate import Predicates
from exportdb_rules.rewrite.branching.states import buffer_writes, is_parameter, signature
from exportdb_rules.rewrite.branching.where import comments_in, selected
from exportdb_rules.rewrite.effort import consume_fuel
from exportdb_rules.rewrite.fix_site import all_names, local_names, unused
from exportdb_rules.rewrite.imports import torch_name
from exportdb_rules.rewrite.known.inference import asked_for_none
from exportdb_rules.rewrite.known.liveness import (
    Live,
    arms,
    contains,
    definitely_assigned,
    live_in,
    never_falls_through,
    returns,
)
from exportdb_rules.rewrite.known.mutation import copy_is_observable, is_unaliased, side_effects
from exportdb_rules.rewrite.known.names import names, targets
from exportdb_rules.rewrite.known.signature import Items, TensorSignature, agree, floating, not_none
from exportdb_rules.rewrite.looping.gradients import without_gradients
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, integer, line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.rewrite.known.inference import Environment, Inference

_IMMOVABLE: Final = (
    cst.Yield, cst.Await, cst.Global, cst.Nonlocal, cst.Del, cst.Raise, cst.Break, cst.Continue, cst.Try,
    cst.TryStar, cst.ClassDef, cst.Import, cst.ImportFrom, cst.Match, cst.NamedExpr,
)  # fmt: skip


# What one branch costs besides looking at its code: what is made of it is looked at again for each branch around it.
_STEPS: Final = 300


def immovable(block: Sequence[cst.CSTNode]) -> bool:
    """Whether code holds what cannot be moved into another function."""
    return contains(block, *_IMMOVABLE) or _bare_super(block)


class Builder:
    """Turns branches of one function into calls of `torch.cond`, inner ones first."""

    def __init__(self, place: FixSite) -> None:
        self.place = place
        self.inference = place.inference
        self.predicates = Predicates(place.inference, place.torch, tensors=True)
        self._taken = {*all_names(place.tree)}
        self._locals = local_names(place.function)
        # What may run after all that is rewritten.
        self.after: list[cst.CSTNode] = []
        self._names: dict[cst.If, tuple[str, str]] = {}
        self._without_gradients = without_gradients(place)

    def name(self, wanted: str) -> str:
        """A name that the text does not have, and that is not given out again."""
        name = unused(wanted, self._taken)
        self._taken.add(name)
        return name

    def convert(
        self, node: cst.If, rest: Statements, live: Live, env: Environment, assigned: set[str]
    ) -> tuple[Statements, bool]:
        """The statements that replace an `if`, and whether they replace the rest of its block too.

        `live`: what may be read after the `if`. `env`, `assigned`: the signatures, and the names certainly assigned,
        before it. Raises FixNotApplicable if no rewrite is faithful.
        """
        consume_fuel(_STEPS)
        body, other = arms(node)
        for side in (body, other):
            if immovable(side):
                raise FixNotApplicable(NoFix.SIDE_EFFECT, "a branch holds what cannot be moved into a function")
        env = dict(env)
        predicate = self.predicates.translate(node.test, env)
        # What the test binds is there for both sides, and is passed to them as what else they read.
        self.inference.bind_test(node.test, env)
        if (name := _optional(predicate)) in env:
            env[name] = not_none(env[name])
        self._names[node] = (self.name("true_branch"), self.name("false_branch"))
        if self.inference.sizes:
            self._refuse_equal_sizes(node, rest)
        before, self.inference.rebound = self.inference.rebound, self._rebound(node, rest)
        try:
            return self._converted(node, predicate, rest, live, env, assigned)
        finally:
            self.inference.rebound = before

    def inner(
        self, node: cst.If, rest: Statements, live: Live, env: Environment, assigned: set[str]
    ) -> tuple[Statements, bool]:
        """`convert` of a branch within a side, which is `torch.where` where both of its sides are cheap."""
        try:
            lines = selected(self.place, node, live, assigned, env, [*rest, *self.after])
        except FixNotApplicable:
            return self.convert(node, rest, live, env, assigned)
        lines[0] = lines[0].with_changes(leading_lines=[*node.leading_lines, *comments_in(node)])
        return lines, False

    def _refuse_equal_sizes(self, node: cst.If, rest: Statements) -> None:
        """Raises FixNotApplicable where a side may need what the test asks: that the sizes of two tensors are the same. Tracing
        goes through both sides with sizes that differ."""
        test = node.test
        only = test.comparisons[0] if isinstance(test, cst.Comparison) else None
        if (
            only is None
            or not isinstance(only.operator, (cst.Equal, cst.NotEqual))
            or integer(only.comparator) is not None
        ):
            return
        side = arms(node)[isinstance(only.operator, cst.NotEqual)]
        for statement in side if never_falls_through(side) else [*side, *rest]:
            for one in [*below(statement, cst.BinaryOperation), *below(statement, cst.Call)]:
                parts = [one.left, one.right] if isinstance(one, cst.BinaryOperation) else [one.func, *one.args]
                sizes = [size for part in parts if (size := self._sizes(part)) != ()]
                if len(sizes) > 1 and any(size is None or any(type(n) is domain.Sym for n in size) for size in sizes):
                    raise FixNotApplicable(NoFix.UNTRACEABLE, "a side may need the sizes to be equal")

    def _sizes(self, node: cst.CSTNode) -> tuple[domain.Value, ...] | None:
        """The sizes of a tensor that is an operand, an argument, or the receiver of a method: None where they are not all known, ()
        of what has none."""
        kinds = self.inference.kinds(node.value if isinstance(node, (cst.Arg, cst.Attribute)) else node)
        sizes = [kind.dims for kind in kinds if isinstance(kind, domain.Tensor)]
        return () if not sizes else sizes[0] if len(sizes) == 1 else None

    def _rebound(self, node: cst.If, rest: Statements) -> set[str]:
        """The names of numbers that may differ between the sides, there or in the code that each of them goes on to."""
        bound = [assign for side in arms(node) for statement in side for assign in below(statement, cst.Assign)]
        tensors = {
            name.value
            for assign in bound
            if self.inference.is_tensor(assign.value)
            for target in assign.targets
            for name in targets(target.target)
        }
        found = self.inference.rebound | (names([s for side in arms(node) for s in side]).writes - tensors)
        later = [assign for statement in rest for assign in below(statement, cst.Assign)]
        later = [assign for assign in later if not self.inference.is_tensor(assign.value)]
        count = -1
        while len(found) > count:
            count = len(found)
            for assign in [assign for assign in later if names(assign.value).reads & found]:
                found |= names(assign).writes
        bounds = [bound for statement in (node, *rest) for bound in below(statement, cst.Slice)]
        if self.inference.sizes and names(bounds).reads & found:
            raise FixNotApplicable(NoFix.UNTRACEABLE, "each side would assert its own bound of a dynamic dimension")
        return found

    def _converted(
        self,
        node: cst.If,
        predicate: Predicate,
        rest: Statements,
        live: Live,
        env: Environment,
        assigned: set[str],
    ) -> tuple[Statements, bool]:
        body, other = arms(node)
        if contains(body, cst.Return) or contains(other, cst.Return):
            return self._returning(node, predicate, rest, env, assigned)
        try:
            return self._assigning(node, predicate, rest, live, env, assigned), False
        except FixNotApplicable:
            # What the sides choose need be no tensor (a module, a number of rounds) where the rest is done by each of them.
            if not never_falls_through(rest):
                raise
            return self._returning(node, predicate, rest, env, assigned)

    # --- both sides go on ---------------------------------------------------------------------------------------

    def _assigning(
        self,
        node: cst.If,
        predicate: Predicate,
        rest: Statements,
        live: Live,
        env: Environment,
        assigned: set[str],
    ) -> Statements:
        states = self._states([s for side in arms(node) for s in side], env)
        copies = self._copies(arms(node), env)
        parts = [
            BranchLowering(self, side, env, footer, states, list(copies))
            for side, footer in zip(arms(node), _footers(node), strict=True)
        ]
        changed = set[str]().union(*[p.written for p in parts])
        outputs = [n for n in in_order(node) if n in changed and n in live and n not in copies]
        if not outputs and not states and not copies:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the branch computes nothing that is used")
        for part in parts:
            for name in outputs:
                if name not in part.assigned and name not in assigned:
                    raise FixNotApplicable(NoFix.POSSIBLY_UNBOUND, f"{name} may have no value in one branch")
            part.prepare(frozenset([*outputs, *copies, *states.values()]), assigned)
            part.finish(tuple_of([*[cst.Name(n) for n in outputs], *part.outputs]))
            for name, storages in [(n, r) for n, r in part.borrowed.items() if n not in copies]:
                own = env.get(name)
                if (
                    isinstance(own, TensorSignature)
                    and storages <= own.storages
                    and is_unaliased(name, env, [self.place.function.body])
                ):
                    # Nobody but the name itself has the tensor.
                    continue
                if copy_is_observable(name, storages, env, [*rest, *self.after]):
                    raise FixNotApplicable(
                        NoFix.ALIASED_WRITE, f"{name} is changed in place later, and would be a copy then"
                    )
        self._check(parts)
        signatures = parts[0].results[0]
        wanted = self._as_floats(parts)
        functions, call = self._call(node, parts, env, self._copied(states, copies))
        given = [*outputs, *copies.values(), *states.values()]
        target = cst.ensure_type(tuple_of([cst.Name(n) for n in given]), cst.BaseAssignTargetExpression)
        done = self._guarded(
            predicate, functions, call, parts, lambda value: cst.Assign([cst.AssignTarget(target)], value)
        )
        items = signatures.items if len(given) > 1 and isinstance(signatures, Items) else (signatures,)
        for name, known in zip(outputs, items, strict=False):
            env[name] = without_aliases(known, self.inference.fresh())
        done += [line(f"{name} = {name}.{wanted[at][1]}") for at, name in enumerate(outputs) if at in wanted]
        return [*done, *_copied_back(copies), *written_back(states, self.inference)]

    # --- a side returns -----------------------------------------------------------------------------------------

    def _returning(
        self, node: cst.If, predicate: Predicate, rest: Statements, env: Environment, assigned: set[str]
    ) -> tuple[Statements, bool]:
        both = arms(node)
        goes_on = [not never_falls_through(side) for side in both]
        if any(goes_on) and immovable(rest):
            raise FixNotApplicable(NoFix.SIDE_EFFECT, "the rest of the block cannot be moved into a function")
        first: Statements = []
        if all(goes_on) and not _short(rest):
            first, rest = self._continuation(node, rest, env, assigned)
        blocks = [[*side, *rest] if on else side for side, on in zip(both, goes_on, strict=True)]
        if not all(never_falls_through(block) for block in blocks):
            raise FixNotApplicable(NoFix.POSSIBLY_UNBOUND, "a path leaves the block without a value")
        states = self._states([s for block in blocks for s in block], env)
        copies = self._copies(blocks, env)
        parts = [
            BranchLowering(self, block, env, footer, states, list(copies))
            for block, footer in zip(blocks, _footers(node), strict=True)
        ]
        for part in parts:
            part.returning_outputs()
            part.prepare(frozenset(copies), assigned)
            part.finish(None)
        self._check(parts)
        wanted = {} if states or copies else self._as_floats(parts)
        functions, call = self._call(node, parts, env, self._copied(states, copies))
        if first:
            functions[0] = functions[0].with_changes(leading_lines=[cst.EmptyLine(indent=False), *node.leading_lines])
            first[0] = first[0].with_changes(leading_lines=[])
        functions = [*first, *functions]
        if not states and not copies and not wanted:
            return self._guarded(predicate, functions, call, parts, lambda value: cst.Return(value)), True
        result = parts[0].results[0]
        bare = (len(result.items) if isinstance(result, Items) else 1) == len(states) + len(copies) and not any(
            found.value for block in blocks for found in returns(block)
        )
        name = "" if bare else self.name("result")
        given = [*([] if bare else [name]), *copies.values(), *states.values()]
        target = cst.ensure_type(tuple_of([cst.Name(n) for n in given]), cst.BaseAssignTargetExpression)
        done = self._guarded(
            predicate, functions, call, parts, lambda value: cst.Assign([cst.AssignTarget(target)], value)
        )
        last = line(f"return {restored(name, result, wanted) if wanted else name}".rstrip())
        return [*done, *_copied_back(copies), *written_back(states, self.inference), last], True

    def _continuation(
        self, node: cst.If, rest: Statements, env: Environment, assigned: set[str]
    ) -> tuple[Statements, Statements]:
        """The rest of a block that both sides go on to, as a function; and the statement that calls it."""
        if not never_falls_through(rest):
            raise FixNotApplicable(NoFix.POSSIBLY_UNBOUND, "a path leaves the block without a value")
        changed = side_effects(rest)
        if changed.unsupported or changed.names or buffer_writes(rest, self.inference):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "the rest of the block changes something in place")
        refuse_unbacked(rest, self.inference)
        self.refuse_undecided(rest, env)
        bound = names([s for side in arms(node) for s in side]).writes
        read = live_in(rest, frozenset()) & self._locals
        for side in arms(node):
            if not never_falls_through(side) and not (read & bound) <= definitely_assigned(side) | assigned:
                raise FixNotApplicable(NoFix.POSSIBLY_UNBOUND, "a name may have no value after one branch")
        order = dict.fromkeys(n for statement in (node, *rest) for n in in_order(statement))
        given = [n for n in order if n in read and (n in bound or isinstance(env.get(n), TensorSignature))]
        name = self.name("rest")
        function = cst.FunctionDef(
            cst.Name(name),
            cst.Parameters([cst.Param(cst.Name(n)) for n in given]),
            cst.IndentedBlock([_without_blank_lines(rest[0]), *rest[1:]]),
        )
        self.inference.functions[name] = function
        call = cst.parse_statement(f"return {name}({', '.join(given)})")
        return [function], [cst.ensure_type(call, cst.SimpleStatementLine)]

    def _states(self, block: Statements, env: Environment) -> dict[str, str]:
        """The buffers that statements write, each with a name for its local stand-in, of which `env` learns what it is."""
        states = {name: self.name(name) for name in buffer_writes(block, self.inference)}
        self._locals |= set(states.values())
        if not self._without_gradients:
            env.update({local: signature(name, self.inference) for name, local in states.items()})
        return states

    def _copies(self, blocks: Sequence[Statements], env: Environment) -> dict[str, str]:
        """The tensors that statements change in place and that others may see, each with a name for what it becomes."""
        return {name: self.name(f"new_{name}") for name in escaping_mutations(blocks, env, self.place)}

    def refuse_undecided(self, block: Sequence[cst.CSTNode], env: Environment) -> None:
        """Raises FixNotApplicable where code asks data which way to go: `torch.cond` raises, in eager too."""
        tests = [node.test for kind in (cst.If, cst.IfExp, cst.While) for one in block for node in below(one, kind)]
        if any(self.predicates.decides(test, env) for test in tests):
            raise FixNotApplicable(NoFix.UNTRACEABLE, "a branch on data is left in the code of a side")

    def _as_floats(self, parts: Sequence[BranchLowering]) -> Casts:
        """The outputs that both sides have to give as floats, which they do from now on."""
        wanted = {} if self._without_gradients else casts(parts[0].results[0])
        result = of_floats(parts[0].results[0], wanted)
        changed = [as_floats(part.block, result, wanted, self.inference) for part in parts] if wanted else []
        if not changed or any(block is None for block in changed):
            return {}
        for part, block in zip(parts, changed, strict=True):
            part.block, part.results = block or part.block, [result]
        return wanted

    def _copied(self, states: Mapping[str, str], copies: Iterable[str]) -> dict[str, str]:
        """What is passed for an operand that is written again behind the call: a copy, since the backward pass needs what
        the branches read as it was."""
        own = {local: f"self.{name}.clone()" for name, local in states.items()}
        return own if self._without_gradients else own | {name: f"{name}.clone()" for name in copies}

    # --- what both have in common -------------------------------------------------------------------------------

    def _check(self, parts: list[BranchLowering]) -> None:
        first = parts[0].results[0]
        if not all(p.results and all(agree(first, result, presume=True) for result in p.results) for p in parts):
            raise FixNotApplicable(NoFix.BRANCHES_DIFFER, "the branches may return different dtypes or shapes")

    def _call(
        self, node: cst.If, parts: list[BranchLowering], env: Environment, copied: Mapping[str, str]
    ) -> tuple[Statements, list[str]]:
        """The branch functions, and the code of: the true function, the false one, the operands as they are passed (those
        that are `copied`, as it says)."""
        free = set[str]().union(*[live_in(p.block, frozenset()) for p in parts]) & self._locals
        needed = {n for p in parts for n in live_in(p.block, frozenset()) if n in names(p.block).writes}
        order = in_order(node)
        operands = [n for n in order if n in free and isinstance(env.get(n), TensorSignature)]
        operands += sorted(n for n in free if isinstance(env.get(n), TensorSignature) and n not in operands)
        if not needed <= set(operands):
            raise FixNotApplicable(NoFix.SIDE_EFFECT, "a branch changes a name that holds no tensor")
        code = [s for p in parts for s in p.block]
        plain = dict(zip(operands, passed(operands, env, code), strict=True))
        arguments = [copied.get(name, argument) for name, argument in plain.items()]
        pair = self._names[node]
        functions: Statements = []
        for name, part, (header, leading) in zip(pair, parts, _comments(node), strict=True):
            functions.append(
                cst.FunctionDef(
                    cst.Name(name),
                    cst.Parameters([cst.Param(cst.Name(o)) for o in operands]),
                    cst.IndentedBlock(part.block, header=header),
                    leading_lines=[cst.EmptyLine(indent=False), *leading] if functions else leading,
                )
            )
        return functions, [*pair, *arguments]

    def _guarded(
        self,
        predicate: Predicate,
        functions: Statements,
        call: list[str],
        parts: list[BranchLowering],
        use: Callable[[cst.BaseExpression], cst.BaseSmallStatement],
    ) -> Statements:
        true, false, *operands = call
        arguments = [predicate.code, true, false, *([listed(operands)] if operands else [])]
        value = cst.parse_expression(f"{self.place.torch}.cond({', '.join(arguments)})")
        self.inference.known[value] = without_aliases(parts[0].results[0], self.inference.fresh())
        line: cst.BaseStatement = cst.SimpleStatementLine([use(value)], leading_lines=[cst.EmptyLine(indent=False)])
        if not predicate.guard:
            return [*functions, line]
        # What Python decides stays an `if`: the other part may not even have a value where it does not hold.
        chosen = false if predicate.operator == "and" else true
        if (name := _optional(predicate)) and name in [code.partition(".")[0] for code in operands]:
            if name not in operands:
                raise FixNotApplicable(NoFix.MAY_BE_NONE, f"{name} is None where the call would copy it")
            known = parts[predicate.operator == "and"].where_none(name)
            if not known or not all(agree(parts[0].results[0], result, presume=True) for result in known):
                raise FixNotApplicable(NoFix.MAY_BE_NONE, f"a branch needs {name}, and it may be None")
        direct = cst.parse_expression(f"{chosen}({', '.join(operands)})")
        self.inference.known[direct] = self.inference.known[value]
        inner = cst.SimpleStatementLine([use(value)])
        outer = cst.SimpleStatementLine([use(direct)])
        one, two = (inner, outer) if predicate.operator == "and" else (outer, inner)
        return [
            *functions,
            cst.If(
                cst.parse_expression(predicate.guard),
                cst.IndentedBlock([one]),
                cst.Else(cst.IndentedBlock([two])),
                leading_lines=[cst.EmptyLine(indent=False)],
            ),
        ]


def _optional(predicate: Predicate) -> str:
    """The name that is not None where the tensor part of a test is asked; '' if none is asked for."""
    if not predicate.guard:
        return ""
    name, nothing = asked_for_none(cst.parse_expression(predicate.guard))
    return name if nothing is (predicate.operator == "or") else ""


def _short(block: Sequence[cst.CSTNode]) -> bool:
    """Whether code is so short that writing it twice does no harm: one simple statement."""
    return len(block) == 1 and isinstance(only := block[0], cst.SimpleStatementLine) and len(only.body) == 1


def _without_blank_lines(node: cst.BaseStatement) -> cst.BaseStatement:
    """A statement as the first of a block: the comments above it stay."""
    lines: Sequence[cst.EmptyLine] = getattr(node, "leading_lines", ())
    first = next((i for i, line in enumerate(lines) if line.comment is not None), len(lines))
    return node.with_changes(leading_lines=lines[first:])


def _copied_back(copies: dict[str, str]) -> Statements:
    return [line(f"{name}.copy_({new})") for name, new in copies.items()]


def written_back(states: dict[str, str], inference: Inference) -> Statements:
    """What makes the buffers (and parameters) what the branch made of their stand-ins.

    In eager all outputs of torch.cond have a history as soon as one has, and a buffer must not get one.
    """
    lines: Statements = []
    under: Statements = []
    for name, local in states.items():
        parameter = is_parameter(name, inference)
        value = f"{local}.detach()" if floating(signature(name, inference).dtype) and not parameter else local
        (under if parameter else lines).append(line(f"self.{name}.copy_({value})"))
    if under:
        no_grad = cst.WithItem(cst.parse_expression(f"{torch_name(inference.tree)}.no_grad()"))
        lines.append(cst.With([no_grad], cst.IndentedBlock(under)))
    return lines


def tuple_of(nodes: Sequence[cst.BaseExpression]) -> cst.BaseExpression:
    """What a function returns several values as, or the one of them."""
    if len(nodes) == 1:
        return nodes[0]
    return cst.Tuple([cst.Element(n) for n in nodes], lpar=[], rpar=[])


def _comments(node: cst.If) -> list[tuple[cst.TrailingWhitespace, Sequence[cst.EmptyLine]]]:
    """The comments at the head of each side: behind the colon, and on the lines above."""
    other = node.orelse
    first = (_header(node.body), node.leading_lines)
    if isinstance(other, cst.Else):
        return [first, (_header(other.body), other.leading_lines)]
    return [first, (cst.TrailingWhitespace(newline=cst.Newline()), [])]


def _footers(node: cst.If) -> list[Sequence[cst.EmptyLine]]:
    """The comments at the foot of each side, below its last statement."""
    other = node.orelse
    return [_footer(node.body), _footer(other.body) if isinstance(other, cst.Else) else []]


def _footer(body: cst.BaseSuite) -> Sequence[cst.EmptyLine]:
    return body.footer if isinstance(body, cst.IndentedBlock) else []


def _header(body: cst.BaseSuite) -> cst.TrailingWhitespace:
    if isinstance(body, cst.IndentedBlock):
        return body.header
    return cst.TrailingWhitespace(newline=cst.Newline())


def _bare_super(block: Sequence[cst.CSTNode]) -> bool:
    """Whether `super()` is called without arguments: it would look for its object in the new function."""
    return any(dotted(call.func) == "super" and not call.args for node in block for call in below(node, cst.Call))
