"""Refusals of a size at which something that the program computes from it would be 0 or 1."""

from __future__ import annotations

import pytest
from exportdb_lsp.worker.sizes import is_zero_one


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        ("x.size()[0] // 2 != 1", True),
        # `w // 2 != 1`, as strict export writes it for a view.
        ("x.size()[3] != x.size()[3] // (x.size()[3] // 2)", True),
        # Branches of the user's.
        ("x.size()[0] != 8", False),
        ("x.size()[0] != y.size()[0]", False),
        ("x.size()[0] != x.size()[1] // (x.size()[0] // 2)", False),
        ("x.size()[0] >= 6", False),
    ],
)
def test_a_guard_that_only_excludes_what_is_computed_to_be_zero_or_one(guard: str, expected: bool) -> None:
    assert is_zero_one(f"AssertionError: Guard failed: {guard}") is expected
