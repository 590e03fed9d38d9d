"""Which layers of torch have neither parameters nor buffers is known for all of them."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator

import pytest
from checking import Checker
from exportdb_rules.catalog.mutation.parameters import WITHOUT_PARAMETERS

from ..programs import block

torch = pytest.importorskip("torch")

# What holds other modules or parameters, or has them only where it is told to.
HOLDS = {"Module", "Container", "DataParallel", "ParameterDict", "ParameterList"}
SOMETIMES = {"InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"}
GIVEN = ((), (2,), (2, 2), (2, 2, 2), ((2, 2),), (2, (2, 2)))


def made() -> Iterator[tuple[str, object]]:
    """The layers of torch that can be made of a few small numbers."""
    for name, cls in inspect.getmembers(torch.nn, inspect.isclass):
        for given in GIVEN if issubclass(cls, torch.nn.Module) else ():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    yield name, cls(*given)
                except (TypeError, ValueError, AssertionError, AttributeError):
                    continue
            break


def test_every_layer_is_known() -> None:
    empty = {name for name, layer in made() if not [*layer.parameters(), *layer.buffers()]}  # type: ignore[attr-defined]
    assert empty - HOLDS - SOMETIMES == WITHOUT_PARAMETERS


def test_a_class_of_the_project_may_be_called_as_a_layer_is(check_text: Checker) -> None:
    text = """
    import torch

    class Threshold(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(3))

        def forward(self, x):
            return x * self.weight

    class Net(torch.nn.Module):
        def forward(self, x):
            return Threshold()(x)
    """
    found = {(finding.code, finding.span.start.row) for finding in check_text(block(text)).findings}
    assert found == {("EDB405", 6), ("EDB405", 13)}
