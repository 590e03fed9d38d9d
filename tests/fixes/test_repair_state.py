"""State that looks like that which a fix moves into a buffer, and that no fix may touch."""

from __future__ import annotations

import proof
import pytest
import torch

ITEMS = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.state = {first}

    def forward(self, x):
        {body}


example_args = (torch.ones(3, 2),)
model = Net()
"""


@pytest.mark.parametrize(
    ("first", "body"),
    [
        ('{"h": torch.zeros(3, 2)}', 'h = self.state["h"] + x; self.state["h"] = h; return sum(self.state.values())'),
        ('{"h": torch.zeros(3, 2)}', 'h = self.state["h"] + x; self.state["g"] = h; return h + len(self.state)'),
        ('{"h": torch.zeros(1, 2)}', 'h = self.state["h"] + x; self.state["h"] = h; return h'),
        ('{"h": torch.zeros(3, 2)}', 'k = "h"; h = self.state[k] + x; self.state[k] = h; return h'),
        ('{"h": None}', 'h = x if self.state["h"] is None else self.state["h"]; self.state["h"] = h; return h'),
        ("[torch.zeros(3, 2), 0]", "h = self.state[-2] + x; self.state[0] = h; return h"),
        ("[]", "self.state.append(x); return torch.stack(self.state).sum(0)"),
        ("dict(h=torch.zeros(3, 2))", 'h = self.state["h"] + x; self.state["h"] = h; return h'),
    ],
    ids=["all items", "a new item", "grows", "a name", "nothing yet", "from the end", "appended", "computed"],
)
def test_a_container_that_no_buffers_can_stand_for_stays(first: str, body: str) -> None:
    text = ITEMS.format(first=first, body=body.replace("; ", "\n        "))
    assert "register_buffer" not in proof.repair_found(text).text


FILE = """\
import torch

calls = {first}
{above}

class Net(torch.nn.Module):
    {attribute}

    def forward(self, x):
        {body}


{below}
"""


@pytest.mark.parametrize(
    ("parts", "body"),
    [
        ({"below": "def report():\n    return calls"}, "global calls; calls += 1; return x * calls"),
        (
            {"below": "class Other(Net):\n    def more(self):\n        return calls"},
            "global calls; calls += 1; return x * calls",
        ),
        ({}, "global calls; calls += 1; return x[calls % 3]"),
        ({"first": "[]"}, "global calls; calls = calls + [x]; return x * len(calls)"),
        ({"first": "torch.zeros(1, 2)"}, "global calls; calls = calls + x; return calls * 2"),
        ({}, "global calls; calls += 1; return [calls * y for y in x]"),
        ({"attribute": "n = 0", "below": "class Sub(Net):\n    pass"}, "type(self).n += 1; return x * type(self).n"),
        ({"attribute": "n = 0", "below": "print(Net.n)"}, "type(self).n += 1; return x * type(self).n"),
        ({"attribute": "n = 0"}, "Net.n += 1; self.n = 3; return x * Net.n"),
    ],
    ids=["a function", "another class", "index", "list", "grows", "comprehension", "derived", "read outside", "both"],
)
def test_state_of_the_file_that_no_buffer_can_stand_for_stays(parts: dict[str, str], body: str) -> None:
    filled = {"first": "0", "above": "", "attribute": '"""Counts."""', "below": "", **parts}
    text = FILE.format(body=body.replace("; ", "\n        "), **filled)
    assert "register_buffer" not in proof.repair_found(text).text


FIRST = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = None
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        {body}


example_args = (torch.ones(3, 2),)
inputs = [(torch.randn(3, 2) * i,) for i in range(1, 5)]
model = Net()
{below}
"""


@pytest.mark.parametrize(
    "body",
    [
        "if self.kept is None: self.kept = x.mean(0)|return x - self.kept",
        "if self.kept is None: self.kept = self.layer(x).mean()|return x - self.kept",
        "if self.kept is None: self.kept = x.mean()|return x, self.kept",
        "if self.kept is None or x.shape[0] > 3: self.kept = x.mean()|return x - self.kept",
        "if self.kept is None: self.kept = x.mean()|return x.sum() - self.kept",
        "kept = x.mean() if self.kept is None else self.kept * 0.5 + x.mean()|self.kept = kept|return x - kept",
        "if self.kept is not None:|    x = x + self.kept|self.kept = x.mean()|return x",
        "y = x if self.kept is None else x - self.kept|y, self.kept = y * 2, x|return y",
    ],
    ids=["rows", "a layer", "handed on", "or", "no dimensions", "ternary", "there", "unpacked"],
)
def test_a_first_value_is_kept_whatever_it_is(body: str) -> None:
    text = FIRST.format(body=body.replace("|", "\n        "), below="")
    assert proof.fails(text)
    fixed = proof.repair(text)
    assert fixed.left == [], fixed.text
    proof.prove(text, fixed.text)


def test_a_batch_of_another_size_than_that_of_the_examples_is_not_broadcast() -> None:
    body = "y = x if self.kept is None else x - self.kept|self.kept = x|return y"
    fixed = proof.model(proof.repair(FIRST.format(body=body.replace("|", "\n        "), below="")).text)
    with pytest.raises(RuntimeError, match="size"):
        fixed(torch.ones(1, 2))


@pytest.mark.parametrize(
    ("body", "below"),
    [
        ("y = 0 if self.kept is None else self.kept|self.kept = x.mean()|return x - y", ""),
        ("if self.kept is None:|    self.kept = x|self.kept = torch.cat([self.kept, x])|return self.kept", ""),
        ("y = self.kept|if y is None:|    y = x|self.kept = x + 1|return x - y", ""),
        ("if self.kept is None:|    self.kept = x|return x - self.kept", 'dynamic_shapes = {{"x": {{0: n}}}}'),
        ("if self.kept is None: self.kept = x.mean()|return x - self.kept", "model.kept = None"),
        ("if self.kept is None:|    self.kept = x > 0|self.kept = x|return x * self.kept", ""),
        (
            "if self.kept is None:|    self.kept = (x, x)|y = x + self.kept[0]"
            "|self.kept = (x, torch.cat([x, self.kept[1]]))|return y",
            "",
        ),
        ("y = self.kept or (x, x)|self.kept = (x, x * 2)|return y[0] + y[1]", ""),
    ],
    ids=["a number", "grows", "handed on", "dynamic", "outside", "another dtype", "a part grows", "or"],
)
def test_a_first_value_that_no_buffer_can_stand_for_stays(body: str, below: str) -> None:
    text = FIRST.format(body=body.replace("|", "\n        "), below=below.format())
    assert "register_buffer" not in proof.repair_found(text).text
