"""Models of torchaudio: what makes spectra gives tensors, and asks `torch.jit.isinstance` how it is to normalize them.

Strict export does not trace that (case `jit_isinstance`; measured with torchaudio 2.11 and torch 2.13, where `Resample`,
`GriffinLim`, `MelScale`, `AmplitudeToDB`, `ComputeDeltas`, `TimeStretch`, `Fade`, `Vol` and `MuLawEncoding` export in both modes).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.interpreter.dispatch import escape
from exportdb_rules.interpreter.iteration import fresh_like
from exportdb_rules.interpreter.library import models
from exportdb_rules.lattice import tensors
from exportdb_rules.values import TOP, Instance, Value

if TYPE_CHECKING:
    import ast

    from exportdb_rules.interpreter.machine import Frame

_FUNCTIONS: Final = tuple(
    f"torchaudio.functional.{name}" for name in ("spectrogram", "inverse_spectrogram", "spectral_centroid")
)
_MODULES: Final = tuple(
    f"torchaudio.transforms.{name}"
    for name in ("Spectrogram", "InverseSpectrogram", "MelSpectrogram", "MFCC", "LFCC", "SpectralCentroid")
)
# The modules that those made of several hold, by the attributes that hold them.
_PARTS: Final = {
    ("torchaudio.transforms.MelSpectrogram", "spectrogram"): "torchaudio.transforms.Spectrogram",
    ("torchaudio.transforms.MFCC", "MelSpectrogram"): "torchaudio.transforms.MelSpectrogram",
    ("torchaudio.transforms.LFCC", "Spectrogram"): "torchaudio.transforms.Spectrogram",
}
# The name under which a call of any of them is a fact.
SPECTRUM: Final = "torchaudio spectrum"


@models(*_FUNCTIONS)
def _function(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    frame.emit_call(node, SPECTRUM, args, keywords)
    inputs = [tensor for value in (*args, *keywords.values()) for tensor in tensors(value)]
    return fresh_like(inputs[0]) if inputs else TOP


@models(*_MODULES)
def _module(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    escape(args, keywords)
    return Instance(None, name, identity=(name, id(node)), state=True)


def is_transform(module: Instance) -> bool:
    """Whether it is a module of torchaudio that makes spectra."""
    return module.external in _MODULES


def part_of(module: Instance, name: str) -> Instance | None:
    """What makes spectra within another such module, or within one of a class that is derived from it."""
    part = _PARTS.get((module.external, name))
    return None if part is None else Instance(None, part, identity=(module.key(), name), state=True)


def call_transform(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A call of a module that makes spectra."""
    return _function(frame, node, "", args, keywords)
