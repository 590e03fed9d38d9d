"""A safe fix rests on what was declared or observed, and every edit stands where it belongs."""

from __future__ import annotations

from textwrap import indent

import proof
import pytest
from exportdb_rules import engine
from exportdb_rules.finding import Applicability, Fix, Mode

PROGRAM = """\
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, helper=None):
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.kept = np.ones(3)
        self.helper = helper

    def forward(self, {head}):
{body}
"""
BATCH = engine.Settings(modes=(Mode.NON_STRICT, Mode.STRICT), assume_dynamic="batch")


def program(body: str, head: str = "x, y") -> str:
    return PROGRAM.format(head=head, body=indent(body, " " * 8))


def offered(body: str, head: str = "x, y") -> list[Fix]:
    return [fix for _, fixes in proof.offers(program(body, head), BATCH) for fix in fixes]


def is_safe(body: str, head: str = "x, y") -> bool:
    found = offered(body, head)
    assert found, "no fix is offered"
    return all(fix.applicability is Applicability.SAFE for fix in found)


@pytest.mark.parametrize(
    "body",
    [
        "return sum(y) * len(x)",
        "if len(x) == 1:\n    return x[0]\nreturn torch.cat(x)",
        "return torch.stack(x) / len(x)",
        "total = 0\nfor i in range(len(x)):\n    total = total + x[i].sum()\nreturn total",
        "return y * len(x['rows'])",
        "return y * len(x) * x.count(1)",
        "if y is None:\n    return x.sum()\nreturn y.sum() * len(x)",
        "z = x * 2\nreturn y.sum() * len(z)",
    ],
    ids=["alone", "joined", "stacked", "indexed", "a part", "a list's method", "on another side", "by an operator"],
)
def test_a_parameter_that_may_be_a_list_is_no_tensor_to_a_safe_fix(body: str) -> None:
    assert not any(fix.applicability is Applicability.SAFE for fix in offered(body))


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ("return x.sum() * len(x)", "x"),
        ("return self.lin(x) * len(x)", "x"),
        ("return F.relu(x) * len(x)", "x"),
        ("return x[:, 0] * len(x)", "x"),
        ("return (x @ y) * len(x)", "x, y"),
        ("return y * len(x)", "x: torch.Tensor, y: torch.Tensor"),
        ("z = x * 2\nreturn x.mean() + len(z)", "x"),
        ("if y is None:\n    n = len(x)\nelse:\n    n = 1\nreturn x.relu() * n", "x, y=None"),
    ],
    ids=["a method", "a layer", "a function", "a column", "a product", "declared", "the parameter", "in every case"],
)  # fmt: skip
def test_a_parameter_that_is_used_as_a_tensor_is_one(body: str, head: str) -> None:
    assert is_safe(body, head)


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("torch.randint(low=0, high=t + 1, size=(2,))", "torch.randint(low=0, high=(t + 1).item(), size=(2,))"),
        (
            "torch.randint(\n    low=0,\n    high=t\n    + 1,\n    size=(2,),\n)",
            "torch.randint(\n            low=0,\n            high=(t\n            + 1).item(),\n            size=(2,),\n        )",
        ),
        ("x.roll(shifts=t, dims=0)", "x.roll(shifts=t.item(), dims=0)"),
    ],
    ids=["by name", "over several lines", "of a method"],
)
def test_the_number_is_read_where_the_argument_stands(call: str, wanted: str) -> None:
    text = program(f"t = x.sum().to(torch.int64)\nreturn {call}", "x")
    assert f"return {wanted}" in proof.repair(text).text


@pytest.mark.parametrize(
    "call", ["torch.randint(*[0, t + 1], size=(2,))", "torch.randint(**{'high': t + 1}, size=(2,))"]
)
def test_what_comes_from_a_list_is_no_place_to_read_a_number_at(call: str) -> None:
    text = program(f"t = x.sum().to(torch.int64)\nreturn {call}", "x")
    assert ").item()" not in proof.repair(text).text


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("'a {} '\n'b {}'.format(x.sum(), 1)", "'a {} ' 'b {}'"),
        ("('a {} ' 'b {}').format(x.sum(), 1)", "'a {} ' 'b {}'"),
        ("'a ' + ('b ' 'c')", "'a ' 'b ' 'c'"),
        ("'a ' + ('b %s' % x.sum())", "'a ' 'b %s'"),
        ("('a '\n'b')", "'a '"),
    ],
)
def test_a_message_of_several_texts_calls_none_of_them(message: str, wanted: str) -> None:
    text = program(f"if x.sum() > 9:\n    raise ValueError({indent(message, ' ' * 8).strip()})\nreturn x * 2", "x")
    fixed = proof.repair(text)
    assert fixed.titles == ["Replace the raise by torch._assert_async"]
    assert wanted in fixed.text
    (call,) = [line for line in fixed.text.splitlines() if "_assert_async" in line]
    assert '" (' not in call
    assert "' (" not in call


@pytest.mark.parametrize(
    "body",
    ["return x[: int(min(3, t))]", "return x[: int(max(t, 2))]", "return x * int(min([3, t]))"],
)
def test_the_smaller_of_a_number_and_a_tensor_may_be_the_number(body: str) -> None:
    text = program(f"t = x.sum()\n{body}", "x")
    assert ".to(torch.int64)" not in proof.repair_found(text).text


@pytest.mark.parametrize(
    "body",
    [
        "if x.detach().numpy().max() > 0:\n    return x\nreturn -x",
        "return x if np.mean(self.helper(x.numpy())) > 0 else -x",
        "a = x.numpy()\nif self.rows(a)[0] > 0:\n    return x\nreturn -x",
    ],
    ids=["in the test", "a function", "an array"],
)
def test_what_numpy_decides_no_operator_of_torch_chooses_by(body: str) -> None:
    text = program(body, "x").replace("\n\nclass", "\n\nclass", 1)
    for _, fixes in proof.offers(text, BATCH):
        for fix in fixes:
            new = "".join(edit.content for edit in fix.edits)
            assert "torch.where(x.detach().numpy()" not in new
            assert "torch.cond" not in new


BETWEEN = """\
import torch


class Net(torch.nn.Module):
    def chosen(self, x, rows):
        if rows[0] > 0:
            return x
        return -x

    def forward(self, x):
        return self.chosen(x, x.sum(0).numpy())
"""


def test_an_array_stays_one_in_the_function_that_it_is_given_to() -> None:
    assert proof.repair_found(BETWEEN).titles == []


@pytest.mark.parametrize(
    "body",
    [
        "return torch.from_numpy(np.exp(x.numpy()) * self.kept)",
        "return torch.from_numpy(np.clip(x.numpy(), 0, 1) * np.random.rand(3, 3))",
        "return torch.from_numpy(np.exp(x.numpy()) * y)",
        "return torch.from_numpy(self.helper(np.exp(x.numpy())))",
        "return np.exp(x.numpy())",
        "return torch.from_numpy(np.concatenate([x.numpy(), self.kept]))",
    ],
    ids=["an attribute", "drawn", "a parameter", "a function", "the result", "joined"],
)
def test_numpy_stays_where_one_operand_may_be_an_array_or_an_array_is_wanted(body: str) -> None:
    text = program(body, "x: torch.Tensor, y: object = None")
    assert "Use torch instead of numpy" not in proof.repair_found(text).titles
