"""Transforms of torchvision and torchaudio that draw a number and branch on it, and one that asks a tensor for a zero.

Measured in both modes, on torch 2.13: those of torchvision 0.28 by `tests/cases/test_transforms.py`, also those that export
(`Resize`, `CenterCrop`, `Pad`, `Grayscale`, `GaussianNoise`, …), of which nothing is said here; those of torchaudio 2.11 by hand,
where `SpecAugment`, `AddNoise`, `Preemphasis` and `SlidingWindowCmn` export.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import TruthTested
from exportdb_rules.interpreter.dispatch import escape
from exportdb_rules.interpreter.iteration import fresh_like
from exportdb_rules.interpreter.library import models
from exportdb_rules.interpreter.submodules import SEQUENTIAL
from exportdb_rules.lattice import Sequence, tensors
from exportdb_rules.values import FALSE, FRESH, TOP, Const, Evidence, Instance, Static, Tensor, Value

if TYPE_CHECKING:
    import ast

    from exportdb_rules.facts import TruthForm
    from exportdb_rules.interpreter.machine import Frame

_TRANSFORMS: Final = "torchvision.transforms."
_DRAWING: Final = (
    "GaussianBlur", "ColorJitter", "RandomGrayscale", "RandomHorizontalFlip", "RandomVerticalFlip", "RandomCrop",
    "RandomResizedCrop", "RandomErasing", "RandomRotation", "RandomAffine", "RandomPerspective", "RandomInvert",
    "RandomSolarize", "RandomPosterize", "RandomEqualize", "RandomAutocontrast", "RandomAdjustSharpness", "RandomApply",
)  # fmt: skip
_DRAWING_IN_V2: Final = (
    "RandomZoomOut", "RandomPhotometricDistort", "ScaleJitter", "RandomShortestSize", "RandomResize", "RandomChoice",
    "RandomOrder",
)  # fmt: skip
_CLASSES: Final = (
    *[_TRANSFORMS + name for name in _DRAWING],
    *[f"{_TRANSFORMS}v2.{name}" for name in (*_DRAWING, *_DRAWING_IN_V2)],
    "torchaudio.transforms.SpeedPerturbation",
)
# One mask for all of a batch. Drawn for each example by itself, masks are compared by operators.
_MASKING: Final = ("torchaudio.transforms.FrequencyMasking", "torchaudio.transforms.TimeMasking")
# Nothing is drawn where the image has the size already.
_MAY_DRAW: Final = frozenset({_TRANSFORMS + "RandomCrop", _TRANSFORMS + "v2.RandomCrop"})
# `if (std == 0).any(): raise`, of a tensor that is made of the numbers in each call. That of v2 does not ask.
_NORMALIZE: Final = _TRANSFORMS + "Normalize"

_OF_CLASSES: Final = frozenset({*_CLASSES, *_MASKING, _NORMALIZE})


@models(*_OF_CLASSES)
def _transform(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    escape(args, keywords)
    transform = Instance(None, name, identity=(name, id(node)), state=True)
    transform.given = {**dict(enumerate(args)), **keywords}
    return transform


@models(_TRANSFORMS + "Compose", _TRANSFORMS + "v2.Compose")
def _compose(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    given = args[0] if args else keywords.get("transforms")
    if type(given) is not Sequence:
        return TOP
    composed = Instance(None, SEQUENTIAL, identity=(name, id(node)), state=True)
    composed.elements = Sequence("list", given.items, given.element)
    return composed


@models(_TRANSFORMS + "functional.normalize")
def _normalize(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    return _normalized(frame, node, args, args[2] if len(args) > 2 else keywords.get("std", TOP))


@models("torchaudio.functional.mask_along_axis")
def _mask(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    return _drawn(frame, node, name, args)


@models(_TRANSFORMS + "RandomResizedCrop.get_params", _TRANSFORMS + "v2.RandomResizedCrop.get_params")
def _parameters_of_crop(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    _drawn(frame, node, name, args)
    return TOP


def is_random_transform(module: Instance) -> bool:
    """Whether it is a transform that may branch on a tensor."""
    return module.external in _OF_CLASSES


def call_random_transform(frame: Frame, node: ast.AST, transform: Instance, args: list[Value]) -> Value:
    """A call of a transform that branches on a tensor."""
    if transform.external == _NORMALIZE:
        return _normalized(frame, node, args, transform.given.get(1, transform.given.get("std", TOP)))
    if transform.external in _MASKING:
        each = transform.given.get(1, transform.given.get("iid_masks", FALSE))
        if type(each) is not Const or each.value:
            return TOP
    return _drawn(frame, node, transform.external, args)


def _drawn(frame: Frame, node: ast.AST, name: str, args: list[Value]) -> Value:
    """A number is drawn, and its value asked for."""
    return _asked(frame, node, args, "transform", sure=name not in _MAY_DRAW, random=True)


def _normalized(frame: Frame, node: ast.AST, args: list[Value], deviations: Value) -> Value:
    """Whether a standard deviation is 0 is asked. What is computed of one number alone, non-strict export knows."""
    one = type(deviations) in (Const, Static) or (type(deviations) is Sequence and len(deviations.items or ()) == 1)
    sure = type(deviations) in (Const, Sequence, Tensor)
    return _asked(frame, node, args, "one-deviation" if one else "deviation", sure=sure)


def _asked(
    frame: Frame,
    node: ast.AST,
    args: list[Value],
    form: TruthForm,
    *,
    sure: bool,
    random: bool = False,
    constant: bool = False,
) -> Value:
    images = [tensor for value in args for tensor in tensors(value)]
    evidence = Evidence.OBSERVED if sure and images else Evidence.DERIVED
    asked = Tensor(FRESH, random=random, evidence=evidence)
    frame.emit(TruthTested(frame.site(node), asked, form, node))
    return fresh_like(images[0]) if images else TOP
