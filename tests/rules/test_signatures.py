"""The signatures of operators are read as they are written."""

from __future__ import annotations

import pytest
from exportdb_rules.interpreter.signatures import SIGNATURES, parsed
from exportdb_rules.torch_api import lookup


@pytest.mark.parametrize(("name", "signature"), [(name, one) for name, every in SIGNATURES.items() for one in every])
def test_a_signature_is_whole(name: str, signature: str) -> None:
    parameters, result = parsed(signature)
    sizes = [size for parameter in parameters for size in parameter.sizes or ()]
    assert all(sum(size.startswith(("*", "...")) for size in parameter.sizes or ()) <= 1 for parameter in parameters)
    assert {size.lstrip("*") for size in result or ()} <= {size.lstrip("*#") for size in sizes}
    assert any(lookup(f"{place}.{name}") for place in ("Tensor", "torch", "torch.nn.functional", "torch.linalg"))
