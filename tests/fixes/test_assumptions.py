"""A branch on a number from data may be decided by an assumption: a choice beside `torch.cond`, never the preferred one."""

from __future__ import annotations

from textwrap import indent

import proof
import pytest
import torch
from exportdb_rules.rewrite.edits import apply

HEAD = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x, n):\n"
BODIES = {
    "item": "k = n.item()\nif k > 3:\n    return x + 1\nreturn x - 1\n",
    "size": "rows = torch.nonzero(x > 0).squeeze(-1)\nk = rows.numel()\nif k < 1:\n    x = x * 2\nelse:\n    x = x[rows]\nreturn x.sum()\n",
    "both": "k = n.item()\nif k > 2 and k < 9:\n    x = x.sin()\nreturn x\n",
    "several": "k = n.item()\nif k == 5 or k > 7:\n    x = x.sin()\nreturn x\n",
    "not": "k = n.item()\nif not k > 3:\n    return x + 1\nreturn x - 1\n",
}
# Inputs for which the assumptions hold, and for which they do not.
YES = (torch.tensor([1.0, -2.0, 3.0]), torch.tensor(5))
NO = (-torch.ones(3), torch.tensor(0))


def assumed(name: str) -> dict[str, str]:
    """The texts that the assumptions make of a program, by the check that they write."""
    text = HEAD + indent(BODIES[name], "        ")
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
    before = HEAD + indent(BODIES[name], "        ")
    truth = proof.play(proof.model(before), [good])
    assert proof.difference(truth, proof.play(proof.model(after), [good])) == ""
    for strict in (False, True):
        run = proof.exported(after, [good], strict)
        assert proof.difference(truth, proof.play(run, [good])) == ""
        assert proof.play(run, [bad])[0].raised is not None


def test_what_several_conditions_leave_open_is_not_assumed() -> None:
    assert set(assumed("both")) == {"k > 2 and k < 9"}
    assert set(assumed("several")) == set()
