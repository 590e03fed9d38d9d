"""Which results `torch.autograd.grad` cannot be taken of in non-strict export.

The backward pass through some operators needs a tensor that the forward pass made on the way: its own result, or an input in
another layout. That tensor is known to autograd, not to the trace, and the gradient that non-strict export puts into the
program rests on a tensor without data (measured, operator by operator: case `autograd_grad_layer`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.values import Tensor

if TYPE_CHECKING:
    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.values import Value

_KEEPING: Final = frozenset(
    "amax amin batch_norm bilinear cdist cumprod det einsum exp exp2 expm1 hypot inv layer_norm linear log_softmax "
    "logsumexp max max_pool1d max_pool2d min norm normalize outer pairwise_distance reciprocal relu rsqrt "
    "scaled_dot_product_attention sigmoid softmax sqrt std tan tanh vector_norm "
    "BatchNorm1d BatchNorm2d BatchNorm3d GRU LSTM LayerNorm Linear LogSoftmax MaxPool1d MaxPool2d MultiheadAttention RNN ReLU "
    "Sigmoid Softmax Tanh".split()
)


def note_kept(frame: Frame, operator: str, result: Value) -> None:
    """An operator, or a module of torch's own, was called."""
    if not frame.run.differentiated or type(result) is not Tensor:
        return
    if operator == "detach":
        result.kept = False
    elif operator.removesuffix("_") in _KEEPING and not frame.run.no_grad:
        result.kept = True
