"""A branch on a tensor as `torch.cond`.

Measured on torch 2.13, in both modes: a branch may close over tensors, `self` and submodules; what it returns must
have one tree, dtype, shape and layout on both sides and share no storage with an operand, a closure or another
output; two operands must not share storage either. `torch.cond` compiles its branches in eager too, so what it
refuses under export it refuses in eager: a rewrite that breaks a rule breaks the user's program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.rewrite.edits import apply
from exportdb_rules.rewrite.imports import torch_import
from exportdb_rules.rewrite.inference import Environment
from exportdb_rules.rewrite.liveness import (
    Live,
    always_leaves,
    assigned_before,
    contains,
    live_after,
    live_before,
    sides,
    surely_assigned,
)
from exportdb_rules.rewrite.mutation import changes, private
from exportdb_rules.rewrite.names import names
from exportdb_rules.rewrite.place import Place, all_names, local_names, locate
from exportdb_rules.rewrite.predicate import Predicate, Predicates
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.signature import Items, Signature, Tensor, agree, leaves
from exportdb_rules.rewrite.tree import children, difference, dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Rewrite as torch.cond (in eager, milliseconds a call)"

_IMMOVABLE = (
    cst.Yield, cst.Await, cst.Global, cst.Nonlocal, cst.Del, cst.Raise, cst.Break, cst.Continue, cst.Try,
    cst.TryStar, cst.ClassDef, cst.Import, cst.ImportFrom, cst.Match, cst.NamedExpr,
)  # fmt: skip

Statements = list[cst.BaseStatement]


def branch_to_cond(context: FixContext) -> tuple[Fix, ...]:
    """The fix for an `if` or a conditional expression that tests a tensor or an unbacked value; () if none is right.

    Always `unsafe`: eager pays milliseconds for each call, and a side whose strides differ raises.
    """
    try:
        place = locate(context)
        edits = _edits(place)
    except Refused:
        return ()
    return (Fix(TITLE, Applicability.UNSAFE, edits, preferred=True),) if edits else ()


def finished(place: Place, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits with the import of torch, if the module needs it; () if the text would not parse after."""
    if not edits:
        return ()
    every = tuple(sorted((*torch_import(place.tree), *edits), key=lambda e: (e.span.start, e.span.end)))
    try:
        cst.parse_module(apply(place.tree.text, every))
    except (cst.ParserSyntaxError, ValueError):
        return ()
    return every


def _edits(place: Place) -> tuple[Edit, ...]:
    branch = place.branch()
    return _ternary(place, branch) if isinstance(branch, cst.IfExp) else _statement(place, branch)


def _statement(place: Place, node: cst.If) -> tuple[Edit, ...]:
    builder = Builder(place)
    path = place.upto(node)
    chain = node
    # An `elif` is rewritten with the whole of its chain, from the first test that needs data.
    while len(path) > 1 and isinstance(path[-2], cst.If) and path[-2].orelse is path[-1]:
        path = path[:-1]
        outer = cast("cst.If", path[-1])
        if builder.predicates.decides(outer.test, place.inference.before(path)):
            chain = outer
    path = place.upto(chain)
    if any(isinstance(n, (cst.Try, cst.TryStar)) for n in path[path.index(place.function) :]):
        raise Refused("inside a try statement")
    parent = path[-2]
    env = place.inference.before(path)
    live = live_after(path, place.function)
    sure = assigned_before(path, place.function)
    if isinstance(parent, cst.If):
        done, _ = builder.convert(chain, [], live, env, sure)
        header = cst.Else(cst.IndentedBlock(done), leading_lines=chain.leading_lines)
        new: cst.CSTNode = parent.with_changes(orelse=header)
    else:
        block = cast("cst.IndentedBlock", parent)
        body = list(block.body)
        at = next(i for i, s in enumerate(body) if s is chain)
        done, took_rest = builder.convert(chain, body[at + 1 :], live, env, sure)
        if at and not chain.leading_lines:
            done[0] = done[0].with_changes(leading_lines=[cst.EmptyLine(indent=False)])
        new = block.with_changes(body=[*body[:at], *done, *([] if took_rest else body[at + 1 :])])
    after = cast("cst.Module", place.tree.module.deep_replace(parent, new)).code  # type: ignore[arg-type]
    return finished(place, difference(place.tree.text, after))


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
            if contains(side, *_IMMOVABLE) or _bare_super(side):
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
            env[name] = _freshened(signature, self.inference.fresh())
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
        self.inference.known[value] = _freshened(parts[0].results[0], self.inference.fresh())
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


class Side:
    """One side of a branch on its way to become the body of a function."""

    def __init__(self, builder: Builder, block: Statements, env: Environment, footer: Sequence[cst.EmptyLine]) -> None:
        self._builder = builder
        self._footer = footer
        self._env = env
        self.block = list(block)
        self.results: list[Signature] = []
        changed = changes(block)
        if changed.other:
            raise Refused(changed.other)
        self._refuse_state(block)
        self.written = names(block).writes | self._mutated(changed.names)
        self.assigned = surely_assigned(block) | self._mutated(changed.names)

    def _refuse_state(self, block: Statements) -> None:
        """No batch normalisation: in training it writes its running statistics, which no branch of a cond may."""
        stateful = self._builder.inference.submodules.stateful
        stack: list[cst.CSTNode] = list(block)
        while stack:
            node = stack.pop()
            stack.extend(children(node))
            if isinstance(node, cst.Call):
                owner, _, name = dotted(node.func).partition(".")
                if owner == "self" and name and stateful(name):
                    raise Refused(f"a side calls self.{name}, which keeps statistics")

    def _mutated(self, changed: set[str]) -> set[str]:
        """The names from outside whose tensor the side changes in place."""
        exposed = live_before(self.block, frozenset())
        return {n for n in changed if n in exposed and isinstance(self._env.get(n), Tensor)}

    def prepare(self, outputs: Live, sure: set[str]) -> None:
        """Rewrite inner branches, and give the side its own copy of what it changes in place."""
        builder = self._builder
        copies: Statements = []
        changed = changes(self.block).names
        for name in sorted(self._mutated(changed)):
            if not private(name, self._env, [builder.place.function.body]):
                raise Refused(f"{name} is changed in place, and may be seen elsewhere")
            copies.append(_line(f"{name} = {name}.clone()"))
        self.block = self._inner([*copies, *self.block], outputs, sure)

    def _inner(self, block: Statements, outputs: Live, sure: set[str]) -> Statements:
        env = dict(self._env)
        sure = set(sure)
        done: Statements = []
        for index, statement in enumerate(block):
            if isinstance(statement, cst.If) and self._builder.predicates.decides(statement.test, env):
                rest = block[index + 1 :]
                new, took_rest = self._builder.convert(statement, rest, live_before(rest, outputs), dict(env), sure)
                done += new
                if took_rest:
                    return done
                self._builder.inference.run(new, env)
                sure |= surely_assigned(new)
                continue
            self._builder.inference.run([statement], env)
            sure |= surely_assigned([statement])
            done.append(statement)
        return done

    def finish(self, value: cst.BaseExpression | None) -> None:
        """End the side with the value given, if any, and make what it returns its own."""
        env = dict(self._env)
        if value is not None:
            self.block.append(cst.SimpleStatementLine([cst.Return(value)], leading_lines=self._footer))
        changed = changes(self.block).names
        found = self._builder.inference.run(self.block, env)
        for name in changed:
            known = env.get(name)
            if not isinstance(known, Tensor) or not self._private(known.roots):
                raise Refused(f"{name} is changed in place, and may be seen elsewhere")
        for node, signature in found:
            if node.value is None or not all(isinstance(leaf, Tensor) for leaf in leaves(signature)):
                raise Refused("a side returns something that is no tensor")
            own = self._own(node.value, signature, set())
            self.results.append(_freshened(signature, frozenset()))
            if own is not node.value:
                self.block = [cast("cst.BaseStatement", _swap(s, node.value, own)) for s in self.block]

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
        if isinstance(signature, Items):
            for leaf in leaves(signature):
                assert isinstance(leaf, Tensor)
                if leaf.roots & seen or not self._private(leaf.roots):
                    raise Refused("a side returns a tuple whose tensors are not its own")
                seen |= leaf.roots
            return node
        assert isinstance(signature, Tensor)
        borrowed = bool(signature.roots & seen) or not self._private(signature.roots)
        seen |= signature.roots
        if signature.permuted:
            method = "clone(memory_format=torch.contiguous_format)" if borrowed else "contiguous()"
            method = method.replace("torch.", f"{self._builder.place.torch}.")
            return _method(node, method)
        return _method(node, "clone()") if borrowed else node

    def _private(self, roots: frozenset[str]) -> bool:
        """Whether storages were made on this side."""
        return all(root.startswith("#") for root in roots) and not roots & self._outside()

    def _outside(self) -> set[str]:
        return {
            root
            for signature in self._env.values()
            for leaf in leaves(signature)
            if isinstance(leaf, Tensor)
            for root in leaf.roots
        }


def _short(block: Sequence[cst.CSTNode]) -> bool:
    """Whether code is so short that writing it twice does no harm: one simple statement."""
    return len(block) == 1 and isinstance(only := block[0], cst.SimpleStatementLine) and len(only.body) == 1


def _method(node: cst.BaseExpression, call: str) -> cst.BaseExpression:
    loose = not node.lpar and not isinstance(node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript))
    inner = node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]) if loose else node
    shell = cst.ensure_type(cst.parse_expression(f"_.{call}"), cst.Call)
    return shell.with_changes(func=cst.ensure_type(shell.func, cst.Attribute).with_changes(value=inner))


def _swap(block: cst.CSTNode, old: cst.CSTNode, new: cst.CSTNode) -> cst.CSTNode:
    return cast("cst.CSTNode", block.deep_replace(old, new))  # type: ignore[arg-type]


def _freshened(signature: Signature, roots: frozenset[str]) -> Signature:
    """What comes out of `torch.cond`: nobody else's storage, laid out without gaps."""
    if isinstance(signature, Items):
        items = [_freshened(item, frozenset([f"{r}.{i}" for r in roots])) for i, item in enumerate(signature.items)]
        return Items(signature.kind, tuple(items))
    if isinstance(signature, Tensor):
        return Tensor(signature.dtype, signature.shape, roots, told=signature.told)
    return signature


def _tuple(nodes: Sequence[cst.BaseExpression]) -> cst.BaseExpression:
    if len(nodes) == 1:
        return nodes[0]
    return cst.Tuple([cst.Element(n) for n in nodes], lpar=[], rpar=[])


def _line(code: str) -> cst.BaseStatement:
    return cst.ensure_type(cst.parse_statement(code), cst.SimpleStatementLine)


def in_order(node: cst.CSTNode) -> list[str]:
    """The names in the order in which they first occur."""
    found: dict[str, None] = {}

    def visit(here: cst.CSTNode) -> None:
        if isinstance(here, cst.Name):
            found.setdefault(here.value)
        elif isinstance(here, (cst.Attribute, cst.Arg)):
            visit(here.value)
        else:
            for child in children(here):
                visit(child)

    visit(node)
    return list(found)


def passed(
    operands: list[str],
    env: Environment,
    code: Sequence[cst.CSTNode],
    closed_over: Iterable[str] = (),
    *,
    layout: bool = False,
) -> list[str]:
    """The operands as the call passes them: `.clone()` where two would share storage, which torch.cond refuses.

    `code` is what the functions hold, `closed_over` the storages that they read without being given them. With `layout`, an
    operand that may have gaps is passed without: its strides must not change from round to round.
    """
    seen: set[str] = set(closed_over)
    read = set[str]()
    stack: list[cst.CSTNode] = list(code)
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Attribute) and dotted(node):
            read.add(dotted(node))
        stack += children(node)
    # Whoever owns a storage by name comes first, so that the views of it are the ones copied.
    own = {n for n in operands if isinstance(s := env[n], Tensor) and s.roots == frozenset([n])}
    own -= seen
    seen |= own
    arguments: list[str] = []
    for name in operands:
        signature = cast("Tensor", env[name])
        shared = name not in own and bool(signature.roots & (seen | read))
        seen |= signature.roots
        method = "clone()" if shared else "contiguous()" if signature.permuted and layout else ""
        arguments.append(f"{name}.{method}" if method else name)
    return arguments


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


def _ternary(place: Place, node: cst.IfExp) -> tuple[Edit, ...]:
    at = place.path.index(node)
    # A chain `a if p else b if q else c` is rewritten from its first test that needs data.
    builder = Builder(place)
    statement = place.statement()
    if not isinstance(statement, cst.SimpleStatementLine):
        raise Refused("a conditional expression in the head of a compound statement")
    env = place.inference.before(place.upto(statement))
    while at > 0 and isinstance(outer := place.path[at - 1], cst.IfExp) and outer.orelse is place.path[at]:
        if builder.predicates.decides(outer.test, env):
            node = outer
        at -= 1
    code, _ = _choice(builder, node, env)
    span = place.tree.span(node)
    assert span is not None
    return finished(place, (Edit(span, code),))


def _choice(builder: Builder, node: cst.IfExp, env: Environment) -> tuple[str, Signature]:
    """The code of a conditional expression as a call of `torch.cond`, and what it gives."""
    place, inference = builder.place, builder.inference
    if contains([node], *_IMMOVABLE) or _bare_super([node]):
        raise Refused("a side holds what cannot be moved into a function")
    predicate = builder.predicates.translate(node.test, dict(env))
    if predicate.guard:
        raise Refused("a part of the test is decided while tracing")
    found = changes([node])
    if found.other or found.names:
        raise Refused("a side changes something in place")
    borrowed = {root for s in env.values() for leaf in leaves(s) if isinstance(leaf, Tensor) for root in leaf.roots}
    read = names([node.body, node.orelse]).reads
    operands = [n for n in in_order(node) if n in read and isinstance(env.get(n), Tensor)]
    codes: list[str] = []
    signatures: list[Signature] = []
    for side in (node.body, node.orelse):
        if isinstance(side, cst.IfExp) and builder.predicates.decides(side.test, dict(env)):
            code, signature = _choice(builder, side, env)
        else:
            signature = inference.infer(side, dict(env))
            if not isinstance(signature, Tensor):
                raise Refused("a side is no tensor")
            own = all(r.startswith("#") for r in signature.roots) and not signature.roots & borrowed
            shown = side
            if signature.permuted:
                method = "contiguous()" if own else f"clone(memory_format={place.torch}.contiguous_format)"
                shown = _method(side, method)
            elif not own:
                shown = _method(side, "clone()")
            code = place.tree.code(shown)
        codes.append(code)
        signatures.append(signature)
    if not agree(*signatures):
        raise Refused("the sides are not sure to have equal dtypes and shapes")
    head = f"lambda {', '.join(operands)}:" if operands else "lambda:"
    arguments = passed(operands, env, [node.body, node.orelse])
    parts = [predicate.code, *[f"{head} {c}" for c in codes]]
    if operands:
        parts.append(f"({arguments[0]},)" if len(arguments) == 1 else f"({', '.join(arguments)})")
    return f"{place.torch}.cond({', '.join(parts)})", _freshened(signatures[0], inference.fresh())
