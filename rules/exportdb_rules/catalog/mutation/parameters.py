"""What the rules on modules have in common: which of them have parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.definitions import MODULE_BASES
from exportdb_rules.interpreter.weights import argument
from exportdb_rules.lattice import Mapping, Sequence, choices, contained
from exportdb_rules.values import PARAMETER, Const, Evidence, Instance, Tensor, is_unknown

if TYPE_CHECKING:
    from exportdb_rules.facts import Called
    from exportdb_rules.project import Project
    from exportdb_rules.values import Value

# The layers of torch that have neither parameters nor buffers, whatever they are made with; and what holds others.
WITHOUT_PARAMETERS = frozenset(
    """
    AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d
    AlphaDropout AvgPool1d AvgPool2d AvgPool3d BCELoss BCEWithLogitsLoss CELU CTCLoss ChannelShuffle
    CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d CosineEmbeddingLoss
    CosineSimilarity CrossEntropyLoss CrossMapLRN2d Dropout Dropout1d Dropout2d Dropout3d ELU
    FeatureAlphaDropout Flatten Fold FractionalMaxPool2d FractionalMaxPool3d GELU GLU GaussianNLLLoss Hardshrink
    Hardsigmoid Hardswish Hardtanh HingeEmbeddingLoss HuberLoss Identity KLDivLoss L1Loss LPPool1d LPPool2d
    LPPool3d LeakyReLU LocalResponseNorm LogSigmoid LogSoftmax MSELoss MarginRankingLoss MaxPool1d MaxPool2d
    MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d Mish ModuleDict ModuleList MultiLabelMarginLoss
    MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss NLLLoss2d PairwiseDistance PixelShuffle PixelUnshuffle
    PoissonNLLLoss RReLU ReLU ReLU6 ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d
    ReplicationPad2d ReplicationPad3d SELU Sequential SiLU Sigmoid SmoothL1Loss SoftMarginLoss Softmax Softmax2d
    Softmin Softplus Softshrink Softsign Tanh Tanhshrink Threshold TripletMarginLoss
    TripletMarginWithDistanceLoss Unflatten Unfold Upsample UpsamplingBilinear2d UpsamplingNearest2d ZeroPad1d
    ZeroPad2d ZeroPad3d
    """.split()
)


def evidence_of_parameters(fact: Called, project: Project) -> Evidence | None:
    """What shows that a call is given a module with parameters first, and that it is made; None where
    it is not."""
    module = fact.arguments[0] if fact.arguments else None
    known = has_parameters(module) if type(module) is Instance else False
    if known is None and type(module) is Instance and module.cls is not None:
        known = None if module.cls.is_module(project) else False  # a configuration
    if known is False:
        return None
    return Evidence.OBSERVED if known and not fact.optional else Evidence.DERIVED


def has_parameters(module: Instance, above: frozenset[int] = frozenset()) -> bool | None:
    """Whether a module, or one inside it, has parameters; None if that is not known.

    Args:
        above: the modules that this one was found in, by identity.
    """
    if id(module) in above:
        return False
    own = module.external.startswith("torch.nn.") and module.cls is None
    if own and module.elements is None:
        return module.external.rpartition(".")[2] not in WITHOUT_PARAMETERS and _is_affine(module)
    derived = False if own else _by_base(module.external)
    if derived:
        return True
    held = list(module.attributes.values())
    if isinstance(module.elements, (Sequence, Mapping)):
        held += [module.elements]
    known = [_held(value, above | {id(module)}) for value in held]
    if True in known:
        return True
    open_ended = derived is None or module.open or (not own and module.cls is None)
    return None if None in known or open_ended else False


def _is_affine(layer: Instance) -> bool:
    """Whether a layer that normalizes scales what it gives, too: all do by default but those over single instances."""
    kind = layer.external.rpartition(".")[2]
    given = (
        argument(layer, 2, "elementwise_affine") if kind in ("LayerNorm", "RMSNorm") else argument(layer, 3, "affine")
    )
    if given is None:
        return not kind.startswith("InstanceNorm")
    return "Norm" not in kind or type(given) is not Const or given.value is not False


def _by_base(base: str) -> bool | None:
    """Whether a class has parameters by the library's class that it derives from; None if that is not known."""
    if not base or base == "builtins.object" or base in MODULE_BASES:
        return False
    if not base.startswith("torch.nn."):
        return None
    return base.rpartition(".")[2] not in WITHOUT_PARAMETERS


def _held(value: Value, above: frozenset[int]) -> bool | None:
    """Whether parameters hang on what an attribute holds."""
    known: list[bool | None] = []
    for choice in choices(value):
        if isinstance(choice, (Sequence, Mapping)):
            known += [_held(part, above) for part in contained(choice)]
        elif type(choice) is Instance:
            known.append(has_parameters(choice, above))
        elif is_unknown(choice):
            known.append(None)
        else:
            known.append(type(choice) is Tensor and choice.origin == PARAMETER)
    return True if True in known else None if None in known else False
