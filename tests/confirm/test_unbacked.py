"""`ShapesSpec` as the worker reads it; export itself takes it since torch 2.14, and torch 2.13 has its classes."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from exportdb_lsp.worker import shapes, unbacked

spec = pytest.importorskip("torch.fx.experimental.dynamic_spec")
torch = pytest.importorskip("torch")


class Net(torch.nn.Module):
    def forward(self, x, batch):
        return x + batch["mask"]


def test_its_sizes_are_read_as_dims() -> None:
    rows = spec.ShapeVar("rows", max=64)
    said = spec.ShapesSpec(
        spec.ParamsSpec(
            {
                "x": spec.TensorSpec([rows, None]),
                "batch": spec.DictSpec({"mask": spec.TensorSpec([2 * rows + 1, spec.ShapeVar("rows")])}),
            }
        )
    )
    inputs = (torch.ones(4, 3), {"mask": torch.ones(9, 3)})
    asked = shapes.asked(said, Net(), inputs, {}, torch)
    assert {place: [*dims] for place, dims in asked.items()} == {0: [0], 1: [0, 1]}
    first, derived, other = asked[0][0], asked[1][0], asked[1][1]
    assert (first.__name__, shapes.declared_range(first)) == ("rows", (0, 64))
    assert (derived.root is first, derived.fn(4), derived.__name__) == (True, 9, "2*rows + 1")
    # Two variables of one name are two sizes.
    assert other.__name__ != first.__name__


def test_an_empty_one_asks_for_nothing() -> None:
    assert unbacked.of_dims(spec.ShapesSpec()) == {}
    assert unbacked.of_dims({"x": {0: None}}) == {"x": {0: None}}


@pytest.mark.parametrize(
    ("version", "taken"), [("2.13.0+cpu", False), ("2.14.1", True), ("2.15.0a0", True), ("3.0", True)]
)
def test_a_torch_that_does_not_take_it_is_named(version: str, taken: bool) -> None:
    torch = SimpleNamespace(__version__=version)
    unbacked.check_taken({"x": None}, torch)
    if taken:
        unbacked.check_taken(spec.ParamsSpec({}), torch)
        return
    with pytest.raises(
        NotImplementedError, match=r"torch 2\.13\.0\+cpu does not take a ParamsSpec: it needs torch 2\.14"
    ):
        unbacked.check_taken(spec.ParamsSpec({}), torch)
