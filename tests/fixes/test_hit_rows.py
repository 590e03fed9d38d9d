"""Loops over the rows of a mask that hold something, whose rounds may do something for the other rows too."""

from __future__ import annotations

import proof
import pytest

from ..programs import fill

MASK = """\
import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x, chosen):
        out = torch.zeros_like(x)
        count = torch.zeros(4)
        mask = {mask}
        hit = {hit}.nonzero()
        {between}
        for i in hit:
            {body}
        return out, count


example_args = (torch.ones(5, 3), torch.tensor([0, 2, 2, 0, 1]))
model = Net()
"""
ONE_HOT = "F.one_hot(chosen, num_classes=4).permute(1, 0)"
ANY = "(mask.sum(dim=-1) > 0)"
BODY = "(rows,) = torch.where(mask[i].squeeze(0)); out.index_add_(0, rows, x[rows])"
TITLE = "Iterate over all mask rows instead of only the non-empty ones"


@pytest.mark.parametrize(
    ("mask", "hit", "between", "body", "reason"),
    [
        (
            ONE_HOT,
            ANY,
            "pass",
            "(rows,) = torch.where(mask[i].squeeze(0)); out += 1; out.index_add_(0, rows, x[rows])",
            "a statement that may do something for a row of zeros",
        ),
        (
            ONE_HOT,
            ANY,
            "pass",
            "(rows,) = torch.where(mask[i].squeeze(0)); out[i] = x[i]",
            "it is not known that nothing is written for a row of zeros",
        ),
        (
            ONE_HOT,
            ANY,
            "pass",
            "(rows,) = torch.where(mask[i].squeeze(0) == 0); out.index_add_(0, rows, x[rows])",
            "it is not known that nothing is added for a row of zeros",
        ),
        (
            ONE_HOT,
            ANY,
            "pass",
            "(rows,) = torch.where(mask[i].squeeze(0)); count = count + 1; out.index_add_(0, rows, x[rows])",
            "a name that the last iteration binds is used after the loop",
        ),
        (
            ONE_HOT,
            ANY,
            "pass",
            "(rows,) = torch.where(mask[i].squeeze(0)); out.index_add_(0, rows, x[rows] * i)",
            "the index is used for more than to pick",
        ),
        (ONE_HOT, "(mask.sum(dim=0) > 0)", "pass", BODY, "it is not known that what is left are the rows"),
        (ONE_HOT, "(mask.sum(dim=-1) > 1)", "pass", BODY, "a condition other than whether any element is set"),
        (ONE_HOT, ANY, "mask = mask.flip(0)", BODY, "the mask is another one at that point"),
        (ONE_HOT, ANY, "mask[0] = 1", BODY, "the mask is written in place"),
        ("x.t() * 1", ANY, "pass", BODY, "the mask may hold numbers that make up for one another"),
    ],
    ids=[
        "all rows",
        "by the index",
        "where there is none",
        "a count",
        "the index",
        "columns",
        "more than one",
        "another mask",
        "written",
        "negative",
    ],
)
def test_a_round_that_may_do_something_for_other_rows_stays(
    mask: str, hit: str, between: str, body: str, reason: str
) -> None:
    text = fill(MASK, mask=mask, hit=hit, between=between, body=body)
    assert TITLE not in proof.repair_refused(text, reason).titles


def test_the_plain_form_is_rewritten() -> None:
    text = fill(MASK, mask=ONE_HOT, hit=ANY, between="pass", body=BODY)
    assert TITLE in proof.repair(text).titles
