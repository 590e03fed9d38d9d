"""Code that only training mode runs: whether export meets it is decided by what the file does with the model before the
call. Each program is run as well: what check says of it is what torch.export does."""

from __future__ import annotations

from textwrap import dedent

import pytest
from exportdb_rules.finding import Mode

from .conftest import Checker

START = """\
import torch
from torch import nn

x = torch.randn(3)
"""
NET = """
class Net(nn.Module):
    def forward(self, x):
        if self.training and x.sum() > 0:
            return x * 2
        return x
"""
EARLY = """
class Early(nn.Module):
    def forward(self, x):
        if not self.training:
            return x + 1
        return x * 2 if x.mean() > 0 else x
"""
OUTER = """
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def forward(self, x):
        return self.net(x) + 1
"""
EXPORTS = {
    "Net().eval()": "torch.export.export(Net().eval(), (x,))",
    "Net()": "torch.export.export(Net(), (x,))",
    "train(False)": "torch.export.export(Net().train(False), (x,))",
    "eval, then train": "torch.export.export(Net().eval().train(), (x,))",
    "a statement": """
        model = Net()
        model.eval()
        torch.export.export(model, (x,))
    """,
    "a statement behind another step": """
        model = Early()
        model.to("cpu").eval()
        torch.export.export(model, (x,))
    """,
    "the statement is about an older model": """
        model = Early()
        model.eval()
        model = Early()
        torch.export.export(model, (x,))
    """,
    "put into training again": """
        model = Early().eval()
        model.train()
        torch.export.export(model, (x,))
    """,
    "below with": """
        model = Outer()
        with torch.no_grad():
            model.eval()
            torch.export.export(model, (x,))
    """,
    "a module of the model": "torch.export.export(Outer().eval(), (x,))",
    "a module of a model in training": "torch.export.export(Outer(), (x,))",
    "a function that builds": """
        def build():
            model = Early()
            model.eval()
            return model

        torch.export.export(build(), (x,))
    """,
    "a function that exports": """
        def save(model, args):
            model.eval()
            return torch.export.export(model, args)

        save(Early(), (x,))
    """,
    "a function that is given an expression": """
        def save(model, args):
            return torch.export.export(model, args)

        save(Outer().eval(), (x,))
    """,
    "an attribute": """
        class Case:
            def setup(self):
                self.model = Net()
                self.model.eval()

            def test(self):
                torch.export.export(self.model, (x,))

        case = Case()
        case.setup()
        case.test()
    """,
    "main": """
        if __name__ == "__main__":
            model = Early()
            model.eval()
            torch.export.export(model, (x,))
    """,
}


HOLDER = """
class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = {inner}
        {made}

    def build(self):
        self.late = {inner}
        self.late.eval()

    def forward(self, x):
        {before}
        return self.net(x) + 1


torch.export.export({model}, (x,))
"""
# The inner module, what the constructor does to it, what `forward` does to it before the call, and the exported model.
MODES = [
    (inner, made, before, model)
    for inner in ("Net()", "Early()", "nn.Sequential(Net(), nn.Identity())")
    for made in (
        "pass",
        "self.net.eval()",
        "self.net.train(False)",
        "self.eval()",
        "self.net.eval().train()",
        "self.build()",
    )
    for before in ("pass", "self.net.eval()", "self.net.train()")
    for model in ("Holder()", "Holder().eval()")
    if "nn.S" not in inner or made == "self.net.eval()"
]


def _really_fails(program: str) -> bool:
    try:
        exec(compile(program, "program", "exec"), {"__name__": "__main__"})
    except RuntimeError:
        return True
    return False


@pytest.mark.parametrize("export", EXPORTS.values(), ids=EXPORTS)
def test_what_export_meets(export: str, check_text: Checker) -> None:
    models = EARLY if "Early()" in export else NET + OUTER if "Outer()" in export else NET
    program = START + models + dedent(export).lstrip("\n") + "\n"
    found = [f.verdict[Mode.NON_STRICT].value for f in check_text(program, torch_version="2.13.0").findings]
    assert ("fails" in found) == _really_fails(program)


@pytest.mark.parametrize(("inner", "made", "before", "model"), MODES)
def test_the_mode_of_an_inner_module(inner: str, made: str, before: str, model: str, check_text: Checker) -> None:
    holder = HOLDER.format(inner=inner, made=made, before=before, model=model)
    program = START + (EARLY if "Early" in inner else NET) + holder
    found = [f.verdict[Mode.NON_STRICT].value for f in check_text(program, torch_version="2.13.0").findings]
    assert ("fails" in found) == _really_fails(program)


def test_a_mode_that_is_not_known_leaves_the_finding(check_text: Checker) -> None:
    export = """
def save(flag):
    model = Net()
    if flag:
        model.eval()
    torch.export.export(model, (x,))
"""
    assert [f.code for f in check_text(START + NET + export).findings] == ["EDB101"]
