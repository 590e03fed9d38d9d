"""The two sides of a proof: how the old text is exported, and how the new one, both with the inputs of the new one."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from exportdb_lsp.confirm import targets
from exportdb_lsp.confirm.result import InputOrigin
from exportdb_lsp.confirm.syntax import parsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_lsp.confirm.verification import VerifyRequest


def sides(
    request: VerifyRequest, target: targets.Target, found: Sequence[targets.Target]
) -> tuple[targets.Target, targets.Target]:
    """A target of the old text as it is to be asked there, and as it stands among those `found` in the new text.

    A rewrite may change what is said beside the model: its Dims, and the example itself. The old code is asked about
    the new example then, because only answers to one question can be compared.
    """
    twin = next((t for t in found if (t.name, t.kind) == (target.name, target.kind)), None)
    if twin is None or [r.source for r in twin.input_sources] != [r.source for r in target.input_sources]:
        return target, target
    pairs = [_alike(request, old, new) for old, new in zip(target.input_sources, twin.input_sources, strict=True)]
    return (
        replace(target, input_sources=tuple(old for old, _ in pairs)),
        replace(twin, input_sources=tuple(new for _, new in pairs)),
    )


def _alike(
    request: VerifyRequest, old: targets.InputSource, new: targets.InputSource
) -> tuple[targets.InputSource, targets.InputSource]:
    """Two input_sources with one example: the new one's."""
    if old.source is not InputOrigin.MODULE:
        for key in ("args", "kwargs"):
            before, after = _written_out(getattr(old, key), old.setup), _written_out(getattr(new, key), new.setup)
            if before != after:
                old, new = replace(old, **{key: after}), replace(new, **{key: after})
        return old, new
    for key, name in (("args", "example_args"), ("kwargs", "example_kwargs")):
        before, after = _bound(request.before, name), _bound(request.after, name)
        if after and before != after:
            old, new = replace(old, **{key: after}), replace(new, **{key: after})
    return old, new


class _Names(ast.NodeTransformer):
    """Puts what names are bound to in their places."""

    def __init__(self, bound: dict[str, ast.expr], depth: int = 4) -> None:
        self._bound = bound
        self._depth = depth

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """One name."""
        value = self._bound.get(node.id)
        if value is None or self._depth == 0:
            return node
        return _Names(self._bound, self._depth - 1).visit(ast.parse(ast.unparse(value), mode="eval").body)


def _written_out(arguments: str, setup: str) -> str:
    """Arguments without the names that the lines before the call bind by plain assignments."""
    try:
        body, expression = parsed(setup).body, ast.parse(arguments, mode="eval").body
    except (SyntaxError, ValueError):
        return arguments
    bound = {name: value for name, value, _ in targets.assignments(body)}
    return ast.unparse(_Names(bound).visit(expression))


def _bound(text: str, name: str) -> str:
    """What a name of the top level is last bound to, as text; '' where it is not bound by a plain assignment."""
    try:
        body = parsed(text).body
    except SyntaxError:
        return ""
    values = [value for bound, value, _ in targets.assignments(body) if bound == name]
    return ast.unparse(values[-1]) if values else ""
