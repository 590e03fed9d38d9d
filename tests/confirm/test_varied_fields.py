"""Old and new code get the same inputs, also where only the new one registers the class of an input with pytree."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from exportdb_lsp.worker import values
from torch.utils import _pytree as pytree


@dataclasses.dataclass
class Inner:
    a: torch.Tensor
    n: int


@dataclasses.dataclass
class Batch:
    x: torch.Tensor
    rows: list[torch.Tensor]
    inner: Inner
    name: str


def tensors(batch: Batch) -> list[torch.Tensor]:
    return [batch.x, *batch.rows, batch.inner.a]


@pytest.mark.parametrize("kind", ["fresh", "negated", "zero", "positive"])
def test_the_fields_of_a_dataclass_are_varied_as_they_are_once_it_is_registered(kind: str) -> None:
    batch = Batch(torch.randn(2), [torch.randn(3), torch.randn(1)], Inner(torch.randn(2, 2), 3), "first")
    (before, _), _ = values.vary(((batch, torch.ones(2)), {}), 7, kind)
    for cls in (Inner, Batch):
        fields = [field.name for field in dataclasses.fields(cls)]
        pytree.register_pytree_node(
            cls,
            lambda value, fields=fields: ([getattr(value, name) for name in fields], None),
            lambda parts, _, cls=cls: cls(*parts),
            serialized_type_name=f"test_varied_fields.{cls.__name__}",
        )
    try:
        (after, _), _ = values.vary(((batch, torch.ones(2)), {}), 7, kind)
    finally:
        for cls in (Inner, Batch):
            pytree._deregister_pytree_node(cls)
    assert all(torch.equal(a, b) for a, b in zip(tensors(before), tensors(after), strict=True))
    assert before.name == after.name == "first"
    assert not torch.equal(before.rows[0], batch.rows[0])
    assert not torch.equal(before.inner.a, batch.inner.a)
