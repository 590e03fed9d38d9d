"""A guard around what does nothing where nothing is selected: the work without the guard.

`if mask.any(): x[mask] = 0` skips an assignment that writes no element when the mask is False everywhere. An index of no
rows, a mask that is False everywhere, a layer that is called with no rows and the sum of no elements are as good in eager as
in the graph, so that the guard is all that keeps the code from being exported (measured: tests/data/fixes/guards).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.fitting import Fitting
from exportdb_rules.rewrite.branching.selection import BY_INDEX, BY_MASK, Selection, method_of
from exportdb_rules.rewrite.branching.where import cheap, comments_in, inexpensive
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, locate, shared
from exportdb_rules.rewrite.interface.eager_only import messages_apart
from exportdb_rules.rewrite.known.liveness import arms, code_after, followed_by, live_out
from exportdb_rules.rewrite.known.mutation import copy_is_observable, is_unaliased, side_effects
from exportdb_rules.rewrite.known.names import names, targets
from exportdb_rules.rewrite.known.signature import TensorSignature, numeric
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted, integer, occurrences, only_statement, statements, unpacked
from exportdb_rules.values import Function, Instance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.known.signature import Signature

# Layers to which a `key_padding_mask` that is False everywhere says what None does.
_ATTENTION: Final = ("torch.nn.MultiheadAttention", "torch.nn.Transformer")
TITLE: Final = "Remove the guard (its body has no effect on an empty selection)"
TITLE_OF_SIZE: Final = "Remove the guard (its body changes nothing where the size fits)"
TITLE_OF_RESIZING: Final = "Replace the branch with one `F.pad` (a negative amount crops)"
TITLE_OF_RETURN: Final = "Remove the guard (an empty selection gives the same without it)"
TITLE_OF_MASK: Final = "Keep the mask (if one that is False everywhere has the effect of None)"
TITLE_IF_ALIKE: Final = "Remove the guard (if an empty selection gives the same shape without it)"


def drop_guard(context: FixContext) -> tuple[Fix, ...]:
    """The fix for an `if` that asks whether a mask or an index selects anything, before work that does nothing where it
    selects nothing; () for any other. The body then runs on every call, and a name that it binds anew is a copy."""
    try:
        place = locate(context)
        return shared(place, place.branch(), "guard", lambda: _fix(place))
    except FixNotApplicable:
        return ()


def _fix(place: FixSite) -> tuple[Fix, ...]:
    node = place.branch()
    if not isinstance(node, cst.If):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a statement")
    path = place.upto(node)
    parent = path[-2]
    if not isinstance(parent, cst.IndentedBlock):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an elif")
    body = list(parent.body)
    at = next(index for index, statement in enumerate(body) if statement is node)
    node, told = messages_apart(place, node)
    selection = Selection(place, path)
    work = _Work(selection)
    title = TITLE
    behind = followed_by(path, place.function)[:1]
    taken = 0
    if _returns_early(node, behind) and selection.asks(node.test, some=True):
        node, taken = node.with_changes(orelse=cst.Else(cst.IndentedBlock(behind))), 1
    asked, left = _without_question(selection, node.test) if node.orelse is None else (False, node.test)
    if asked:
        kept = statements(node.body)
        work.refuse_unless_idle(kept, path)
        new = _below(_heading(node), node, kept) if left is None else [node.with_changes(test=left)]
    elif node.orelse is None and selection.asks(_where_given(node), some=False):
        rest = body[at + 1 :]
        cleared = _cleared(statements(node.body))
        if cleared and work.is_left_out(cleared, rest):
            changed = parent.with_changes(body=[*body[:at], *told, *_below(comments_in(node), node, rest)])
            return _fixed(place, parent, changed, TITLE_OF_MASK if work.presumes else title)
        skipped = _skipped(statements(node.body), rest, path)
        early, late = _returned(statements(node.body)), _returned(rest[-1:])
        same = early is None or late is None or _alike(early, late)
        if (same and not skipped) or _where_given(node) is not node.test:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "nothing is skipped")
        if same or early is None or late is None:
            work.refuse_unless_idle(skipped, (*path[:-1], body[at + len(skipped)]))
        else:
            work.refuse_unless_same(skipped, early, late, ())
            title = TITLE_IF_ALIKE if work.presumes else TITLE_OF_RETURN
        new = _below(comments_in(node), node, rest)
        body = body[: at + 1]
    elif (chosen := _where_some(selection, node)) is not None:
        kept, empty = chosen
        last, nothing = _ending(kept), _ending(empty)
        if last is None or nothing is None or len(empty) > 1 or last[0] != nothing[0]:
            raise FixNotApplicable(NoFix.EMPTY_SELECTION, "the sides do more than to give one value each")
        work.refuse_unless_same(kept[:-1], nothing[1], last[1], path)
        title = TITLE_IF_ALIKE if work.presumes else TITLE_OF_RETURN
        new = _below(_heading(node), node, kept)
    else:
        fitting = Fitting(selection, node)
        resized = fitting.resized()
        title = TITLE_OF_SIZE if resized is None else TITLE_OF_RESIZING
        new = _below(_heading(node), node, fitting.statements() if resized is None else [resized])
    return _fixed(place, parent, parent.with_changes(body=[*body[:at], *told, *new, *body[at + 1 + taken :]]), title)


def _fixed(place: FixSite, old: cst.IndentedBlock, new: cst.IndentedBlock, title: str) -> tuple[Fix, ...]:
    edits = validated_edits(place, replaced(place.tree, old, new))
    safe = title in (TITLE_OF_SIZE, TITLE_OF_RESIZING)
    return (Fix(title, Applicability.SAFE if safe else Applicability.UNSAFE, edits, preferred=True),) if edits else ()


def _returns_early(node: cst.If, behind: Sequence[cst.CSTNode]) -> bool:
    """Whether an `if` without an `else` returns, and what is behind it does nothing else."""
    ending = _ending(statements(node.body))
    return node.orelse is None and ending is not None and not ending[0] and _returned(behind) is not None


def _where_some(selection: Selection, node: cst.If) -> tuple[list[cst.BaseStatement], list[cst.BaseStatement]] | None:
    """The sides of an `if` with an `else` that asks whether something is selected: the one where there is, and the other one.

    Raises:
        FixNotApplicable: that one has a comment.
    """
    sides = [list(side) for side in arms(node)]
    if not isinstance(node.orelse, cst.Else) or (not (some := selection.asks(node.test, some=True)) and not selection.asks(node.test, some=False)):  # fmt: skip
        return None
    kept, empty = sides if some else sides[::-1]
    if any("#" in selection.place.tree.code(statement) for statement in empty):
        raise FixNotApplicable(NoFix.SHARED_LINE, "a comment between the sides")
    return kept, empty


def _ending(block: Sequence[cst.CSTNode]) -> tuple[str, cst.BaseExpression] | None:
    """The target and the value of the assignment that a block ends with; '' and what it returns, of a return."""
    only = only_statement(block[-1:])
    if isinstance(only, cst.Assign) and len(only.targets) == 1:
        return cst.Module([]).code_for_node(only.targets[0].target), only.value
    return ("", only.value) if isinstance(only, cst.Return) and only.value is not None else None


def _without_question(selection: Selection, test: cst.BaseExpression) -> tuple[bool, cst.BaseExpression | None]:
    """Whether a condition, or one of several that must hold, asks that something is selected; and what is left without it."""
    if selection.asks(test, some=True):
        return True, None
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        for asking, other in (("right", "left"), ("left", "right")):
            asked, left = _without_question(selection, getattr(test, asking))
            if asked:
                return True, getattr(test, other) if left is None else test.with_changes(**{asking: left})
    return False, test


def _where_given(node: cst.If) -> cst.BaseExpression:
    """The condition of an `if` that sets a name to None, without the question whether it is None already."""
    test, name = node.test, _cleared(statements(node.body))
    if name and isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And) and _asks_for(name, test.left):  # fmt: skip
        return test.right
    return test


def _cleared(block: Sequence[cst.CSTNode]) -> str:
    """The name that a block sets to None and does nothing else, or ''."""
    only = only_statement(block)
    if not isinstance(only, cst.Assign) or len(only.targets) != 1 or dotted(only.value) != "None":
        return ""
    return dotted(only.targets[0].target) if isinstance(only.targets[0].target, cst.Name) else ""


def _below(
    comments: Sequence[cst.EmptyLine], node: cst.If, left: Sequence[cst.BaseStatement]
) -> list[cst.BaseStatement]:
    """The statements that are left of an `if`, below the lines above that and the comments of it."""
    lead = [*node.leading_lines, *comments]
    first = [one.with_changes(leading_lines=[*lead, *getattr(one, "leading_lines", ())]) for one in left[:1]]
    return [*first, *left[1:]]


def _skipped(
    jump: Sequence[cst.CSTNode], rest: Sequence[cst.BaseStatement], path: Sequence[cst.CSTNode]
) -> list[cst.BaseStatement]:
    """The statements behind an `if` that its jump passes over; the jump must lead to where they end.

    Raises:
        FixNotApplicable: it leads elsewhere.
    """
    only = only_statement(jump)
    around = path[-3]
    if isinstance(only, cst.Continue) and isinstance(around, (cst.For, cst.While)):
        return list(rest)
    if isinstance(only, cst.Return) and isinstance(around, cst.FunctionDef):
        last = only_statement(rest[-1:])
        if isinstance(last, cst.Return) and (only.value is None) == (last.value is None):
            return list(rest[:-1])
        if only.value is None and not isinstance(last, cst.Return):
            return list(rest)
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the jump leads elsewhere")


def _returned(block: Sequence[cst.CSTNode]) -> cst.BaseExpression | None:
    """What a block returns that does nothing else; None where it does more, or returns nothing."""
    only = only_statement(block)
    return only.value if isinstance(only, cst.Return) else None


def _alike(one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    """Whether two returns give the same names."""
    plain = (cst.Name, cst.Tuple)
    return isinstance(one, plain) and isinstance(other, plain) and one.deep_equals(other)


def _heading(node: cst.If) -> list[cst.EmptyLine]:
    """The comment behind the `if`, as a line of its own."""
    trailing = node.body.header if isinstance(node.body, cst.IndentedBlock) else None
    return [cst.EmptyLine(comment=trailing.comment)] if trailing is not None and trailing.comment is not None else []


@dataclass
class _Work:
    """The code that a guard is around, beside what is empty where nothing is selected."""

    selection: Selection
    _live: frozenset[str] = frozenset()
    _after: Sequence[cst.CSTNode] = ()
    # The names that were bound here, each with that of the tensor that it is equal to where nothing is selected, or ''.
    _equal: dict[str, str] = field(default_factory=dict[str, str])
    # Whether the sizes of a row were not known, and taken to be those that are written out for no rows; or what a mask that is
    # False everywhere means to other functions, and taken to be what None does.
    presumes: bool = False

    @property
    def _place(self) -> FixSite:
        return self.selection.place

    def _infer(self, node: cst.BaseExpression) -> Signature:
        return self._place.inference.infer(node, dict(self.selection.env))

    def refuse_unless_idle(self, block: Sequence[cst.CSTNode], end: Sequence[cst.CSTNode]) -> None:
        """Raises FixNotApplicable unless statements do nothing that anybody could see, where nothing is selected. `end` is the path
        to the last of them, or to what they stand in."""
        self._live, self._after = live_out(end, self._place.function), code_after(end, self._place.function)
        self._refuse_unless_idle(block)

    def refuse_unless_same(
        self,
        block: Sequence[cst.CSTNode],
        early: cst.BaseExpression,
        late: cst.BaseExpression,
        end: Sequence[cst.CSTNode],
    ) -> None:
        """Raises FixNotApplicable unless `late` behind statements is the same, where nothing is selected, as `early` before
        them. `end` is the path to where the function goes on; () where it returns."""
        if end:
            self._live, self._after = live_out(end, self._place.function), code_after(end, self._place.function)
        self._refuse_unless_idle(block)
        if not self._same(block, early, late):
            raise FixNotApplicable(NoFix.EMPTY_SELECTION, "another result for an empty selection")

    def _refuse_unless_idle(self, block: Sequence[cst.CSTNode]) -> None:
        for statement in block:
            if not isinstance(statement, cst.SimpleStatementLine):
                raise FixNotApplicable(NoFix.EMPTY_SELECTION, "more than assignments")
            for small in statement.body:
                if not self._idle(small):
                    raise FixNotApplicable(NoFix.EMPTY_SELECTION, "the body may do something for an empty selection")
                assigns = [small] if isinstance(small, cst.Assign) else []
                given = dict([p for one in assigns for to in one.targets for p in unpacked(to.target, one.value)])
                written = names(small).writes | side_effects([small]).names
                equal = {name: self._unchanged(given[name]) if name in given else "" for name in written}
                self._equal |= equal
                self.selection.forget(written)

    def _same(self, block: Sequence[cst.CSTNode], early: cst.BaseExpression, late: cst.BaseExpression) -> bool:
        """Whether an expression is, where nothing is selected, what another was before the names were bound that are."""
        several = (cst.Tuple, cst.List)
        if isinstance(early, several) and isinstance(late, several):
            pairs = list(zip_longest(early.elements, late.elements))
            whole = all(isinstance(one, cst.Element) for pair in pairs for one in pair)
            same = (self._same(block, one.value, other.value) for one, other in pairs)
            return type(early) is type(late) and whole and all(same)
        kept = self._kept(late)
        if (isinstance(early, cst.Name) and self._unchanged(late) == early.value) or (kept and kept.deep_equals(early)):
            return True
        if integer(early) == 0 and self.selection.counts_nothing(late):
            return True
        return self._both_empty(block, early, late)

    def _unchanged(self, node: cst.BaseExpression) -> str:
        """The tensor of no rows, by the name that it had when the condition was asked, that an expression is equal to; or ''."""
        if isinstance(node, cst.Name):
            return self._equal.get(node.value, node.value)
        if isinstance(node, cst.Subscript) and len(node.slice) == 1 and self.selection.has_no_elements(node.value):
            part = node.slice[0].slice
            picked = isinstance(part, cst.Index) and self.selection.is_index(part.value)
            flat = picked and isinstance(part, cst.Index) and self.selection.rank(part.value) == 1
            return self._unchanged(node.value) if isinstance(part, cst.Slice) or flat else ""
        return ""

    def _both_empty(self, block: Sequence[cst.CSTNode], early: cst.BaseExpression, late: cst.BaseExpression) -> bool:
        """Whether two tensors without rows have the same dtype, and rows of the same sizes."""
        if not self.selection.has_no_elements(late):
            return False
        inference = self._place.inference
        env = dict(self.selection.env)
        one = inference.infer(early, dict(env))
        inference.run(block, env)
        other = inference.infer(late, env)
        if not isinstance(one, TensorSignature) or not isinstance(other, TensorSignature):
            return False
        sizes, found = numeric(one.shape), numeric(other.shape)
        if one.dtype is None or one.dtype != other.dtype or sizes is None:
            return False
        if found is None and sizes[:1] == (0,) and self.selection.rank(late) in (None, len(sizes)):
            self.presumes = True
            return True
        return sizes == found

    def is_left_out(self, name: str, rest: Sequence[cst.BaseStatement]) -> bool:
        """Whether a mask that nothing is selected by may be left as it is instead of becoming None: all that reads it later
        asks whether it is None, and does nothing with an empty one. `presumes` where that is not known: of a function that it
        is passed to, or of what is done with it there."""
        if name not in self.selection.masks or name in live_out(self.selection.path[:-2], self._place.function):
            return False
        return self._has_no_effect(name, rest, self.selection.path[:-1])

    def _has_no_effect(self, name: str, block: Sequence[cst.BaseStatement], above: Sequence[cst.CSTNode]) -> bool:
        """Whether statements do the same with an empty mask of that name as with None; `above` is the path to their block."""
        for statement in block:
            path = (*above, statement)
            if name in names(statement).writes:
                return False
            if name not in names(statement).reads or self._only_masks(name, statement):
                continue
            if self._is_passed_on(name, statement):
                self.presumes = True
                continue
            if not isinstance(statement, cst.If):
                return False
            if name not in names(statement.test).reads:
                body, behind = arms(statement)
                other = statement.orelse
                inner = path if other is None or isinstance(other, cst.If) else (*path, other, other.body)
                kept = self._has_no_effect(name, body, (*path, statement.body))
                if not kept or not self._has_no_effect(name, behind, inner):
                    return False
                continue
            if not _asks_for(name, statement.test):
                return False
            try:
                work = _Work(Selection(self._place, path, masks={name}))
                work.refuse_unless_idle(statements(statement.body), path)
                self.presumes = self.presumes or statement.orelse is not None
            except FixNotApplicable:
                self.presumes = True
        return True

    def _only_masks(self, name: str, statement: cst.BaseStatement) -> bool:
        """Whether all that a line does with a name is to say to layers of torch, by it, which elements to leave out."""
        if not isinstance(statement, cst.SimpleStatementLine):
            return False
        return all(
            isinstance(argument := use[-2], cst.Arg)
            and argument.keyword is not None
            and argument.keyword.value.endswith("key_padding_mask")
            and isinstance(call := use[-3], cst.Call)
            and self._is_attention(call.func)
            for use in occurrences(statement, name)
        )

    def _is_passed_on(self, name: str, statement: cst.BaseStatement) -> bool:
        """Whether all that a statement does with a name is to pass it to modules and functions that are not torch's."""
        for use in occurrences(statement, name):
            argument, call = use[-2], use[-3]
            if not isinstance(argument, cst.Arg) or argument.star or not isinstance(call, cst.Call):
                return False
            kinds = self._place.inference.kinds(call.func)
            own = (isinstance(k, Function) or (isinstance(k, Instance) and k.cls is not None) for k in kinds)
            if not kinds or not all(own):
                return False
        return True

    def _is_attention(self, node: cst.BaseExpression) -> bool:
        kinds = self._place.inference.kinds(node)
        return bool(kinds) and all(
            isinstance(kind, Instance) and kind.external.startswith(_ATTENTION) for kind in kinds
        )

    def _idle(self, node: cst.BaseSmallStatement) -> bool:
        if isinstance(node, cst.Pass) or (isinstance(node, cst.Expr) and isinstance(node.value, cst.BaseString)):
            return True
        if isinstance(node, cst.Expr):
            method = method_of(self._place, node.value)
            return method is not None and method[0].endswith("_") and self._kept(node.value) is not None
        if isinstance(node, cst.AugAssign):
            if isinstance(node.target, cst.Subscript):
                return self._nothing_written(node.target, node.value)
            adds = isinstance(node.operator, (cst.AddAssign, cst.SubtractAssign))
            tensor = bool(dotted(node.target)) and self.selection.is_tensor(node.target)
            return adds and tensor and self.selection.is_zero(node.value)
        if not isinstance(node, cst.Assign) or len(node.targets) != 1:
            return False
        target = node.targets[0].target
        if isinstance(target, cst.Subscript):
            return self._nothing_written(target, node.value)
        if isinstance(target, cst.Tuple):
            unread = not self._live & {name.value for name in targets(target)}
            return unread and self.selection.learn_parts(target, node.value)
        if not isinstance(target, cst.Name):
            return False
        kept = self._kept(node.value)
        if kept is not None and kept.deep_equals(target):
            return self._same_again(target)
        if target.value in self._live:
            return False
        return self.selection.learn(target.value, node.value) or cheap(node.value)

    def _same_again(self, target: cst.Name) -> bool:
        """Whether a name may be given a copy of its own tensor."""
        before, function = self._infer(target), self._place.function
        if not isinstance(before, TensorSignature):
            return False
        own = is_unaliased(target.value, self.selection.env, [function.body])
        return own or not copy_is_observable(target.value, before.storages, self.selection.env, self._after)

    def _nothing_written(self, target: cst.Subscript, value: cst.BaseExpression) -> bool:
        """Whether an assignment to items writes none, and the value fits."""
        if not dotted(_whole(target.value)) or not self.selection.selects_nothing(target):
            return False
        return self._fits(value, self.selection.row_rank(target))

    def _fits(self, value: cst.BaseExpression, rank: int | None) -> bool:
        """Whether a value can be written to no rows as well as to some; `rank` is that of one row."""
        if self.selection.is_number(value) or self.selection.has_no_elements(value):
            return True
        if isinstance(value, cst.BinaryOperation):
            return all(self._fits(side, rank) for side in (value.left, value.right))
        own = self.selection.rank(value)
        if not inexpensive(value) or own is None:
            return False
        return own == 0 or (rank is not None and own <= rank)

    def _kept(self, value: cst.BaseExpression) -> cst.BaseExpression | None:
        """What an expression is equal to, element for element, where nothing is selected."""
        if isinstance(value, (cst.Name, cst.Attribute)) and dotted(value):
            return value
        if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, (cst.Add, cst.Subtract)):
            kept = self._kept(value.left)
            fine = kept is not None and self.selection.is_zero(value.right) and self._of_one_dtype(kept, value)
            return kept if fine and self._no_wider(value.right, value.left) else None
        if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Multiply):
            for one, other in ((value.left, value.right), (value.right, value.left)):
                kept = self._kept(one)
                if kept is not None and self.selection.is_one(other):
                    same = self._of_one_dtype(kept, value) or self._is_cast_like(other, kept)
                    return kept if same and self._no_wider(other, one) else None
            return None
        method = method_of(self._place, value)
        if method is None:
            return None
        name, receiver, rest = method
        name = name.removesuffix("_")
        given = [*rest.positional, *rest.named.values()]
        if name == "where" and len(given) == 2 and not rest.named:
            # `torch.where(mask, value, x)`, or `x.where(mask, value)`.
            function = isinstance(value, cst.Call) and dotted(value.func) == f"{self._place.torch}.where"
            condition, other, one = (receiver, given[1], given[0]) if function else (given[0], given[1], receiver)
            chosen = other if self.selection.is_false(condition) else one if self.selection.is_true(condition) else None
            unused = one if chosen is other else other
            fine = chosen is not None and self._computable(unused) and self._no_wider(condition, chosen)
            fine = fine and chosen is not None and self._of_one_dtype(chosen, value)
            return self._kept(chosen) if chosen is not None and fine else None
        if name == "clone":
            return self._kept(receiver)
        at = BY_MASK.get(name, BY_INDEX.get(name))
        if at is None or rest.named or len(given) != at + 2:
            return None
        selection, value = given[at], given[at + 1]
        if name in BY_MASK:
            fine = (
                self.selection.is_false(selection) and self._computable(value) and self._no_wider(selection, receiver)
            )
        else:
            number = name == "index_fill" and self.selection.is_number(value)
            fine = self.selection.is_index(selection) and (number or self.selection.has_no_elements(value))
        return self._kept(receiver) if fine else None

    def _computable(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is a number, or cheap to compute whatever is selected."""
        return self.selection.is_number(node) or cheap(node)

    def _of_one_dtype(self, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
        """Whether two tensors have the same dtype."""
        known = [self._infer(node) for node in (one, other)]
        dtypes = [signature.dtype for signature in known if isinstance(signature, TensorSignature)]
        return len(dtypes) == 2 and dtypes[0] is not None and dtypes[0] == dtypes[1]

    def _is_cast_like(self, node: cst.BaseExpression, tensor: cst.BaseExpression) -> bool:
        """Whether an expression is given the dtype of a tensor last: `….to(x.dtype)`, `….type_as(x)`."""
        method = method_of(self._place, node)
        if method is None or method[0] not in ("to", "type_as") or len(method[2].positional) != 1:
            return False
        (like,) = method[2].positional
        if method[0] == "to":
            return isinstance(like, cst.Attribute) and like.attr.value == "dtype" and like.value.deep_equals(tensor)
        return like.deep_equals(tensor)

    def _no_wider(self, mask: cst.BaseExpression, tensor: cst.BaseExpression) -> bool:
        """Whether a mask does not give a tensor more dimensions, as far as is known."""
        ranks = self.selection.rank(mask), self.selection.rank(tensor)
        return ranks[0] is None or ranks[1] is None or ranks[0] <= ranks[1]


def _whole(node: cst.BaseExpression) -> cst.BaseExpression:
    """The tensor that `x[1:]` is a view of."""
    sliced = isinstance(node, cst.Subscript) and all(isinstance(part.slice, cst.Slice) for part in node.slice)
    return _whole(node.value) if sliced and isinstance(node, cst.Subscript) else node


def _asks_for(name: str, test: cst.BaseExpression) -> bool:
    """Whether a condition is `name is not None`."""
    return (
        isinstance(test, cst.Comparison)
        and dotted(test.left) == name
        and len(test.comparisons) == 1
        and isinstance(test.comparisons[0].operator, cst.IsNot)
        and dotted(test.comparisons[0].comparator) == "None"
    )
