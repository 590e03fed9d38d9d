"""Calls of torch.cond that look like those which a fix mends, and that no fix may touch."""

from __future__ import annotations

from textwrap import dedent, indent

import proof
import pytest

WRITES = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kept", torch.zeros(2))
        self.label = "none"

    def forward(self, x):
{body}


inputs = [(torch.ones(3, 2),), (-torch.ones(3, 2),)]
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        # Another operand is a view of the one that is written.
        (
            """
        state = x * 2
        row = state[0]

        def hit(state, row):
            state.zero_()
            return state + row

        return torch.cond(x.sum() > 0, hit, lambda state, row: state - row, (state, row))
        """,
            "a branch may see what is written under another name",
        ),
        # The branch closes over a view of it.
        (
            """
        state = x * 2
        row = state[0]

        def hit(state):
            state.zero_()
            return state + row

        return torch.cond(x.sum() > 0, hit, lambda state: state * 2, (state,)) + state
        """,
            "a branch may see what is written under another name",
        ),
        # The branch writes what it closes over, and reads a view of it.
        (
            """
        state = x * 2
        row = state[0]

        def hit(x):
            state.zero_()
            return x + row

        return torch.cond(x.sum() > 0, hit, lambda x: x * 2, (x,)) + state
        """,
            "more than an operand is written",
        ),
        # The buffer is an operand as well.
        (
            """
        def hit(x, kept):
            self.kept.add_(1)
            return x + kept

        return torch.cond(x.sum() > 0, hit, lambda x, kept: x - kept, (x, self.kept))
        """,
            "a buffer that is written is an operand too",
        ),
        # It was read before the call, in the same line.
        (
            """
        def hit(x):
            self.kept.add_(1)
            return x.sin()

        return self.kept.sum() * torch.cond(x.sum() > 0, hit, lambda x: x.cos(), (x,))
        """,
            "something is computed before the call",
        ),
        # The parameter is bound anew, and then changed: not the operand's tensor.
        (
            """
        state = x * 2

        def hit(state):
            state.add_(1)
            state = state[:1]
            state.zero_()
            return state.sum()

        return torch.cond(x.sum() > 0, hit, lambda state: state.mean(), (state,)) + state
        """,
            "the parameter is rebound",
        ),
    ],
    ids=[
        "a view goes in",
        "a view is closed over",
        "both are",
        "a buffer goes in",
        "read before",
        "bound anew",
    ],
)
def test_a_write_that_a_branch_may_see_otherwise_is_not_handed_out(body: str, reason: str) -> None:
    text = WRITES.format(body=indent(dedent(body).strip(), " " * 8))
    assert proof.repair_refused(text, reason).titles == []
