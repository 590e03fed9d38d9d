"""An array of numpy becomes a tensor only where all that is done with it is done alike: one question to every use of it."""

from __future__ import annotations

import pytest
import torch
from exportdb_lsp.checking import fix_loop
from exportdb_rules import engine
from exportdb_rules.finding import Mode

from ..programs import fill

PROGRAM = """\
import numpy as np
import torch
from torch import nn

NAMES = {{0: 1.0, 1: 2.0, 2: 3.0}}
TABLE = np.arange(12.0)


def helper(a):
    return a.astype(np.float32).mean()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = np.linspace(0, 1, 4)
        self.seen = {{}}

    def forward(self, x: torch.Tensor):
        {body}
"""
SETTINGS = engine.Settings(modes=(Mode.NON_STRICT, Mode.STRICT))
OTHER_USES = {
    "put into a dict": """
        d = {}
        d['a'] = x.numpy() * 2
        return x + torch.from_numpy(d['a'].astype(np.float32))
    """,
    "kept by the module": """
        self.seen['a'] = np.square(x.numpy())
        return x + torch.from_numpy(self.seen['a'].copy())
    """,
    "put into another array": """
        b = np.zeros(4)
        b[0:4] = x.numpy()[0]
        return x + torch.from_numpy(b).float()
    """,
    "a key": """
        t = 0.0
        for v in x.argmax(1).numpy():
            t = t + NAMES.get(v, -1.0)
        return x + t
    """,
    "a key of a comprehension": "return x + sum([NAMES.get(v, -1.0) for v in x.argmax(1).numpy()])",
    "its size": """
        a = x.numpy()
        return x * a.size
    """,
    "its dtype": """
        a = x.numpy()
        return x * np.zeros(1, a.dtype)[0].item()
    """,
    "another array added to it": """
        a = np.exp(x.numpy())
        a += self.table
        return x + torch.from_numpy(a)
    """,
    "another array written to it": """
        a = np.exp(x.numpy())
        a[0] = TABLE[:4]
        return x + torch.from_numpy(a)
    """,
    "another array beside it": """
        a = x.numpy()
        return x + torch.from_numpy(a * TABLE[:4]).float()
    """,
    "a function of the file": """
        a = x.numpy() + 1
        return x + float(helper(a))
    """,
    "given back": "return np.exp(x.numpy())",
    "given back in a tuple": """
        a = np.exp(x.numpy())
        return x, a
    """,
    "a function in it": """
        a = np.exp(x.numpy())
        f = lambda: a.sum()
        return x + float(f())
    """,
    "a list of it": """
        out = []
        for r in x:
            out.append(r.numpy() * 2)
        return torch.from_numpy(np.stack(out))
    """,
    "a function that is not in the table": "return x + float(np.interp(x.numpy(), np.arange(12), TABLE).sum())",
}
LIKE_USES = {
    "rows of it": """
        t = 0.0
        for v in x.numpy():
            t = t + v.max()
        return x + t
    """,
    "numbers of it": """
        t = 0.0
        for v in x.numpy()[0]:
            t = t + v * 2
        return x + float(t)
    """,
    "written to": """
        a = x.numpy()
        a[0] = 0
        return x + torch.from_numpy(a)
    """,
    "added to": """
        a = np.exp(x.numpy())
        a += 1
        return x + torch.from_numpy(a)
    """,
    "bound in a test": """
        if (a := x.numpy()).sum() > 0:
            return x + a.mean()
        return x
    """,
}


def fixed(body: str) -> tuple[str, str]:
    """The program, and what all fixes make of it."""
    text = fill(PROGRAM, body=body)
    project = engine.Project()
    project.set_text("net.py", text)
    report = engine.check(project, "net.py", SETTINGS)
    return text, fix_loop.rewrite(project, report, text, SETTINGS, unsafe=True).text


def answers(text: str) -> list[torch.Tensor]:
    """What the module gives for inputs that take both sides, and what it makes of them."""
    names: dict[str, object] = {}
    exec(compile(text, "net.py", "exec"), names)
    found: list[torch.Tensor] = []
    for given in (torch.arange(12.0).reshape(3, 4), -torch.arange(12.0).reshape(3, 4) - 1):
        x = given.clone()
        found += [names["Net"]()(x), x]  # type: ignore[operator]
    return found


@pytest.mark.parametrize("use", OTHER_USES)
def test_an_array_stays_one_where_something_else_wants_it(use: str) -> None:
    text, after = fixed(OTHER_USES[use])
    assert "numpy()" in after
    if "given back" in use:
        return
    for one, two in zip(answers(text), answers(after), strict=True):
        torch.testing.assert_close(one, two)


@pytest.mark.parametrize("use", LIKE_USES)
def test_an_array_becomes_a_tensor_where_all_uses_are_alike(use: str) -> None:
    text, after = fixed(LIKE_USES[use])
    assert "numpy()" not in after
    for one, two in zip(answers(text), answers(after), strict=True):
        torch.testing.assert_close(one, two)
