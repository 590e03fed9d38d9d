"""Inputs that are declared from outside, as recorded calls are: what they say of parameters and sizes is believed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from checking import Checker, codes
from exportdb_rules.declared import Declared, DynamicSize, PlainInput, SequenceInput, TensorInput
from exportdb_rules.engine import Project, Settings, check

NET = """
import torch


class Net(torch.nn.Module):
    def forward(self, x, n):
        {}
"""


def call(tmp_path: Path, *args: object, **more: object) -> Declared:
    return Declared.from_json({"filename": str(tmp_path / "model.py"), "class": "Net", "args": list(args), **more})


TENSOR = {"tensor": {"dtype": "float32", "shape": [2, 3]}}


def test_a_recorded_call_is_read() -> None:
    value = {
        "filename": "/p/model.py",
        "sha256": "0" * 64,
        "class": "Net",
        "args": [TENSOR, {"value": 4}, {"tuple": [{"value": None}]}],
        "kwargs": {"mask": {"dict": {"a": TENSOR}}, "config": {"object": "pkg.Config"}},
        "dynamic": [["x", 0, "named", "batch", 2, 64], [["mask", "a"], -1, "auto"]],
        "strict": True,
    }
    declared = Declared.from_json(value)
    assert declared.args == (
        TensorInput("float32", (2, 3)),
        PlainInput(4),
        SequenceInput("tuple", (PlainInput(None),)),
    )
    assert declared.dynamic == (
        DynamicSize(("x",), 0, "named", "batch", 2, 64),
        DynamicSize(("mask", "a"), -1, "auto"),
    )
    assert declared.strict
    assert hash(declared) == hash(Declared.from_json(value))


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ([], "not a table"),
        ({"filename": 3, "class": "Net"}, "filename"),
        ({"filename": "f", "class": "Net", "args": [{"tensor": {"shape": ["b"]}}]}, "integer"),
        ({"filename": "f", "class": "Net", "args": [{"value": []}]}, "value cannot be"),
        ({"filename": "f", "class": "Net", "args": [{"array": []}]}, "array"),
        ({"filename": "f", "class": "Net", "args": [{}]}, "one of"),
        ({"filename": "f", "class": "Net", "dynamic": [["x", 0, "maybe"]]}, "maybe"),
        ({"filename": "f", "class": "Net", "dynamic": [[[0], 0, "auto"]]}, "start with a parameter name"),
        ({"filename": "f", "class": "Net", "dynamic": [["x", True, "auto"]]}, "integer"),
        ({"filename": "f", "class": "Net", "strict": "yes"}, "strict"),
    ],
)
def test_what_is_no_recorded_call_is_refused_with_its_place(broken: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Declared.from_json(broken)


def test_a_number_is_no_tensor(check_text: Checker, tmp_path: Path) -> None:
    text = NET.format("return x * int(n) if n > 2 else x")
    assert set(codes(check_text(text, declared=(call(tmp_path, TENSOR, TENSOR),)))) == {"EDB101", "EDB203"}
    assert codes(check_text(text, declared=(call(tmp_path, TENSOR, {"value": 4}),))) == []


def test_a_tensor_in_a_tuple_is_one(check_text: Checker, tmp_path: Path) -> None:
    text = NET.format("return x if n[0].sum() > 0 else -x")
    declared = call(tmp_path, TENSOR, {"tuple": [TENSOR, {"value": 1}]})
    (finding,) = check_text(text, declared=(declared,)).findings
    assert (finding.code, finding.confidence.value) == ("EDB101", "certain")
    assert codes(check_text(NET.format("return x if n[1] > 0 else -x"), declared=(declared,))) == []


def test_a_tensor_in_a_dict_is_one(check_text: Checker, tmp_path: Path) -> None:
    text = NET.format('return x if n["a"].sum() > 0 else -x')
    declared = call(tmp_path, TENSOR, n={"value": 1}, kwargs={"n": {"dict": {"a": TENSOR}}})
    (finding,) = check_text(text, declared=(declared,)).findings
    assert (finding.code, finding.confidence.value) == ("EDB101", "certain")


def test_two_calls_are_both_met(check_text: Checker, tmp_path: Path) -> None:
    text = NET.format("return x if n > 2 else -x")
    number, tensor = call(tmp_path, TENSOR, {"value": 4}), call(tmp_path, TENSOR, TENSOR)
    assert codes(check_text(text, declared=(number, tensor))) == ["EDB101"]


def test_a_size_is_dynamic_where_the_call_says_so(check_text: Checker, tmp_path: Path) -> None:
    text = NET.format("return x if x.shape[0] > 8 else -x")
    assert codes(check_text(text, declared=(call(tmp_path, TENSOR, TENSOR),))) == []
    dynamic = call(tmp_path, TENSOR, TENSOR, dynamic=[["x", 0, "named", "b", 0, None]])
    assert codes(check_text(text, declared=(dynamic,))) == ["EDB302"]
    other = call(tmp_path, TENSOR, TENSOR, dynamic=[["x", 1, "dynamic"]])
    assert codes(check_text(text, declared=(other,))) == []


def test_a_size_of_a_tensor_in_a_list_is_dynamic(check_text: Checker, tmp_path: Path) -> None:
    text = NET.format("return x if n[1].shape[0] > 8 else -x")
    dynamic = call(tmp_path, TENSOR, {"list": [TENSOR, TENSOR]}, dynamic=[[["n", 1], 0, "dynamic"]])
    assert codes(check_text(text, declared=(dynamic,))) == ["EDB302"]
    other = call(tmp_path, TENSOR, {"list": [TENSOR, TENSOR]}, dynamic=[[["n", 0], 0, "dynamic"]])
    assert codes(check_text(text, declared=(other,))) == []


def test_a_number_that_is_declared_to_be_dynamic_is_symbolic(check_text: Checker, tmp_path: Path) -> None:
    text = NET.format("return x if n > 8 else -x")
    dynamic = call(tmp_path, TENSOR, {"value": 4}, dynamic=[["n", 0, "dynamic"]])
    assert codes(check_text(text, declared=(dynamic,))) == ["EDB302"]


def test_declarations_speak_of_their_own_file_and_class(check_text: Checker, tmp_path: Path) -> None:
    text = NET.format("return x if n.sum() > 2 else -x")
    for other in (
        Declared("/elsewhere/model.py", "Net", (PlainInput(1), PlainInput(4))),
        Declared(str(tmp_path / "model.py"), "Other", (PlainInput(1), PlainInput(4))),
    ):
        assert codes(check_text(text, declared=(other,))) == ["EDB101"]


def test_other_declarations_are_another_question(tmp_path: Path) -> None:
    filename = str(tmp_path / "model.py")
    project = Project(tmp_path)
    project.set_text(filename, NET.format("return x if n > 2 else -x"))
    tensor, number = (Settings(declared=(call(tmp_path, TENSOR, n),)) for n in (TENSOR, {"value": 4}))
    found = [codes(check(project, filename, settings)) for settings in (tensor, number, tensor)]
    assert found == [["EDB101"], [], ["EDB101"]]


OF_UNKNOWN_SIZES = """\
import torch
from other import encoded


class Net(torch.nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.width = width

    def forward(self, x):
        y = torch.relu(encoded(x))
        {statement}
        return y * 2


model = Net()
example_args = (torch.randn(3, 5),)
dynamic_shapes = {{"x": {{0: torch.export.Dim("rows"), 1: torch.export.Dim("columns")}}}}
"""


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("assert y.shape[1] == self.width", False),
        ("assert y.shape == (len(x), self.width, 3)", False),
        ("assert y.shape[1] % self.width == 0", False),
        ("if y.shape[1] != self.width: raise ValueError", False),
        ("if y.shape[1] > 5: y = y + 1", True),
        ("assert x.shape[1] == 5", True),
    ],
)
def test_what_is_checked_of_a_size_that_nobody_knows(statement: str, found: bool, check_text: Checker) -> None:
    """Such a size is configured as a rule: what is checked of it holds."""
    codes = [finding.code for finding in check_text(OF_UNKNOWN_SIZES.format(statement=statement)).findings]
    assert ("EDB302" in codes) is found
