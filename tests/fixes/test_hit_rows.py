"""Loops over the rows of a mask that hold something, whose rounds may do something for the other rows too."""

from __future__ import annotations

import proof
import pytest

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
    ("mask", "hit", "between", "body"),
    [
        (ONE_HOT, ANY, "pass", "(rows,) = torch.where(mask[i].squeeze(0)); out += 1; out.index_add_(0, rows, x[rows])"),
        (ONE_HOT, ANY, "pass", "(rows,) = torch.where(mask[i].squeeze(0)); out[i] = x[i]"),
        (ONE_HOT, ANY, "pass", "(rows,) = torch.where(mask[i].squeeze(0) == 0); out.index_add_(0, rows, x[rows])"),
        (ONE_HOT, ANY, "pass", "(rows,) = torch.where(mask[i].squeeze(0)); count = count + 1; out.index_add_(0, rows, x[rows])"),
        (ONE_HOT, ANY, "pass", "(rows,) = torch.where(mask[i].squeeze(0)); out.index_add_(0, rows, x[rows] * i)"),
        (ONE_HOT, "(mask.sum(dim=0) > 0)", "pass", BODY),
        (ONE_HOT, "(mask.sum(dim=-1) > 1)", "pass", BODY),
        (ONE_HOT, ANY, "mask = mask.flip(0)", BODY),
        (ONE_HOT, ANY, "mask[0] = 1", BODY),
        ("x.t() * 1", ANY, "pass", BODY),
    ],
    ids=[
        "all rows", "by the index", "where there is none", "a count", "the index", "columns", "more than one", "another mask",
        "written", "negative",
    ],
)  # fmt: skip
def test_a_round_that_may_do_something_for_other_rows_stays(mask: str, hit: str, between: str, body: str) -> None:
    text = MASK.format(mask=mask, hit=hit, between=between, body=body.replace("; ", "\n            "))
    assert TITLE not in proof.repair_found(text).titles


def test_the_plain_form_is_rewritten() -> None:
    text = MASK.format(mask=ONE_HOT, hit=ANY, between="pass", body=BODY.replace("; ", "\n            "))
    assert TITLE in proof.repair(text).titles
