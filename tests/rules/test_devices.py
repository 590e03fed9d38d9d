"""What runs on another device than the CPU, where verdicts are measured, is no more than possible, and not shown unless asked for."""

from __future__ import annotations

import pytest
from checking import Checker

PROGRAM = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        device = x.device
        if {condition}:
            if x.sum() > 0:
                x = x + 1
        return x


torch.export.export(Net(), (torch.randn(3),))
"""
ELSEWHERE = (
    "x.is_cuda",
    "x.device.type == 'cuda'",
    "device.type in ('cuda', 'mps')",
    "device.type != 'cpu'",
    "device == torch.device('cuda')",
    "'cuda' in str(x.device)",
    "str(device).startswith('cuda')",
    "f'{x.device}'.startswith('cuda')",
    "torch.cuda.is_available()",
    "not device.type == 'cpu'",
    "x.is_cuda and x.dim() == 1",
)
HERE = (
    "device.type == 'cpu'",
    "not x.is_cuda",
    "device.type in ('cpu', 'cuda')",
    "x.is_cuda or x.dtype == torch.float32",
    "str(device) != 'cuda:0'",
)


@pytest.mark.parametrize("condition", [*ELSEWHERE, *HERE])
def test_a_branch_of_another_device(condition: str, check_text: Checker) -> None:
    found = check_text(PROGRAM.format(condition=condition)).findings
    assert [one.code for one in found] == ([] if condition in ELSEWHERE else ["EDB101"])


def test_what_comes_behind_the_way_of_the_cpu(check_text: Checker) -> None:
    text = """
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if not x.is_cuda:
            return x + 1
        n = x.sum() if x.is_cuda else x
        return x if x.sum() > 0 else -x


torch.export.export(Net(), (torch.randn(3),))
"""
    assert not check_text(text).findings
