"""What layers of torch.nn demand of the sizes of what they are called with, and the sizes of what they make of it.

A layer compares its inputs with its weights, whose sizes its constructor decides, and with one another (torch docs,
`torch.nn`; what they demand was measured by exports with torch 2.13, `tests/rules/test_layer_sizes.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.interpreter import windows
from exportdb_rules.interpreter.demands import arguments, compare, decide_computed, image_behind, operator, rows_merged
from exportdb_rules.interpreter.dimensions import Dims, moved, number_of, of_term, term_of
from exportdb_rules.interpreter.guards import equal
from exportdb_rules.interpreter.layer_options import has_weight, option
from exportdb_rules.interpreter.results import reduces
from exportdb_rules.interpreter.shape_rules import OperatorCall, by_factor, padded
from exportdb_rules.interpreter.views import check_view
from exportdb_rules.interpreter.weights import argument
from exportdb_rules.interpreter.windows import numbers
from exportdb_rules.lattice import Sequence, is_true, tensors
from exportdb_rules.torch_api import LIKE_INPUT
from exportdb_rules.values import STATIC_INT, Const, Instance, Static, Tensor, Value

if TYPE_CHECKING:
    import ast

    from exportdb_rules.interpreter.machine import Frame

# Layers that do what a function of the same inputs does, and what they hand to it of their own: the parameters that both
# have, in the order of the constructor.
_FUNCTIONS: Final = {
    "GLU": ("glu", "dim"),
    "PixelShuffle": ("pixel_shuffle", "upscale_factor"),
    "PixelUnshuffle": ("pixel_unshuffle", "downscale_factor"),
    "ChannelShuffle": ("channel_shuffle", "groups"),
    "CosineSimilarity": ("cosine_similarity", "dim"),
    "PairwiseDistance": ("pairwise_distance", ""),
    "GroupNorm": ("group_norm", "num_groups"),
    "LayerNorm": ("layer_norm", "normalized_shape"),
    "RMSNorm": ("rms_norm", "normalized_shape"),
    "Upsample": ("interpolate", "size scale_factor"),
    "UpsamplingNearest2d": ("interpolate", "size scale_factor"),
    "UpsamplingBilinear2d": ("interpolate", "size scale_factor"),
    "Fold": ("fold", "output_size kernel_size dilation padding stride"),
    "Unfold": ("unfold", "kernel_size dilation padding stride"),
    "MSELoss": ("mse_loss", ""),
    "L1Loss": ("l1_loss", ""),
    "SmoothL1Loss": ("smooth_l1_loss", ""),
    "HuberLoss": ("huber_loss", ""),
    "BCELoss": ("binary_cross_entropy", ""),
    "BCEWithLogitsLoss": ("binary_cross_entropy_with_logits", ""),
    "KLDivLoss": ("kl_div", ""),
    "PoissonNLLLoss": ("poisson_nll_loss", ""),
    "SoftMarginLoss": ("soft_margin_loss", ""),
    "HingeEmbeddingLoss": ("hinge_embedding_loss", ""),
    "CosineEmbeddingLoss": ("cosine_embedding_loss", ""),
    "MarginRankingLoss": ("margin_ranking_loss", ""),
    "TripletMarginLoss": ("triplet_margin_loss", ""),
    "GaussianNLLLoss": ("gaussian_nll_loss", ""),
    "CrossEntropyLoss": ("cross_entropy", ""),
    "NLLLoss": ("nll_loss", ""),
    "MultiMarginLoss": ("multi_margin_loss", ""),
    "MultiLabelMarginLoss": ("multilabel_margin_loss", ""),
    "MultiLabelSoftMarginLoss": ("multilabel_soft_margin_loss", ""),
}
_PADDING: Final = {
    "Zero": "constant",
    "Constant": "constant",
    "Reflection": "reflect",
    "Replication": "replicate",
    "Circular": "circular",
}
# Layers that have a weight for each channel: where their constructors take how many, and what leaves the weights out.
_CHANNELS: Final[dict[str, tuple[int, str, dict[int, str]]]] = {
    **{f"BatchNorm{rank}d": (0, "num_features", {3: "affine", 4: "track_running_stats"}) for rank in (1, 2, 3)},
    # It compares them without weights, too.
    **{f"InstanceNorm{rank}d": (0, "num_features", {}) for rank in (1, 2, 3)},
    "GroupNorm": (1, "num_channels", {3: "affine"}),
    "PReLU": (0, "num_parameters", {}),
}
# The last dimension of each input in turn, as the constructor has it.
_LAST: Final = {
    "Linear": ((0, "in_features"),),
    "Bilinear": ((0, "in1_features"), (1, "in2_features")),
    **dict.fromkeys(("LSTM", "GRU", "RNN"), ((0, "input_size"),)),
    **dict.fromkeys(("GRUCell", "RNNCell", "LSTMCell"), ((0, "input_size"), (1, "hidden_size"), (1, "hidden_size"))),
}
# What a layer makes has this last dimension instead.
_LAST_MADE: Final = {
    "Linear": (1, "out_features"),
    "Bilinear": (2, "out_features"),
    "GRUCell": (1, "hidden_size"),
    "RNNCell": (1, "hidden_size"),
}
# Inputs that have all sizes but the last in common.
_TOGETHER: Final = frozenset({"Bilinear", "GRUCell", "RNNCell", "LSTMCell"})
# Layers that ask whether a computed size is one: of those that leave sizes as they are all but two.
_ASKING: Final = (LIKE_INPUT - {"Softmax", "Identity"}) | frozenset(
    """
    AdaptiveAvgPool1d AvgPool1d Conv1d ConvTranspose1d Flatten Linear LocalResponseNorm MaxPool1d MultiheadAttention Unflatten
    """.split()
)

# The attentions of a layer: which inputs are the queries and the keys; where it takes the mask of the scores and the one of
# padded keys, by position and name.
_SELF: Final = (0, 0, (1, "src_mask"), (2, "src_key_padding_mask"))
_OF_DECODER: Final = (
    (0, 0, (2, "tgt_mask"), (4, "tgt_key_padding_mask")),
    (0, 1, (3, "memory_mask"), (5, "memory_key_padding_mask")),
)
_ATTENTIONS: Final = {
    "TransformerEncoderLayer": (_SELF,),
    "TransformerEncoder": ((0, 0, (1, "mask"), (2, "src_key_padding_mask")),),
    "TransformerDecoderLayer": _OF_DECODER,
    "TransformerDecoder": _OF_DECODER,
    "Transformer": (
        (0, 0, (2, "src_mask"), (5, "src_key_padding_mask")),
        (1, 1, (3, "tgt_mask"), (6, "tgt_key_padding_mask")),
        (1, 0, (4, "memory_mask"), (7, "memory_key_padding_mask")),
    ),
}
# What the layers of a transformer attend to; those of a decoder not named here: "tgt" and "memory".
_TRANSFORMED: Final = {
    "Transformer": ("src", "tgt"),
    "TransformerEncoderLayer": ("src",),
    "TransformerEncoder": ("src",),
}
# Where constructors take `batch_first`: layers of transformers not named here as their seventh argument.
BATCH_FIRST: Final = {"MultiheadAttention": 8, "Transformer": 10, "RNN": 5, "LSTM": 4, "GRU": 4}


def sizes_behind(
    frame: Frame, node: ast.AST, module: Instance, args: list[Value], keywords: dict[str, Value]
) -> Dims | None:
    """What a call of a layer demands, and the sizes of what it makes; None where they are not known."""
    short = module.external.rpartition(".")[2]
    given = [*args, *keywords.values()]
    if short == "LSTMCell" and len(given) > 1 and type(given[1]) is Sequence:
        given[1:] = given[1].items or []
    inputs = [_tensor(value) for value in given]
    loss = short.endswith("Loss") and "reduce" not in module.given and reduces(module.given.get("reduction"))
    if all(tensor is None or tensor.dims is None for tensor in inputs):
        return () if loss else None
    first = inputs[0].dims if inputs[0] is not None else None
    if short in _ATTENTIONS:
        _transform(frame, node, module, short, args, keywords)
        return _dims(arguments(args, keywords)(1, "tgt")) if short == "Transformer" else first
    if short == "Linear" and inputs[0] is not None:
        rows_merged(frame, node, short, inputs[0], copied=argument(module, 2, "bias") is None)
    _check_last(frame, node, module, short, [None if tensor is None else tensor.dims for tensor in inputs])
    if first is not None:
        _check_channels(frame, node, module, short, first)
    if short in _FUNCTIONS and all(tensor is not None for tensor in inputs):
        made = _function(frame, node, module, short, [tensor for tensor in inputs if tensor is not None])
        return () if loss else first if short in LIKE_INPUT else made
    if first is None or short in LIKE_INPUT:
        return first
    if short in _LAST_MADE:
        return (*first[:-1], _size(argument(module, *_LAST_MADE[short]))) if first else None
    if short == "Embedding":
        return (*first, _size(argument(module, 1, "embedding_dim")))
    if short == "EmbeddingBag" and len(first) == 2:
        return (first[0], _size(argument(module, 1, "embedding_dim")))
    if short in windows.LAYERS and len(first) - windows.rank_of(short) in (1, 2):
        return _behind_window(frame, node, module, short, first)
    if short == "Flatten":
        start, end = argument(module, 0, "start_dim") or Const(1), argument(module, 1, "end_dim") or Const(-1)
        return moved("flatten", first, [start, end], {})
    if short == "Unflatten":
        dim, sizes = argument(module, 0, "dim"), argument(module, 1, "unflattened_size")
        if dim is not None and sizes is not None:
            tensor = Tensor(dims=first)
            compare(frame, node, "unflatten", [tensor, dim, sizes], {}, [tensor])
        return None
    return _padded(frame, node, module, short, first)


def attends_over_steps(module: Instance, tensor: Tensor, keywords: dict[str, Value]) -> bool:
    """Whether a layer calls the attention that asks how many steps there are (`scaled_dot_product_attention`), and the size
    of its input that depends on data is the one of the steps. It is not called where weights are made as well."""
    short = module.external.rpartition(".")[2]
    needed = keywords.get("need_weights")
    if short not in _ATTENTIONS and not (type(needed) is Const and needed.value is False):
        return False
    layer = _held(module, short)
    axis = None if layer is None else _batch_axis(layer)
    return tensor.rank == 2 or (tensor.rank == 3 and axis is not None and (tensor.axis == 0) is (axis == 1))


def ask_of_layer(frame: Frame, module: Instance, tensor: Tensor) -> None:
    """What a layer decides of the computed sizes of its input (`demands.decide_computed`)."""
    short = module.external.rpartition(".")[2]
    if short in ("ReLU", "Dropout") and is_true(option(module, "inplace")):
        return
    unbiased = short == "Linear" and has_weight(module, "bias") is False and len(tensor.dims or ()) < 3
    if short in _ASKING and not unbiased:
        decide_computed(frame, [tensor], alone=True)


def check_recurrent(
    frame: Frame, node: ast.AST, module: Instance, args: list[Value], keywords: dict[str, Value]
) -> None:
    """A recurrent layer: the width of its input, and the sizes of its first states."""
    short = module.external.rpartition(".")[2]
    inputs = _dims(arguments(args, keywords)(0, "input"))
    _check_last(frame, node, module, short, [inputs])
    sizes = None if inputs is None else recurrent_sizes(module, short, inputs)
    given = arguments(args, keywords)(1, "hx")
    for dims in map(_dims, (given.items or []) if type(given) is Sequence else [given]):
        if sizes is not None and dims is not None and len(sizes[1]) == len(dims):
            for size, other in zip(sizes[1], dims, strict=True):
                equal(frame, node, short, size, other)


def recurrent_sizes(module: Instance, short: str, dims: Dims) -> tuple[Dims, Dims] | None:
    """The sizes of what a recurrent layer makes of an input of sizes `dims`: of its states at each step, and of the last ones of
    each layer, `[layers, batch, width]` or, of one sequence, `[layers, width]`. None where it is not known which size of the input
    is the batch, or the width is projected."""
    batch_first = option(module, "batch_first")
    if len(dims) not in (2, 3) or type(batch_first) is not Const:
        return None
    # A plain RNN takes what it is not linear by before `bias`.
    place = BATCH_FIRST[short] + 2
    layers, twice = argument(module, 2, "num_layers"), argument(module, place, "bidirectional")
    ways = 1 if twice is None else {True: 2, False: 1}.get(twice.value) if type(twice) is Const else None
    if ways is None or (short == "LSTM" and number_of(argument(module, place + 1, "proj_size") or Const(0)) != 0):
        return None
    deep = 1 if layers is None else number_of(layers)
    above = STATIC_INT if deep is None else Static("int", deep * ways)
    hidden = argument(module, 1, "hidden_size")
    width, wide = _size(hidden), STATIC_INT if hidden is None else by_factor(hidden, ways)
    batch = () if len(dims) == 2 else (dims[0 if batch_first.value else 1],)
    return (*dims[:-1], wide), (above, *batch, width)


def attend(frame: Frame, node: ast.AST, module: Instance, args: list[Value], keywords: dict[str, Value]) -> None:
    """What `nn.MultiheadAttention` demands."""
    taken = arguments(args, keywords)
    query, key, value = (_dims(taken(at, name)) for at, name in enumerate(("query", "key", "value")))
    padding, mask = (_dims(taken(at, name)) for at, name in ((3, "key_padding_mask"), (5, "attn_mask")))
    width = argument(module, 0, "embed_dim")
    widths = [width, argument(module, 6, "kdim") or width, argument(module, 7, "vdim") or width]
    for dims, size in zip((query, key, value), widths, strict=True):
        if dims:
            equal(frame, node, "MultiheadAttention", dims[-1], size)
    _attend(frame, node, module, (query, key, value), mask, padding)


def _transform(
    frame: Frame, node: ast.AST, module: Instance, short: str, args: list[Value], keywords: dict[str, Value]
) -> None:
    """A layer of a transformer, or a stack of them, with one attention after the other."""
    layer, taken = _held(module, short), arguments(args, keywords)
    if layer is None:
        return
    inputs = [_dims(taken(at, name)) for at, name in enumerate(_TRANSFORMED.get(short, ("tgt", "memory")))]
    for dims in inputs:
        if dims:
            equal(frame, node, short, dims[-1], argument(layer, 0, "d_model"))
    if short == "Transformer" and (axis := _batch_axis(layer)) is not None:
        known = [dims[axis] for dims in inputs if dims is not None and len(dims) == 3]
        if len(known) == 2:
            equal(frame, node, short, known[0], known[1])
    for query, key, mask, padding in _ATTENTIONS[short]:
        masks = (_dims(taken(*place)) for place in (mask, padding))
        _attend(frame, node, layer, (inputs[query], inputs[key], inputs[key]), *masks)


def _held(module: Instance, short: str) -> Instance | None:
    """The layer that a stack of a transformer repeats; any other module is its own."""
    if short not in ("TransformerEncoder", "TransformerDecoder"):
        return module
    held = argument(module, 0, short[11:].lower() + "_layer")
    return held if type(held) is Instance and held.external.startswith("torch.nn.") else None


def _attend(
    frame: Frame,
    node: ast.AST,
    layer: Instance,
    inputs: tuple[Dims | None, Dims | None, Dims | None],
    mask: Dims | None,
    padding: Dims | None,
) -> None:
    """`torch.nn.functional.multi_head_attention_forward` compares keys with values, and each mask with the scores that it
    hides; keys and values are split into as many heads as the batch of the queries has."""
    query, key, value = inputs
    axis, heads = _batch_axis(layer), number_of(argument(layer, 1, "num_heads") or argument(layer, 1, "nhead"))
    if axis is None or query is None or key is None or value is None:
        return
    batched = len(query) == 3
    if not len(query) == len(key) == len(value) in (2, 3):
        return
    for size, other in zip(key[:-1], value[:-1], strict=True):
        equal(frame, node, "attention", size, other)
    batch, steps, places = (query[axis], query[1 - axis], key[1 - axis]) if batched else (None, query[0], key[0])
    together = None if batch is None or heads is None else by_factor(batch, heads)
    width = number_of(argument(layer, 0, "embed_dim") or argument(layer, 0, "d_model"))
    if batch is not None and together is not None and heads and width:
        split: list[Value] = [places, together, Static("int", width // heads)]
        check_view(frame, node, "view", (places, key[axis], Static("int", width)), split)
    scores = (steps, places) if mask is None or len(mask) < 3 else (together, steps, places)
    for dims, expected in ((mask, scores), (padding, (batch, places) if batched else (places,))):
        for size, other in zip(dims or (), expected, strict=False):
            equal(frame, node, "attention", size, other)


def _batch_axis(layer: Instance) -> int | None:
    """Where an attention takes its batch; None where that is not known."""
    short = layer.external.rpartition(".")[2]
    first = argument(layer, BATCH_FIRST.get(short, 6), "batch_first")
    if first is None:
        return 1
    return 1 - first.value if type(first) is Const and type(first.value) is bool else None


def _tensor(value: Value) -> Tensor | None:
    """What a layer is called with, if it is one tensor, whose size does not depend on data."""
    found = tensors(value)
    return found[0] if len(found) == 1 and not found[0].unbacked else None


def _dims(value: Value | None) -> Dims | None:
    tensor = None if value is None else _tensor(value)
    return None if tensor is None else tensor.dims


def _function(frame: Frame, node: ast.AST, module: Instance, short: str, inputs: list[Tensor]) -> Dims | None:
    name, parameters = _FUNCTIONS[short]
    own = {parameter: argument(module, at, parameter) for at, parameter in enumerate(parameters.split())}
    keywords = {parameter: value for parameter, value in own.items() if value is not None}
    made = compare(frame, node, name, [*inputs], keywords, inputs)
    return made if made is not None else operator(frame, node, name, [*inputs], keywords, inputs)


def _check_last(frame: Frame, node: ast.AST, module: Instance, short: str, inputs: list[Dims | None]) -> None:
    """The last dimension of an input is that of a weight."""
    for dims, place in zip(inputs, _LAST.get(short, ()), strict=False):
        if dims:
            equal(frame, node, short, dims[-1], argument(module, *place))
    first, *others = inputs or [None]
    for dims in others if short in _TOGETHER else ():
        for size, other in zip(first[:-1], dims[:-1], strict=False) if first and dims else ():
            equal(frame, node, short, size, other)


def _check_channels(frame: Frame, node: ast.AST, module: Instance, short: str, dims: Dims) -> None:
    """A layer that has a weight for each channel."""
    if short not in _CHANNELS:
        return
    index, name, switches = _CHANNELS[short]
    without = [argument(module, at, switch) for at, switch in switches.items()]
    if without and all(type(value) is Const and value.value is False for value in without):
        return
    channels = argument(module, index, name)
    unbatched = short.startswith("InstanceNorm") and len(dims) == int(short[-2]) + 1
    if (unbatched or len(dims) > 1) and not (short == "PReLU" and (channels is None or number_of(channels) == 1)):
        equal(frame, node, short, dims[0 if unbatched else 1], channels)


def _behind_window(frame: Frame, node: ast.AST, module: Instance, short: str, dims: Dims) -> Dims | None:
    """Behind a convolution or pooling, of a batch of images or of one."""
    *batch, channels = dims[: -windows.rank_of(short)]
    image = dims[-windows.rank_of(short) :]
    if short in windows.CONVOLUTIONS or short in windows.TRANSPOSED:
        equal(frame, node, short, channels, argument(module, 0, "in_channels"))
        image = image_behind(frame, node, short, image, lambda index, name: argument(module, index + 2, name))
        return (*batch, _size(argument(module, 1, "out_channels")), *image)
    if "return_indices" in module.given or (short in windows.MAX_POOLS and 4 in module.given):
        return None
    image = image_behind(frame, node, short, image, lambda index, name: argument(module, index, name))
    return (*batch, channels, *image)


def _padded(frame: Frame, node: ast.AST, module: Instance, short: str, dims: Dims) -> Dims | None:
    """`nn.ZeroPad2d` and its kin."""
    kind, pads, rank = short.partition("Pad")
    around = numbers(argument(module, 0, "padding"), 2 * int(rank[0])) if pads and kind in _PADDING else None
    if around is None or len(around) > 2 * len(dims):
        return None
    call = OperatorCall(frame, node, short, [], {}, [Tensor(dims=dims)])
    return padded(call, dims, [Const(number) for number in around], _PADDING[kind])


def _size(value: Value | None) -> Value:
    term = term_of(value)
    return STATIC_INT if term is None else of_term(term)
