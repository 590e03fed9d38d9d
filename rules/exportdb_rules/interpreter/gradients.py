"""Which tensors require grad, what a write into one does, and of which results non-strict export takes no gradient.

The backward pass through some operators needs a tensor that the forward pass made on the way: its own result, or an input in
another layout. That tensor is known to autograd, not to the trace, and the gradient that non-strict export puts into the
program rests on a tensor without data (measured, operator by operator: case `autograd_grad_layer`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Indexed, TensorWritten
from exportdb_rules.lattice import contained, tensors
from exportdb_rules.values import STATIC_BOOL, Static, Tensor

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable

    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.values import Value

_KEEPING: Final = frozenset(
    "adaptive_avg_pool1d amax amin avg_pool1d batch_norm bilinear cdist cholesky cosine_similarity cross_entropy cumprod det eigh "
    "einsum exp exp2 expm1 group_norm hypot instance_norm inv kron layer_norm linear log_softmax logsigmoid logsumexp max max_pool1d "
    "max_pool2d median min norm normalize outer pairwise_distance polar prelu reciprocal relu rms_norm rsqrt "
    "scaled_dot_product_attention sigmoid softmax solve sqrt std svd tan tanh vector_norm "
    "AdaptiveAvgPool1d AvgPool1d BatchNorm1d BatchNorm2d BatchNorm3d CosineSimilarity CrossEntropyLoss GRU GroupNorm "
    "InstanceNorm1d InstanceNorm2d InstanceNorm3d LSTM LayerNorm Linear LogSigmoid LogSoftmax MaxPool1d MaxPool2d MultiheadAttention "
    "PReLU RMSNorm RNN ReLU Sigmoid Softmax Tanh".split()
)


def note_kept(frame: Frame, operator: str, result: Value) -> None:
    """An operator, or a module of torch's own, was called."""
    if not frame.run.differentiated:
        return
    keeps = operator.removesuffix("_") in _KEEPING and not frame.run.no_grad
    for part in (result, *contained(result)):
        if type(part) is Tensor and (keeps or operator == "detach"):
            part.kept = keeps


# True where the parameters are learned, though the code was written for others as well.
_LEARNED: Final = Static("bool", 1)
# They make a tensor as another one is, from none of its numbers.
_LIKE_ANOTHER: Final = ("_like", "new_zeros", "new_ones", "new_empty", "new_full", "new_tensor")


def note_required(frame: Frame, operator: str, result: Value, inputs: list[Tensor], *, learned: bool = False) -> None:
    """What an operator, or a module of torch's own, computes requires grad where an input does, or where it is `learned`: the
    module has parameters."""
    required = learned or any(tensor.requires_grad for tensor in inputs)
    required = required and operator != "detach" and not operator.endswith(_LIKE_ANOTHER) and not frame.run.no_grad
    for part in (result, *contained(result)):
        if type(part) is Tensor:
            whole = isinstance(part.dtype, str) and part.dtype.startswith(("bool", "int", "uint"))
            part.requires_grad = required and not whole


def reads_requires_grad(frame: Frame, tensor: Tensor) -> Value:
    """`tensor.requires_grad`: true of what parameters go into, unless the file stops that somewhere."""
    return _LEARNED if _requires_grad(frame, tensor) else STATIC_BOOL


def _requires_grad(frame: Frame, tensor: Tensor) -> bool:
    """Whether a tensor requires grad, unless the file stops that somewhere."""
    stops = ("requires_grad = False", "requires_grad=False", "requires_grad_(False)")
    return tensor.requires_grad and not any(frame.module.mentions(stop) for stop in stops)


def note_write(
    frame: Frame, node: ast.AST, tensor: Tensor, how: str, values: Iterable[Value], view: Tensor | None = None
) -> None:
    """A tensor, or a `view` of it, is written in place, `how`, with what some values are.

    Autograd creates the view that was written again. Where it lies at a number from data that may be negative, the new view has
    symbols of its own, and export finds them nowhere in the result (measured with torch 2.13: case `view_written_by_item`).
    """
    given = [part for value in values for part in tensors(value)]
    frame.emit(TensorWritten(frame.site(node), tensor, how, all(part.readable for part in (tensor, *given))))
    if frame.run.no_grad or not any(_requires_grad(frame, one) for one in (tensor, *given)):
        return
    place = (view or tensor).place
    if place is not None:
        frame.emit(Indexed(frame.site(node), tensor, place, "written view"))
    if not tensor.requires_grad:
        frame.env.replace(tensor, tensor.changed(requires_grad=True))


def is_learned(value: Value) -> bool:
    """Whether a value is the `requires_grad` of what is computed from parameters."""
    return type(value) is Static and value.key() == _LEARNED.key()
