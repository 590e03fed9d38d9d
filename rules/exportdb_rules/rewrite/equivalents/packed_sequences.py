"""A recurrent layer over packed sequences, as one over the padded input whose steps beyond each length are not looked at.

Measured on torch 2.13, in both modes, with lengths that differ, are all full, and are none: a layer that runs forwards
gives for the steps of a sequence the same whatever comes behind them; its last state is what it gave at the last step. The
other direction sees the padding first, so it is run on sequences that stand at the end. The cell state of an LSTM, and
the states of all layers but the last, are nowhere in what the layer gives: where they are used, there is no fix, nor for
what goes through several layers in both directions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.fix_site import FixSite, new_name
from exportdb_rules.rewrite.known.liveness import live_out
from exportdb_rules.rewrite.known.mutation import is_pure
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import TensorSignature
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import arguments, below, dotted, occurrences, signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Run the layer over the padded input"

Line = cst.SimpleStatementLine


def packed_to_padded(context: FixContext) -> tuple[Fix, ...]:
    """`pack_padded_sequence`, the layer, and `pad_packed_sequence`, as the layer over the padded input.

    `unsafe`: the last digits may differ, dropout between layers draws other numbers, and where eager raised for the
    lengths an assertion of the graph fails.
    """
    return make_fix(context, TITLE, Applicability.UNSAFE, lambda place: _Packed(place).edits())


@dataclass(frozen=True, eq=False)
class RecurrentLayer:
    """What the constructor says of a recurrent layer: `deep` has several layers, `both` runs in both directions."""

    name: str
    kind: str
    deep: bool
    both: bool
    batch_first: bool


def recurrent_layer(place: FixSite, name: str) -> RecurrentLayer:
    """The recurrent layer that an attribute (`self.rnn`) holds. Raises FixNotApplicable where its constructor does not say enough."""
    held = place.inference.submodules
    made = held.calls.get(name.removeprefix("self."))
    kind = held.qualified(made.func).removeprefix("torch.nn.") if made is not None else ""
    if made is None or kind not in ("RNN", "GRU", "LSTM") or any(a.star for a in made.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a recurrent layer that the constructor makes")
    given = arguments(made.args).by_name("input_size", "hidden_size", "num_layers")
    if given is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    layers = given.get("num_layers")
    deep = layers is not None and signed(layers) != 1
    both = _flag(given, "bidirectional")
    if both and deep:
        raise FixNotApplicable(NoFix.NO_EQUIVALENT, "several layers in both directions")
    return RecurrentLayer(name, kind, deep, both, _flag(given, "batch_first"))


def _flag(given: Mapping[str, cst.BaseExpression], name: str, default: bool = False) -> bool:
    node = given.get(name)
    if node is not None and dotted(node) not in ("True", "False"):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "an option is not a literal")
    return default if node is None else dotted(node) == "True"


def _arguments(call: cst.Call, *order: str) -> dict[str, cst.BaseExpression]:
    """The arguments of a call by their names."""
    found = arguments(call.args).by_name(*order)
    if found is None or any(a.star for a in call.args) or not found.keys() <= {*order}:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    return found


class _Packed:
    """The three steps in a function: what packs, the layer, and what pads again (if anything does)."""

    def __init__(self, place: FixSite) -> None:
        self.place = place
        self.code = place.tree.code
        packing = place.call()
        if packing is None or dotted(packing.func).rpartition(".")[2] != "pack_padded_sequence":
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call that packs")
        self.packing = packing
        self.line = place.statement()
        block = place.path[place.path.index(self.line) - 1] if self.line is not None else None
        if not isinstance(self.line, Line) or not isinstance(block, cst.IndentedBlock) or len(self.line.body) != 1:
            raise FixNotApplicable(NoFix.SHARED_LINE, "not a line of a block")
        start = block.body.index(self.line)
        self.rest: list[cst.CSTNode] = list(block.body[start:])
        # What is read behind the block, or in the next round of a loop around it.
        self.live = live_out((*place.upto(block), block.body[-1]), place.function)
        self.given = _arguments(packing, "input", "lengths", "batch_first", "enforce_sorted")
        if "lengths" in self.given:
            self.given["lengths"] = _on_any_device(self.given["lengths"])
        for name in ("input", "lengths"):
            node = self.given.get(name)
            if node is None or not isinstance(place.inference.infer(node, place.environment()), TensorSignature):
                raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "not sure to be tensors")
        # The places of lines, and the lines that come in their place.
        self.swaps: dict[Line, list[str]] = {}
        self.within: list[Edit] = []

    def edits(self) -> Iterable[Edit]:
        line, call = self._layer_call()
        layer = recurrent_layer(self.place, dotted(call.func))
        before = self._prepared()
        if line is not self.line:
            assert isinstance(self.line, Line)
            self.swaps[self.line] = before
            before = []
        state = self.code(call.args[1].value) if len(call.args) > 1 else ""
        if len(call.args) > 2 or any(a.star or a.keyword is not None for a in call.args):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
        output, code = self._outcome(line, call, layer)
        self.swaps[line] = [*before, *self._run(layer, output, state), *code]
        return [*[self._swap(line, lines) for line, lines in self.swaps.items()], *self.within]

    # --- the steps ----------------------------------------------------------------------------------------------

    def _layer_call(self) -> tuple[Line, cst.Call]:
        """The call of the layer with the packed sequence, and its line."""
        assert isinstance(self.line, Line)
        small = self.line.body[0]
        if isinstance(small, cst.Assign) and small.value is self.packing and len(small.targets) == 1:
            target = small.targets[0].target
            if not isinstance(target, cst.Name):
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not one name")
            line, path = self._only_use(target.value, self.rest[1:])
            between = self.rest[1 : self.rest.index(line)]
            inputs = names(self.given["input"]).reads | names(self.given["lengths"]).reads
            for statement in between:
                if names(statement).writes & inputs or not is_pure(statement):
                    raise FixNotApplicable(NoFix.EVALUATION_ORDER, "something changes before the layer runs")
            argument, call = path[-2], path[-3]
        else:
            line, at = self.line, self.place.path.index(self.packing)
            argument, call = self.place.path[at - 1], self.place.path[at - 2]
        if not isinstance(call, cst.Call) or not call.args or call.args[0] is not argument:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "it is not a layer that takes the packed sequence")
        if not dotted(call.func).startswith("self."):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a layer of the module's own")
        return line, call

    def _only_use(self, name: str, statements: Sequence[cst.CSTNode]) -> tuple[Line, tuple[cst.CSTNode, ...]]:
        """The only line that reads a name, in this block, and the path from it to the name; until it is bound anew."""
        found: list[tuple[Line, tuple[cst.CSTNode, ...]]] = []
        for statement in statements:
            for path in occurrences(statement, name):
                if any(isinstance(node, (cst.AssignTarget, cst.CompFor)) for node in path):
                    continue
                if not isinstance(statement, Line) or len(statement.body) != 1 or found:
                    raise FixNotApplicable(NoFix.RESULT_USED, "it is used several times")
                found.append((statement, path))
            if name in names(statement).writes:
                break
        else:
            if name in self.live:
                raise FixNotApplicable(NoFix.RESULT_USED, "it is used after the block too")
        if not found:
            raise FixNotApplicable(NoFix.RESULT_USED, "it is not used in this block")
        return found[0]

    def _prepared(self) -> list[str]:
        """The lines that check the lengths and tell the steps from the padding."""
        torch, tree = self.place.torch, self.place.tree
        first = _flag(self.given, "batch_first")
        node = self.given["input"]
        self.padded = new_name(self.place, "padded")
        moved = "" if first else ".transpose(0, 1)"
        lines = [f"{self.padded} = {parenthesised(tree.code(node)) if moved else tree.code(node)}{moved}"]
        if first and isinstance(node, cst.Name):
            self.padded, lines = node.value, []
        self.lengths = new_name(self.place, "steps")
        lines.append(f"{self.lengths} = {parenthesised(tree.code(self.given['lengths']))}.to({self.padded}.device)")
        fits = f"(({self.lengths} > 0) & ({self.lengths} <= {self.padded}.shape[1])).all()"
        lines.append(f'{torch}._assert_async({fits}, "a length is not between 1 and the number of steps")')
        if _flag(self.given, "enforce_sorted", default=True):
            falling = f"({self.lengths}[:-1] >= {self.lengths}[1:]).all()"
            lines.append(f'{torch}._assert_async({falling}, "the lengths are not sorted in decreasing order")')
        return lines

    def _run(self, layer: RecurrentLayer, output: str, state: str) -> list[str]:
        """The lines that run the layer: its steps, batch first, by the name given."""
        torch, steps, padded = self.place.torch, self.lengths, self.padded
        state = f", {state}" if state else ""

        def ran(code: str) -> str:
            if layer.batch_first:
                return f"{layer.name}({code}{state})[0]"
            return f"{layer.name}({code}.transpose(0, 1){state})[0].transpose(0, 1)"

        if not layer.both:
            return [f"{output} = {ran(padded)}"]
        rows, time = new_name(self.place, "row"), new_name(self.place, "time")
        ahead = f"{padded}[{rows}, ({time} + {steps}.unsqueeze(1)) % {padded}.shape[1]]"
        back = f"[{rows}, ({time} - {steps}.unsqueeze(1)) % {padded}.shape[1]]"
        onwards, backwards = new_name(self.place, "onwards"), new_name(self.place, "backwards")
        return [
            f"{rows} = {torch}.arange({padded}.shape[0], device={padded}.device).unsqueeze(1)",
            f"{time} = {torch}.arange({padded}.shape[1], device={padded}.device)",
            f"{onwards} = {ran(padded)}.chunk(2, -1)[0]",
            "# The other direction runs over sequences that stand at the end.",
            f"{backwards} = {ran(ahead)}.chunk(2, -1)[1]{back}",
            f"{output} = {torch}.cat([{onwards}, {backwards}], -1)",
        ]

    # --- what becomes of the result -----------------------------------------------------------------------------

    def _outcome(self, line: Line, call: cst.Call, layer: RecurrentLayer) -> tuple[str, list[str]]:
        """The name that the steps of the layer get, and the line with what is used of its result."""
        small = line.body[0]
        after = self.rest[self.rest.index(line) + 1 :]
        if isinstance(small, cst.Assign) and small.value is call:
            target = small.targets[0].target
            if len(small.targets) != 1 or not isinstance(target, cst.Tuple) or len(target.elements) != 2:
                raise FixNotApplicable(NoFix.RESULT_USED, "the result is not unpacked")
            first, second = [element.value for element in target.elements]
            if not isinstance(first, cst.Name):
                raise FixNotApplicable(NoFix.RESULT_USED, "the result is not unpacked")
            output = first.value
            if self._read(output, after):
                self._padded_again(output, after, layer)
            else:
                output = new_name(self.place, "outputs")
            return output, self._state(second, output, after, layer)
        if not is_pure(line):
            raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the line has another side effect")
        output = new_name(self.place, "outputs")
        path = self._down(line, call)
        parent, above = path[-2], path[-3]
        picked = _index(parent)
        old: cst.CSTNode = parent
        if picked == 1:
            hidden = _index(above) == 0 and not isinstance(above, cst.Arg)
            if layer.kind == "LSTM" and hidden:
                old, above = above, path[-4]
            if layer.kind == "LSTM" and not hidden:
                raise FixNotApplicable(NoFix.NO_EQUIVALENT, "the cell state is used")
            if layer.deep and _index(above) != -1:
                raise FixNotApplicable(NoFix.NO_EQUIVALENT, "the states of all layers are used")
            code = self._last(output, layer)
        elif picked == 0 and isinstance(above, cst.Arg) and isinstance(path[-4], cst.Call):
            old, code = self._padding(path[-4], path[-5], output, layer)
        else:
            raise FixNotApplicable(NoFix.RESULT_USED, "the result is used otherwise")
        shown = self.code(line.with_changes(leading_lines=[]).deep_replace(old, cst.parse_expression(code)))  # type: ignore[arg-type]
        return output, [shown.rstrip("\n")]

    def _down(self, line: Line, node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
        """The path from the module down to a node of a line."""
        span = self.place.tree.span(node)
        assert span is not None
        path = self.place.tree.path(span)
        if line not in path or node not in path:
            raise FixNotApplicable(NoFix.SHARED_LINE, "the line has an unsupported form")
        return path[: path.index(node) + 1]

    def _state(
        self, target: cst.BaseExpression, output: str, after: Sequence[cst.CSTNode], layer: RecurrentLayer
    ) -> list[str]:
        """The line that binds the last state; none where nobody reads it."""
        hidden = target
        if layer.kind == "LSTM" and isinstance(target, cst.Tuple) and len(target.elements) == 2:
            hidden, cell = [element.value for element in target.elements]
            if not isinstance(cell, cst.Name) or self._read(cell.value, after):
                raise FixNotApplicable(NoFix.NO_EQUIVALENT, "the cell state is used")
        if not isinstance(hidden, cst.Name):
            raise FixNotApplicable(NoFix.RESULT_USED, "the state is stored elsewhere")
        if not self._read(hidden.value, after):
            return []
        uses = [path for s in after for path in occurrences(s, hidden.value)]
        if layer.kind == "LSTM" and hidden is target:
            raise FixNotApplicable(NoFix.NO_EQUIVALENT, "the cell state is used")
        if layer.deep and (hidden.value in self.live or not all(_index(path[-2]) == -1 for path in uses)):
            raise FixNotApplicable(NoFix.NO_EQUIVALENT, "the states of all layers are used")
        return [f"{hidden.value} = {self._last(output, layer)}"]

    def _read(self, name: str, after: Sequence[cst.CSTNode]) -> bool:
        """Whether a name is read by statements of the block, or behind it."""
        return name in self.live or any(name in names(s).reads for s in after)

    def _last(self, output: str, layer: RecurrentLayer) -> str:
        """What the layer gave at the last step of each sequence."""
        torch = self.place.torch
        rows = f"{torch}.arange({output}.shape[0], device={output}.device)"
        if not layer.both:
            return f"{output}[{rows}, {self.lengths} - 1].unsqueeze(0)"
        last = f"{output}[{rows}, {self.lengths} - 1].chunk(2, -1)[0]"
        return f"{torch}.stack([{last}, {output}[:, 0].chunk(2, -1)[1]])"

    def _padded_again(self, output: str, after: Sequence[cst.CSTNode], layer: RecurrentLayer) -> None:
        """Rewrites the only use of the packed result, which pads it again."""
        line, path = self._only_use(output, after)
        call = path[-3]
        if not isinstance(call, cst.Call):
            raise FixNotApplicable(NoFix.RESULT_USED, "the packed result is used otherwise")
        small = line.body[0]
        if isinstance(small, cst.Assign) and small.value is call:
            target = small.targets[0].target
            if len(small.targets) != 1 or not isinstance(target, cst.Tuple) or len(target.elements) != 2:
                raise FixNotApplicable(NoFix.RESULT_USED, "the result is not unpacked")
            first, second = [self.code(element.value) for element in target.elements]
            rest = self.rest[self.rest.index(line) + 1 :]
            lines = [f"{first} = {self._filled(call, output, layer)}"]
            if not isinstance(target.elements[1].value, cst.Name) or self._read(second, rest):
                lines.append(f"{second} = {self.lengths}.cpu()")
            self.swaps[line] = lines
            return
        old, code = self._padding(call, path[-4], output, layer)
        span = self.place.tree.span(old)
        assert span is not None
        self.within.append(Edit(span, code))

    def _padding(
        self, call: cst.Call, parent: cst.CSTNode, output: str, layer: RecurrentLayer
    ) -> tuple[cst.CSTNode, str]:
        """`pad_packed_sequence(…)[0]`, and the code for it."""
        if _index(parent) != 0:
            raise FixNotApplicable(NoFix.RESULT_USED, "the result is not unpacked")
        return parent, self._filled(call, output, layer)

    def _filled(self, call: cst.Call, output: str, layer: RecurrentLayer) -> str:
        """The steps of the layer with the padding that `pad_packed_sequence` fills in."""
        if dotted(call.func).rpartition(".")[2] != "pad_packed_sequence":
            raise FixNotApplicable(NoFix.RESULT_USED, "the packed result is used otherwise")
        given = _arguments(call, "sequence", "batch_first", "padding_value", "total_length")
        fill = given.get("padding_value")
        if fill is not None and not isinstance(fill, (cst.Integer, cst.Float, cst.UnaryOperation)):
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the padding is not a literal")
        torch = self.place.torch
        steps = f"{torch}.arange({output}.shape[1], device={output}.device)"
        padding = f"({steps} >= {self.lengths}.unsqueeze(1)).unsqueeze(-1)"
        code = f"{output}.masked_fill({padding}, {'0' if fill is None else self.code(fill)})"
        total = given.get("total_length")
        if total is None or dotted(total) == "None":
            code += f"[:, : {self.lengths}.max().item()]"
        elif not self._whole(total):
            raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "another number of steps")
        return code if _flag(given, "batch_first") else f"{code}.transpose(0, 1)"

    def _whole(self, total: cst.BaseExpression) -> bool:
        """Whether a number of steps is that of the padded input."""
        source, axis = self.code(self.given["input"]), 1 if _flag(self.given, "batch_first") else 0
        code = self.code(total)
        if isinstance(total, cst.Name):
            bound = [n for n in below(self.place.function, cst.Assign) if dotted(n.targets[0].target) == total.value]
            code = self.code(bound[0].value) if len(bound) == 1 else ""
        return code in (f"{source}.size({axis})", f"{source}.shape[{axis}]", f"{source}.size(dim={axis})")

    def _swap(self, line: Line, lines: Sequence[str]) -> Edit:
        """The edit that puts lines in the place of one."""
        small = line.body[0]
        span = self.place.tree.span(small)
        assert span is not None
        indent = " " * (span.start.column - 1)
        return Edit(span, f"\n{indent}".join(lines))


def _on_any_device(node: cst.BaseExpression) -> cst.BaseExpression:
    """Lengths without the way to the CPU, or to a list, as `pack_padded_sequence` takes them."""
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        inside = [a.value.evaluated_value for a in node.args if isinstance(a.value, cst.SimpleString)]
        plain = node.func.attr.value in ("cpu", "tolist", "detach") and not node.args
        if not plain and (node.func.attr.value != "to" or inside != ["cpu"] or len(node.args) != 1):
            break
        node = node.func.value
    return node


def _index(node: cst.CSTNode) -> int | None:
    """The first index of a subscript, where it is an integer that is written out."""
    first = node.slice[0].slice if isinstance(node, cst.Subscript) else None
    return signed(first.value) if isinstance(first, cst.Index) else None
