"""The names of NumPy that strict export knows are those of the torch and the NumPy that are installed."""

from __future__ import annotations

import numpy as np
import pytest
import torch._dynamo.variables.misc as dynamo
from exportdb_rules.interpreter.numpy_names import is_translated

TRANSLATED = {id(function) for function in dynamo.get_np_to_tnp_map()}
MODULES = {"numpy": np, "numpy.linalg": np.linalg, "numpy.fft": np.fft}


def names(module: object) -> list[str]:
    """What of a module is called: its functions and classes, but for exceptions."""
    found = {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}
    return [
        name
        for name, value in found.items()
        if callable(value) and not (isinstance(value, type) and issubclass(value, BaseException))
    ]


@pytest.mark.parametrize("prefix", MODULES)
def test_torch_translates_what_is_said_to_be_translated(prefix: str) -> None:
    said = {name: is_translated(f"{prefix}.{name}") for name in names(MODULES[prefix])}
    real = {name: id(getattr(MODULES[prefix], name)) in TRANSLATED for name in said}
    assert said == real


@pytest.mark.parametrize(
    "name", ["numpy.char.upper", "numpy.lib.stride_tricks.sliding_window_view", "numpy.testing.assert_equal"]
)
def test_of_other_modules_torch_translates_nothing(name: str) -> None:
    assert not is_translated(name)
