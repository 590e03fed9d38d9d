"""What rewrites must know of torch's operators: whose result has which dtype and shape, and shares storage or not.

Only operators that are sure are listed: one that is not listed is taken to do anything. Sources: the operator's
documentation, and `torch/_refs` for type promotion.
"""

from __future__ import annotations

from typing import Final


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Elementwise, dtype of the (floating) argument kept, a new tensor: f(x, …numbers).
FLOATING: Final = _names(
    """
    acos acosh asin asinh atan atanh celu cos cosh deg2rad digamma elu erf erfc erfinv exp exp2 expm1 gelu
    hardsigmoid hardswish hardtanh lgamma log log10 log1p log2 logit logsigmoid log_softmax mish rad2deg reciprocal
    rsqrt selu sigmoid silu sin sinc sinh softmax softmin softplus softshrink softsign sqrt tan tanh tanhshrink
    normalize layer_norm
    """
)
# Elementwise, any dtype kept, a new tensor.
KEEPING: Final = _names(
    """
    abs absolute neg negative square relu relu6 leaky_relu sign sgn clip clamp clamp_min clamp_max threshold
    nan_to_num ceil floor round trunc frac cumsum cumprod flip roll sort_values tril triu bitwise_not clone
    hardshrink fake_quantize erase logcumsumexp renorm
    """
)
# Elementwise with a second tensor, promoted with it.
BINARY: Final = _names(
    """
    add sub subtract mul multiply div divide true_divide fmod remainder floor_divide maximum minimum fmax fmin atan2
    hypot pow lerp rsub bitwise_and bitwise_or bitwise_xor addcmul addcdiv copysign
    """
)
COMPARISONS: Final = _names(
    """
    eq ne lt le gt ge equal_elements greater greater_equal less less_equal not_equal isclose logical_and logical_or
    logical_xor
    """
)
PREDICATES: Final = _names("isnan isinf isfinite isneginf isposinf logical_not signbit")
# Reductions: no argument means to zero dimensions; a new tensor.
REDUCTIONS: Final = _names("sum mean prod std var amax amin norm logsumexp nansum nanmean median_value max min median")
BOOLEAN_REDUCTIONS: Final = _names("any all")
INDEX_REDUCTIONS: Final = _names("argmax argmin count_nonzero")
REDUCING: Final = REDUCTIONS | BOOLEAN_REDUCTIONS | INDEX_REDUCTIONS
# The result may share the argument's storage, with other sizes or strides.
VIEWS: Final = _names(
    """
    view reshape flatten unflatten squeeze unsqueeze narrow select unbind chunk split ravel view_as reshape_as
    diagonal unfold as_strided
    """
)
TRANSPOSING: Final = _names(
    """
    t transpose permute swapaxes swapdims movedim moveaxis expand expand_as broadcast_to adjoint
    """
)
TRANSPOSING_ATTRIBUTES: Final = frozenset(("T", "mT", "H", "mH"))
# The result may be the argument itself.
PASSING: Final = _names("contiguous detach requires_grad_ to type_as type")
CASTS: Final = {
    "float": "float",
    "double": "float64",
    "half": "float16",
    "bfloat16": "bfloat16",
    "int": "int32",
    "long": "int64",
    "bool": "bool",
}
LIKE: Final = _names("zeros_like ones_like full_like empty_like rand_like randn_like")
NEW: Final = _names("zeros ones full empty rand randn")
# The tensor with some of its elements replaced: its dtype and shape, whatever the other arguments are.
WRITING: Final = _names(
    "masked_fill masked_scatter index_fill index_add index_copy index_put scatter scatter_add scatter_reduce fill"
)
# New tensors whose shape follows from the arguments in a way that two calls with equal arguments share.
MAKING: Final = WRITING | _names(
    """
    matmul mm bmm mv dot einsum cat concat stack hstack vstack where outer linear conv1d conv2d conv3d
    masked_fill_values index_select gather addmm baddbmm tensordot interpolate pad
    max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d
    adaptive_max_pool1d adaptive_max_pool2d scaled_dot_product_attention embedding one_hot repeat tile cdist cross
    kron cosine_similarity pairwise_distance batch_norm group_norm mse_loss l1_loss cross_entropy nll_loss
    binary_cross_entropy binary_cross_entropy_with_logits smooth_l1_loss huber_loss kl_div bincount cov corrcoef
    diag diff linear_interpolate addmv addr chain_matmul trapz trace det
    logdet inverse
    """
)
# Of MAKING: those whose result is 0-dimensional in their default form.
LOSSES: Final = _names(
    """
    mse_loss l1_loss cross_entropy nll_loss binary_cross_entropy binary_cross_entropy_with_logits smooth_l1_loss
    huber_loss dot trace
    """
)
# torch.nn modules whose output has the input's shape and dtype, and is a new tensor.
KEEPING_MODULES: Final = _names(
    """
    ReLU ReLU6 LeakyReLU GELU SiLU ELU CELU SELU Sigmoid Tanh Softplus Softsign Softmax LogSoftmax LogSigmoid Mish
    Hardswish Hardsigmoid Hardtanh PReLU LayerNorm RMSNorm GroupNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d
    BatchNorm1d BatchNorm2d BatchNorm3d Tanhshrink Softshrink Hardshrink Threshold
    """
)
# The same, but the output may be the input itself.
PASSING_MODULES: Final = _names("Identity Dropout Dropout1d Dropout2d Dropout3d AlphaDropout")
# In training these change their own buffers, which torch.cond refuses.
STATEFUL_MODULES: Final = _names("BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm")
# All of the above whose result is a tensor of its own, whatever the arguments are.
FRESH: Final = FLOATING | KEEPING | BINARY | COMPARISONS | PREDICATES | REDUCTIONS | BOOLEAN_REDUCTIONS | LIKE | MAKING
