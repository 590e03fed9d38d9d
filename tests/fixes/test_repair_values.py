"""Values that look like those which a fix mends, and that no fix may touch."""

from __future__ import annotations

from textwrap import dedent, indent

import proof
import pytest

KEYS = """\
import torch

TABLE = {table}


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.ready = True

    def forward(self, x, n):
{body}


inputs = [(torch.ones(3), torch.tensor(1)), (torch.ones(3), torch.tensor(2))]
"""


@pytest.mark.parametrize(
    ("table", "body"),
    [
        ("{1: 0.5, 2: 2}", "return x * TABLE[n.item()]"),
        ("{1.0: 0.5, 2.0: 2.0}", "return x * TABLE[n.item()]"),
        ("{1: 'a', 2: 'b'}", "return x * len(TABLE[n.item()])"),
        ("{1: 0.5, 2: 2.0}", "TABLE[3] = 0.1; return x * TABLE[n.item()]"),
        ("{1: 0.5, 2: 2.0}", "return x.view(int(TABLE[n.item()]), -1)"),
        ("{1: 0.5, 2: 2.0}", "return x.double() * TABLE[n.item()]"),
        ("{1: 5, 2: 2}", "return x * (TABLE[n.item()] if self.ready else 1)"),
        ("{1: 5, 2: 2}", "return x.sum() * TABLE[n.item()]"),
        ("dict([(1, 5)])", "return x * TABLE[n.item()]"),
        ("{1: 5, 2: 2}", "return x ** TABLE[n.item()]"),
    ],
    ids=["mixed", "floats", "text", "changed", "a size", "double", "sometimes", "no dimensions", "computed", "power"],
)
def test_a_dict_that_no_tensor_can_stand_for_stays(table: str, body: str) -> None:
    text = KEYS.format(table=table, body=indent(dedent(body.replace("; ", "\n")), " " * 8))
    assert "Look the key up in a tensor" not in proof.repair_found(text).titles


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
    "body",
    [
        "return x[0] * torch.linspace(0, 1, n.item(), dtype=torch.float64).sum()",
        "return x[0] * torch.linspace(0, x.shape[0], n.item()).sum()",
        "return x.mean(dim=torch.arange(n.item()).tolist())",
        "return x.mean(dim=torch.arange(0.0, 1.0).long().tolist())",
        't = x.transpose(0, 1); k = torch.div(t.size(1), 4, rounding_mode="trunc"); return t.reshape(2, k, 4) * k',
        't = x.transpose(0, 1); k = torch.div(t.size(1), -4, rounding_mode="trunc"); return t.view(2, k, 4)',
        't = x.transpose(0, 1); k = torch.div(t.size(1), self.parts, rounding_mode="trunc"); return t.view(2, k, 4)',
        "return x * (math.log(n.item()) if self.parts else 1)",
        "return x * math.gamma(n.item())",
    ],
    ids=["dtype", "a bound", "from data", "floats", "a tensor", "negative", "unknown", "sometimes", "no function"],
)
def test_a_number_that_only_looks_plain_stays(body: str) -> None:
    text = NUMBERS.format(body=body.replace("; ", "\n        "))
    titles = proof.repair(text).titles
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
    "body",
    [
        "self.layer.half(); return self.layer(x.half())",
        "self.layer.to(self.kind); return self.layer(x.to(self.kind))",
        'self.layer.to("cpu"); return self.layer(x)',
        "layer = self.layer.to(x.dtype); return layer(x)",
        "self.layer.to(x.dtype, non_blocking=True); return self.layer(x)",
    ],
    ids=["half", "a setting", "a device", "kept", "more"],
)
def test_a_module_that_does_not_follow_its_input_is_left_to_the_user(body: str) -> None:
    text = MOVED.format(body=body.replace("; ", "\n        "))
    assert "is_exporting" not in proof.repair_found(text).text


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
    "body",
    [
        "more = {'attn_mask': None}; return F.scaled_dot_product_attention(x, x, x, is_causal=x.shape[1] > 1, **more)",
        "return F.scaled_dot_product_attention(x, y := x * 2, y, is_causal=x.shape[1] > 1)",
    ],
    ids=["starred", "bound"],
)
def test_a_flag_in_a_call_that_cannot_be_written_twice_stays(body: str) -> None:
    text = FLAGS.format(body=body.replace("; ", "\n        "))
    assert "torch.cond" not in proof.repair_found(text).text


COPIED = """\
import copy

import torch


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return self.layer(x)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)
        self.norm = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
        self.block = Block()

    def forward(self, x):
        {body}


inputs = [(torch.ones(3, 2),)]
"""


@pytest.mark.parametrize(
    "body",
    [
        "layer = copy.deepcopy(self.norm); return layer(x)",
        "layer = copy.deepcopy(self.block); return layer(x)",
        "layer = copy.deepcopy(self.layer); layer.weight.data.zero_(); return layer(x)",
        "layer = copy.deepcopy(self.layer); return layer.eval()(x)",
        "layer = copy.deepcopy(self.layer); return [layer(x) for _ in range(2)][0] + x.apply(layer)",
        "self.other = copy.deepcopy(self.layer); return self.other(x)",
    ],
    ids=["statistics", "a counter", "written", "a method", "handed on", "kept"],
)
def test_a_copy_of_a_module_with_a_life_of_its_own_stays(body: str) -> None:
    text = COPIED.format(body=body.replace("; ", "\n        "))
    assert "Call the module itself" not in proof.repair_found(text).titles


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
    "body",
    [
        'return x - float(np.quantile(values, 0.3, method="nearest"))',
        "return x - float(np.average(values, weights=values))",
        "return x - float(np.median(values, axis=(0, 1)))",
        "return x - float(np.percentile(values, values[0, 0]))",
        "return x - torch.from_numpy(np.fft.rfft(values).real)",
    ],
    ids=["another way between", "weights", "two axes", "computed", "another part"],
)
def test_a_statistic_of_numpy_that_torch_has_not_stays(body: str) -> None:
    text = NUMPY.format(body=body)
    assert "torch.quantile" not in (fixed := proof.repair_found(text).text)
    assert "np." in fixed


def test_a_number_of_numpy_is_no_tensor_of_a_branch() -> None:
    body = 'p = np.percentile(values, 90, method="nearest")|if p > 1:|    return x / float(p)|return x'
    fixed = proof.repair(NUMPY.format(body=body.replace("|", "\n        "))).text
    assert "torch.cond" not in fixed
    assert ".item()" not in fixed
