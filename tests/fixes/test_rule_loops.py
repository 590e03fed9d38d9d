"""Loops over rows whose results are stacked: what becomes `vmap`, `map` or `scan`, and what is left alone."""

from __future__ import annotations

import proof
import pytest
import torch

from ..programs import fill

PROGRAM = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        {body}

example_args = (torch.ones(4, 3),)
dynamic_shapes = {{"x": {{0: torch.export.Dim.DYNAMIC}}}}
model = Net()
"""


def titles(body: str) -> list[str]:
    """The rewrites that are offered for the loop of a body."""
    text = fill(PROGRAM, body=body)
    found = proof.offers(text)
    assert found, "nothing is found"
    rewrites = [fix for _, fixes in found for fix in fixes if not fix.declares]
    return [fix.title.split(" (")[0].removeprefix("Rewrite as ") for fix in rewrites]


BECOMES = {
    "a comprehension": ("return torch.stack([row.exp() * 2 for row in x])", "torch.vmap"),
    "a layer": ("return torch.stack([self.lin(row) for row in x])", "map"),
    "rows by their numbers": ("return torch.stack([x[i].exp() for i in range(x.shape[0])])", "torch.vmap"),
    "rows by a number with a name": (
        """
        n = x.shape[0]
        return torch.stack([self.lin(x[i]) for i in range(n)])
        """,
        "map",
    ),
    "a list that is joined": (
        """
        out = []
        for row in x:
            out.append(self.lin(row))
        return torch.cat(out)
        """,
        "map",
    ),
    "nothing computed": (
        """
        h, out = torch.zeros(3), []
        for row in x:
            out.append(row)
        return torch.stack(out)
        """,
        None,
    ),
    "a sum of each row with those before": (
        """
        h = torch.zeros(3)
        out = []
        for row in x:
            h = h + row
            out.append(h)
        return torch.stack(out)
        """,
        "scan",
    ),
    "a sum of all rows": (
        """
        h = torch.zeros(3)
        for row in x:
            h = h + row
        return h
        """,
        "while_loop",
    ),
    "numbered rows": (
        """
        out = []
        for i, row in enumerate(x):
            out.append(self.lin(row) * i)
        return torch.stack(out)
        """,
        "map",
    ),
    "numbers of the rows": (
        """
        out = []
        for i in range(x.shape[0]):
            out.append(self.lin(x[i]) + i)
        return torch.stack(out)
        """,
        "map",
    ),
    "pairs of rows": ("return torch.stack([a * b for a, b in zip(x, x.exp())])", "torch.vmap"),
    "rows times their numbers": ("return torch.stack([row * i for i, row in enumerate(x)])", "torch.vmap"),
    "pairs of rows in a layer": ("return torch.stack([self.lin(a) * b for a, b in zip(x, x.exp())])", "map"),
    "a list that is begun with a row": (
        """
        h = x[0]
        out = [h]
        for i in range(1, x.shape[0]):
            h = h * 0.5 + x[i]
            out.append(h)
        return torch.stack(out)
        """,
        "scan",
    ),
}


@pytest.mark.parametrize(("body", "operator"), BECOMES.values(), ids=BECOMES)
def test_a_loop_becomes_the_operator_that_serves_it(body: str, operator: str | None) -> None:
    assert titles(body) == ([] if operator is None else [operator])


DOES_MORE = {
    "an index": (
        "return torch.stack([row.argmax() + self.lin(row).argmax() for row in x])",
        "an iteration gives more than a tensor of floating numbers",
    ),
    "a filter": (
        "return torch.stack([self.lin(row) for row in x if row is not None])",
        "more than one list is stacked",
    ),
    "the list is read too": (
        """
        out = []
        for row in x:
            out.append(self.lin(row))
        return torch.stack(out), out[0]
        """,
        "the list is used in another way as well",
    ),
    "two rows for each": (
        """
        out = []
        for row in x:
            out.append(self.lin(row))
            out.append(row)
        return torch.stack(out)
        """,
        "the list is used in another way as well",
    ),
    "a Python number": (
        """
        out = []
        for i, row in enumerate(x):
            out.append(self.lin(row) * int(i))
        return torch.stack(out)
        """,
        "the counter is used as a Python number",
    ),
    "from the second row on": (
        """
        out = []
        for i in range(1, x.shape[0]):
            out.append(self.lin(x[i]))
        return torch.stack(out)
        """,
        "the results are fewer than the rows",
    ),
    "the row before": (
        """
        out = [x[0]]
        for i in range(1, x.shape[0]):
            out.append(self.lin(x[i] - x[i - 1]))
        return torch.stack(out)
        """,
        "the results are fewer than the rows",
    ),
    "an element is written": (
        """
        seen = torch.zeros(3)
        out = []
        for row in x:
            seen[0] += 1
            out.append(self.lin(row))
        return torch.stack(out) + seen
        """,
        "an element of a list, or what is defined outside, is changed in place",
    ),
    "rows are written": (
        """
        out = []
        for row in x:
            row.mul_(2)
            out.append(self.lin(row))
        return torch.stack(out) + x
        """,
        "an element of a list, or what is defined outside, is changed in place",
    ),
    "two rows before the loop": (
        """
        out = [x[0], x[0]]
        for i in range(1, len(x)):
            out.append(x[i] * 2)
        return torch.stack(out)
        """,
        "the results are fewer than the rows",
    ),
    "columns": (
        """
        out = []
        for i in range(x.shape[0]):
            out.append(self.lin(x[:, i]))
        return torch.stack(out)
        """,
        "it is not known that the loop goes over all rows",
    ),
    "a slice": ("return torch.stack([self.lin(row) for row in x[1:]])", "a slice may have one row"),
    "a shorter tensor": (
        """
        out = []
        n = x.shape[0]
        x = x[:2]
        for i in range(n):
            out.append(self.lin(x[i]))
        return torch.stack(out)
        """,
        "it is not known that the loop goes over all rows",
    ),
    "the last result is read": (
        """
        out = []
        for row in x:
            y = self.lin(row)
            out.append(y)
        return torch.stack(out) + y
        """,
        "the loop carries something that is not a tensor, or has no value before it",
    ),
    "one tensor that changes in place": (
        """
        out = []
        h = x[0] * 1
        for row in x:
            h += row
            out.append(h)
        return torch.stack(out)
        """,
        "an element of a list, or what is defined outside, is changed in place",
    ),
    "a sum that grows": (
        """
        out = []
        h = x[0] * 1
        for row in x:
            h = torch.cat([h, row])
            out.append(h.sum())
        return torch.stack(out)
        """,
        "h may change its shape from row to row",
    ),
    "the tensor is bound anew": (
        """
        out = []
        for row in x:
            x = x * 2
            out.append(self.lin(row) + x.sum())
        return torch.stack(out)
        """,
        "what is carried is the rows themselves, or is written in place later",
    ),
    "an attribute is written": (
        """
        out = []
        for row in x:
            self.last = row
            out.append(self.lin(row))
        return torch.stack(out)
        """,
        "an element of a list, or what is defined outside, is changed in place",
    ),
    "left early": (
        """
        out = []
        for row in x:
            if len(out) > 2:
                break
            out.append(self.lin(row))
        return torch.stack(out)
        """,
        "the loop has another exit",
    ),
}


@pytest.mark.parametrize(("body", "reason"), DOES_MORE.values(), ids=DOES_MORE)
def test_a_loop_that_does_more_is_left_alone(body: str, reason: str) -> None:
    assert not {"torch.vmap", "map", "scan"} & set(titles(body))
    proof.repair_refused(fill(PROGRAM, body=body), reason)


HELPER = """\
import torch


def halved(row):
    for _ in range(2):
        if {test}:
            return row
        row = row + 1
    return row


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.stack([halved(row) for row in x])


example_args = (torch.ones(4, 3),)
dynamic_shapes = {{"x": {{0: torch.export.Dim.DYNAMIC}}}}
model = Net()
"""


@pytest.mark.parametrize(("test", "expected"), [("row.sum() > 3", []), ("row.dim() > 1", ["map"])])
def test_no_operator_for_rounds_that_call_what_branches_on_data(test: str, expected: list[str]) -> None:
    found = proof.offers(HELPER.format(test=test))
    assert [
        fix.title.split(" (")[0].removeprefix("Rewrite as ")
        for finding, fixes in found
        for fix in fixes
        if finding.code == "EDB303" and not fix.declares
    ] == expected


WRITTEN = {
    "an element": """
        out = []
        for row in x:
            out.append(self.lin(row))
        out = torch.stack(out)
        out[0] = 0
        return out.view(-1)
    """,
    "at once": """
        out = []
        for row in x:
            out.append(self.lin(row))
        return torch.stack(out, 1).mul_(2).view(-1)
    """,
    "all": """
        y = torch.stack([self.lin(row) for row in x])
        y += 1
        return y
    """,
}


@pytest.mark.parametrize("body", WRITTEN.values(), ids=WRITTEN)
def test_what_was_stacked_may_be_written_in_place(body: str) -> None:
    text = fill(PROGRAM, body=body)
    fixed = proof.repair(text)
    assert fixed.codes == {"EDB303"}
    inputs = [(torch.linspace(-1, 1, 12).view(4, 3),)]
    before = proof.play(proof.model(text), inputs)
    assert proof.difference(before, proof.play(proof.model(fixed.text), inputs)) == ""


def test_gradients_are_those_of_the_loop() -> None:
    body = """
        h = torch.zeros(3)
        out = []
        for row in x:
            h = h * 0.5 + self.lin(row)
            out.append(h)
        return torch.stack(out)
    """
    text = fill(PROGRAM, body=body)
    found: list[torch.Tensor] = []
    for version in (text, proof.repair(text).text):
        model = proof.model(version)
        model(torch.linspace(-1, 1, 12).view(4, 3)).square().sum().backward()
        gradient = model.get_parameter("lin.weight").grad
        assert gradient is not None
        found.append(gradient)
    assert torch.allclose(*found)
