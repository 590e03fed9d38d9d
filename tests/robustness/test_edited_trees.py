"""The tree of a text in which one function was edited is the one that the parser makes of it, and what is found is the same."""

from __future__ import annotations

import ast
import random

import pytest
from exportdb_rules.definitions import Module
from exportdb_rules.engine import Project, check
from exportdb_rules.pieces import edited

TEXT = '''import torch
from torch import nn


@torch.no_grad()
def helper(x, y=(1,
                 2)):
    """Not
  indented."""
    z = x + y[0]
    return z


class Net(nn.Module):
    size = 3

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    @staticmethod
    def plain(x): return x

    def mix(self, x):
        # a comment
        if x.sum() > 0:
            x = x + 1
        return helper(x)

    def forward(self, x):
        x = self.linear(x)
        return self.mix(x)


class Other(Net):
    def forward(self, x):
        return super().forward(x) * 2


def last(x):
    return x
'''
LINES = (
    "y = 1",
    "",
    "# x",
    "if x.sum() > 2: x = 1",
    "return",
    '"""a',
    "x = (",
    ")",
    "self.q = 3",
    "def g(a): return a",
    "\\\\",
)


def module(text: str) -> Module:
    return Module("net.py", "net", text, is_package=False)


def dumped(body: list[ast.stmt]) -> list[str]:
    return [ast.dump(node, include_attributes=True) for node in body]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    z = x + y[0]\n", "    z = x - y[0]\n"),
        ("    z = x + y[0]\n", "    z = (x -\n  y[0])\n"),
        ("        return helper(x)\n", ""),
        ("            x = x + 1\n", "            x = x + 1\n\n\n"),
        ("        return self.mix(x)\n", "        return self.mix(x) + 10\n"),
        ("* 2\n", "* 2 +\\\n 3\n"),
    ],
)
def test_one_function_is_parsed(before: str, after: str) -> None:
    old, text = module(TEXT), TEXT.replace(before, after)
    assert text != TEXT
    tree = edited(old, text)
    assert tree is not None
    assert dumped(tree.body) == dumped(ast.parse(text).body)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    z = x + y[0]\n", '    z = """x\n'),
        ("    z = x + y[0]\n", "    z = (x\n"),
        ("    z = x + y[0]\n", "z = x\n"),
        ("    return z\n", "    return z\n\n\ndef more(x):\n    return x\n"),
        ("        return helper(x)\n", "    def more(self): pass\n"),
        ("        # a comment\n        if", "        if"),
        ("def plain(x): return x", "def plain(x): return 1"),
        ("    size = 3\n", "    size = 4\n"),
        ("def mix(self, x)", "def mix(self, x, y)"),
        ("@staticmethod", "@classmethod"),
        ("    return x\n", "    return x\r"),
    ],
)
def test_what_is_no_body_of_one_function_is_parsed_as_a_whole(before: str, after: str) -> None:
    old, text = module(TEXT), TEXT.replace(before, after)
    assert text != TEXT
    assert edited(old, text) is None
    assert dumped(old.body) == dumped(ast.parse(TEXT).body)


def test_edits_above_an_edited_method() -> None:
    project, text = Project(), TEXT
    project.set_text("net.py", text)
    check(project, "net.py")
    for old, new in (
        ("z = x", "q = 1\n    z = x"),
        ("x = x + 1", "x = x + 2"),
        ("q = 1", "q = 1\n    r = 2"),
        ("x + 2", "x"),
    ):
        text = text.replace(old, new)
        project.set_text("net.py", text)
        check(project, "net.py")
        one = project.whole("net.py")
        assert one is not None
        assert dumped(one.body) == dumped(module(text).body)


@pytest.mark.parametrize("seed", range(20))
def test_edit_after_edit(seed: int) -> None:
    chosen = random.Random(seed)
    project, text = Project(), TEXT
    project.set_text("net.py", text)
    check(project, "net.py")
    for _ in range(25):
        rows = text.split("\n")
        at = chosen.randrange(len(rows))
        indent = rows[at][: len(rows[at]) - len(rows[at].lstrip())]
        if chosen.random() < 0.6:
            rows.insert(at, indent + chosen.choice(LINES))
        elif chosen.random() < 0.7:
            del rows[at]
        else:
            rows = TEXT.split("\n")
        project.set_text("net.py", "\n".join(rows))
        text = "\n".join(rows)
        if chosen.random() < 0.7:
            one = project.whole("net.py")
            assert one is not None
            assert dumped(one.body) == dumped(module(text).body)
        if chosen.random() < 0.5:
            fresh = Project()
            fresh.set_text("net.py", text)
            found, wanted = check(project, "net.py"), check(fresh, "net.py")
            assert found.findings == wanted.findings
            assert found.problems == wanted.problems
