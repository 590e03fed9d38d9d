"""Calls of `torch.onnx.export`: dimensions that it changes by itself, `dynamic_axes`, and options without effect."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from checking import Checker, codes
from exportdb_rules import onnx_calls
from exportdb_rules.engine import Project, fixes
from exportdb_rules.finding import Applicability, Finding, Mode, Severity, Verdict
from exportdb_rules.onnx_calls import effect, known_options
from exportdb_rules.rewrite.outline import apply

from .. import proofs
from ..programs import block, fill

SCRIPT = Path(__file__).parents[2] / "rules" / "scripts" / "onnx_options.py"
PACKAGES = ("onnx", "onnxscript", "onnxruntime")
# What the exporter does depends on these versions, and that of torch.
TOOLS = [f"{name} {version(name)}" for name in PACKAGES if find_spec(name) is not None]
needs_onnx = pytest.mark.skipif(
    any(find_spec(name) is None for name in PACKAGES),
    reason="NOT MEASURED AGAIN: what torch.onnx.export does, for onnx, onnxscript or onnxruntime is not installed here",
)

BRANCH = block("""
    import torch


    class Net(torch.nn.Module):
        def forward(self, x):
            if x.shape[0] > 5:
                return x * 2
            return x + 1


    x = torch.randn(8, 2)
    {call}
""")
FIXED = block("""
    import torch


    class Net(torch.nn.Module):
        def forward(self, x):
            return x + torch.ones(8, 2)


    x = torch.randn(8, 2)
    {call}
""")
TWO = block("""
    import torch


    class Net(torch.nn.Module):
        def forward(self, x, y=None):
            return x.sum() + (0 if y is None else y)


    x, y = torch.randn(3, 4), torch.randn(3, 4)
    {call}
""")


def onnx(options: str, args: str = "x,") -> str:
    return f"torch.onnx.export(Net(), ({args}), 'net.onnx', {options})"


def only(check_text: Checker, text: str, **settings: object) -> Finding:
    (finding,) = check_text(text, **settings).findings
    return finding


@pytest.mark.parametrize(
    ("shapes", "verdict", "said"),
    [
        ("{'x': {0: torch.export.Dim('rows')}}", Verdict.DIVERGES, "narrows `rows` without an error"),
        ("({0: torch.export.Dim('rows')},)", Verdict.DIVERGES, "narrows `rows` without an error"),
        ("({0: torch.export.Dim.DYNAMIC},)", Verdict.DIVERGES, "no guard"),
        ("{'x': {0: torch.export.Dim.AUTO}}", Verdict.DIVERGES, "no guard"),
        ("{'x': {0: 'rows'}}", Verdict.DIVERGES, "no guard"),
        ("[['rows', None]]", Verdict.DIVERGES, "no guard"),
    ],
)
def test_a_branch_on_a_size_computes_something_else(
    check_text: Checker, shapes: str, verdict: Verdict, said: str
) -> None:
    finding = only(check_text, fill(BRANCH, call=onnx(f"dynamic_shapes={shapes}")))
    assert (finding.code, finding.verdict[Mode.NON_STRICT], finding.goal) == ("EDB302", verdict, "onnx")
    assert said in finding.message
    assert finding.severity is Severity.ERROR


def test_a_dimension_that_the_exporter_specializes_is_a_warning_with_its_size(check_text: Checker) -> None:
    finding = only(check_text, fill(FIXED, call=onnx("dynamic_shapes={'x': {0: torch.export.Dim('rows')}}")))
    assert finding.verdict[Mode.NON_STRICT] is Verdict.SPECIALIZES
    assert finding.severity is Severity.WARNING
    assert finding.message.endswith("`torch.onnx.export` specializes `rows` to 8 without an error")


def test_what_torch_export_refuses_is_refused_where_it_is_called_itself(check_text: Checker) -> None:
    shapes = "dynamic_shapes={'x': {0: torch.export.Dim('rows')}}"
    alone = f"torch.export.export(Net(), (x,), {shapes})"
    for call in (alone, f"{alone}\n{onnx(shapes)}"):
        finding = only(check_text, fill(FIXED, call=call))
        assert (finding.verdict[Mode.NON_STRICT], finding.goal) == (Verdict.FAILS, "")
        assert "torch.onnx.export" not in finding.message
    # The program goes on to ONNX, if torch.export makes one.
    assert only(check_text, fill(FIXED, call=alone), to=("onnx",)).verdict[Mode.NON_STRICT] is Verdict.FAILS


def test_a_goal_in_the_settings_is_as_good_as_a_call(check_text: Checker) -> None:
    example = "example_args = (x,)\ndynamic_shapes = {'x': {0: torch.export.Dim('rows')}}\nmodel = Net()"
    text = fill(FIXED, call=example)
    assert only(check_text, text).verdict[Mode.NON_STRICT] is Verdict.FAILS
    assert only(check_text, text, to=("onnx",)).verdict[Mode.NON_STRICT] is Verdict.SPECIALIZES
    assert only(check_text, text, to=("executorch",)).verdict[Mode.NON_STRICT] is Verdict.FAILS
    assert only(check_text, text, to=("onnx", "executorch")).verdict[Mode.NON_STRICT] is Verdict.FAILS


def test_an_example_of_one_is_no_constant_for_the_onnx_exporter(check_text: Checker) -> None:
    text = fill(BRANCH, call=onnx("dynamic_shapes={'x': {0: torch.export.Dim('rows')}}"))
    text = text.replace("torch.randn(8, 2)", "torch.randn(1, 2)").replace("if x.shape[0] > 5", "if x.shape[1] > 5")
    assert codes(check_text(text)) == []
    assert codes(
        check_text(text.replace("torch.onnx.export(Net(), (x,), 'net.onnx'", "torch.export.export(Net(), (x,)"))
    ) == ["EDB305"]


@pytest.mark.parametrize("axes", ["{'x': {0: 'rows'}}", "{'x': [0]}", "{'input': {0: 'rows'}}"])
def test_dynamic_axes_make_a_dimension_dynamic(check_text: Checker, axes: str) -> None:
    names = "input_names=['input'], " if "input" in axes else ""
    text = fill(BRANCH, call=onnx(f"{names}dynamic_axes={axes}"))
    assert codes(check_text(text)) == ["EDB302", "EDB1004"]
    assert codes(check_text(fill(BRANCH, call=onnx(f"{names}dynamic_axes={axes}, dynamo=False")))) == []
    assert codes(check_text(text, torch_version="2.8.0")) == []


# The options and arguments of a call, what is found of its axes, and what the fix makes of them.
AXES = [
    ("dynamic_axes={'x': {0: 'n'}, 'y': {1: 'm'}}", "x, y", Verdict.OK, 'dynamic_shapes={"x": {0: "n"}, "y": {1: "m"}}'),
    ("input_names=['a'], dynamic_axes={'a': {0: 'n'}}", "x,", Verdict.OK, 'dynamic_shapes={"x": {0: "n"}}'),
    ("dynamic_axes={'x': [0, 1]}", "x,", Verdict.OK, 'dynamic_shapes={"x": {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}}'),
    ("output_names=['o'], dynamic_axes={'o': [0], 'x': [0]}", "x,", Verdict.OK, 'dynamic_shapes={"x": {0: torch.export.Dim.DYNAMIC}}'),
    ("input_names=['x', 'y'], dynamic_axes={'x': {0: 'n'}}", "x, y", Verdict.OK, 'dynamic_shapes={"x": {0: "n"}, "y": None}'),
    ("kwargs={'y': y}, dynamic_axes={'x': {0: 'n'}, 'y': {0: 'n'}}", "x,", Verdict.OK, 'dynamic_shapes={"x": {0: "n"}, "y": {0: "n"}}'),
    ("input_names=['x', 'y'], dynamic_axes={'y': {1: 'm'}}", "x, y", Verdict.SPECIALIZES, 'dynamic_shapes={"x": None, "y": {1: "m"}}'),
    ("dynamic_axes={'y': {1: 'm'}, 'x': {0: 'n'}}", "x, y", Verdict.SPECIALIZES, 'dynamic_shapes={"x": {0: "n"}, "y": {1: "m"}}'),
    ("dynamic_axes={'x': {0: 'n'}}", "x, y", Verdict.FAILS, 'dynamic_shapes={"x": {0: "n"}, "y": None}'),
    ("dynamic_axes={'x': {0: 'n'}}", "x, None", Verdict.FAILS, 'dynamic_shapes={"x": {0: "n"}, "y": None}'),
    ("dynamic_axes={'x': {0: 'n'}, 'out': {0: 'n'}}", "x,", Verdict.FAILS, None),
    ("dynamic_axes={'x': {-1: 'n'}}", "x,", Verdict.SPECIALIZES, 'dynamic_shapes={"x": {1: "n"}}'),
    ("kwargs={'y': y, 'x': x[0]}, dynamic_axes={'x': {-1: 'n'}, 'y': [-2]}", "", Verdict.SPECIALIZES, 'dynamic_shapes={"x": {0: "n"}, "y": {0: torch.export.Dim.DYNAMIC}}'),
    ("dynamic_axes={'x': {-1: 'n'}}", "load(),", Verdict.OK, None),
    ("dynamic_axes=AXES", "x,", Verdict.OK, None),
]  # fmt: skip


@pytest.mark.parametrize(("options", "args", "verdict", "mended"), AXES)
def test_what_becomes_of_dynamic_axes(
    check_text: Checker, options: str, args: str, verdict: Verdict, mended: str | None
) -> None:
    text = fill(TWO, call=onnx(options, args))
    finding = only(check_text, text)
    assert (finding.code, finding.verdict[Mode.NON_STRICT]) == ("EDB1004", verdict)
    found = offered(text, finding)
    assert (re.search("dynamic_shapes=.*(?=\\))", found[0]) if found else None) == (
        None if mended is None else ANY(mended)
    )
    assert not found or found[1] is (Applicability.SAFE if verdict is Verdict.OK else Applicability.UNSAFE)


class ANY:
    """Equal to a match of a text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, re.Match) and other[0] == self.text

    def __repr__(self) -> str:
        return self.text


def offered(text: str, finding: Finding) -> tuple[str, Applicability] | None:
    project = Project()
    project.set_text(finding.filename, text)
    found = fixes(project, finding)
    return (apply(text, found[0].edits), found[0].applicability) if found else None


@needs_onnx
def test_the_exporter_does_so(request: pytest.FixtureRequest, tmp_path: Path, check_text: Checker) -> None:
    """Each call, and what the fix makes of it: a safe one changes nothing, any other something, and none raises."""
    rows: dict[str, tuple[str, Verdict]] = {}
    for options, args, verdict, mended in AXES:
        if mended is not None:
            text = fill(TWO, call=onnx(options, args))
            found = offered(text, only(check_text, text))
            assert found is not None
            rows[f"({args}) {options}"] = asking([one.strip().splitlines()[-1] for one in (text, found[0])]), verdict
    keys = {name: proofs.key((), program, verdict.value, *TOOLS) for name, (program, verdict) in rows.items()}
    due = proofs.due_now("onnx_calls", keys, request.config)
    made = iter(shapes_of(tmp_path, [rows[name][0] for name in due]))
    for name in due:
        before, after = next(made), next(made)
        verdict = rows[name][1]
        assert (before == "RuntimeError") == (verdict is Verdict.FAILS)
        assert (before == after) == (verdict is Verdict.OK)
        assert after.startswith("[[")
    assert next(made, None) is None
    proofs.passed(request, "onnx_calls", {name: keys[name] for name in due})


def asking(calls: list[str]) -> str:
    """A program that makes models by calls, and prints the shapes of their inputs; the name of the error if one raises."""
    head = fill(TWO, call="import contextlib, io")
    made = [
        f"""
try:
    with contextlib.redirect_stdout(io.StringIO()):
        made = {call}
    print("MADE", [[str(size) for size in value.shape] for value in made.model.graph.inputs])
except Exception as error:
    print("MADE", type(error).__name__)
"""
        for call in calls
    ]
    return head + "".join(made)


def shapes_of(folder: Path, programs: list[str]) -> list[str]:
    """What programs print, run one after the other by one interpreter."""
    if not programs:
        return []
    program = folder / "program.py"
    program.write_text("".join(programs))
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False, cwd=folder)
    return re.findall("^MADE (.*)$", done.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("options", "verdict", "left"),
    [
        ("do_constant_folding=True", Verdict.OK, ""),
        (
            "export_params=True, do_constant_folding=True, verbose=False",
            Verdict.OK,
            "export_params=True, verbose=False",
        ),
        ("training=torch.onnx.TrainingMode.EVAL", Verdict.OK, ""),
        ("dynamo=False, optimize=True", Verdict.OK, "dynamo=False"),
        ("fallback=True", Verdict.FAILS, ""),
        ("example_outputs=x", Verdict.FAILS, ""),
        ("dynamo=False, dynamic_shapes={'x': {0: 'n'}}", Verdict.FAILS, None),
        ("opset_version=13", Verdict.OK, None),
    ],
)
def test_options_without_effect(check_text: Checker, options: str, verdict: Verdict, left: str | None) -> None:
    text = fill(TWO, call=onnx(options))
    finding = only(check_text, text)
    assert (finding.code, finding.verdict[Mode.NON_STRICT]) == ("EDB1005", verdict)
    found = offered(text, finding)
    expected = None if left is None else fill(TWO, call=onnx(left) if left else onnx("").replace(", )", ")"))
    assert (None if found is None else found[0]) == expected


@pytest.mark.parametrize(
    "options",
    [
        "dynamo=False, do_constant_folding=True, training=torch.onnx.TrainingMode.EVAL, opset_version=11",
        "export_params=False, keep_initializers_as_inputs=True, opset_version=18, optimize=False, verify=True",
    ],
)
def test_options_that_do_something(check_text: Checker, options: str) -> None:
    assert codes(check_text(fill(TWO, call=onnx(options)))) == []


def test_options_of_versions_that_were_not_measured(check_text: Checker) -> None:
    assert codes(check_text(fill(TWO, call=onnx("fallback=True, training=None")), torch_version="2.9.0")) == []


def test_without_a_file_what_is_only_saved_does_nothing(check_text: Checker) -> None:
    call = "torch.onnx.export(Net(), (x,), keep_initializers_as_inputs=True)"
    assert codes(check_text(fill(TWO, call=call))) == ["EDB1005"]
    call = "torch.onnx.export(Net(), (x,), f='net.onnx', keep_initializers_as_inputs=True)"
    assert codes(check_text(fill(TWO, call=call))) == []


def test_an_exported_program_has_its_shapes(check_text: Checker) -> None:
    call = "program = torch.export.export(Net(), (x,))\ntorch.onnx.export(program, (x,), 'net.onnx', dynamic_shapes={'x': {0: 'n'}})"
    finding = only(check_text, fill(TWO, call=call))
    assert finding.code == "EDB1005"
    assert "ExportedProgram" in finding.message


def test_a_call_that_is_expected_to_raise_is_left_alone(check_text: Checker) -> None:
    call = "try:\n    torch.onnx.export(Net(), (x,), 'net.onnx', fallback=True)\nexcept TypeError:\n    pass"
    assert codes(check_text(fill(TWO, call=call))) == []


def test_comments_beside_an_option_stay(check_text: Checker) -> None:
    call = block("""
        torch.onnx.export(
            Net(),
            (x,),  # one
            do_constant_folding=True,  # two
            verbose=False,
        )
    """)
    text = fill(TWO, call=call)
    found = offered(text, only(check_text, text))
    assert found is None or ("# one" in found[0] and "# two" in found[0])


@needs_onnx
def test_the_options_are_what_the_table_says(request: pytest.FixtureRequest) -> None:
    table = json.loads(Path(onnx_calls.__file__).with_name("onnx_options.json").read_text("utf-8"))
    rows = table["options"] | table["dynamic_axes"]
    assert len(rows) == len(table["options"]) + len(table["dynamic_axes"])
    keys = {name: proofs.key([SCRIPT], name, json.dumps(row), *TOOLS) for name, row in rows.items()}
    due = proofs.due_now("onnx_options", keys, request.config)
    # Also where none is due: the parameters of the exporter are compared.
    command = [sys.executable, SCRIPT, "--check", *due]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    proofs.passed(request, "onnx_options", {name: keys[name] for name in due})


def test_the_table_of_options_is_read() -> None:
    assert effect("training", dynamo=True) == "ignored"
    assert "dynamic_axes" in known_options()
