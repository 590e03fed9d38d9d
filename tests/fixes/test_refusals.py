"""What no rewrite can do right is left as it is."""

from __future__ import annotations

import proof
import pytest

from ..programs import fill

STATE = """\
import math

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {first}

    def forward(self, x):
        {body}

example_args = (torch.randn(3, 2),)
model = Net()
"""


@pytest.mark.parametrize(
    ("first", "body", "reason"),
    [
        ("torch.zeros(1, 2)", "self.kept = self.kept * 0.5 + x; return self.kept * 2", "the new value may have another shape than the buffer"),
        ("torch.zeros(3, 2, dtype=torch.int64)", "y = self.kept + x; self.kept = x; return y", "the new value may have another dtype than the buffer"),
        ("torch.zeros(3, 2)", "y = x * 2 + self.kept; self.kept = y; y.add_(1); return y", "the tensor that is stored may be written later"),
        ("torch.zeros(3, 2)", "y = x + self.kept; self.kept = x[:2]; return y", "the new value may have another shape than the buffer"),
        ("torch.zeros(3, 2)", "y = x if self.kept is None else self.kept; self.kept = x; return y", "the attribute's identity is tested"),
        ("0", "self.kept += 1; return x * 2**self.kept", "a power of integers is a fraction for negative exponents"),
        ("0", "self.kept += 1; return x[self.kept % 3]", "a number is computed from the attribute"),
        ("0", "self.kept += 1; return x.sum() * (self.kept / 3)", "two zero-dimensional tensors promote to the wider dtype"),
        ("0", "self.kept += 1; return [x, x + 1][self.kept % 2]", "a number is computed from the attribute"),
        ("0", "self.kept += 1; return x, self.kept", "a number is computed from the attribute"),
        ("0", "self.kept += 1; return x.repeat(self.kept, 1)", "a number is computed from the attribute"),
        ("0", "self.kept += 1; return x[self.kept :] * 2", "a number is computed from the attribute"),
        ("0", "self.kept += 1; x[self.kept : self.kept + 1] = 0.0; return x", "a number is computed from the attribute"),
        ("0", "self.kept = not self.kept; return x * self.kept", "a bool is computed from the attribute"),
        ("0", "self.kept += 1; return torch.full((2,), self.kept) + x[0]", "a number is computed from the attribute"),
        ("0", "self.kept += 1; return torch.lerp(x, x * 2, self.kept)", "a number is computed from the attribute"),
        ("0", "self.kept += 1; return x * math.log(self.kept)", "a number is computed from the attribute"),
        ("0", "self.kept += 1; return x * max(self.kept, 1, 2)", "a number is computed from the attribute"),
        ("0.5", "self.kept *= 0.9; return (x > 0).long() * self.kept", "integers become floats of another dtype"),
    ],
    ids=[
        "grows", "another dtype", "written later", "a part", "identity", "power", "a row", "double", "list", "handed out",
        "a size", "rows from it on", "a number in rows", "no bool", "filled", "an operator", "a logarithm", "max of three",
        "integers",
    ],
)  # fmt: skip
def test_an_attribute_that_no_buffer_can_stand_for_stays(first: str, body: str, reason: str) -> None:
    text = fill(STATE, first=first, body=body)
    assert "register_buffer" not in proof.repair_refused(text, reason).text


ALIASED = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        out = x * 2
        y = y * 3
        {before}
        if x.sum() > 0:
            {side}
        {after}
        return out, y
"""


@pytest.mark.parametrize(
    ("before", "side", "after"),
    [
        ("", "out = y", "y.add_(1)"),
        ("other = out", "out = out + 1", "out.add_(1); y = other"),
        ("self.seen = out", "out += 1", "out.mul_(2)"),
        ("", "out = x", "out.mul_(2)"),
    ],
    ids=["another tensor", "another name", "an attribute", "an input"],
)
def test_a_copy_is_not_made_of_what_others_see_change(before: str, side: str, after: str) -> None:
    text = fill(ALIASED, before=before, side=side, after=after)
    text += "\ninputs = [(torch.ones(2), torch.ones(2)), (-torch.ones(2), torch.ones(2))]\n"
    fixed = proof.repair(text)
    inputs = proof.load(text)["inputs"]
    truth = proof.play(proof.model(text), inputs)
    assert proof.difference(truth, proof.play(proof.model(fixed.text), inputs)) == ""


WRITTEN = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        {before}
        if y.sum() > 0:
            {side}
        return x * 2


example_args = (torch.randn(3, 2), torch.randn(3, 2))
model = Net()
"""


@pytest.mark.parametrize(
    ("before", "side", "reason"),
    [
        (
            "first = x[0]",
            "x.mul_(2); y = y + first; x.add_(y)",
            "first may share the storage of x, which is changed in place",
        ),
        ("kept = [x]", "x.mul_(2); x.add_(kept[0])", "kept may share the storage of x, which is changed in place"),
        ("self.seen = x", "x.mul_(2); x.add_(self.seen)", "x is changed in place, and may be seen elsewhere"),
        ("", "x.mul_(2); x = x + 1", "x is changed in place, and rebound"),
    ],
    ids=["a view", "a list", "an attribute", "bound anew"],
)
def test_no_branch_writes_what_it_sees_under_another_name(before: str, side: str, reason: str) -> None:
    text = fill(WRITTEN, before=before, side=side)
    assert "torch.cond" not in proof.repair_refused(text, reason, wanted="torch.cond").text


FLOATS = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        scale = x.std().item()
        if scale > 1:
            x = x / scale
        return {used}


example_args = (torch.randn(3, 4),)
model = Net()
"""


def test_no_branch_closes_over_a_float_from_data() -> None:
    text = FLOATS.format(used="x, scale")
    done = proof.repair_refused(
        text, "scale is a data-dependent number, which a branch cannot take as an operand", wanted="torch.cond"
    )
    assert "torch.cond" not in done.text


def test_a_float_that_is_no_number_any_more_is_an_operand() -> None:
    text = FLOATS.format(used="x") + "inputs = [(torch.ones(3, 4),), (torch.arange(12.0).view(3, 4),)]\n"
    fixed = proof.repair(text, wanted="torch.cond").text
    assert "scale = x.std().detach()\n" in fixed
    proof.prove(text, fixed)


LIMITED = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 1e3:
            return x
        top = x.max().item()
        return x / {limited}


example_args = (torch.rand(3, 4),)
model = Net()
"""


@pytest.mark.parametrize("limited", ["max(top, 1e-6, key=abs)", "max((top, *(1e-6, 1e-5)))"])
def test_nothing_is_moved_into_a_branch_that_decides_a_number_from_data_there(limited: str) -> None:
    text = LIMITED.replace("{limited}", limited)
    done = proof.repair_refused(text, "max would specialize a data-dependent number", wanted="torch.cond")
    assert "torch.cond" not in done.text


NOTED = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.way = None
        self.seen = []

    def forward(self, x):
        def one(x):
            {body}
            return x.sin()

        y = torch.cond(x.sum() > 0, one, lambda x: x.cos(), (x,))
        return y{after}


example_args = (torch.randn(3, 2),)
model = Net()
"""


@pytest.mark.parametrize(
    ("body", "after", "reason"),
    [
        ("self.way = x", "", ""),
        ("self.seen.append(x)", "", ""),
    ],
    ids=["a tensor", "a list"],
)
def test_what_a_branch_writes_and_no_result_can_stand_for_stays(body: str, after: str, reason: str) -> None:
    text = NOTED.format(body=body, after=after)
    assert "EDB604" not in proof.repair_refused(text, reason).codes


HANDED = """\
import numpy as np
import torch


class Net(torch.nn.Module):
    def forward(self, x, pictures):
        near = x.sum(1).cpu().numpy()
        hits = x.sum(1) > 0
        scores = {{}}
        for i in range(x.shape[0]):
            {body}
        return x * 2, pictures


model = Net()
example_args = (torch.randn(3, 2), torch.rand(3, 2))
"""


WORKED_ON = {
    # A tensor has no `round`, and is another key than the number in it.
    "round": ("scores[i] = round(near[i] - 0.5, 3)", "the array itself is passed on"),
    "divmod": ("scores[i] = divmod(near[i], 2)", "the array itself is passed on"),
    "str": (
        """
        near = near.round()
        scores[i] = str(near[i])
        """,
        "the array itself is passed on",
    ),
    # Whether the pictures are tensors at all, only a caller knows.
    "array in a branch": (
        """
        scores[i] = str(near[i])
        if hits[i]:
            pictures[i] = np.zeros(pictures[i].shape)
        """,
        "what numpy computes is not a tensor",
    ),
}


@pytest.mark.parametrize(("body", "reason"), WORKED_ON.values(), ids=WORKED_ON)
def test_numbers_of_numpy_that_python_works_on_stay(body: str, reason: str) -> None:
    text = fill(HANDED, body=body)
    assert proof.repair_refused(text, reason).text == text


HOOKED = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(2, 2)
        self.handles = []
        self.ready = False

    def watch(self):
        {keep}self.inner.register_forward_hook(lambda module, inputs, output: output * 2){end}
        self.ready = True

    def forward(self, x):
        if not self.ready:
            self.watch()
        return self.inner(x)


model = Net()
example_args = (torch.randn(3, 2),)
"""


@pytest.mark.parametrize(("keep", "end"), [("handle = ", ""), ("", ""), ("self.handles.append(", ")")])
def test_a_flag_that_tells_of_a_hook_is_no_state_of_a_graph(keep: str, end: str) -> None:
    text = HOOKED.format(keep=keep, end=end)
    assert [finding.code for finding, _ in proof.offers(text)] == ["EDB503"]
    # Where the first call does more, it is.
    text = text.replace("            self.watch()\n", "            self.watch()\n            x = x + 1\n")
    reason = "the flag records a one-time registration, which a graph cannot perform"
    assert proof.repair_refused(text, reason).text == text


RESHAPED = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        z = x * 2
        y = z
        {before}
        if x.sum() > 0:
            out = {one}
        else:
            out = {two}
        return out


example_args = (torch.ones(2, 3),)
model = Net()
inputs = [(torch.ones(2, 3),), (-torch.ones(2, 3),)]
"""


@pytest.mark.parametrize(
    ("before", "one"),
    [
        ("z.unsqueeze_(0)", "z"),
        ("z.t_()", "y"),
        ("w = z.transpose_(0, 1)", "w"),
        ("_ = [part.unsqueeze_(0) for part in (z,)]", "z"),
        ("for _ in range(2): z.unsqueeze_(0)", "z + 1"),
    ],
    ids=["a line", "another name", "its result", "in a comprehension", "in a loop"],
)  # fmt: skip
def test_no_branch_takes_a_tensor_for_what_it_was_before_it_was_reshaped_in_place(before: str, one: str) -> None:
    text = RESHAPED.format(before=before, one=one, two="x * 2")
    assert proof.repair_refused(text, "the branches may return different dtypes or shapes").titles == []


def test_a_tensor_that_is_reshaped_in_place_goes_into_both_branches() -> None:
    text = RESHAPED.format(before="z.unsqueeze_(0)", one="z * 2", two="z - 1")
    assert proof.fails(text)
    fixed = proof.repair(text)
    assert fixed.titles
    proof.prove(text, fixed.text)
