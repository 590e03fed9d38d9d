"""A rewrite is proven only if old code, new code and its export agree on inputs that take every branch."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.verification import VerifyRequest, VerifyResult

HEAD = """\
import torch

# exportdb: args=(torch.randn(2, 3),)
class Net(torch.nn.Module):
    def forward(self, x):
"""
IF = """
    if x.sum() > 5:
        return x + 1
    return x - 1
"""
RAISE = """
    if (x > 4).any():
        raise ValueError("too big")
    return x * 2
"""


@pytest.fixture
def verify(confirmer: Confirmer, tmp_path: Path):
    def run(before: str, after: str) -> VerifyResult:
        texts = [HEAD + indent(dedent(body), "        ") for body in (before, after)]
        (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), *texts, root=tmp_path))
        return result

    return run


def test_a_right_rewrite_is_proven_with_both_branches_taken(verify):
    result = verify(IF, "return torch.where(x.sum() > 5, x + 1, x - 1)")
    assert result.proven, result
    assert result.untaken == ()


def test_a_wrong_bound_is_found_though_the_example_does_not_show_it(verify):
    result = verify(IF, "return torch.where(x.sum() > 500, x + 1, x - 1)")
    assert (result.proven, result.same) == (False, False)
    assert "new code in eager" in result.message


def test_a_rewrite_that_does_not_export_is_not_proven(verify):
    result = verify(IF, IF.replace("x + 1", "1 + x"))
    assert (result.proven, result.same) == (False, None)
    assert result.export is not None
    assert "cannot choose a branch" in result.message


def test_a_check_that_raises_alike_is_proven(verify):
    result = verify(RAISE, 'torch._assert_async(~(x > 4).any(), "too big"); return x * 2')
    assert result.proven, result
    assert result.raised >= 1


def test_a_check_that_is_dropped_is_found(verify):
    result = verify(RAISE, "return x * 2")
    assert result.same is False
    assert "raises ValueError" in result.message


def test_a_row_that_no_call_reached_is_told(verify):
    never = """
        if torch.compiler.is_exporting() and not torch.compiler.is_exporting():
            return x + 7
        return x - 1
    """
    result = verify(never, "return x - 1")
    assert result.proven
    assert result.untaken == (8,)
    assert "no call ran row 8" in result.message
