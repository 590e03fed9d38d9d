"""`explain`: the text of an error leads to the line in the user's source, to the rule, its reason and its fix.

The texts are what torch 2.13 printed for NET and SIZES, with the frames inside of torch cut down to those that matter;
`bench/explain.py` measures the same on whole ones.
"""

from __future__ import annotations

import html
import json
import sys
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from exportdb_lsp.cli.program import program
from exportdb_lsp.explain.errors import read_errors
from exportdb_lsp.explain.explaining import Explanation, explain
from exportdb_lsp.explain.log import plain_lines

NET = """import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return x - 1


def main():
    torch.export.export(Net(), (torch.randn(3),), strict=False)
"""
ROW, CALL = 6, 12
SIZES = """import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] > 5:
            return x + 1
        return x - 1


rows = torch.export.Dim("rows", min=2)
torch.export.export(Net(), (torch.randn(6, 2),), dynamic_shapes={"x": {0: rows}})
"""
LIB = "/opt/venv/lib/python3.11/site-packages/torch"
MESSAGE = """\
Could not guard on data-dependent expression Eq(u0, 1) (unhinted: Eq(u0, 1)).  (Size-like symbols: none)

consider using data-dependent friendly APIs such as guard_or_false, guard_or_true and statically_known_true.
Caused by: (_export/non_strict_utils.py:1205 in __torch_function__)
For more information, run with TORCH_LOGS="dynamic"

The following call raised this error:
  File "{net}", line 6, in forward
    if x.sum() > 0:


The error above occurred when calling torch.export.export. If you would like to view some more information about this \
error, you can replace your `export()` call with `draft_export()`.
"""
NON_STRICT = (
    f"""\
Traceback (most recent call last):
  File "{{net}}", line 15, in <module>
    main()
  File "{{net}}", line 12, in main
    torch.export.export(Net(), (torch.randn(3),), strict=False)
  File "{LIB}/export/__init__.py", line 171, in export
    return _export(
           ^^^^^^^^
  File "{LIB}/export/_trace.py", line 2233, in _non_strict_export
    aten_export_artifact = _to_aten_func(
  File "{LIB}/nn/modules/module.py", line 1789, in _call_impl
    return forward_call(*args, **kwargs)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "{{net}}", line 6, in forward
    if x.sum() > 0:
       ^^^^^^^^^^^
  File "{LIB}/fx/experimental/sym_node.py", line 576, in guard_bool
    r = self.evaluate()
        ^^^^^^^^^^^^^^^
torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: """
    + MESSAGE
)
STRICT = f"""\
Traceback (most recent call last):
  File "{{net}}", line 12, in main
    torch.export.export(Net(), (torch.randn(3),), strict=True)
  File "{LIB}/export/__init__.py", line 171, in export
    return _export(
  File "{LIB}/export/_trace.py", line 1599, in _strict_export
    gm_torch_level = _export_to_torch_ir(
  File "{LIB}/_dynamo/convert_frame.py", line 1493, in _fullgraph_capture_frame
    raise e.with_traceback(None) from e.__cause__  # User compiler error
torch._dynamo.exc.Unsupported: Data-dependent branching
  Explanation: Detected data-dependent branching (e.g. `if my_tensor.sum() > 0:`). Dynamo does not support tracing \
dynamic control flow.
  Hint: Use `torch.cond` to express dynamic control flow.

  Developer debug context: attempted to jump with TensorVariable()

 For more details about this graph break, please visit: https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html

from user code:
   File "{LIB}/_dynamo/functional_export.py", line 232, in forward
    res = self._export_root(*args, **kwargs)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "{{net}}", line 6, in forward
    if x.sum() > 0:
       ^^^^^^^^^^^

Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace.
"""
VIOLATION = f"""\
Traceback (most recent call last):
  File "{LIB}/export/_trace.py", line 2039, in _export_to_aten_ir_make_fx
    produce_guards_callback(gm)
torch.fx.experimental.symbolic_shapes.ConstraintViolationError: Constraints violated (rows)! For more information, run with TORCH_LOGS="+dynamic".
  - Not all values of rows = L['x'].size()[0] in the specified range satisfy the generated guard 6 <= L['x'].size()[0]
Suggested fixes:
  rows = Dim('rows', min=6)

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "{{net}}", line 12, in <module>
    torch.export.export(Net(), (torch.randn(6, 2),), dynamic_shapes={{{{"x": {{{{0: rows}}}}}}}})
  File "{LIB}/export/__init__.py", line 171, in export
    return _export(
  File "{LIB}/export/_trace.py", line 2233, in _non_strict_export
    aten_export_artifact = _to_aten_func(
torch._dynamo.exc.UserError: Constraints violated (rows)! For more information, run with TORCH_LOGS="+dynamic".
  - Not all values of rows = L['x'].size()[0] in the specified range satisfy the generated guard 6 <= L['x'].size()[0]
Suggested fixes:
  rows = Dim('rows', min=6)
"""
GUARDS = """\
I1122 21:34:22.223000 3006 torch/fx/experimental/symbolic_shapes.py:5743] create_symbol s77 = 6 for L['x'].size()[0] [2, int_oo] (_export/non_strict_utils.py:221 in fakify)
I1122 21:34:22.247000 3006 torch/fx/experimental/symbolic_shapes.py:8081] eval s77 > 5 [guard added] ({cut}:6 in forward), for more info run with TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED="s77 > 5"
"""
DRAFT = f"""\
\x1b[93m
###################################################################################################
WARNING: 1 issue(s) found during export, and it was not able to soundly produce a graph.
###################################################################################################

1. Data dependent error.
    When exporting, we were unable to evaluate the value of `Eq(u0, 1)`.
    This was encountered 1 times.
    This occurred at the following user stacktrace: \n        File {LIB}/nn/modules/module.py, lineno 1789, in _call_impl
        File {{net}}, lineno 6, in forward
            if x.sum() > 0:
        
        Locals:
            x: Tensor(shape: torch.Size([3]))

    And the following framework stacktrace: \n        File {LIB}/nn/modules/module.py, lineno 1789, in _call_impl
        File {{net}}, lineno 6, in forward
            if x.sum() > 0:

    As a result, it was specialized to a constant (e.g. `True` in the 1st occurrence).
\x1b[0m
"""
PYTEST = f"""\
=================================== FAILURES ===================================
_________________________________ test_export __________________________________

    def test_export():
>       main()

{{net}}:15: \n_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
{{net}}:12: in main
    torch.export.export(Net(), (torch.randn(3),), strict=False)
{LIB}/export/__init__.py:171: in export
    return _export(
           ^^^^^^^^
{{net}}:6: in forward
    if x.sum() > 0:
       ^^^^^^^^^^^
{LIB}/fx/experimental/symbolic_shapes.py:8459: GuardOnDataDependentSymNode
E   torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression \
Eq(u0, 1) (unhinted: Eq(u0, 1)).  (Size-like symbols: none)
E   \nE   For more information, run with TORCH_LOGS="dynamic"
=========================== short test summary info ============================
FAILED test_net.py::test_export - torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard
"""


def timed(text: str) -> str:
    """As GitHub Actions writes a log, in colours."""
    return "".join(f"2026-03-01T09:15:11.{n:07}Z \x1b[31m{line}\x1b[0m\r\n" for n, line in enumerate(text.splitlines()))


def ranked(text: str) -> str:
    return "".join(f"[rank0]: {line}\n" for line in text.splitlines())


def logged(text: str) -> str:
    """As torch's loggers write several lines."""
    head = "E1122 21:52:19.732000 7897 torch/_guards.py:375] [0/0] "
    return "".join(f"{head}{line}\n" for line in text.splitlines())


def quoted(text: str) -> str:
    return "".join(f"> {line}".rstrip() + "\n" for line in text.splitlines())


def paged(text: str) -> str:
    """As tlparse shows a failure."""
    style = "<style>td { color: red }</style><script>if (1) { throw Error }</script>"
    return f"<html><head>{style}</head><body><table><tr><td>0</td><td><pre>{html.escape(text)}</pre></td></tr></table></body></html>"


def as_it_is(text: str) -> str:
    return text


ABOUT_NET = {"non-strict": NON_STRICT, "strict": STRICT, "draft": DRAFT, "pytest": PYTEST}
AROUND = (as_it_is, timed, ranked, logged, quoted, paged)


def only(text: str, folder: Path) -> Explanation:
    (found,) = explain(text, folder, sys.executable)
    return found


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("name", ABOUT_NET)
def test_the_line_and_the_rule_are_found_whatever_stands_around(name: str, around, tmp_path: Path) -> None:
    net = tmp_path / "net.py"
    net.write_text(NET, "utf-8")
    explanation = only(around(ABOUT_NET[name].format(net=net)), tmp_path)
    frame = explanation.result.frame
    assert frame is not None
    assert (frame.filename, frame.row, frame.code) == (str(net), ROW, "if x.sum() > 0:")
    assert explanation.here
    rule = explanation.result.rule
    assert rule is not None
    assert (rule.code, bool(rule.fix)) == ("EDB101", True)
    assert "`x.sum() > 0`" in explanation.result.message
    if name != "draft":
        assert (explanation.caller.row if explanation.caller else None) == CALL or name == "pytest"


@pytest.mark.parametrize("name", ABOUT_NET)
def test_without_the_source_the_text_tells_the_line_and_the_rule(name: str, tmp_path: Path) -> None:
    explanation = only(ABOUT_NET[name].format(net="/home/ci/net.py"), tmp_path)
    frame, rule = explanation.result.frame, explanation.result.rule
    assert frame is not None
    assert (frame.filename, frame.row, explanation.here) == ("/home/ci/net.py", ROW, False)
    assert rule is not None
    assert (rule.code, rule.fix) == ("EDB101", "")


def test_a_file_of_another_machine_is_found_by_the_end_of_its_path(tmp_path: Path) -> None:
    net = tmp_path / "src" / "net.py"
    net.parent.mkdir()
    net.write_text(NET, "utf-8")
    explanation = only(NON_STRICT.format(net="/home/runner/work/models/models/src/net.py"), tmp_path)
    assert explanation.result.frame is not None
    assert explanation.result.frame.filename == str(net)


def test_of_a_file_that_changed_since_the_line_is_followed(tmp_path: Path) -> None:
    net = tmp_path / "net.py"
    net.write_text("# One line more.\n" + NET, "utf-8")
    explanation = only(NON_STRICT.format(net=net), tmp_path)
    assert explanation.result.frame is not None
    assert explanation.result.frame.row == ROW + 1
    assert explanation.result.rule is not None
    assert explanation.result.rule.fix


def test_a_violated_constraint_is_led_to_the_line_that_narrows_the_size(tmp_path: Path) -> None:
    net = tmp_path / "net.py"
    net.write_text(SIZES, "utf-8")
    text = VIOLATION.format(net=net)
    blamed = only(text, tmp_path)
    assert blamed.result.frame is not None
    assert (blamed.result.frame.row, blamed.result.blamed) == (6, True)
    assert blamed.result.suggested_fixes == {"rows": "Dim('rows', min=6)"}
    assert blamed.result.rule is not None
    assert blamed.result.rule.code == "EDB302"
    # The log of `dynamic` says it itself; it cuts off the beginning of the path.
    logged = only(GUARDS.format(cut="mp/net.py") + text, tmp_path)
    assert logged.result.frame is not None
    assert (logged.result.frame.row, logged.result.blamed) == (6, False)


def test_of_a_violated_constraint_alone_no_rule_is_made_up(tmp_path: Path) -> None:
    explanation = only(VIOLATION.format(net="/home/ci/net.py"), tmp_path)
    assert explanation.result.rule is None
    assert explanation.result.frame is not None
    assert explanation.result.frame.row == CALL


def test_the_frames_of_the_caller_are_not_those_of_the_model() -> None:
    (error,) = read_errors(plain_lines(NON_STRICT.format(net="net.py")))
    assert [line.row for line in error.frames] == [ROW]
    assert error.caller is not None
    assert error.caller.row == CALL
    assert not error.strict


def test_several_errors_of_a_log_are_told_each_once(tmp_path: Path) -> None:
    text = NON_STRICT.format(net="a.py") + STRICT.format(net="b.py") + NON_STRICT.format(net="a.py")
    found = explain(text, tmp_path, sys.executable)
    assert [(e.result.frame.filename, e.result.mode.value) for e in found if e.result.frame] == [
        ("a.py", "non-strict"),
        ("b.py", "strict"),
    ]


def test_an_import_of_what_was_removed_leads_to_its_line_and_rule(tmp_path: Path) -> None:
    path = tmp_path / "export_model.py"
    path.write_text("import torch\nfrom torch._export import capture_pre_autograd_graph\n")
    explanation = only(
        "Traceback (most recent call last):\n"
        f'  File "{path}", line 2, in <module>\n'
        "    from torch._export import capture_pre_autograd_graph\n"
        "ImportError: cannot import name 'capture_pre_autograd_graph' from 'torch._export' "
        f"({LIB}/_export/__init__.py)\n",
        tmp_path,
    )
    assert explanation.result.frame is not None
    assert (explanation.result.frame.filename, explanation.result.frame.row) == (str(path), 2)
    assert explanation.result.rule is not None
    assert explanation.result.rule.code == "EDB901"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "all is well",
        'Traceback (most recent call last):\n  File "x.py", line 3, in <module>\n    int("a")\nValueError: invalid literal',
        "E   assert 1 == 2\n",
        "\x1b[31m\n\n",
        "<html><body>nothing</body></html>",
    ],
)
def test_where_export_has_no_part_there_is_nothing_to_explain(text: str, tmp_path: Path) -> None:
    assert explain(text, tmp_path, sys.executable) == ()


def test_the_command_reads_files_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    net, log = tmp_path / "net.py", tmp_path / "ci.log"
    net.write_text(NET, "utf-8")
    log.write_text(timed(STRICT.format(net=net)), "utf-8")
    runner = CliRunner()
    from_file = runner.invoke(program, ["explain", str(log), "--output-format", "json"])
    from_stdin = runner.invoke(program, ["explain", "--output-format", "json"], input=log.read_text("utf-8"))
    assert (from_file.exit_code, from_stdin.exit_code) == (0, 0)
    assert json.loads(from_file.stdout) == json.loads(from_stdin.stdout)
    (said,) = json.loads(from_file.stdout)
    assert (said["row"], said["rule"]["code"], said["graph_break_id"]) == (ROW, "EDB101", "GB0170")
    assert said["graph_break_url"].endswith("/gb/gb0170.html")
    schema = Path(__file__).parents[2] / "docs/reference/schemas/explain.schema.json"
    jsonschema.validate([said], json.loads(schema.read_text("utf-8")))
    shown = runner.invoke(program, ["explain", str(log)]).stdout
    assert "net.py:6: Net (strict) fails: " in shown
    assert "gb0170.html" in shown
    assert "fix: " in shown


def test_the_command_says_when_there_is_nothing_to_explain(tmp_path: Path) -> None:
    done = CliRunner().invoke(program, ["explain", "--output-format", "json"], input="hello\n")
    assert done.exit_code == 2
    assert json.loads(done.stdout) == []
    assert "no torch.export error" in done.stderr
    missing = CliRunner().invoke(program, ["explain", str(tmp_path / "none.log")])
    assert missing.exit_code == 2
    assert "cannot be read" in missing.stderr
