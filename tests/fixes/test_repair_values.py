"""Values that look like those which a fix mends, and that no fix may touch."""

from __future__ import annotations

import proof
import pytest

from ..programs import fill

CHOSEN = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        n = (x > 0).sum().item()
        {body}
        return x * n


inputs = [(torch.ones(3),), (torch.zeros(3),)]
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("n = n if n > 0 else 2", "the bound is not the one that is asked for"),
        ("n = n if n >= 0 else 1", "the bound is not the one that is asked for"),
        ("n = n if n != 0 else 1", "not a comparison of which is larger"),
        ("n = n if 0 < n < 3 else 3", "not a plain comparison"),
        ("n = n if n > 1 else x", "not sure to be a choice between two numbers"),
        ("if n > 2: x = x + 2", "not sure to be a choice between two numbers"),
    ],
    ids=["another bound", "not the next", "unequal", "between", "a tensor", "another name"],
)
def test_a_choice_that_is_no_bound_stays(body: str, reason: str) -> None:
    titles = proof.repair_refused(fill(CHOSEN, body=body), reason).titles
    assert not [title for title in titles if "sym_" in title]


NUMBERS = """\
import math

import torch


class Net(torch.nn.Module):
    def __init__(self, parts=4):
        super().__init__()
        self.parts = parts

    def forward(self, x, n):
        {body}


dynamic_shapes = {{"x": {{0: torch.export.Dim.DYNAMIC}}, "n": None}}
example_args = (torch.ones(8, 2), torch.tensor(3))
model = Net()
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return x[0] * torch.linspace(0, 1, n.item(), dtype=torch.float64).sum()", "unsupported arguments"),
        (
            "return x[0] * torch.linspace(0, n.item(), n.item()).sum()",
            "a bound is no plain number, or one that cannot be written twice",
        ),
        ("return x[0] * torch.arange(0, 1, 0.5 / n, dtype=torch.float64).sum()", "unsupported arguments"),
        (
            "return x[0] * torch.arange(0, 1, 0.5 / n.double()).sum()",
            "the step is not known to be a tensor of the default float",
        ),
        (
            "return x[0] * torch.arange(n.sqrt(), 4, 0.5 / n).sum()",
            "a bound is no plain number, or one that cannot be written twice",
        ),
        (
            "return x[0] * (torch.arange(0, 1, 0.5 / n).sum() if self.parts else 1)",
            "it is not always computed, or the line has another side effect",
        ),
        ("return x.mean(dim=torch.arange(n.item()).tolist())", "the numbers are not sure to be plain"),
        ("return x.mean(dim=torch.arange(0.0, 1.0).long().tolist())", "not a list of counted numbers"),
        (
            't = x.transpose(0, 1); k = torch.div(t.size(1), 4, rounding_mode="trunc"); return t.reshape(2, k, 4) * k',
            "",
        ),
        ('t = x.transpose(0, 1); k = torch.div(t.size(1), -4, rounding_mode="trunc"); return t.view(2, k, 4)', ""),
        (
            't = x.transpose(0, 1); k = torch.div(t.size(1), self.parts, rounding_mode="trunc"); return t.view(2, k, 4)',
            "",
        ),
        (
            "return x * (math.log(n.item()) if self.parts else 1)",
            "it is not always computed, or the line has another side effect",
        ),
        ("return x * math.gamma(n.item())", "no function that torch has too"),
    ],
    ids=[
        "dtype",
        "a bound",
        "dtype of steps",
        "float64",
        "start",
        "steps sometimes",
        "from data",
        "floats",
        "a tensor",
        "negative",
        "unknown",
        "sometimes",
        "no function",
    ],
)
def test_a_number_that_only_looks_plain_stays(body: str, reason: str) -> None:
    text = fill(NUMBERS, body=body)
    titles = proof.repair_refused(text, reason).titles
    ours = {
        "Replace `torch.arange(...).tolist()` with `list(range(...))`",
        "Divide the sizes with Python operators",
        "Compute the steps with torch.arange",
        "Compute it with torch",
    }
    assert not ours & {*titles}, titles


MOVED = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)
        self.kind = torch.float64

    def forward(self, x):
        {body}


example_args = (torch.ones(3, 2),)
model = Net()
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("self.layer.half(); return self.layer(x.half())", "another way to move"),
        ("self.layer.to(self.kind); return self.layer(x.to(self.kind))", "not the dtype or device of a tensor"),
        ('self.layer.to("cpu"); return self.layer(x)', "not the dtype or device of a tensor"),
        ("layer = self.layer.to(x.dtype); return layer(x)", "what the call gives is used"),
        ("self.layer.to(x.dtype, non_blocking=True); return self.layer(x)", "another way to move"),
    ],
    ids=["half", "a setting", "a device", "kept", "more"],
)
def test_a_module_that_does_not_follow_its_input_is_left_to_the_user(body: str, reason: str) -> None:
    text = fill(MOVED, body=body)
    assert "is_exporting" not in proof.repair_refused(text, reason).text


FLAGS = """\
import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        {body}


dynamic_shapes = {{"x": {{1: torch.export.Dim.DYNAMIC}}}}
example_args = (torch.ones(2, 4, 8),)
model = Net()
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "more = {'attn_mask': None}; return F.scaled_dot_product_attention(x, x, x, is_causal=x.shape[1] > 1, **more)",
            "not a plain call",
        ),
        (
            "return F.scaled_dot_product_attention(x, y := x * 2, y, is_causal=x.shape[1] > 1)",
            "a name is bound in the call",
        ),
    ],
    ids=["starred", "bound"],
)
def test_a_flag_in_a_call_that_cannot_be_written_twice_stays(body: str, reason: str) -> None:
    text = fill(FLAGS, body=body)
    assert "torch.cond" not in proof.repair_refused(text, reason).text


NUMPY = """\
import numpy as np
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        values = x.numpy()
        {body}


inputs = [(torch.ones(3, 2),)]
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return x - float(np.quantile(values, 0.3))", "quantile is not in the table"),
        ("return x - torch.from_numpy(np.fft.rfft(values).real)", "from_numpy takes no tensor"),
    ],
    ids=["a quantile", "another part"],
)
def test_a_statistic_of_numpy_that_torch_has_not_stays(body: str, reason: str) -> None:
    text = NUMPY.format(body=body)
    assert "np." in proof.repair_refused(text, reason).text


def test_a_number_of_numpy_is_no_tensor_of_a_branch() -> None:
    body = """
        p = np.percentile(values, 90, method="nearest")
        if p > 1:
            return x / float(p)
        return x
    """
    fixed = proof.repair_refused(fill(NUMPY, body=body), "what numpy computes is not a tensor").text
    assert "torch.cond" not in fixed
    assert ".item()" not in fixed
