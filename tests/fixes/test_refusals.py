"""What no rewrite can do right is left as it is."""

from __future__ import annotations

from textwrap import dedent, indent

import proof
import pytest

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
    ("first", "body"),
    [
        ("torch.zeros(1, 2)", "self.kept = self.kept * 0.5 + x; return self.kept * 2"),
        ("torch.zeros(3, 2, dtype=torch.int64)", "y = self.kept + x; self.kept = x; return y"),
        ("torch.zeros(3, 2)", "y = x * 2 + self.kept; self.kept = y; y.add_(1); return y"),
        ("torch.zeros(3, 2)", "y = x + self.kept; self.kept = x[:2]; return y"),
        ("torch.zeros(3, 2)", "y = x if self.kept is None else self.kept; self.kept = x; return y"),
        ("0", "self.kept += 1; return x * 2**self.kept"),
        ("0", "self.kept += 1; return x[self.kept % 3]"),
        ("0", "self.kept += 1; return x.sum() * (self.kept / 3)"),
        ("0", "self.kept += 1; return [x, x + 1][self.kept % 2]"),
        ("0", "self.kept += 1; return x, self.kept"),
        ("0", "self.kept += 1; return x.repeat(self.kept, 1)"),
        ("0", "self.kept += 1; return x[self.kept :] * 2"),
        ("0", "self.kept += 1; x[self.kept : self.kept + 1] = 0.0; return x"),
        ("0", "self.kept = not self.kept; return x * self.kept"),
        ("0", "self.kept += 1; return torch.full((2,), self.kept) + x[0]"),
        ("0", "self.kept += 1; return torch.lerp(x, x * 2, self.kept)"),
        ("0", "self.kept += 1; return x * math.log(self.kept)"),
        ("0", "self.kept += 1; return x * max(self.kept, 1, 2)"),
        ("0.5", "self.kept *= 0.9; return (x > 0).long() * self.kept"),
    ],
    ids=[
        "grows", "another dtype", "written later", "a part", "identity", "power", "index", "double", "list", "handed out",
        "a size", "rows from it on", "a number in rows", "no bool", "filled", "an operator", "a logarithm", "max of three",
        "integers",
    ],
)  # fmt: skip
def test_an_attribute_that_no_buffer_can_stand_for_stays(first: str, body: str) -> None:
    text = STATE.format(first=first, body=indent(dedent(body.replace("; ", "\n")), " " * 8))
    assert "register_buffer" not in proof.repair_found(text).text


ROWS = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, mask):
        out = x.clone()
        total = x.new_zeros(())
        for i in mask.nonzero():
            {body}
        return total, out
"""


@pytest.mark.parametrize(
    "body",
    [
        "total = total * 2 + x[i[0], i[1]]",
        "total = total + x[i[0], i[1]] * x[0]",
        "total = total + torch.softmax(x[i], -1).sum()",
        "out[i[0]] = x[i[1]]",
        "out[i[0], i[1]] = out[i[1], i[0]]",
        "out[i[0]] += out[i[1]]",
        "out[i[0]] = x[i[0]]; total = total + out[i[1]].sum()",
        "total = total + x[i[0] - 1, i[1]]",
        "if x[i[0], i[1]] > 0: total = total + 1",
    ],
    ids=["scaled", "a row", "a sum", "overwritten", "swapped", "read", "read after", "computed", "a branch"],
)
def test_rows_that_hang_together_are_not_indexed_at_once(body: str) -> None:
    text = ROWS.format(body=body.replace("; ", "\n            "))
    assert "Replace the loop with one indexed operation" not in proof.repair_found(text).titles


ALIASED = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        out = x * 2
        y = y * 3
        {before}if x.sum() > 0:
            {side}
        {after}
        return out, y
"""


@pytest.mark.parametrize(
    ("before", "side", "after"),
    [
        ("", "out = y", "y.add_(1)"),
        ("other = out; ", "out = out + 1", "out.add_(1); y = other"),
        ("self.seen = out; ", "out += 1", "out.mul_(2)"),
        ("", "out = x", "out.mul_(2)"),
    ],
    ids=["another tensor", "another name", "an attribute", "an input"],
)
def test_a_copy_is_not_made_of_what_others_see_change(before: str, side: str, after: str) -> None:
    text = ALIASED.format(before=before.replace("; ", "\n        "), side=side, after=after.replace("; ", "\n        "))
    text += "\ninputs = [(torch.ones(2), torch.ones(2)), (-torch.ones(2), torch.ones(2))]\n"
    fixed = proof.repair(text)
    inputs = proof.load(text)["inputs"]
    truth = proof.play(proof.model(text), inputs)
    assert proof.difference(truth, proof.play(proof.model(fixed.text), inputs)) == ""


WRITTEN = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        {before}if y.sum() > 0:
            {side}
        return x * 2


example_args = (torch.randn(3, 2), torch.randn(3, 2))
model = Net()
"""


@pytest.mark.parametrize(
    ("before", "side"),
    [
        ("first = x[0]; ", "x.mul_(2); y = y + first; x.add_(y)"),
        ("kept = [x]; ", "x.mul_(2); x.add_(kept[0])"),
        ("self.seen = x; ", "x.mul_(2); x.add_(self.seen)"),
        ("", "x.mul_(2); x = x + 1"),
    ],
    ids=["a view", "a list", "an attribute", "bound anew"],
)
def test_no_branch_writes_what_it_sees_under_another_name(before: str, side: str) -> None:
    text = WRITTEN.format(before=before.replace("; ", "\n        "), side=side.replace("; ", "\n            "))
    assert "torch.cond" not in proof.repair_found(text, wanted="torch.cond").text


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
    assert "torch.cond" not in proof.repair_found(text, wanted="torch.cond").text


def test_a_float_that_is_no_number_any_more_is_an_operand() -> None:
    text = FLOATS.format(used="x") + "inputs = [(torch.ones(3, 4),), (torch.arange(12.0).view(3, 4),)]\n"
    fixed = proof.repair(text, wanted="torch.cond").text
    assert "scale = x.std()\n" in fixed
    proof.prove(text, fixed)


LIMITED = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 1e3:
            return x
        top = x.max().item()
        return x / max(top, 1e-6)


example_args = (torch.rand(3, 4),)
model = Net()
"""


def test_nothing_is_moved_into_a_branch_that_decides_a_number_from_data_there() -> None:
    assert "torch.cond" not in proof.repair_found(LIMITED, wanted="torch.cond").text


CLOSURE = """\
import torch


def make(start=1):
    count = {first}

    def tick():
        nonlocal count
        {body}
        return count

    return tick


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.tick = make()

    def forward(self, x):
        return {used}

{below}
example_args = (torch.randn(3, 2),)
model = Net()
"""


@pytest.mark.parametrize(
    "parts",
    [
        {"used": "x[: self.tick()]"},
        {"used": "x, self.tick()"},
        {"used": "sum(y * f() for y, f in [(x, self.tick)])"},
        {"first": "[]", "body": "count = count + [1]", "used": "x * len(self.tick())"},
        {"below": "other = make()"},
        {"below": "class Other(Net):\n    def more(self):\n        return self.tick()\n"},
        {"body": "if count > 3:\n            nonlocal start\n            start = 0\n        count += start"},
    ],
    ids=["a size", "handed out", "handed on", "a list", "made elsewhere", "derived", "declared deeper"],
)
def test_a_closure_that_no_module_can_stand_for_stays(parts: dict[str, str]) -> None:
    filled = {"first": "0", "body": "count += start", "used": "x * self.tick()", "below": "", **parts}
    text = CLOSURE.format(**filled)
    assert "register_buffer" not in proof.repair_found(text).text


NOTED = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.way = None
        self.seen = []
        self.norm = torch.nn.BatchNorm1d(2, momentum=None)

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
    ("body", "after"),
    [
        ("self.way = 'one'", " if self.way is None else y * 2"),
        ("self.way = x", ""),
        ("self.seen.append(x)", ""),
        ("x = self.norm(x)", ""),
    ],
    ids=["read", "a tensor", "a list", "an average of all"],
)
def test_what_a_branch_writes_and_no_result_can_stand_for_stays(body: str, after: str) -> None:
    text = NOTED.format(body=body, after=after)
    assert "EDB604" not in proof.repair_found(text).codes


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


@pytest.mark.parametrize(
    "body",
    [
        # A tensor has no `round`, and is another key than the number in it.
        "scores[i] = round(near[i] - 0.5, 3)",
        "scores[i] = divmod(near[i], 2)",
        "near = near.round()\nscores[i] = str(near[i])",
        # Whether the pictures are tensors at all, only a caller knows.
        "scores[i] = str(near[i])\nif hits[i]:\n    pictures[i] = np.zeros(pictures[i].shape)",
    ],
    ids=["round", "divmod", "str", "array in a branch"],
)
def test_numbers_of_numpy_that_python_works_on_stay(body: str) -> None:
    text = HANDED.format(body=indent(body, " " * 12))
    assert proof.repair(text).text == text


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
    assert proof.repair(text).text == text


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
    assert proof.repair_found(RESHAPED.format(before=before, one=one, two="x * 2")).titles == []


def test_a_tensor_that_is_reshaped_in_place_goes_into_both_branches() -> None:
    text = RESHAPED.format(before="z.unsqueeze_(0)", one="z * 2", two="z - 1")
    assert proof.fails(text)
    fixed = proof.repair(text)
    assert fixed.titles
    proof.prove(text, fixed.text)
