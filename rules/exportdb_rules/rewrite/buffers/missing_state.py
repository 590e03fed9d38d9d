"""Tensors that an attribute holds from the first call on, and that are None before, as a buffer and a flag that says
whether it is there.

`if self.mean is None: self.mean = m; else: self.mean = 0.9 * self.mean + 0.1 * m` is decided while tracing, for the first
call. A buffer of the tensor's size keeps it, a second one that it was set; the question is a tensor then, which
`torch.where` and `torch.cond` can ask (measured on torch 2.13, in both modes).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Position, Span
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.buffers.state import in_class, is_own, made_in_constructor, missing_at_first, registered
from exportdb_rules.rewrite.buffers.state_uses import (
    Buffer,
    Path,
    State,
    attribute_paths,
    functions_around,
    inference_of,
    of_self,
    read,
    refuse_taken,
    set_by_constructor,
    stored,
    unpacked,
    upto_statement,
    write,
)
from exportdb_rules.rewrite.known.assignments import module_names
from exportdb_rules.rewrite.known.signature import DEFAULT_FLOAT, SCALAR, Number, Reduced, TensorSignature, numeric
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.buffers.state import Made
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = 'Store in a buffer with an "initialized" flag'
TITLE_FILLED: Final = "Store in a buffer that begins with what the first call fills it with"

# What raises where it is given None.
_RAISING: Final = (cst.BinaryOperation, cst.UnaryOperation, cst.Attribute, cst.Subscript)


def missing_to_buffer(context: FixContext) -> tuple[Fix, ...]:
    """`self.mean = None` in the constructor, and a tensor of one size later, as a buffer of that size.

    Always `unsafe`: a size that follows from the inputs is that of the examples.
    """
    return make_fix(context, _title, Applicability.UNSAFE, _kept, in_class)


def _title(place: FixSite) -> str:
    return TITLE_FILLED if _filling(place, _group(place)) else TITLE


def _kept(place: FixSite) -> Iterable[Edit]:
    edits: dict[Edit, None] = {}
    lines: dict[int, tuple[Made, list[str]]] = {}
    group = _group(place)
    filling = _filling(place, group)
    edits.update(dict.fromkeys(place.tree.without_rows(branch) for branch in filling))
    for one in group:
        made = made_in_constructor(place, one)
        done, registering = _one_kept(place, one, filling)
        edits.update(dict.fromkeys(done))
        lines.setdefault(id(made.node), (made, []))[1].extend(registering)
    for made, registering in lines.values():
        others = [line for line in made.others if line.partition(" ")[0].removeprefix("self.") not in group]
        edits[replace(made, others=tuple(others)).replaced(place, registering)] = None
    # What is put in one place is put there in order.
    placed: dict[Span, str] = {}
    for edit in edits:
        placed[edit.span] = placed.get(edit.span, "") + edit.content
    return [Edit(span, content) for span, content in placed.items()]


def _group(place: FixSite) -> list[str]:
    """The attribute, and those that are missing exactly where it is: the same question asks for them."""
    name, _ = missing_at_first(place)
    return [name, *sorted(_set_together(place, name))]


def _filling(place: FixSite, group: Sequence[str]) -> list[cst.If]:
    """The statements `if self.h is None: self.h = torch.zeros(…)`, if nothing else asks whether one of the group is None: a
    buffer of zeros says the same without them. Empty where something does."""
    found: dict[int, cst.If] = {}
    for name in group:
        writes, reads = uses(place, name)
        filled = {_fill_of(path) for path in writes if not is_none(path) and _fill_of(path)}
        for path in reads:
            if (asked := asks_for_none(path[-2], name)) is None:
                continue
            branch = path[-3]
            if not asked or not isinstance(branch, cst.If) or branch.orelse is not None or not isinstance(path[-4], cst.IndentedBlock):  # fmt: skip
                return []
            inside = [write for one in group for write in uses(place, one)[0] if any(n is branch for n in write)]
            if len(filled) != 1 or len(path[-4].body) == 1 or len(inside) != len(statements(branch.body)) or not all(map(_fill_of, inside)):  # fmt: skip
                return []
            found[id(branch)] = branch
    return list(found.values())


def _fill_of(path: Path) -> str:
    """`zeros` or `ones` where a write gives a new tensor of these, else ''."""
    value = _assigned(path)
    made = value.func if isinstance(value, cst.Call) else None
    last = made.attr.value if isinstance(made, cst.Attribute) else ""
    return next((fill for fill in ("zeros", "ones") if last in (fill, f"{fill}_like", f"new_{fill}")), "")


def _one_kept(place: FixSite, name: str, filling: Sequence[cst.If]) -> tuple[list[Edit], list[str]]:
    """The edits that let all uses of an attribute use a buffer, and the lines that register it. What stands in one of `filling`
    goes."""
    writes, reads = uses(place, name)
    resets = [path for path in writes if is_none(path)]
    there = There(place, name, resets)
    writes = [path for path in writes if path not in resets]
    flag = f"has_{name}"
    refuse_taken(place, flag)
    # Where a recurrent layer takes it, None is as good as zeros.
    zeros = [path for path in reads if begins_at_zero(place, path)]
    code, fitting = _first(place, name, writes)
    gone = [path for path in (*writes, *reads) if any(node is branch for branch in filling for node in path)]
    if gone:
        fills = [fill for path in gone if (fill := _fill_of(path))]
        code = code.replace(".zeros(", f".{fills[0]}(", 1)
        writes, reads = ([path for path in paths if path not in gone] for paths in (writes, reads))
    tests = [path for path in reads if asks_for_none(path[-2], name) is not None]
    first = cst.parse_expression(code)
    state = State(lambda n: is_own(n, name), name, fitting=fitting)
    edits: list[Edit] = []
    for path in writes:
        edits += write(place, path, False, first, state)[1]
        if tests and not there.at(path):
            edits.append(behind(place, path, [f"self.{flag}.fill_(True)"]))
    for path in reads:
        if path in tests:
            continue
        if not isinstance(path[-2], _RAISING) and path not in zeros and not there.at(path):
            raise FixNotApplicable(NoFix.POSSIBLY_UNBOUND, "it is read where it may be missing")
        edits += read(place, path, Buffer(False, False, True), state)
    for path in tests:
        comparison = cst.ensure_type(path[-2], cst.Comparison)
        _refuse_numbers(place, path[:-1])
        span = place.tree.span(comparison)
        assert span is not None
        asked = isinstance(comparison.comparisons[0].operator, cst.Is)
        edits.append(Edit(span, f"{'~' if asked else ''}self.{flag}"))
    for path in resets:
        empty = f"self.{name}.fill_(1)" if ".ones(" in code else f"self.{name}.zero_()"
        done = [empty] if zeros or gone else []
        done += [f"self.{flag}.fill_(False)"] if tests else []
        edits.append(_forgotten(place, path, done))
    lines = [registered(name, code)]
    if tests:
        lines.append(registered(flag, f"{place.torch}.tensor(False)"))
    return edits, lines


def _refuse_numbers(place: FixSite, path: Path) -> None:
    """Raises FixNotApplicable where the question chooses a number: no operator of torch chooses between that and a tensor."""
    chooses = next((n for n in reversed(path) if isinstance(n, cst.IfExp)), None)
    if chooses is not None and any(n is chooses.test for n in path):
        inference = inference_of(place, functions_around(path)[0])
        env = inference.before(upto_statement(path))
        if any(isinstance(inference.infer(side, env), Number) for side in (chooses.body, chooses.orelse)):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a number is chosen where it is missing")


def begins_at_zero(place: FixSite, path: Path, layers: Sequence[str] = ("GRU", "RNN", "GRUCell", "RNNCell")) -> bool:
    """Whether a read hands the state to a recurrent layer, which takes zeros where it is given None."""
    call, given = path[-3], path[-2]
    if not isinstance(call, cst.Call) or not dotted(call.func).startswith("self."):
        return False
    made = place.inference.submodules.calls.get(dotted(call.func).removeprefix("self."))
    kind = "" if made is None else place.inference.submodules.qualified(made.func)
    second = call.args[1] if len(call.args) == 2 else None
    return (
        kind in {f"torch.nn.{layer}" for layer in layers}
        and second is not None
        and second is given
        and (second.keyword is None or second.keyword.value == "hx")
    )


def _forgotten(place: FixSite, path: Path, instead: Sequence[str]) -> Edit:
    """The edit for `self.mean = None`. Where nothing is to be done, what is forgotten beside it has the flag."""
    line = upto_statement(path)[-1]
    span, whole = place.tree.span(path[-3]), place.tree.span(line)
    assert span is not None
    assert whole is not None
    if instead:
        return Edit(span, "; ".join(instead))
    if (
        not isinstance(line, cst.SimpleStatementLine)
        or len(line.body) != 1
        or line.trailing_whitespace.comment is not None
    ):
        raise FixNotApplicable(NoFix.SHARED_LINE, "a line that holds more")
    return Edit(Span(Position(whole.start.row, 1), Position(whole.end.row + 1, 1)), "")


def uses(place: FixSite, name: str) -> tuple[list[Path], list[Path]]:
    """Where methods of the class write and read the attribute, the constructor left aside.

    Raises:
        FixNotApplicable: other code uses it too, or code that may run in any order.
    """
    writes: list[Path] = []
    reads: list[Path] = []
    for path, _ in attribute_paths(place, name):
        if set_by_constructor(place, path):
            continue
        functions = functions_around(path)
        if not of_self(place, path) or len(functions) != 1 or functions[0].name.value == "__init__":
            raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "other code uses the attribute too")
        comprehensions = [n for n in path if isinstance(n, cst.BaseComp)]
        # What a comprehension runs over is computed before it.
        over = isinstance(path[-2], cst.CompFor) and len(comprehensions) == 1 and path[-2].iter is path[-1]
        if any(isinstance(n, (cst.Lambda, cst.Try, cst.Del)) for n in path) or (comprehensions and not over):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported use")
        (writes if stored(path) else reads).append(path)
    return writes, reads


def _assigned(path: Path) -> cst.BaseExpression | None:
    """What a plain assignment to the place gives it."""
    assign = path[-3] if isinstance(path[-2], cst.AssignTarget) else None
    return assign.value if isinstance(assign, cst.Assign) and len(assign.targets) == 1 else None


def asks_for_none(node: cst.CSTNode, name: str) -> bool | None:
    """True for `self.<name> is None`, False for `self.<name> is not None`, None for anything else."""
    if not isinstance(node, cst.Comparison) or len(node.comparisons) != 1 or not is_own(node.left, name):
        return None
    target = node.comparisons[0]
    if dotted(target.comparator) != "None" or not isinstance(target.operator, (cst.Is, cst.IsNot)):
        return None
    return isinstance(target.operator, cst.Is)


def _first(place: FixSite, name: str, writes: Sequence[Path]) -> tuple[str, bool]:
    """The code of a tensor like the one that is kept, and whether its size is one of the batch in the examples.

    Raises:
        FixNotApplicable: its dtype or size is not known.
    """
    for path in writes:
        inference = inference_of(place, functions_around(path)[0])
        env = inference.before(upto_statement(path))
        value = _assigned(path)
        if value is not None and any(is_own(n, name) for n in below(value, cst.Attribute)):
            continue
        known = unpacked(path, inference, env) if value is None else inference.infer(value, env)
        sizes = numeric(known.shape) if isinstance(known, TensorSignature) else None
        if not isinstance(known, TensorSignature) or sizes is None or not isinstance(known.dtype, str):
            continue
        if not _of_every_input(known.shape) and from_dynamic_sizes(place.tree.module):
            raise FixNotApplicable(NoFix.STATE_MAY_CHANGE_SHAPE, "the size may follow from a dynamic one")
        dtype = "" if known.dtype == DEFAULT_FLOAT else f", dtype={place.torch}.{known.dtype}"
        fitting = not _of_every_input(known.shape) and max(sizes) > 1
        return f"{place.torch}.zeros({', '.join(map(str, sizes)) or '()'}{dtype})", fitting
    raise FixNotApplicable(NoFix.STATE_MAY_CHANGE_SHAPE, "the size of what is stored is not known")


def _of_every_input(shape: Hashable) -> bool:
    """Whether a shape has nothing of the batch: no dimension, or what is left of a sum over the first."""
    return shape == SCALAR or (
        isinstance(shape, Reduced) and shape.how.replace(" ", "").partition(",")[0] in ("0", "dim=0")
    )


class There:
    """Where it is known that the attribute was set: behind the question whether it is None, and behind a write."""

    def __init__(self, place: FixSite, name: str, resets: Sequence[Path]) -> None:
        self._name = name
        self._asked = {name, *_set_together(place, name)}
        self._resets = {functions_around(path)[0].name.value for path in resets}
        self._forgets = bool(self._resets & {c.attr.value for c in below(place.tree.module, cst.Attribute)})

    def at(self, path: Path) -> bool:
        """Whether the attribute is set wherever a place is reached."""
        if self._forgets or functions_around(path)[0].name.value in self._resets:
            return False
        for parent, child in zip(reversed(path[:-1]), reversed(path[1:]), strict=True):
            if isinstance(parent, (cst.If, cst.IfExp)) and child is not parent.test:
                asked = self._question(parent.test)
                if asked is not None and (child is parent.orelse) is asked:
                    return True
            if isinstance(parent, cst.IndentedBlock):
                before = parent.body[: next(i for i, s in enumerate(parent.body) if s is child)]
                if any(self._sets(s) for s in before):
                    return True
            if isinstance(parent, cst.FunctionDef):
                break
        return False

    def _question(self, test: cst.CSTNode) -> bool | None:
        """True for a test whether the attribute is None, False for one whether it is there, None for any other."""
        return next((a for name in self._asked if (a := asks_for_none(test, name)) is not None), None)

    def _sets(self, statement: cst.CSTNode) -> bool:
        """Whether the attribute is set when a statement is done, whichever way it took."""
        if isinstance(statement, cst.SimpleStatementLine):
            return any(
                isinstance(small, cst.Assign)
                and any(is_own(a, self._name) for t in small.targets for a in below(t.target, cst.Attribute))
                for small in statement.body
            )
        if isinstance(statement, cst.If):
            asked = self._question(statement.test)
            taken = self._any_sets(statement.body)
            other = isinstance(statement.orelse, cst.Else) and self._any_sets(statement.orelse.body)
            return taken if asked is True else other if asked is False else taken and other
        return isinstance(statement, cst.With) and self._any_sets(statement.body)

    def _any_sets(self, block: cst.BaseSuite) -> bool:
        return any(self._sets(s) for s in statements(block))


def _set_together(place: FixSite, name: str) -> set[str]:
    """Other attributes that are None exactly where this one is: each of their writes stands beside one of this."""
    writes, _ = uses(place, name)
    mine = {(id(_block(path)), is_none(path)) for path in writes}
    made = made_in_constructor(place, name)
    found: set[str] = set()
    for other in {a.attr.value for p in writes for a in below(_block(p), cst.Attribute)} - {name}:
        try:
            beside = made_in_constructor(place, other)
            theirs, _ = uses(place, other)
        except FixNotApplicable:
            continue
        same = {(id(_block(path)), is_none(path)) for path in theirs} == mine
        if same and dotted(beside.value) == dotted(made.value) == "None":
            found.add(other)
    return found


def _block(path: Path) -> cst.CSTNode:
    """The block that a place stands in, which may be the rest of a line: `if …: self.h = x`."""
    return next(n for n in reversed(path) if isinstance(n, cst.BaseSuite))


def is_none(path: Path) -> bool:
    """Whether a write says that the attribute is missing again."""
    value = _assigned(path)
    return value is not None and dotted(value) == "None"


def from_dynamic_sizes(module: cst.Module) -> bool:
    """Whether a text declares dimensions as dynamic."""
    spec = module_names(module).get("dynamic_shapes")
    given = [a.value for a in below(module, cst.Arg) if a.keyword and a.keyword.value.startswith("dynamic_")]
    return any(dotted(value) != "None" for value in [*given, *([] if spec is None else [spec])])


def behind(place: FixSite, path: Path, codes: Sequence[str], within: cst.CSTNode | None = None) -> Edit:
    """The edit that puts statements behind the one that writes; `within` is that one, where only a line will do."""
    line, block = upto_statement(path)[-1], _block(path)
    body = line.body if isinstance(line, cst.SimpleStatementLine) else cst.ensure_type(block, cst.BaseSuite).body
    last = place.tree.span(body[0])
    if last is None or len(body) != 1 or (within is not None and within is not body[0]):
        raise FixNotApplicable(NoFix.SHARED_LINE, "a line that holds more")
    ahead = f"\n{' ' * (last.start.column - 1)}" if isinstance(line, cst.SimpleStatementLine) else "; "
    return Edit(Span(last.end, last.end), "".join([f"{ahead}{code}" for code in codes]))
