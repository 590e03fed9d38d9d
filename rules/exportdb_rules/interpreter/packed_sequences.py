"""Packed sequences: what packing makes, and what reads their batch sizes, which export has no numbers for."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from exportdb_rules.facts import DataRead
from exportdb_rules.lattice import Sequence, choices, tensors
from exportdb_rules.values import FRESH, Evidence, Instance, Sym, Tensor

if TYPE_CHECKING:
    import ast

    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.values import Value

PACKED = "torch.nn.utils.rnn.PackedSequence"


def pack(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`pack_padded_sequence(x, lengths)`, `pack_sequence([a, b])`: by itself only strict export does not trace it."""
    frame.emit_call(node, "PackedSequence()", args, keywords)
    result = Instance(None, PACKED, identity=("packed", id(node)))
    given = [t for value in args[:1] for t in tensors(value)]
    evidence = max(Evidence.DERIVED, given[0].evidence) if given else Evidence.DERIVED
    # Where it was packed goes with the batch sizes: that is what a fix rewrites.
    sizes = Tensor(FRESH, dtype="int64", rank=1, site=frame.site(node))
    if len(args) > 1 and type(args[1]) is Tensor and args[1].site is not None and not args[1].unbacked:
        sizes.site = args[1].site  # made of the parts of another one
    elif (
        len(args) > 1
        and type(args[1]) is Sequence
        and any(type(c) is Sym and not c.backed for c in choices(args[1].any()))
    ):
        frame.emit(DataRead(frame.site(node), "pack_padded_sequence", sizes))
    result.attributes = {"data": Tensor(FRESH, evidence=evidence), "batch_sizes": sizes}
    result.attributes |= {name: sizes.changed(site=None) for name in ("sorted_indices", "unsorted_indices")}
    return result


def read_batch_sizes(frame: Frame, node: ast.AST, packed: Instance) -> None:
    """A layer, or the way back to padding, reads how many sequences there are at each step."""
    sizes = packed.attributes["batch_sizes"]
    if isinstance(sizes, Tensor):
        frame.emit(DataRead(sizes.site or frame.site(node), "pack_padded_sequence", sizes))
        frame.emit(DataRead(frame.site(node), "batch_sizes", sizes))


def pad(frame: Frame, node: ast.AST, packed: Value) -> Value:
    """`pad_packed_sequence(packed)`."""
    data, lengths = Tensor(FRESH, evidence=Evidence.DERIVED), Tensor(FRESH, dtype="int64", rank=1)
    if is_packed(packed):
        read_batch_sizes(frame, node, packed)
    return Sequence("tuple", [data, lengths])


def is_packed(value: Value) -> TypeGuard[Instance]:
    """Whether a value is a packed sequence."""
    return type(value) is Instance and value.external == PACKED
