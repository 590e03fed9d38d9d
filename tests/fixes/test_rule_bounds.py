"""On versions of torch that want the bounds of a slice checked, the checks are written above it."""

from __future__ import annotations

import proof
import pytest
from exportdb_rules import engine
from exportdb_rules.finding import Mode

from ..programs import fill

OLD, NEW = "2.9.1", "2.13.0"

PROGRAM = '''\
"""The longest sequence of a batch decides how many frames are kept."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 3)

    def forward(self, frames, lengths):
        longest = lengths.max().item()
        # What is behind it is padding.
        kept = frames[:, :longest]
        return self.head(kept).sum(1), frames[: lengths.min().item()]


frames = torch.linspace(-1, 1, 40).view(4, 5, 2)
inputs = [(frames, torch.tensor(k)) for k in ([2, 3], [1, 5], [4, 4], [3, 1])]
beyond = [(frames, torch.tensor(k)) for k in ([2, 6], [5, 5], [-1, 3])]
'''


def repaired(text: str, version: str) -> proof.Repair:
    """The text after the fixes that a version of torch asks for."""
    return proof.repair(text, settings=engine.Settings(modes=(Mode.NON_STRICT, Mode.STRICT), torch_version=version))


def test_the_checked_program_computes_the_same_and_raises_beyond() -> None:
    fixed = repaired(PROGRAM, OLD)
    assert fixed.codes == {"EDB206"}
    assert fixed.left == []
    proof.prove(PROGRAM, fixed.text)
    beyond = proof.load(fixed.text)["beyond"]
    assert all(outcome.raised for outcome in proof.play(proof.model(fixed.text), beyond))


def test_newer_versions_want_no_checks() -> None:
    assert repaired(PROGRAM, NEW).titles == []


BODY = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, t):
        {body}
"""


OTHER_SLICES = {
    "an open end": (
        """
        n = t.item()
        return x[n:]
        """,
        "not a slice from the beginning",
    ),
    "a step": (
        """
        n = t.item()
        return x[:n:2]
        """,
        "not a slice from the beginning",
    ),
    "a start": (
        """
        n = t.item()
        return x[1:n]
        """,
        "not a slice of one bound",
    ),
    "of an expression": (
        """
        n = t.item()
        return (x * 2)[:n]
        """,
        "not a slice of one bound",
    ),
    "written": (
        """
        n = t.item()
        y = x.clone()
        y[:n] = 0
        return y
        """,
        "a slice that is written needs more",
    ),
    "in an expression": ("return x[: t.item()] if self.training else x", "the slice may not be taken at all"),
    "with another dimension": (
        """
        n = t.item()
        dynamic_shapes = None
        return x[:, :n]
        """,
        "the dimension may be dynamic",
    ),
}


@pytest.mark.parametrize(("body", "reason"), OTHER_SLICES.values(), ids=OTHER_SLICES)
def test_other_slices_are_left_alone(body: str, reason: str) -> None:
    text = fill(BODY, body=body)
    done = repaired(text, OLD)
    assert "_check" not in done.text
    assert reason in done.refused
