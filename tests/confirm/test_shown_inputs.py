"""The inputs of an export, shown as text that can be pasted."""

from __future__ import annotations

import pytest
import torch
from exportdb_lsp.worker import examples


@pytest.mark.parametrize(
    "text",
    [
        "torch.tensor(3)",
        "torch.tensor([7, 7, 1, 2], dtype=torch.int32)",
        "torch.tensor([[True, False], [False, True]])",
        "torch.ones(2, 3)",
        "torch.zeros(4, dtype=torch.bool)",
        "torch.full((5,), 2.5, dtype=torch.float64)",
        "torch.arange(20)",
    ],
)
def test_inputs_are_shown_as_they_were_given(text: str) -> None:
    given = eval(text)
    assert examples.written(given) == text
    again = eval(examples.written((given,)))[0]
    assert torch.equal(again, given)
    assert again.dtype == given.dtype


@pytest.mark.parametrize("text", ["torch.randn(2, 3)", "torch.rand(40) > 0.5", "torch.randint(0, 9, (30,))"])
def test_larger_inputs_are_shown_by_kind_and_shape(text: str) -> None:
    given = eval(text)
    again = eval(examples.written(given))
    assert (again.shape, again.dtype) == (given.shape, given.dtype)
    assert examples.written(torch.empty(2, 3, device="meta")) == "torch.randn(2, 3)"
