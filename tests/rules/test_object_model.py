"""What the classes of a project do where an attribute is read or written, and where an object is called: as export runs it."""

from __future__ import annotations

from pathlib import Path

import pytest
from checking import Checker
from exportdb_rules.finding import Mode, Verdict

from ..programs import block, fill, load, model_exports

pytest.importorskip("torch")

PROGRAM = """\
import torch
from torch import nn


{classes}


model = {model}
example_args = (torch.randn(3, 4), torch.rand(3))
"""
FIELDS = """
class Fields:
    def __init__(self, **given):
        self._fields = {{}}
        for name, value in given.items():
            setattr(self, name, value)

    def __setattr__(self, name, value):
        if name.startswith("_"):
            super().__setattr__(name, value)
        else:
            self._fields[name] = value

    def __getattr__(self, name):
        if name == "_fields" or name not in self._fields:
            raise AttributeError(name)
        return self._fields[name]


class Net(nn.Module):
    def forward(self, x, scores):
        found = Fields(boxes=x, scores=scores)
        found.kept = found.boxes[found.scores > 0.5]
        return {returned}
"""
DELEGATES = """
class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def compute(self, x):
        return {computed}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.inner, name)

    def forward(self, x, scores):
        return self.compute(self.linear(x))
"""
HOLDS = """
class Holder:
    def __init__(self, **given):
        {kept}

    def __getattr__(self, name):
        return None


class Net(nn.Module):
    def forward(self, x, scores):
        holder = Holder(x=x)
        if holder.mask is not None:
            x = x[holder.mask]
        return {returned}
"""
CALLED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    def seen(self, module, given, result=None):
        return {seen}

    def __call__(self, x, scores):
        x = {before}
        return super().__call__(x, scores)

    def forward(self, x, scores):
        return x + 1
"""
GIVEN = """
class Net(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, x, scores):
        y = self.body(x)
        return {returned}
"""
COUNTED = """
class Net(nn.Module):
    export = False

    def __init__(self):
        super().__init__()
        self.steps = 2
        self.scale = 1.5
        self.ready = True

    def forward(self, x, scores):
        {changed}
        return x * self.steps * self.scale + self.ready
"""
BODY = """
def flipped(x):
    return {flipped}


def flipped_of(self, x):
    return flipped(x)


class Tools:
    flip = staticmethod(flipped)


class Net(nn.Module):
    {made}

    def _flip(self):
        return flipped(self.kept)

    {more}

    def forward(self, x, scores):
        self.kept = x
        return {called}
"""
BASES = """
class First(nn.Module):
    def __init__(self, mode="flip"):
        super().__init__()
        self.mode = mode

    def flip(self, x):
        return {flipped}


class Second(First):
    def __init__(self, scale=2.0):
        super(First, self).__init__()
        self.scale = scale

    def flip(self, x):
        return x * self.scale


class Net(Second):
    def __init__(self, mode="flip"):
        super(Net, self).__init__(3.0)
        super(Second, self).__init__(mode)
        self.scale = 2.0

    def forward(self, x, scores):
        if self.mode == "none":
            return x
        elif self.mode == "flip":
            return super({base}, self).flip(x)
"""
FLIPPED = "{0} if {0}.sum() > 0 else -{0}"
CELLS = """
class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)
        self.outer = nn.Linear(4, 4)
        self.level = None
        self.steps = 0

    def reset(self):
        self.level = None
        self.steps = 0

    def forward(self, x):
        if self.level is None:
            self.level = torch.zeros_like(x)
        self.level = self.level * 0.5 + self.outer(self.inner(x))
        self.steps += 1
        return self.level / self.steps


def reset_all(net):
    for module in net.modules():
        if hasattr(module, "reset"):
            module.reset()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), Cell())
        self.cells = nn.ModuleList([Cell() for _ in range(2)])

    def forward(self, x, scores):
        {begun}
        for _ in range(3):
            y = self.layers(x)
            for cell in self.cells:
                y = cell(y)
        return y
"""
PACKED = """
class Net(nn.Module):
    def unpacked(self, x):
        if isinstance(x, nn.utils.rnn.PackedSequence):
            return x.data
        return x{read}

    def forward(self, x, scores):
        return self.unpacked(x) + 1
"""
PATCHED = """
class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def forward(self, x):
        return {before}


def chosen(self, x):
    return {after}


def forward(self, x, scores=None):
    return self.chosen(self.inner(x))


Layer.forward = forward
Layer.chosen = chosen


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Layer()

    def forward(self, x, scores):
        return self.layer(x)
"""
GIVEN_FORWARD = """
import types


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def forward(self, x, scores):
        return self.inner(x)


def branching(self, x, scores):
    return x if x.sum() > 0 else -x


def replace():
    Layer.forward = branching


made = Layer()
{given}
"""
AUTOGRAD = """
class Base(torch.autograd.Function):
    @classmethod
    def scaled(cls, x):
        return {scaled}

    @classmethod
    def forward(cls, ctx, x, factor=2):
        return cls.scaled(x) * factor

    @classmethod
    def backward(cls, ctx, grad):
        return grad * 2, None


class Double(Base):
    @classmethod
    def scaled(cls, x):
        return super().scaled(x) + 1


class Net(nn.Module):
    def forward(self, x, scores):
        return Double.apply(x)
"""
ASKED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0

    def forward(self, x, scores):
        self.steps += 1
        return {returned}

    def mask_of_steps(self):
        return torch.ones(self.steps)
"""
BLOCKS = """
class Block(nn.Module):
    def __init__(self, linear):
        super().__init__()
        self.linear = linear
        {made}

    def forward(self, x):
        return self.linear(x).relu()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linears = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])
        self.blocks = [Block(linear) for linear in self.linears]

    def forward(self, x, scores):
        for block in self.blocks:
            x = block(x)
        return x
"""
COMPUTED_ONCE = """
from functools import cached_property


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    @cached_property
    def width(self):
        return len([1, 2, 3, 4])

    def forward(self, x, scores):
        return x.view(-1, self.width)
"""
FAILS = {
    "class methods of an autograd Function": (AUTOGRAD, "Net()", {"scaled": "x if x.sum() > 0 else -x"}),
    "forward that a function gives to a class": (GIVEN_FORWARD, "Layer()", {"given": "replace()"}),
    "forward that setattr gives to a class": (
        GIVEN_FORWARD,
        "Layer()",
        {"given": "setattr(Layer, 'forward', branching)"},
    ),
    "forward that is a lambda": (
        GIVEN_FORWARD,
        "Layer()",
        {"given": "Layer.forward = lambda self, x, scores: x if x.sum() > 0 else -x"},
    ),
    "forward that is given to an object": (
        GIVEN_FORWARD,
        "made",
        {"given": "made.forward = types.MethodType(branching, made)"},
    ),
    "a method that the file puts in the place of another": (
        PATCHED,
        "Net()",
        {"before": "-x", "after": "x if x.sum() > 0 else -x"},
    ),
    "forward that the file gives to a class": (
        PATCHED,
        "Layer()",
        {"before": "-x", "after": "x if x.sum() > 0 else -x"},
    ),
    "what is no packed sequence": (PACKED, "Net()", {"read": ".data"}),
    "an item through __getattr__": (FIELDS, "Net()", {"returned": "x if len(found.kept) > 1 else -x"}),
    "what another module has": (DELEGATES, "Net()", {"computed": FLIPPED.format("x")}),
    "the dict of attributes": (
        HOLDS,
        "Net()",
        {"kept": "self.__dict__.update(given)", "returned": FLIPPED.format("holder.x")},
    ),
    "an entry of vars": (
        HOLDS,
        "Net()",
        {"kept": "vars(self)['x'] = given['x']", "returned": FLIPPED.format("holder.x")},
    ),
    "object's own __setattr__": (
        HOLDS,
        "Net()",
        {"kept": "object.__setattr__(self, 'x', given['x'])", "returned": FLIPPED.format("holder.x")},
    ),
    "__call__": (CALLED, "Net()", {"made": "pass", "seen": "None", "before": FLIPPED.format("x")}),
    "a hook": (
        CALLED,
        "Net()",
        {"made": "self.register_forward_hook(self.seen)", "seen": FLIPPED.format("result"), "before": "x * 2"},
    ),
    "a hook before": (
        CALLED,
        "Net()",
        {
            "made": "self.register_forward_pre_hook(self.seen)",
            "seen": "(-given[0], given[1]) if given[0].sum() > 0 else None",
            "before": "x * 2",
        },
    ),
    "a layer that the constructor is given": (GIVEN, "Net(nn.Linear(4, 4))", {"returned": FLIPPED.format("y")}),
    "layers that it is given": (
        GIVEN.replace("= body", "= nn.Sequential(*body)"),
        "Net([nn.Linear(4, 4), nn.ReLU()])",
        {"returned": FLIPPED.format("y")},
    ),
    "super of another class": (BASES, "Net()", {"flipped": FLIPPED.format("x"), "base": "Second"}),
    "a function in the body of a class": (
        BODY,
        "Net()",
        {"flipped": FLIPPED.format("x"), "made": "flip = flipped_of", "more": "pass", "called": "self.flip(x)"},
    ),
    "a lambda in the body of a class": (
        BODY,
        "Net()",
        {
            "flipped": FLIPPED.format("x"),
            "made": "flip = lambda self, x: flipped(x)",
            "more": "pass",
            "called": "self.flip(x)",
        },
    ),
    "a static method that is assigned": (
        BODY,
        "Net()",
        {
            "flipped": FLIPPED.format("x"),
            "made": "flip = staticmethod(flipped)",
            "more": "pass",
            "called": "self.flip(x)",
        },
    ),
    "a static method of a class of tools": (
        BODY,
        "Net()",
        {"flipped": FLIPPED.format("x"), "made": "pass", "more": "pass", "called": "Tools.flip(x)"},
    ),
    "a property that is assigned": (
        BODY,
        "Net()",
        {"flipped": FLIPPED.format("x"), "made": "pass", "more": "flip = property(_flip)", "called": "self.flip"},
    ),
    "a distribution that it is given": (
        GIVEN.replace("self.body(x)", "self.body.log_prob(x)"),
        "Net(torch.distributions.Normal(torch.zeros(4), torch.ones(4)))",
        {"returned": "y"},
    ),
}
EXPORTS = {
    "a count that only other code asks for": (ASKED, "Net()", {"returned": "x"}),
    "blocks in a list around layers that are registered": (BLOCKS, "Net()", {"made": "pass"}),
    "a property that the constructor computes": (COMPUTED_ONCE, "Net()", {"made": "self.width"}),
    "a method that another one took the place of": (
        PATCHED,
        "Net()",
        {"before": "x if x.sum() > 0 else -x", "after": "-x"},
    ),
    "a packed sequence that is none": (PACKED, "Net()", {"read": ""}),
    "cells that all begin anew": (CELLS, "Net()", {"begun": "reset_all(self)"}),
    "cells that begin anew one by one": (
        CELLS,
        "Net()",
        {"begun": "self.layers[1].reset()\nfor cell in self.cells:\n    cell.reset()"},
    ),
    "cells of a class that begin anew": (
        CELLS,
        "Net()",
        {"begun": "for _, one in self.named_modules():\n    if isinstance(one, Cell):\n        one.reset()"},
    ),
    "fields": (FIELDS, "Net()", {"returned": "found.boxes + found.scores[:, None]"}),
    "what another module has": (DELEGATES, "Net()", {"computed": "x * 2"}),
    "the dict of attributes": (
        HOLDS,
        "Net()",
        {"kept": "self.__dict__.update(given)", "returned": "holder.x if 'x' in holder.__dict__ else x[scores > 0]"},
    ),
    "__call__": (CALLED, "Net()", {"made": "pass", "seen": "None", "before": "x * 2"}),
    "a hook": (
        CALLED,
        "Net()",
        {"made": "self.register_forward_hook(self.seen)", "seen": "result * 2", "before": "x * 2"},
    ),
    "a layer that the constructor is given": (GIVEN, "Net(nn.Linear(4, 4))", {"returned": "y"}),
    "a distribution that validates nothing": (
        GIVEN.replace("self.body(x)", "self.body.log_prob(x)"),
        "Net(torch.distributions.Normal(torch.zeros(4), torch.ones(4), validate_args=False))",
        {"returned": "y"},
    ),
    "super of its own class": (BASES, "Net()", {"flipped": FLIPPED.format("x"), "base": "Net"}),
    "a static method that is assigned": (
        BODY,
        "Net()",
        {"flipped": "-x", "made": "flip = staticmethod(flipped)", "more": "pass", "called": "self.flip(x)"},
    ),
    "a flag that stays": (COUNTED, "Net()", {"changed": "self.training |= self.export\nself.ready &= True"}),
    "a count that stays": (COUNTED, "Net()", {"changed": "self.steps += 0\nself.steps *= 1\nself.steps -= 0"}),
}


def program(template: str, model: str, parts: dict[str, str]) -> str:
    return fill(PROGRAM, classes=fill(block(template), **parts), model=model)


def exports(text: str, folder: Path) -> bool:
    made = load(text, folder, "net")
    return model_exports(made.model.eval(), made.example_args, strict=False)


@pytest.mark.parametrize("name", FAILS)
def test_what_fails_is_found(name: str, check_text: Checker, tmp_path: Path) -> None:
    text = program(*FAILS[name])
    found = [finding for finding in check_text(text).findings if finding.verdict[Mode.NON_STRICT] is Verdict.FAILS]
    assert found
    assert not exports(text, tmp_path)


@pytest.mark.parametrize("begun", ["pass", "for one in self.modules():\n    one.float()", "Cell().reset()"])
def test_cells_that_go_on_are_found(begun: str, check_text: Checker, tmp_path: Path) -> None:
    found = check_text(program(CELLS, "Net()", {"begun": begun})).findings
    assert "EDB401" in {finding.code for finding in found}


@pytest.mark.parametrize("name", EXPORTS)
def test_what_exports_is_left_alone(name: str, check_text: Checker, tmp_path: Path) -> None:
    text = program(*EXPORTS[name])
    assert not check_text(text).findings
    assert exports(text, tmp_path)


@pytest.mark.parametrize(
    ("template", "parts", "code"),
    [
        (AUTOGRAD, {"scaled": "x / 2"}, "EDB503"),
        (BLOCKS, {"made": "self.scale = nn.Parameter(torch.ones(4))"}, "EDB408"),
        (COMPUTED_ONCE, {"made": "pass"}, "EDB503"),
        (ASKED, {"returned": "x * self.mask_of_steps().sum()"}, "EDB401"),
    ],
    ids=[
        "class methods of an autograd Function",
        "blocks in a list with weights of their own",
        "a property that forward computes",
        "a count that forward asks for",
    ],
)
def test_what_strict_export_does_not_take_is_found(
    template: str, parts: dict[str, str], code: str, check_text: Checker, tmp_path: Path
) -> None:
    assert code in {finding.code for finding in check_text(program(template, "Net()", parts)).findings}
