"""Signatures of calls whose code is at hand: functions of the function itself, methods of its class, the functions of a
torch.cond; and of modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.rewrite.known.names import names, parameters
from exportdb_rules.rewrite.known.signature import (
    UNKNOWN,
    Items,
    Signature,
    TensorSignature,
    join,
)
from exportdb_rules.rewrite.tree import arguments, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.known.inference import Environment, Inference


_MAX_CALLS: Final = 3


class KnownCalls:
    """What code that can be read makes of the signatures of its arguments. `depth` is how deep in calls it is."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self.depth = 0

    def conditional(self, node: cst.Call, env: Environment) -> Signature:
        """A call of torch.cond: what both functions give, in storage of its own."""
        args = arguments(node.args).positional
        if len(args) < 3:
            return UNKNOWN
        given = args[3] if len(args) > 3 else None
        operands = [e.value for e in given.elements] if isinstance(given, (cst.Tuple, cst.List)) else []
        results: list[Signature] = []
        for function in args[1:3]:
            definition = self._inference.functions.get(function.value) if isinstance(function, cst.Name) else function
            if isinstance(definition, cst.Lambda):
                inner = dict(env)
                for parameter, operand in zip(parameters(definition), operands, strict=False):
                    inner[parameter.name.value] = self._inference.infer(operand, env)
                results.append(self._inference.infer(definition.body, inner))
            elif isinstance(definition, cst.FunctionDef):
                call = cst.Call(function, [cst.Arg(operand) for operand in operands])
                results.append(self.called(definition, parameters(definition), call, env, env))
            else:
                return UNKNOWN
        return self._fresh(self._inference.joined(results[0], results[1]))

    def _fresh(self, signature: Signature) -> Signature:
        """The same dtypes and shapes, in storages of their own, without gaps."""
        if isinstance(signature, Items):
            return Items(signature.kind, tuple([self._fresh(item) for item in signature.items]))
        if isinstance(signature, TensorSignature):
            return TensorSignature(
                signature.dtype, signature.shape, self._inference.fresh(), observed=signature.observed
            )
        return signature

    def called(
        self,
        method: cst.FunctionDef,
        given: Sequence[cst.Param],
        node: cst.Call,
        env: Environment,
        around: Environment,
    ) -> Signature:
        """A call of a function whose code is at hand; `around` are the names that it closes over."""
        if self.depth > _MAX_CALLS or method.decorators or method.asynchronous is not None:
            return UNKNOWN
        inner = dict(around)
        inner.update(self._inference.arguments(given, node, env))
        functions = self._inference.functions
        self.depth += 1
        self._inference.functions = {**functions, **own_functions(method)}
        try:
            returned = [signature for _, signature in self._inference.run(statements(method.body), inner)]
        finally:
            self.depth -= 1
            self._inference.functions = functions
        if not returned:
            return UNKNOWN
        result = returned[0]
        for other in returned[1:]:
            result = join(result, other)
        return result


def own_functions(function: cst.FunctionDef) -> dict[str, cst.FunctionDef]:
    """The functions that stand in a function's own block, and whose names are bound only there."""
    block = statements(function.body)
    found = {s.name.value: s for s in block if isinstance(s, cst.FunctionDef)}
    for name, definition in list(found.items()):
        others = names([s for s in block if s is not definition])
        if name in others.writes | others.outer:
            del found[name]
    return found
