"""A branch on a number from data may be decided by an assumption: a choice beside `torch.cond`, never the preferred one."""

from __future__ import annotations

import proof
import pytest
import torch
from exportdb_rules.rewrite.edits import apply

from ..programs import fill

PROGRAM = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, n):
        {body}
"""
BODIES = {
    "item": """
        k = n.item()
        if k > 3:
            return x + 1
        return x - 1
    """,
    "size": """
        rows = torch.nonzero(x > 0).squeeze(-1)
        k = rows.numel()
        if k < 1:
            x = x * 2
        else:
            x = x[rows]
        return x.sum()
    """,
    "both": """
        k = n.item()
        if k > 2 and k < 9:
            x = x.sin()
        return x
    """,
    "several": """
        k = n.item()
        if k == 5 or k > 7:
            x = x.sin()
        return x
    """,
    "not": """
        k = n.item()
        if not k > 3:
            return x + 1
        return x - 1
    """,
}
# Inputs for which the assumptions hold, and for which they do not.
YES = (torch.tensor([1.0, -2.0, 3.0]), torch.tensor(5))
NO = (-torch.ones(3), torch.tensor(0))


def assumed(name: str) -> dict[str, str]:
    """The texts that the assumptions make of a program, by the check that they write."""
    text = fill(PROGRAM, body=BODIES[name])
    made: dict[str, str] = {}
    for finding, fixes in proof.offers(text):
        for fix in fixes:
            if finding.code == "EDB103" and fix.title.startswith("Assert `"):
                assert not fix.preferred
                made[fix.title.split("`")[1]] = apply(text, fix.edits)
    return made


@pytest.mark.parametrize(
    ("name", "check", "yes"),
    [
        ("item", "k > 3", True),
        ("item", "k <= 3", False),
        ("size", "k >= 1", True),
        ("both", "k > 2 and k < 9", True),
        ("not", "k > 3", True),
        ("not", "k <= 3", False),
    ],
)
def test_an_assumption_exports_and_raises_where_it_does_not_hold(name: str, check: str, yes: bool) -> None:
    made = assumed(name)
    assert check in made, list(made)
    after = made[check]
    assert [finding.code for finding, _ in proof.offers(after)] == []
    good, bad = (YES, NO) if yes else (NO, YES)
    before = fill(PROGRAM, body=BODIES[name])
    truth = proof.play(proof.model(before), [good])
    assert proof.difference(truth, proof.play(proof.model(after), [good])) == ""
    for strict in (False, True):
        run = proof.exported(after, [good], strict)
        assert proof.difference(truth, proof.play(run, [good])) == ""
        assert proof.play(run, [bad])[0].raised is not None


def test_what_several_conditions_leave_open_is_not_assumed() -> None:
    assert set(assumed("both")) == {"k > 2 and k < 9"}
    assert set(assumed("several")) == set()
