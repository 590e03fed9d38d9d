"""One side of a branch on its way to become the body of a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching import states as buffers
from exportdb_rules.rewrite.branching.number_outputs import with_swaps
from exportdb_rules.rewrite.known.arrays import refuse_numpy
from exportdb_rules.rewrite.known.liveness import Live, definitely_assigned, live_in
from exportdb_rules.rewrite.known.mutation import changed_from_outside, is_unaliased, side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import (
    NOTHING,
    Items,
    Signature,
    TensorSignature,
    kinds,
    leaves,
)
from exportdb_rules.rewrite.known.traceable import refuse_untraceable
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, line, replace_all, signed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from exportdb_rules.rewrite.branching.branches import Builder
    from exportdb_rules.rewrite.known.inference import Environment, Inference

Statements = list[cst.BaseStatement]


_DECIDING = frozenset(("max", "min", "int", "round", "float", "bool", "sorted", "abs", "any", "all", "range"))

# Of a tensor they make a number, which a branch has none of.
_CONVERTING = frozenset(("int", "float", "bool", "round", "range", "complex"))


# They assert of the size of a tensor that it is as large as they need, or not 0 (measured on torch 2.13).
_ASSERTING = frozenset(("amax", "amin", "argmax", "argmin", "diff", "kthvalue", "narrow", "quantile", "topk", "cdist"))


class BranchLowering:
    """One side of a branch on its way to become the body of a function."""

    def __init__(
        self,
        builder: Builder,
        block: Statements,
        env: Environment,
        footer: Sequence[cst.EmptyLine],
        states: Mapping[str, str] | None = None,
        escaping_mutations: Sequence[str] = (),
    ) -> None:
        """`states` are the buffers that one of the sides writes, each with the name of its local stand-in, which is an operand
        where `env` knows it; `escaping_mutations` the tensors that one of them changes in place, and that others may see."""
        self._escaping_mutations = escaping_mutations
        self._builder = builder
        self._footer = footer
        self._env = env
        block = self._localised(list(block), states or {})
        self.block = list(block)
        self.results: list[Signature] = []
        # Names whose tensor was copied because it may be somebody else's too, and the storages that it may have.
        self.borrowed: dict[str, frozenset[str]] = {}
        changed = side_effects(block)
        if changed.unsupported:
            raise FixNotApplicable(NoFix.SIDE_EFFECT, changed.unsupported)
        refuse_numpy(builder.place.tree, builder.place.function, block)
        refuse_untraceable(builder.inference, block)
        buffers.refuse_statistics(block, builder.inference)
        self.written = names(block).writes | self._mutated(changed.names)
        self.assigned = definitely_assigned(block) | self._mutated(changed.names)

    def _localised(self, block: Statements, states: Mapping[str, str]) -> Statements:
        """The block with the buffers that it writes in locals; `outputs` says what it gives for each of `states`."""
        inference = self._builder.inference
        own = {name: local for name, local in states.items() if name in buffers.buffer_writes(block, inference)}
        buffers.refuse_hidden(block, own, self._env, inference)
        held = {
            name: cst.Name(local) if local in self._env else buffers.attribute(name, inference)
            for name, local in states.items()
        }
        self.outputs: list[cst.BaseExpression] = [
            cst.Name(local) if name in own else held[name] for name, local in states.items()
        ]
        self.outputs = [*[cst.Name(name) for name in self._escaping_mutations], *self.outputs]
        kept: Statements = []
        for name, local in own.items():
            target = cst.AssignTarget(cst.Name(local))
            kept.append(cst.SimpleStatementLine([cst.Assign([target], calling(held[name], "clone()"))]))
        known = {name: local for name, local in states.items() if name in own or local in self._env}
        return [*kept, *buffers.localised(block, known, inference)] if known else block

    def returning_outputs(self) -> None:
        """Let every return of the side give what it writes, besides its value."""
        if self.outputs:
            self.block = buffers.returning(self.block, self.outputs, self._builder.inference)

    def _mutated(self, changed: set[str]) -> set[str]:
        """The names from outside whose tensor the side changes in place."""
        exposed = live_in(self.block, frozenset())
        return {n for n in changed if n in exposed and isinstance(self._env.get(n), TensorSignature)}

    def prepare(self, outputs: Live, assigned: set[str]) -> None:
        """Rewrite inner branches, and give the side its own copy of what it changes in place."""
        builder = self._builder
        self._refuse_numbers()
        if self._unbacked_operands():
            self._refuse_sizes()
            self.block = self._selecting()
        copies: Statements = []
        for name in sorted(self._mutated(changed_from_outside(self.block))):
            if name not in self._escaping_mutations and not is_unaliased(
                name, self._env, [builder.place.function.body]
            ):
                raise FixNotApplicable(NoFix.ALIASED_WRITE, f"{name} is changed in place, and may be seen elsewhere")
            copies.append(line(f"{name} = {name}.clone()"))
        self.block = self._inner([*copies, *self.block], outputs, assigned)

    def _refuse_numbers(self) -> None:
        """Raises FixNotApplicable where the side reads a number that comes from data, or decides one."""
        refuse_unbacked(self.block, self._builder.inference)
        # In a branch Python's own functions decide such numbers while tracing, without a word.
        for call in [call for statement in self.block for call in below(statement, cst.Call)]:
            if dotted(call.func) in _DECIDING and any(self._from_data(arg.value) for arg in call.args):
                raise FixNotApplicable(
                    NoFix.UNTRACEABLE, f"{dotted(call.func)} would specialize a data-dependent number"
                )
            if dotted(call.func) in _CONVERTING and any(self._is_tensor(arg.value) for arg in call.args):
                raise FixNotApplicable(NoFix.UNTRACEABLE, f"{dotted(call.func)} would read a tensor")

    def _refuse_sizes(self) -> None:
        """Raises FixNotApplicable where the side calls what asserts something of the size of a tensor that it is given, and
        that size comes from data: tracing asserts it of both sides then."""
        for call in [call for statement in self.block for call in below(statement, cst.Call)]:
            asserts = dotted(call.func).rpartition(".")[2] in _ASSERTING
            of = call.func.value if asserts and isinstance(call.func, cst.Attribute) else call
            if asserts and any(map(self._is_unbacked, [of, *[arg.value for arg in call.args]])):
                raise FixNotApplicable(
                    NoFix.UNTRACEABLE, f"{dotted(call.func)} would assert that the data-dependent size is not 0"
                )

    def _unbacked_operands(self) -> bool:
        """Whether the side reads a tensor from outside whose size comes from data."""
        exposed = live_in(self.block, frozenset())
        read = (name for statement in self.block for name in below(statement, cst.Name) if name.value in exposed)
        return any(map(self._is_unbacked, read))

    def _is_unbacked(self, node: cst.BaseExpression) -> bool:
        choices = self._builder.inference.kinds(node)
        return any(isinstance(choice, domain.Tensor) and choice.unbacked for choice in choices)

    def _selecting(self) -> Statements:
        """The side with `x.select(0, i)` for `x[i]` of a tensor whose first size comes from data: tracing asserts of an index
        that it is in range, on both sides, and of a call of `select` it does not (measured on torch 2.13)."""
        swaps = [
            (node, selected)
            for statement in self.block
            for node in below(statement, cst.Subscript)
            if self._is_unbacked(node.value) and (selected := _selected(node)) is not None
        ]
        return [with_swaps(statement, swaps, self._builder.inference) for statement in self.block]

    def _is_tensor(self, node: cst.BaseExpression) -> bool:
        value = self._builder.inference.value(node)
        choices = lattice.choices(value) if value is not None else ()
        known = (
            isinstance(self._builder.inference.infer(node, dict(self._env)), TensorSignature)
            if value is None
            else False
        )
        return known or any(isinstance(choice, domain.Tensor) and not choice.constant for choice in choices)

    def _from_data(self, node: cst.BaseExpression) -> bool:
        """Whether a number comes from data, or one of the numbers that are written out in a list."""
        if isinstance(node, (cst.List, cst.Tuple)):
            return any(self._from_data(element.value) for element in node.elements)
        choices = self._builder.inference.kinds(node)
        return any(isinstance(choice, domain.Sym) and not choice.backed for choice in choices)

    def _inner(self, block: Statements, outputs: Live, assigned: set[str]) -> Statements:
        env = dict(self._env)
        assigned = set(assigned)
        done: Statements = []
        for index, statement in enumerate(block):
            if isinstance(statement, cst.If) and self._builder.predicates.decides(statement.test, env):
                rest = block[index + 1 :]
                new, took_rest = self._builder.inner(statement, rest, live_in(rest, outputs), dict(env), assigned)
                if done and isinstance(new[0], cst.FunctionDef) and not new[0].leading_lines:
                    new[0] = new[0].with_changes(leading_lines=[cst.EmptyLine(indent=False)])
                done += new
                if took_rest:
                    return done
                self._builder.inference.run(new, env)
                assigned |= definitely_assigned(new)
                continue
            self._builder.inference.run([statement], env)
            assigned |= definitely_assigned([statement])
            done.append(statement)
        return done

    def finish(self, value: cst.BaseExpression | None) -> None:
        """End the side with the value given, if any, and make what it returns its own."""
        env = dict(self._env)
        if value is not None:
            self.block.append(cst.SimpleStatementLine([cst.Return(value)], leading_lines=self._footer))
        self._builder.refuse_undecided(self.block, env)
        changed = side_effects(self.block).names
        found = self._builder.inference.run(self.block, env)
        for name in changed:
            known = env.get(name)
            if not isinstance(known, TensorSignature) or not self._private(known.storages):
                raise FixNotApplicable(NoFix.ALIASED_WRITE, f"{name} is changed in place, and may be seen elsewhere")
        for node, signature in found:
            if node.value is None or not all(isinstance(leaf, TensorSignature) for leaf in leaves(signature)):
                raise FixNotApplicable(NoFix.NOT_A_TENSOR, "a branch returns something that is not a tensor")
            if any(kind.startswith("torch.") for kind in kinds(signature)):
                raise FixNotApplicable(NoFix.NOT_A_TENSOR, "a branch returns what only torch makes")
            own = self._own(node.value, signature, set())
            self.results.append(without_aliases(signature, frozenset()))
            if own is not node.value:
                self.block = [cast("cst.BaseStatement", _swap(s, node.value, own)) for s in self.block]

    def where_none(self, name: str) -> list[Signature]:
        """What the side gives where a name is None."""
        env = {**self._env, name: NOTHING}
        return [without_aliases(known, frozenset()) for _, known in self._builder.inference.run(self.block, env)]

    def _own(self, node: cst.BaseExpression, signature: Signature, seen: set[str]) -> cst.BaseExpression:
        """The expression with `.clone()` where its tensor may share storage with something else."""
        if isinstance(signature, Items) and isinstance(node, (cst.Tuple, cst.List)):
            elements = [
                element.with_changes(value=self._own(element.value, item, seen))
                for element, item in zip(node.elements, signature.items, strict=True)
            ]
            if all(e.value is o.value for e, o in zip(elements, node.elements, strict=True)):
                return node
            return node.with_changes(elements=elements)
        if isinstance(signature, Items) and isinstance(node, cst.Dict):
            values = [
                self._own(element.value, item, seen)
                for element, item in zip(node.elements, signature.items, strict=True)
            ]
            if all(value is element.value for value, element in zip(values, node.elements, strict=True)):
                return node
            return node.with_changes(
                elements=[e.with_changes(value=value) for e, value in zip(node.elements, values, strict=True)]
            )
        if isinstance(signature, Items):
            for leaf in leaves(signature):
                assert isinstance(leaf, TensorSignature)
                if leaf.storages & seen or not self._private(leaf.storages):
                    raise FixNotApplicable(NoFix.NOT_A_TENSOR, "a branch returns a tuple whose tensors are not its own")
                seen |= leaf.storages
            return node
        assert isinstance(signature, TensorSignature)
        borrowed = bool(signature.storages & seen) or not self._private(signature.storages)
        if borrowed and isinstance(node, cst.Name):
            self.borrowed[node.value] = self.borrowed.get(node.value, frozenset()) | signature.storages
        seen |= signature.storages
        if signature.maybe_noncontiguous:
            method = "clone(memory_format=torch.contiguous_format)" if borrowed else "contiguous()"
            method = method.replace("torch.", f"{self._builder.place.torch}.")
            return calling(node, method)
        return calling(node, "clone()") if borrowed else node

    def _private(self, storages: frozenset[str]) -> bool:
        """Whether storages were made on this side."""
        return all(storage.startswith("#") for storage in storages) and not storages & self._outside()

    def _outside(self) -> set[str]:
        return {
            storage
            for signature in self._env.values()
            for leaf in leaves(signature)
            if isinstance(leaf, TensorSignature)
            for storage in leaf.storages
        }


def refuse_unbacked(block: Sequence[cst.CSTNode], inference: Inference) -> None:
    """Raises FixNotApplicable where code of a branch reads a number that comes from data: what a function closes over is handed to
    the operator too, and in non-strict mode that takes no unbacked SymInt, in none a SymFloat or a SymBool (measured on
    torch 2.13)."""
    exposed = live_in(block, frozenset())
    for name in [name for statement in block for name in below(statement, cst.Name)]:
        value = inference.value(name) if name.value in exposed else None
        for choice in lattice.choices(value) if value is not None else ():
            if isinstance(choice, domain.Sym) and not choice.backed:
                raise FixNotApplicable(
                    NoFix.SYMINT_OPERAND,
                    f"{name.value} is a data-dependent number, which a branch cannot take as an operand",
                )


def _selected(node: cst.Subscript) -> cst.BaseExpression | None:
    """`x.select(0, i)[…]` of `x[i, …]` where `i` is written out; None of another subscript."""
    first = node.slice[0].slice
    number = signed(first.value) if isinstance(first, cst.Index) and first.star is None else None
    if number is None:
        return None
    row = calling(node.value, f"select(0, {number})")
    return node.with_changes(value=row, slice=node.slice[1:]) if len(node.slice) > 1 else row


def calling(node: cst.BaseExpression, call: str) -> cst.BaseExpression:
    """A call of a method of the expression's value, `call` without the receiver."""
    loose = not node.lpar and not isinstance(node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript))
    inner = node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]) if loose else node
    shell = cst.ensure_type(cst.parse_expression(f"_.{call}"), cst.Call)
    return shell.with_changes(func=cst.ensure_type(shell.func, cst.Attribute).with_changes(value=inner))


def _swap(block: cst.CSTNode, old: cst.CSTNode, new: cst.CSTNode) -> cst.CSTNode:
    return replace_all(block, [(old, new)])


def without_aliases(signature: Signature, storages: frozenset[str]) -> Signature:
    """What comes out of `torch.cond`: nobody else's storage, laid out without gaps."""
    if isinstance(signature, Items):
        items = [
            without_aliases(item, frozenset([f"{r}.{i}" for r in storages])) for i, item in enumerate(signature.items)
        ]
        return Items(signature.kind, tuple(items))
    if isinstance(signature, TensorSignature):
        return TensorSignature(signature.dtype, signature.shape, storages, observed=signature.observed)
    return signature
