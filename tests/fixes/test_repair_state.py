"""State that looks like that which a fix moves into a buffer, and that no fix may touch."""

from __future__ import annotations

from collections.abc import Callable

import proof
import pytest
import torch

from ..programs import fill

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
    ("first", "body", "reason"),
    [
        (
            '{"h": torch.zeros(3, 2)}',
            'h = self.state["h"] + x; self.state["h"] = h; return sum(self.state.values())',
            "the container is used as a whole",
        ),
        (
            '{"h": torch.zeros(3, 2)}',
            'h = self.state["h"] + x; self.state["g"] = h; return h + len(self.state)',
            "the container is used as a whole",
        ),
        (
            '{"h": torch.zeros(1, 2)}',
            'h = self.state["h"] + x; self.state["h"] = h; return h',
            "the new value may have another shape than the buffer",
        ),
        (
            '{"h": torch.zeros(3, 2)}',
            'k = "h"; h = self.state[k] + x; self.state[k] = h; return h',
            "the container is used as a whole",
        ),
        (
            '{"h": None}',
            'h = x if self.state["h"] is None else self.state["h"]; self.state["h"] = h; return h',
            "an item is neither a number nor a plain tensor",
        ),
        (
            "[torch.zeros(3, 2), 0]",
            "h = self.state[-2] + x; self.state[0] = h; return h",
            "the container is used as a whole",
        ),
        ("[]", "self.state.append(x); return torch.stack(self.state).sum(0)", ""),
        (
            "dict(h=torch.zeros(3, 2))",
            'h = self.state["h"] + x; self.state["h"] = h; return h',
            "the container is not a literal",
        ),
    ],
    ids=["all items", "a new item", "grows", "a name", "nothing yet", "from the end", "appended", "computed"],
)
def test_a_container_that_no_buffers_can_stand_for_stays(first: str, body: str, reason: str) -> None:
    text = fill(ITEMS, first=first, body=body)
    assert "register_buffer" not in proof.repair_refused(text, reason).text


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


OF_THE_FILE = {
    "a function": (
        {
            "below": """
                def report():
                    return calls
            """
        },
        "global calls; calls += 1; return x * calls",
        "other code uses the name too",
    ),
    "another class": (
        {
            "below": """
                class Other(Net):
                    def more(self):
                        return calls
            """
        },
        "global calls; calls += 1; return x * calls",
        "other code uses the name too",
    ),
    "a row": ({}, "global calls; calls += 1; return x[calls % 3]", "a number is computed from the attribute"),
    "list": (
        {"first": "[]"},
        "global calls; calls = calls + [x]; return x * len(calls)",
        "the first value is neither a number nor a plain tensor",
    ),
    "grows": (
        {"first": "torch.zeros(1, 2)"},
        "global calls; calls = calls + x; return calls * 2",
        "the new value may have another shape than the buffer",
    ),
    "comprehension": ({}, "global calls; calls += 1; return [calls * y for y in x]", "an unsupported use"),
    "derived": (
        {"attribute": "n = 0", "below": "class Sub(Net): pass"},
        "type(self).n += 1; return x * type(self).n",
        "a class that derives from it has an attribute of its own",
    ),
    "read outside": (
        {"attribute": "n = 0", "below": "print(Net.n)"},
        "type(self).n += 1; return x * type(self).n",
        "other code uses the attribute too",
    ),
    "both": ({"attribute": "n = 0"}, "Net.n += 1; self.n = 3; return x * Net.n", "other code uses the attribute too"),
}


@pytest.mark.parametrize(("parts", "body", "reason"), OF_THE_FILE.values(), ids=OF_THE_FILE)
def test_state_of_the_file_that_no_buffer_can_stand_for_stays(parts: dict[str, str], body: str, reason: str) -> None:
    filled = {"first": "0", "above": "", "attribute": '"""Counts."""', "below": "", **parts}
    text = fill(FILE, body=body, **filled)
    assert "register_buffer" not in proof.repair_refused(text, reason).text


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


FIRST_VALUES = {
    "rows": """
        if self.kept is None: self.kept = x.mean(0)
        return x - self.kept
    """,
    "a layer": """
        if self.kept is None: self.kept = self.layer(x).mean()
        return x - self.kept
    """,
    "handed on": """
        if self.kept is None: self.kept = x.mean()
        return x, self.kept
    """,
    "or": """
        if self.kept is None or x.shape[0] > 3: self.kept = x.mean()
        return x - self.kept
    """,
    "no dimensions": """
        if self.kept is None: self.kept = x.mean()
        return x.sum() - self.kept
    """,
    "ternary": """
        kept = x.mean() if self.kept is None else self.kept * 0.5 + x.mean()
        self.kept = kept
        return x - kept
    """,
    "there": """
        if self.kept is not None:
            x = x + self.kept
        self.kept = x.mean()
        return x
    """,
    "unpacked": """
        y = x if self.kept is None else x - self.kept
        y, self.kept = y * 2, x
        return y
    """,
}


@pytest.mark.parametrize("body", FIRST_VALUES.values(), ids=FIRST_VALUES)
def test_a_first_value_is_kept_whatever_it_is(body: str, proven_once: Callable[..., None]) -> None:
    text = fill(FIRST, body=body, below="")
    fixed = proof.repair(text)
    assert fixed.left == [], fixed.text

    def prove() -> None:
        assert proof.fails(text)
        proof.prove(text, fixed.text)

    proven_once(prove, text, fixed.text)


def test_a_batch_of_another_size_than_that_of_the_examples_is_not_broadcast() -> None:
    body = """
        y = x if self.kept is None else x - self.kept
        self.kept = x
        return y
    """
    fixed = proof.model(proof.repair(fill(FIRST, body=body, below="")).text)
    with pytest.raises(RuntimeError, match="size"):
        fixed(torch.ones(1, 2))


OTHER_FIRST_VALUES = {
    "a number": (
        """
        y = 0 if self.kept is None else self.kept
        self.kept = x.mean()
        return x - y
        """,
        "",
        "a number is chosen where it is missing",
    ),
    "grows": (
        """
        if self.kept is None:
            self.kept = x
        self.kept = torch.cat([self.kept, x])
        return self.kept
        """,
        "",
        "the new value may have another shape than the buffer",
    ),
    "handed on": (
        """
        y = self.kept
        if y is None:
            y = x
        self.kept = x + 1
        return x - y
        """,
        "",
        "it is read where it may be missing",
    ),
    "dynamic": (
        """
        if self.kept is None:
            self.kept = x
        return x - self.kept
        """,
        'dynamic_shapes = {"x": {0: n}}',
        "the size may follow from a dynamic one",
    ),
    "outside": (
        """
        if self.kept is None: self.kept = x.mean()
        return x - self.kept
        """,
        "model.kept = None",
        "other code uses the attribute too",
    ),
    "another dtype": (
        """
        if self.kept is None:
            self.kept = x > 0
        self.kept = x
        return x * self.kept
        """,
        "",
        "the new value may have another dtype than the buffer",
    ),
    "or": (
        """
        y = self.kept or (x, x)
        self.kept = (x, x * 2)
        return y[0] + y[1]
        """,
        "",
        "the first value is neither a number nor a plain tensor",
    ),
}


@pytest.mark.parametrize(("body", "below", "reason"), OTHER_FIRST_VALUES.values(), ids=OTHER_FIRST_VALUES)
def test_a_first_value_that_no_buffer_can_stand_for_stays(body: str, below: str, reason: str) -> None:
    text = fill(FIRST, body=body, below=below)
    assert "register_buffer" not in proof.repair_refused(text, reason).text


@pytest.mark.parametrize(
    "body",
    [
        "y = x * self.kept; self.kept = self.kept * 0.5; return y",
        "y = self.kept.mul(x); self.kept = self.kept * 0.5; return y",
        "y = torch.mul(self.kept, x); self.kept = x.detach().mean(0); return y",
        "y = x + self.kept; self.kept = self.kept * 0.5; return y",
        "y = torch.cat([x, self.kept[None]]); self.kept = x[-1].detach(); return y",
        "self.kept = 0.9 * self.kept + 0.1 * x.detach().mean(0); return x * self.kept",
    ],
)
def test_the_backward_pass_has_what_the_forward_pass_read(body: str) -> None:
    text = f"""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = torch.ones(3)

    def forward(self, x: torch.Tensor):
        {body}

example_args = (torch.randn(2, 3),)
model = Net()
"""
    text = text.replace("; ", "\n        ")
    gradients: list[torch.Tensor] = []
    for version in (text, proof.repair(text).text):
        x = torch.linspace(-1, 1, 6).view(2, 3).requires_grad_()
        proof.model(version)(x).square().sum().backward()
        assert x.grad is not None
        gradients.append(x.grad)
    assert "register_buffer" in version
    assert torch.equal(*gradients)
