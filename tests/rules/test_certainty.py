"""A finding is certain only where the code that it is about always runs: on no path that a call, or eval mode, may not take."""

from __future__ import annotations

import pytest
from exportdb_rules import engine
from exportdb_rules.finding import Confidence, Mode, Verdict
from exportdb_rules.project import Project

from ..programs import fill

NET = """\
import os
import random
import numpy
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('steps', torch.zeros(()))
        self.calls = 0
        self.last = None
        self.encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(4, 2), 2)

    def count(self):
        self.calls += 1
        return self.calls

    def read(self, path):
        return os.path.exists(path)

    def keep(self, x):
        if self.steps > 3:
            return x + 1
        return x

    def forward(self, x, path: str | None = None, cached=False, mask: torch.Tensor | None = None):
        {body}
"""


def found(body: str) -> list[tuple[str, str]]:
    project = Project()
    project.set_text("/net.py", fill(NET, body=body))
    settings = engine.Settings(modes=tuple(Mode), min_confidence=Confidence.POSSIBLE)
    return [(f.code, f.confidence.value) for f in engine.check(project, "/net.py", settings).findings]


ALWAYS = {
    "a mask": ("return self.encoder(x, torch.ones(4, 4))", "EDB105"),
    "in forward": ("self.calls += 1; return x * self.calls", "EDB401"),
    "in a method": ("return x * self.count()", "EDB401"),
    "a call": ("os.path.exists('a'); return x", "EDB503"),
    "a call in a method": ("self.read('a'); return x", "EDB503"),
    "a branch in a method": ("return self.keep(x)", "EDB101"),
    "what the first call leaves": (
        """
        if self.last is None:
            self.last = x * 2
        return x + self.last
    """,
        "EDB401",
    ),
}
PERHAPS = {
    "a mask that may be left out": ("return self.encoder(x, mask)", "EDB105"),
    "if": ("""
        if cached:
            self.last = x if self.last is None else x + self.last
        return x
    """, "EDB401"),
    "a method in a branch": ("""
        if cached:
            return self.keep(x)
        return x
    """, "EDB101"),
    "behind a return": ("""
        if cached:
            return x
        return x * self.count()
    """, "EDB401"),
    "a method behind a return": ("""
        if cached:
            return x
        self.read('a')
        return x
    """, "EDB503"),
    "and": ("""
        if isinstance(path, str) and os.path.exists(path):
            return x
        return x + 1
    """, "EDB503"),
    "a method behind and": ("known = path and self.read(path); return x if known is None else x + 1", "EDB503"),
    "training": ("""
        if self.training:
            x = self.keep(x)
        return x
    """, "EDB101"),
    "not in eval": ("""
        if not self.training:
            return x
        return self.keep(x)
    """, "EDB101"),
    "a number or a flag": ("""
        keep = True if cached else (self.steps > 3).item()
        return x + 1 if keep else x
    """, "EDB103"),
    "a size of one of two": ("""
        y = x if cached else x[x > 0]
        return x + 1 if y.shape == x.shape else x
    """, "EDB103"),
    "a call that a setting may leave out": ("""
        run = os.path.exists if cached else lambda name: False
        return x + 1 if run('a') else x
    """, "EDB503"),
    "what is made once, and filled by a function inside": ("""
        def add(name):
            self.last.append(name)

        if self.last is None:
            self.last = []
            add('a')
        return x * len(self.last)
    """, "EDB401"),
    "what a method returns that is given the old value": ("""
        def kept(old, size):
            return torch.arange(size) if old is None or old.shape[0] < size else old

        self.last = kept(self.last, x.shape[0])
        return x + self.last[: x.shape[0], None]
    """, "EDB401"),
    "a buffer of the same storage": ("self.steps = self.steps.view(()); return x + self.steps", "EDB401"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "code"), ALWAYS.values(), ids=ALWAYS)
def test_what_every_call_runs_is_certain(body: str, code: str) -> None:
    assert found(body) == [(code, "certain")]


@pytest.mark.parametrize(("body", "code"), PERHAPS.values(), ids=PERHAPS)
def test_what_a_call_may_leave_out_is_likely(body: str, code: str) -> None:
    assert found(body) == [(code, "likely")]


def test_what_training_draws_is_no_more_than_possible() -> None:
    body = """
    if not self.training:
        return x
    return x[: int(torch.randint(0, 3, (1,)))]
    """
    assert {confidence for _, confidence in found(body)} == {"possible"}


@pytest.mark.parametrize("drawn", ["random.random()", "numpy.random.rand()"])
def test_what_python_draws_in_training_is_likely(drawn: str) -> None:
    """Strict export rejects the call itself, and a model that was not put into eval mode is in training mode."""
    body = f"""
    if self.training and {drawn} < 0.5:
        return x
    return x + 1
    """
    assert found(body) == [("EDB502", "likely")]


@pytest.mark.parametrize("drawn", ["random.uniform(0, 1)", "numpy.random.uniform(0, 1)"])
def test_layers_that_training_drops_fail_in_strict_export_alone(drawn: str) -> None:
    """It does not trace the draw; what the number decides, eval mode does not ask."""
    body = f"""
    first = {drawn}
    second = {drawn}
    skip = self.training and first < 0.1
    if not skip and not (self.training and second < 0.1):
        x = x + 1
    return x
    """
    project = Project()
    project.set_text("/net.py", fill(NET, body=body))
    findings = engine.check(project, "/net.py", engine.Settings(modes=tuple(Mode))).findings
    assert [(f.code, f.verdict[Mode.NON_STRICT], f.verdict[Mode.STRICT]) for f in findings] == [
        ("EDB502", Verdict.OK, Verdict.FAILS)
    ] * 2


ENTRY = """\
import torch


class Net(torch.nn.Module):
    def forward(self, batch{annotation}):
        x = batch['x']
        if {test}:
            return x * 2
        return x
"""


@pytest.mark.parametrize(
    ("annotation", "test", "confidence"),
    [
        ("", "batch['augmented']", "possible"),
        ("", "not batch['augmented']", "possible"),
        ("", "batch['step'] > 3", "likely"),
        (": dict[str, torch.Tensor]", "batch['augmented']", "certain"),
    ],
)
def test_an_entry_of_a_dict_that_is_asked_for_its_truth_is_most_often_a_flag(
    annotation: str, test: str, confidence: str
) -> None:
    project = Project()
    project.set_text("/net.py", ENTRY.format(annotation=annotation, test=test))
    settings = engine.Settings(modes=tuple(Mode), min_confidence=Confidence.POSSIBLE)
    found = engine.check(project, "/net.py", settings).findings
    assert [(f.code, f.confidence.value) for f in found] == [("EDB101", confidence)]


def test_one_of_several_elements_is_a_tensor_at_most_possibly() -> None:
    body = """
    if (torch.zeros(3), 3, 'a')[len(path)]:
        return x + 1
    return x
    """
    assert found(body) == [("EDB101", "possible")]


def test_code_that_one_entry_always_runs_is_certain_whatever_another_does() -> None:
    project = Project()
    text = """\
import os
import torch

def read():
    return os.path.exists('a')

class Always(torch.nn.Module):
    def forward(self, x):
        read()
        return x

class Sometimes(torch.nn.Module):
    def forward(self, x, path=None):
        if path:
            read()
        return x
"""
    project.set_text("/net.py", text)
    report = engine.check(project, "/net.py", engine.Settings(modes=tuple(Mode)))
    assert [(f.code, f.confidence.value) for f in report.findings] == [("EDB503", "certain")]


SPACED = """\
import torch


class Grid(torch.nn.Module):
    def forward(self, n, device):
        return torch.linspace(-1.0, 1.0, {argument}, device=device){rest}
"""


@pytest.mark.parametrize(
    ("argument", "rest", "expected"),
    [("steps=n", "", "possible"), ("n", "", "possible"), ("steps=n.sum()", "", "likely"), ("4", "[n.sum() > 0]", None)],
)
def test_what_a_tensor_is_made_as_large_as_is_no_tensor(argument: str, rest: str, expected: str | None) -> None:
    project = Project()
    project.set_text("/net.py", SPACED.format(argument=argument, rest=rest))
    settings = engine.Settings(modes=tuple(Mode), min_confidence=Confidence.POSSIBLE)
    found = [f.confidence.value for f in engine.check(project, "/net.py", settings).findings if f.code == "EDB206"]
    assert found == ([] if expected is None else [expected])


FIRST = """\
import torch


class Net(torch.nn.Module):
    def forward(self, given):
        {body}
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if not given: return torch.zeros(0)\n        return torch.stack([one * 2 for one in given])", "possible"),
        ("if not given: return torch.zeros(0)\n        return given.sin()", "likely"),
        ("if given > 0: return given\n        return [*given.data.values()]", "possible"),
        ("if given > 0: return given.masks\n        return given.images", "possible"),
        ("if given > 0: return given\n        return -given", "likely"),
    ],
)
def test_what_comes_first_is_a_tensor_unless_it_is_used_as_something_else(body: str, expected: str) -> None:
    project = Project()
    project.set_text("/net.py", FIRST.format(body=body))
    settings = engine.Settings(modes=tuple(Mode), min_confidence=Confidence.POSSIBLE)
    found = [f.confidence.value for f in engine.check(project, "/net.py", settings).findings if f.code == "EDB101"]
    assert found == [expected]


ENTRIES = """\
from abc import abstractmethod
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(4))

    @abstractmethod
    def forward(self, x):
        return x if x.sum() > 0 else -x


class Sampler(Net):
    def forward(self, x):
        return x * self.weight

    @torch.no_grad()
    def sample(self, count):
        return {result}
"""


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("self.weight if self.weight.sum() > 0 else -self.weight", ["EDB101"]),
        ("float(self.weight.norm())", []),
        ("{'norm': self.weight.norm().item(), 'sizes': [4, 4]}", []),
        ("{'norm': self.weight.norm().item(), 'weight': self.weight.norm() if self.weight.any() else 0}", ["EDB101"]),
    ],
)
def test_an_entry_gives_tensors_and_belongs_to_a_class_of_which_objects_are_made(
    result: str, expected: list[str]
) -> None:
    project = Project()
    project.set_text("/net.py", ENTRIES.replace("{result}", result))
    settings = engine.Settings(modes=tuple(Mode), min_confidence=Confidence.POSSIBLE)
    assert [f.code for f in engine.check(project, "/net.py", settings).findings] == expected


GIVEN = """\
import torch


class Net(torch.nn.Module):
    scales = [1.0, 2.0]

    def scale(self, index{annotation}=None):
        return self.scales[index]

    def forward(self, x, cache=None, index=None):
        if cache is not None and index in cache:
            x = x + cache[index]
        if cache is not None and f"step_{{x.ndim}}" in cache:
            x = x + 1
        return x * self.scale(index)
"""


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [("", ["possible", "possible"]), (": int | None", ["possible"]), (": torch.Tensor", ["possible", "possible"])],
)
def test_what_convention_takes_for_a_tensor_may_be_a_dict_a_key_or_what_a_function_says_it_is(
    annotation: str, expected: list[str]
) -> None:
    project = Project()
    project.set_text("/net.py", GIVEN.format(annotation=annotation))
    settings = engine.Settings(modes=tuple(Mode), min_confidence=Confidence.POSSIBLE)
    assert [f.confidence.value for f in engine.check(project, "/net.py", settings).findings] == expected


SIZED = """\
import torch
from typing import List, Tuple


def restored(windows, size{annotation}):
    h, w = size
    count = int(windows.shape[0] / (h * w / 16))
    return windows.view(count, h // 4, w // 4, 4, 4, -1)


class Net(torch.nn.Module):
    def forward(self, x, size):
        return torch.roll(restored(x, size), (2, 2), dims=(1, 2))
"""


@pytest.mark.parametrize(
    ("annotation", "found"),
    [("", True), (": Tuple[int, int]", False), (": List[int]", False), (": List[torch.Tensor]", True)],
)
def test_what_a_function_says_is_a_tuple_of_numbers_is_no_tensor(annotation: str, found: bool) -> None:
    project = Project()
    project.set_text("/net.py", SIZED.format(annotation=annotation))
    assert bool(engine.check(project, "/net.py", engine.Settings(modes=tuple(Mode))).findings) == found


CHOSEN = """\
import torch
from torch.utils.checkpoint import checkpoint


class Net(torch.nn.Module):
    def __init__(self, options):
        super().__init__()
        self.options = options
        self.layer = torch.nn.Linear(4, 4)
        self.run = checkpoint if "layer" in options else lambda f, x: f(x)

    def forward(self, x):
        return {result}
"""


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("self.run(self.layer, x)", ["possible"]),
        ("checkpoint(self.layer, x) if self.options else x", ["likely"]),
        ("checkpoint(self.layer, x)", ["certain"]),
    ],
)
def test_checkpointing_that_the_constructor_may_have_chosen_is_possible(result: str, expected: list[str]) -> None:
    project = Project()
    project.set_text("/net.py", CHOSEN.format(result=result))
    settings = engine.Settings(modes=tuple(Mode), min_confidence=Confidence.POSSIBLE)
    assert [f.confidence.value for f in engine.check(project, "/net.py", settings).findings] == expected
