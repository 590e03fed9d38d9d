"""Rules about what an export is for: where the goal is known, and the pages of these rules."""

from __future__ import annotations

import re

import pytest
from checking import Checker, codes
from exportdb_rules.rule import Rule, registry

from ..programs import block, fill

MODEL = block("""
    import torch


    class Inner(torch.nn.Module):
        def forward(self, x):
            return torch.linalg.inv(x)


    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def forward(self, x):
            return self.inner(x) + 1


    {call}
""")
ONNX = "torch.onnx.export(Net(), (torch.randn(2, 2),), 'net.onnx'{})"


def test_without_a_goal_nothing_is_said(check_text: Checker) -> None:
    assert codes(check_text(fill(MODEL, call="net = Net()"))) == []
    assert codes(check_text(fill(MODEL, call="torch.export.export(Net(), (torch.randn(2, 2),))"))) == []


def test_the_goal_that_is_asked_for(check_text: Checker) -> None:
    text = fill(MODEL, call="net = Net()")
    assert codes(check_text(text, to=("onnx",))) == ["EDB1001"]
    assert codes(check_text(text, to=("executorch",))) == ["EDB1002"]
    assert codes(check_text(text, to=("executorch", "onnx"))) == ["EDB1001", "EDB1002"]
    assert codes(check_text(text, to=("aoti",))) == []


@pytest.mark.parametrize(
    ("more", "torch_version", "found"),
    [
        ("", "2.13.0", ["EDB1001"]),
        (", dynamo=True", "2.13.0", ["EDB1001"]),
        (", dynamo=False", "2.13.0", []),
        ("", "2.8.0", []),
        (", dynamo=True", "2.8.0", ["EDB1001"]),
    ],
)
def test_a_call_of_the_onnx_exporter_says_so_itself(
    check_text: Checker, more: str, torch_version: str, found: list[str]
) -> None:
    report = check_text(fill(MODEL, call=ONNX.format(more)), torch_version=torch_version)
    assert codes(report) == found
    assert {finding.entry for finding in report.findings} <= {"Net.forward"}


def test_a_comment_and_the_selection_silence_it(check_text: Checker) -> None:
    text = fill(MODEL, call="net = Net()")
    silenced = text.replace("inv(x)", "inv(x)  # exportdb: ignore[EDB1001]")
    assert codes(check_text(silenced, to=("onnx",))) == []
    assert codes(check_text(text, to=("onnx",), ignore=("EDB100",))) == []
    assert codes(check_text(text, to=("onnx",), ignore=("EDB1",))) == ["EDB1001"]


@pytest.mark.parametrize("rule", [rule for rule in registry() if rule.goal], ids=lambda rule: rule.code)
def test_the_example_of_a_page_is_found_and_the_replacement_is_not(rule: Rule, check_text: Checker) -> None:
    bad, good = re.findall(r"```python\n(.*?)```", rule.documentation, re.DOTALL)
    for program, found in ((bad, [rule.code]), (good, [])):
        inside = "".join(f"    {line}\n" for line in program.splitlines())
        whole = program.startswith("import torch")
        text = program if whole else f"import torch\n\n\nclass Net(torch.nn.Module):\n{inside}"
        assert codes(check_text(text, to=(rule.goal,))) == found
