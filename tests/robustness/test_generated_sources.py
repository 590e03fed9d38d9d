"""The analyser takes programs that nobody wrote: statements nested at random, and rows of words that are no program."""

from __future__ import annotations

import ast
import textwrap
import warnings
from random import Random

from exportdb_rules import engine
from exportdb_rules.finding import Mode
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SETTINGS = engine.Settings(modes=tuple(Mode), assume_dynamic="all")
GENERATED = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
HEAD = """\
import math
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.n = 0

    def forward(self, x, y=None):
"""
NAMES = ("x", "y", "z", "self.n", "self.layer", "i")
LEAVES = (*NAMES, "0", "-2", "0.5", "True", "None", "'a'", "()", "[]", "x.shape", "x.shape[0]", "f'{x}'")
# `{}` stands for an expression.
EXPRESSIONS = (
    *(f"({{}} {operator} {{}})" for operator in "+ - * / // % ** @ & | < > == != in is and or".split()),
    *(f"({{}}).{method}()" for method in "sum item tolist any numel nonzero numpy size".split()),
    *(f"{function}({{}})" for function in "torch.relu int len bool list math.sqrt self.layer max".split()),
    "({})[{}]", "({})[{}:]", "({} if {} else {})", "[{} for i in {}]", "{{i: {} for i in {} if {}}}", "(lambda i: {})",
    "(not {})", "torch.cond({}, lambda: {}, lambda: {})", "({}, *{})", "any({} for i in {})",
)  # fmt: skip
SIMPLE = (
    "x = {}", "z = {}", "self.n = {}", "x += {}", "self.n += {}", "x[{}] = {}", "z, *y = {}", "assert {}, {}", "return {}",
    "raise ValueError({})", "del y", "global other", "import random as z", "pass", "{}", "y: int = {}", "return",
)  # fmt: skip
# Heads of blocks, and what has to stand behind them.
COMPOUND = (
    ("if (z := {}):", ""), ("if {}:", "else:"), ("while {}:", ""), ("for i in {}:", "else:"), ("for i, z in {}:", ""),
    ("try:", "except Exception:"), ("try:", "finally:"), ("with {} as z:", ""), ("def z(i={}):", ""), ("with torch.no_grad():", ""),
)  # fmt: skip
WORDS = (
    *"if else elif for in while def class return yield await async with as try except finally lambda not and match".split(),
    *"case import from x y self torch nn . , : ; ( ) [ ] { } = += == := -> ** @ * ' \" ''' f' \\ # 0 1.5 1e400 é 🎉".split(),
    " ", "\n", "\n    ", "\n        ", "\n            ", "\t", "\x0c", "\r", "\ufeff", "\u2028", "\x00",
)  # fmt: skip


def expression(chance: Random, depth: int) -> str:
    if depth == 0 or chance.random() < 0.3:
        return chance.choice(LEAVES)
    form = chance.choice(EXPRESSIONS)
    return form.format(*[expression(chance, depth - 1) for _ in range(form.replace("{{", "").count("{}"))])


def block(chance: Random, depth: int) -> str:
    return textwrap.indent("\n".join(statement(chance, depth) for _ in range(chance.randrange(1, 4))), "    ")


def statement(chance: Random, depth: int) -> str:
    if depth == 0 or chance.random() < 0.5:
        form = chance.choice(SIMPLE)
        return form.format(*[expression(chance, 3) for _ in range(form.count("{}"))])
    head, tail = chance.choice(COMPOUND)
    text = head.format(expression(chance, 2)) + "\n" + block(chance, depth - 1)
    return f"{text}\n{tail}\n{block(chance, depth - 1)}" if tail else text


def program(chance: Random) -> str:
    return HEAD + textwrap.indent(block(chance, 3), "    ") + "\n"


def checked(project: engine.Project, text: str) -> engine.Report:
    project.set_text("net.py", text)
    return engine.check(project, "net.py", SETTINGS)


@GENERATED
@given(st.randoms(use_true_random=False))
def test_programs_are_checked_alike_whatever_was_checked_before(chance: Random) -> None:
    used = engine.Project()
    for text in [program(chance) for _ in range(3)]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
        report = checked(used, text)
        assert not [problem for problem in report.problems if problem.internal], text
        assert report == checked(engine.Project(), text), text


@GENERATED
@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_rows_of_words_are_taken(words: list[str]) -> None:
    report = checked(engine.Project(), HEAD + "        " + " ".join(words))
    assert not [problem for problem in report.problems if problem.internal]


@GENERATED
@given(st.text(max_size=200))
def test_any_characters_are_taken(text: str) -> None:
    report = checked(engine.Project(), text)
    assert not [problem for problem in report.problems if problem.internal]
