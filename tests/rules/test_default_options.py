"""Options of a constructor that are off by default: what an expression does not come to with them is no likely finding, beside
real exports of the program with the option as it is by default, and turned on."""

from __future__ import annotations

from pathlib import Path

import pytest
from exportdb_rules.finding import Confidence

from ..programs import block, load, model_exports
from .conftest import Checker

NET = """
    import torch
    from dataclasses import dataclass

    class Options:
        def __init__(self):
            self.check = False

    @dataclass
    class Fields:
        check: bool = False
        names: str = "none"

    class Net(torch.nn.Module):
        def __init__(self, {parameter}):
            super().__init__()
            self.options = {kept}

        def forward(self, x):
            {statement}
            return x.sin()
"""
TEST = "if {option} and x.min() < -9: raise ValueError('x')"
# A parameter, what is kept of it, and the statement; beside it what turns it on.
OFF = (
    ("check=False", "check", TEST.format(option="self.options"), "check=True"),
    ("check: bool = False", "check", "assert not self.options or x.min() > -9", "check=True"),
    ("check=False", "check", "x = x * 2 if self.options and x.min() < -9 else x", "check=True"),
    ("check=False", "check", "x = x[: int(x.sum())] if self.options else x", "check=True"),
    ("least=None", "least", "if self.options is not None and x.min() < self.options: raise ValueError('x')", "least=-9"),
    ("kind='none'", "kind", TEST.format(option="self.options == 'all'"), "kind='all'"),
    ("options=Options()", "options", TEST.format(option="self.options.check"), "options=type('O', (), {'check': True})()"),
    ("options: Fields = Fields()", "options", TEST.format(option="self.options.check"), "options=Fields(True)"),
    ("options={'check': False}", "options", TEST.format(option="self.options['check']"), "options={'check': True}"),
    ("**options", "options.get('check', False)", TEST.format(option="self.options"), "check=True"),
    ("options=None", "getattr(options, 'check', False)", TEST.format(option="self.options"), "options=Fields(True)"),
)  # fmt: skip
# What is on by default, or does not decide, is likely as ever.
ON = (
    ("check=True", "check", TEST.format(option="self.options")),
    ("check=False", "check", "if self.options or x.min() < -9: raise ValueError('x')"),
    ("check", "check", TEST.format(option="self.options")),
    ("kind='all'", "kind", TEST.format(option="self.options == 'all'")),
)


def program(parameter: str, kept: str, statement: str) -> str:
    return block(NET).format(parameter=parameter, kept=kept, statement=statement)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("parameter", "kept", "statement", "on"), OFF)
def test_an_option_that_is_off(
    parameter: str, kept: str, statement: str, on: str, check_text: Checker, tmp_path: Path
) -> None:
    torch = pytest.importorskip("torch")
    text = program(parameter, kept, statement)
    found = check_text(text, min_confidence=Confidence.POSSIBLE).findings
    assert not [f for f in found if f.confidence is not Confidence.POSSIBLE]
    module = load(text, tmp_path, "net_of_default_options")
    assert model_exports(module.Net(), (torch.rand(3),), strict=False)
    turned_on = eval(f"Net({on})", vars(module))
    assert not model_exports(turned_on, (torch.rand(3),), strict=False)
    assert [f for f in found if f.confidence is Confidence.POSSIBLE]


@pytest.mark.parametrize(("parameter", "kept", "statement"), ON)
def test_an_option_that_is_on(parameter: str, kept: str, statement: str, check_text: Checker) -> None:
    found = check_text(program(parameter, kept, statement)).findings
    assert [f.confidence for f in found] == [Confidence.LIKELY]


def test_a_model_that_turns_the_option_on(check_text: Checker) -> None:
    text = program("check=False", "check", TEST.format(option="self.options"))
    text += "\ntorch.export.export(Net(check=True), (torch.rand(3),))\n"
    assert [f.code for f in check_text(text).findings if f.confidence is not Confidence.POSSIBLE] == ["EDB104"]
