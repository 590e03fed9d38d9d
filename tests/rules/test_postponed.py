"""Calls before tracing that are made when somebody asks for what they may write: the findings are those of calls made at
once."""

from __future__ import annotations

import ast
from pathlib import Path

import exportdb_cases
import pytest
from exportdb_rules.definitions import FunctionInfo
from exportdb_rules.engine import Settings, check_files
from exportdb_rules.finding import Confidence
from exportdb_rules.interpreter import postponed
from exportdb_rules.project import Project

from ..programs import fill

NEVER = 10**9
BASE = """\
import torch
from torch import nn


class Settings:
    def __init__(self):
        self.mode = "a"


class Base(nn.Module):
    limit = 3

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.settings = Settings()
        self.prepare()
        self.scale = self.find_scale()

    def prepare(self):
        self.flag = True
        self.names = []
        self.settings.mode = torch.ones(3)
        self.note("x")

    def note(self, name):
        self.names.append(name)
        setattr(self, "noted", torch.ones(2))

    def find_scale(self):
        return torch.ones(3)
"""
BODIES = {
    "written by a method": """
        if self.flag:
            return x
        if self.noted.sum() > 0:
            return x + 1
        return x.sum().item()
    """,
    "what a call gave": """
        if self.scale.sum() > 0:
            return x
        return x + 1
    """,
    "of another object": """
        if self.settings.mode.sum() > 0:
            return x
        return x + 1
    """,
    "asked for by name": """
        if hasattr(self, 'noted'):
            return x.sum().item()
        return x
    """,
    "with a default": """
        if getattr(self, 'noted', None) is not None:
            return x.sum().item()
        return x
    """,
    "written again": """
        self.flag = x
        return self.flag + 1
    """,
    "a list": """
        self.names.append(x)
        return x
    """,
    "not asked for": "return x.sum().item()",
}
CONSTRUCTORS = {
    "none": "",
    "last": """
        def __init__(self, config):
            super().__init__(config)
            self.prepare()
    """,
    "overwritten": """
        def __init__(self, config):
            super().__init__(config)
            self.noted = 1
            self.scale = 2
    """,
    "in a branch": """
        def __init__(self, config):
            super().__init__(config)
            if config.other:
                self.scale = self.find_scale()
            else:
                self.scale = 1
    """,
    "in a loop": """
        def __init__(self, config):
            super().__init__(config)
            for i in range(3):
                self.note(i)
    """,
    "that may fail": """
        def __init__(self, config):
            super().__init__(config)
            try:
                self.scale = self.find_scale()
            except ValueError:
                self.scale = None
    """,
    "given a list": """
        def __init__(self, config):
            super().__init__(config)
            self.mine = []
            fill(self.mine)
    """,
}
PROGRAM = """\
import torch
from base import Base


def fill(items):
    items.append(torch.ones(2))


class Net(Base):
    {constructor}

    def forward(self, x):
        {body}
"""


def _findings(monkeypatch: pytest.MonkeyPatch, folder: Path, files: list[str], least: int) -> list[str]:
    monkeypatch.setattr(postponed, "SHORTEST", least)
    settings = Settings(min_confidence=Confidence.POSSIBLE)
    return [repr(report) for report in check_files(Project(folder), files, settings)]


@pytest.mark.parametrize("constructor", CONSTRUCTORS.values(), ids=CONSTRUCTORS.keys())
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_it_makes_no_difference_when_a_call_is_made(
    body: str, constructor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = fill(PROGRAM, constructor=constructor, body=body)
    (tmp_path / "base.py").write_text(BASE, encoding="utf-8")
    (tmp_path / "net.py").write_text(net, encoding="utf-8")
    files = [str(tmp_path / "net.py")]
    later, at_once = (_findings(monkeypatch, tmp_path, files, least) for least in (0, NEVER))
    assert later == at_once


def test_what_nobody_asks_for_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: list[str]) -> None:
    net = fill(PROGRAM, constructor="", body="return x.sum().item()")
    (tmp_path / "base.py").write_text(BASE, encoding="utf-8")
    (tmp_path / "net.py").write_text(net, encoding="utf-8")
    for least, names in ((NEVER, {"prepare", "note", "find_scale"}), (0, set[str]())):
        run.clear()
        assert _findings(monkeypatch, tmp_path, [str(tmp_path / "net.py")], least)
        assert names == {"prepare", "note", "find_scale"}.intersection(run)


def test_the_findings_of_all_cases_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(exportdb_cases.__file__).parent
    files = sorted(map(str, folder.rglob("*.py")))
    later, at_once = (_findings(monkeypatch, folder, files, least) for least in (0, NEVER))
    assert [one for one, other in zip(later, at_once, strict=True) if one != other] == []


HOLDING = """\
import torch
from torch import nn


class Options:
    def __init__(self):
        self.kind = "a"


class Net(nn.Module):
    maker = nn.Identity

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.second = nn.ReLU()
        self.count = 0
        self.note()
        {made}

    def note(self):
        self.count = 1

    def exchange(self):
        self.second = self.first

    def remove(self):
        self.second = None

    def build(self):
        return self.maker()

    def hold(self, size):
        self.third = nn.Linear(size, size)

    def options(self) -> Options:
        return Options()

    def forward(self, x):
        for name, module in self.named_children():
            x = module(x)
            if name == "{name}" and x.sum() > 0:
                x = x + 1
        return x
"""
# What is made before tracing, the name that is asked for then, and whether a module has it.
HELD = [
    ("", "second", True),
    ("self.exchange()", "second", True),
    ("self.remove()", "second", False),
    ("self.third = self.build()", "third", True),
    ("self.third = self.options()", "third", False),
    ("self.hold(3)", "third", True),
]


@pytest.mark.parametrize(("made", "name", "held"), HELD, ids=range(len(HELD)))
def test_the_modules_of_a_module_are_those_that_are_there_in_the_end(
    made: str, name: str, held: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: list[str]
) -> None:
    (tmp_path / "net.py").write_text(fill(HOLDING, made=made, name=name), encoding="utf-8")
    at_once = _findings(monkeypatch, tmp_path, [str(tmp_path / "net.py")], NEVER)
    run.clear()
    later = _findings(monkeypatch, tmp_path, [str(tmp_path / "net.py")], 0)
    assert later == at_once
    assert ("EDB101" in later[0]) == held
    assert not {"note", "options"}.intersection(run)  # neither puts a module anywhere


MISSPELT = """\
import torch


def distance(name, other):
    return len(name) - len(other)


def look_up(name, options=("sum", "mean")):
    if name in options:
        return name
    near = {}
    for option in options:
        near[option] = distance(option, name)
    if near:
        raise ValueError(f"did you mean {min(near)}?")
    raise ValueError(name)


class Net(torch.nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name = look_up(name)

    def forward(self, x):
        if x.sum() > 0:
            return x
        return x + 1
"""


def test_before_tracing_nothing_is_worked_out_for_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: list[str]
) -> None:
    (tmp_path / "net.py").write_text(MISSPELT, encoding="utf-8")
    assert "EDB101" in _findings(monkeypatch, tmp_path, [str(tmp_path / "net.py")], NEVER)[0]
    assert "look_up" in run
    assert "distance" not in run


DECORATORS = """\
import torch


class Settings:
    def __init__(self):
        self.mode = "a"


settings = Settings()
names = []


def documented(function=None, *, kept=True):
    def decorate(given):
        return note(given, kept)

    return decorate if function is None else decorate(function)


def note(given, kept):
    if not kept:
        return given
    given.__doc__ = describe(given)
    settings.mode = torch.ones(3)
    names.append(given)
    return given


def describe(given):
    return given.__name__ + "()"


def doubled(function):
    def wrapper(self, x):
        return function(self, x) * 2

    return note(wrapper, True)
"""
DECORATED = """\
import torch
from decorators import documented, doubled, names, settings


class Net(torch.nn.Module):
    @{decorator}
    def helper(self, x):
        if x.sum() > 0:
            return x
        return x + 1

    @doubled
    @{decorator}
    def forward(self, x):
        {body}
"""
DECORATED_BODIES = {
    "calls": "return self.helper(x)",
    "reads what was written": """
        if settings.mode.sum() > 0:
            return self.helper(x)
        return x
    """,
    "asks for the list": """
        x = self.helper(x)
        return x.sum().item() if names else x
    """,
}


@pytest.mark.parametrize("decorator", ["documented", "documented()", "documented(kept=False)", "doubled"])
@pytest.mark.parametrize("body", DECORATED_BODIES.values(), ids=DECORATED_BODIES.keys())
def test_it_makes_no_difference_when_a_decorator_notes_its_function(
    body: str, decorator: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "decorators.py").write_text(DECORATORS, encoding="utf-8")
    (tmp_path / "net.py").write_text(fill(DECORATED, decorator=decorator, body=body), encoding="utf-8")
    files = [str(tmp_path / "net.py")]
    later, at_once = (_findings(monkeypatch, tmp_path, files, least) for least in (0, NEVER))
    assert later == at_once
    assert "EDB101" in later[0]


def test_a_decorator_that_returns_its_function_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: list[str]
) -> None:
    text = DECORATORS.replace("    names.append(given)\n", "")
    (tmp_path / "decorators.py").write_text(text, encoding="utf-8")
    net = fill(DECORATED, decorator="documented", body="return self.helper(x)")
    (tmp_path / "net.py").write_text(net, encoding="utf-8")
    for least, names in ((NEVER, {"note", "describe"}), (0, set[str]())):
        run.clear()
        assert _findings(monkeypatch, tmp_path, [str(tmp_path / "net.py")], least)
        assert names == {"note", "describe"}.intersection(run)
        assert {"decorate", "wrapper", "helper"} <= set(run)


RETURNING = {
    "def f(a, b):\n    b.x = a\n    return b": "b",
    "def f(a, b):\n    if b:\n        return a\n    return a": "a",
    "def f(a):\n    def g():\n        return 1\n    return a": "a",
    "def f(a, b):\n    if b:\n        return b\n    return a": "",
    "def f(a, b):\n    if b:\n        return\n    return a": "",
    "def f(a, b):\n    if b:\n        return a": "",
    "def f(a):\n    a = a or 1\n    return a": "",
    "def f(a):\n    print(a := 1)\n    return a": "",
    "def f(a):\n    for a in [1]:\n        pass\n    return a": "",
    "def f(a):\n    def g():\n        nonlocal a\n    return a": "",
    "def f(a):\n    import a\n    return a": "",
    "def f(a):\n    def a():\n        pass\n    return a": "",
    "def f(a):\n    match 1:\n        case a:\n            pass\n    return a": "",
    "def f(a):\n    yield a\n    return a": "",
    "async def f(a):\n    return a": "",
    "def f(a):\n    return g": "",
    "def f(*a):\n    return a": "",
    "f = lambda a: a": "",
}


@pytest.mark.parametrize(("text", "name"), RETURNING.items(), ids=range(len(RETURNING)))
def test_which_parameter_a_function_returns_is_told_by_its_text(text: str, name: str) -> None:
    node = next(
        n for n in ast.walk(ast.parse(text)) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
    )
    project = Project()
    project.set_text("/f.py", text)
    assert FunctionInfo("f", node, project.module("/f.py"), None).returned_parameter == name
