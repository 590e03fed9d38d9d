"""What eager code does, as far as a caller can tell: results, their types, memory and gradients, and what is left behind."""

from __future__ import annotations

import contextlib
import copy
import gc
import io
import traceback
import warnings
from dataclasses import dataclass
from typing import Any

import proof
import torch

from ..programs import fill

PROGRAM = """\
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

{around}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.n = 3
        self.register_buffer("kept", torch.ones(3))
        {init}

    def forward(self, {head}):
        {body}


inputs = {inputs}
example_args = inputs[0]
{dynamic}
"""
X = "[(torch.arange(6.0).reshape(2, 3) - 2,), (-torch.arange(12.0).reshape(4, 3),)]"
I = "[(torch.arange(12.0).reshape(4, 3) - 2, torch.tensor(1)), (-torch.arange(12.0).reshape(4, 3), torch.tensor(2))]"  # noqa: E741


@dataclass(frozen=True)
class Row:
    """A program, `;` for a line end in `body`, and what is offered for it at most: `safe`, `unsafe` or `nothing`."""

    offered: str
    body: str
    head: str = "x: torch.Tensor"
    inputs: str = X
    around: str = ""
    init: str = "pass"
    dynamic: str = ""

    @property
    def text(self) -> str:
        """The program."""
        parts = {"around": self.around, "init": self.init, "head": self.head, "dynamic": self.dynamic}
        return fill(PROGRAM, body=self.body, inputs=self.inputs, **parts)


def observe(text: str, *, train: bool) -> list[dict[str, Any]]:
    """What a caller sees of each call of a program; of one that raises, the class of the error, and whether it is one by
    which torch refuses a call of its higher-order operators."""
    seen: list[dict[str, Any]] = []
    namespace = proof.load.__wrapped__(text)
    # What other tests left would be collected, with its warnings, by a program that collects garbage.
    gc.collect()
    gc.freeze()
    torch.manual_seed(0)
    net = namespace["Net"]().train(train)
    for given in copy.deepcopy(namespace["inputs"]):
        tensors = [leaf for leaf in proof.values(given) if isinstance(leaf, torch.Tensor)]
        for one in tensors:
            one.requires_grad_(train and one.is_floating_point())
        told = io.StringIO()
        torch.manual_seed(1)
        try:
            with contextlib.redirect_stdout(told), warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                seen.append(_of_call(net, given, tensors))
            seen[-1] |= {"printed": told.getvalue(), "warnings": [str(one.message) for one in warned]}
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1].filename
            seen.append({"raised": type(error), "refused": "_dynamo" in last or "_higher_order_ops" in last})
    return seen


def _of_call(net: torch.nn.Module, given: Any, tensors: list[torch.Tensor]) -> dict[str, Any]:
    results = proof.values(net(*given))
    made = [leaf for leaf in results if isinstance(leaf, torch.Tensor)]
    memory = [[_storage(a) == _storage(b) for b in (*tensors, *made)] for a in made]
    wanted = [leaf.requires_grad for leaf in made]
    total = sum(leaf.sum() for leaf in made if leaf.requires_grad)
    if isinstance(total, torch.Tensor):
        total.backward()
    gradients = [None if t.grad is None else t.grad.clone() for t in (*tensors, *net.parameters())]
    net.zero_grad()
    return {
        "results": [copy.deepcopy(leaf.detach()) if isinstance(leaf, torch.Tensor) else leaf for leaf in results],
        "memory": memory,
        "wanted": wanted,
        "gradients": gradients,
        "inputs": [t.detach().clone() for t in tensors],
        "state": {name: value.clone() for name, value in net.state_dict().items()},
    }


def _storage(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr()


def same(a: Any, b: Any) -> bool:
    """Whether two things that were seen are the same to the last bit."""
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        equal = a.dtype == b.dtype and a.shape == b.shape and torch.equal(a.isnan(), b.isnan())
        return equal and torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b or (a != a and b != b)
