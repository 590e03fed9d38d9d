"""Branches of one function as calls of `torch.cond`, inner ones first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.rewrite.liveness import Live, always_leaves, contains, live_before, sides
from exportdb_rules.rewrite.names import names
from exportdb_rules.rewrite.operands import in_order, passed
from exportdb_rules.rewrite.place import all_names, local_names
from exportdb_rules.rewrite.predicate import Predicate, Predicates
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.side import Side, Statements, freshened
from exportdb_rules.rewrite.signature import Items, Tensor, agree
from exportdb_rules.rewrite.tree import children, dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from exportdb_rules.rewrite.inference import Environment
    from exportdb_rules.rewrite.place import Place

_IMMOVABLE: Final = (
    cst.Yield, cst.Await, cst.Global, cst.Nonlocal, cst.Del, cst.Raise, cst.Break, cst.Continue, cst.Try,
    cst.TryStar, cst.ClassDef, cst.Import, cst.ImportFrom, cst.Match, cst.NamedExpr,
)  # fmt: skip


def immovable(block: Sequence[cst.CSTNode]) -> bool:
    """Whether code holds what cannot be moved into another function."""
    return contains(block, *_IMMOVABLE) or _bare_super(block)


class Builder:
    """Turns branches of one function into calls of `torch.cond`, inner ones first."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.inference = place.inference
        self.predicates = Predicates(place.inference, place.torch)
        self._taken = all_names(place.tree)
        self._locals = local_names(place.function)
        self._names: dict[cst.If, tuple[str, str]] = {}

    def name(self, wanted: str) -> str:
        """A name that the text does not have, and that is not given out again."""
        name, number = wanted, 1
        while name in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name

    def convert(
        self, node: cst.If, rest: Statements, live: Live, env: Environment, sure: set[str]
    ) -> tuple[Statements, bool]:
        """The statements that replace an `if`, and whether they replace the rest of its block too.

        `live`: what may be read after the `if`. `env`, `sure`: the signatures, and the names certainly assigned,
        before it. Raises Refused if no rewrite is faithful.
        """
        body, other = sides(node)
        for side in (body, other):
            if immovable(side):
                raise Refused("a branch holds what cannot be moved into a function")
        env = dict(env)
        predicate = self.predicates.translate(node.test, env)
        self._names[node] = (self.name("true_branch"), self.name("false_branch"))
        if contains(body, cst.Return) or contains(other, cst.Return):
            return self._returning(node, predicate, rest, env, sure)
        return self._assigning(node, predicate, live, env, sure), False

    # --- both sides go on ---------------------------------------------------------------------------------------

    def _assigning(
        self, node: cst.If, predicate: Predicate, live: Live, env: Environment, sure: set[str]
    ) -> Statements:
        parts = [Side(self, side, env, footer) for side, footer in zip(sides(node), _footers(node), strict=True)]
        written = set[str]().union(*[p.written for p in parts])
        outputs = [n for n in in_order(node) if n in written and n in live]
        if not outputs:
            raise Refused("the branch computes nothing that is used")
        for part in parts:
            for name in outputs:
                if name not in part.assigned and name not in sure:
                    raise Refused(f"{name} may have no value on one side")
            part.prepare(frozenset(outputs), sure)
            part.finish(_tuple([cst.Name(n) for n in outputs]))
        self._check(parts)
        functions, call = self._call(node, predicate, parts, env)
        target = cst.ensure_type(_tuple([cst.Name(n) for n in outputs]), cst.BaseAssignTargetExpression)
        done = self._guarded(
            predicate, functions, call, parts, lambda value: cst.Assign([cst.AssignTarget(target)], value)
        )
        signatures = parts[0].results[0]
        items = signatures.items if len(outputs) > 1 and isinstance(signatures, Items) else (signatures,)
        for name, signature in zip(outputs, items, strict=True):
            env[name] = freshened(signature, self.inference.fresh())
        return done

    # --- a side returns -----------------------------------------------------------------------------------------

    def _returning(
        self, node: cst.If, predicate: Predicate, rest: Statements, env: Environment, sure: set[str]
    ) -> tuple[Statements, bool]:
        both = sides(node)
        goes_on = [not always_leaves(side) for side in both]
        if all(goes_on) and not _short(rest):
            raise Refused("the rest of the block would have to be written twice")
        if any(goes_on) and contains(rest, *_IMMOVABLE):
            raise Refused("the rest of the block cannot be moved into a function")
        blocks = [[*side, *rest] if on else side for side, on in zip(both, goes_on, strict=True)]
        if not all(always_leaves(block) for block in blocks):
            raise Refused("a path leaves the block without a value")
        parts = [Side(self, block, env, footer) for block, footer in zip(blocks, _footers(node), strict=True)]
        for part in parts:
            part.prepare(frozenset(), sure)
            part.finish(None)
        self._check(parts)
        functions, call = self._call(node, predicate, parts, env)
        return self._guarded(predicate, functions, call, parts, lambda value: cst.Return(value)), True

    # --- what both have in common -------------------------------------------------------------------------------

    def _check(self, parts: list[Side]) -> None:
        first = parts[0].results[0]
        for part in parts:
            if not part.results or not all(agree(first, result) for result in part.results):
                raise Refused("the sides are not sure to return equal dtypes and shapes")

    def _call(
        self, node: cst.If, predicate: Predicate, parts: list[Side], env: Environment
    ) -> tuple[Statements, list[str]]:
        """The branch functions, and the code of: the true function, the false one, the operands."""
        free = set[str]().union(*[live_before(p.block, frozenset()) for p in parts]) & self._locals
        needed = {n for p in parts for n in live_before(p.block, frozenset()) if n in names(p.block).writes}
        order = in_order(node)
        operands = [n for n in order if n in free and isinstance(env.get(n), Tensor)]
        operands += sorted(n for n in free if isinstance(env.get(n), Tensor) and n not in operands)
        if not needed <= set(operands):
            raise Refused("a branch changes a name that holds no tensor")
        arguments = passed(operands, env, [s for p in parts for s in p.block])
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
        tuple_ = f"({arguments[0]},)" if len(arguments) == 1 else f"({', '.join(arguments)})"
        return functions, [*pair, tuple_ if arguments else ""]

    def _guarded(
        self,
        predicate: Predicate,
        functions: Statements,
        call: list[str],
        parts: list[Side],
        use: Callable[[cst.BaseExpression], cst.BaseSmallStatement],
    ) -> Statements:
        true, false, operands = call
        arguments = ", ".join([predicate.code, true, false, *([operands] if operands else [])])
        value = cst.parse_expression(f"{self.place.torch}.cond({arguments})")
        self.inference.known[value] = freshened(parts[0].results[0], self.inference.fresh())
        line: cst.BaseStatement = cst.SimpleStatementLine([use(value)], leading_lines=[cst.EmptyLine(indent=False)])
        if not predicate.guard:
            return [*functions, line]
        # What Python decides stays an `if`: the other part may not even have a value where it does not hold.
        chosen = false if predicate.operator == "and" else true
        plain = operands[1:-1].removesuffix(",")
        direct = cst.parse_expression(f"{chosen}({plain})")
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


def _short(block: Sequence[cst.CSTNode]) -> bool:
    """Whether code is so short that writing it twice does no harm: one simple statement."""
    return len(block) == 1 and isinstance(only := block[0], cst.SimpleStatementLine) and len(only.body) == 1


def _tuple(nodes: Sequence[cst.BaseExpression]) -> cst.BaseExpression:
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
    stack: list[cst.CSTNode] = list(block)
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Call) and dotted(node.func) == "super" and not node.args:
            return True
        stack += children(node)
    return False


# --- conditional expressions ------------------------------------------------------------------------------------------
