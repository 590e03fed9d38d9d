"""`exportdb-lsp export`: exit codes, JSON, and one clear line for what cannot be tried."""

from __future__ import annotations

import json
import re
import stat
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from exportdb_lsp.cli.export import export

GOOD = """
import torch


# exportdb: args=(torch.randn(2, 3),)
class Good(torch.nn.Module):
    def forward(self, x):
        return x + 1


# exportdb: args=(torch.randn(2, 3),)
class Bad(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(export, list(arguments))


@pytest.fixture
def net(tmp_path: Path) -> str:
    (tmp_path / "net.py").write_text(GOOD)
    return str(tmp_path / "net.py")


def test_json_of_both_modes_and_exit_code_1_for_one_that_fails(net: str):
    result = run(net, "--mode", "both", "--output-format", "json")
    assert result.exit_code == 1
    rows = json.loads(result.stdout)
    assert [(r["target"], r["mode"], r["outcome"], r["row"]) for r in rows] == [
        ("Good", "non-strict", "ok", None),
        ("Good", "strict", "ok", None),
        ("Bad", "non-strict", "fails", 14),
        ("Bad", "strict", "fails", 14),
    ]


@pytest.mark.usefixtures("lent_workers")
def test_text_and_exit_code_0_for_one_that_is_faithful(net: str):
    result = run(f"{net}::Good", "--show-graph")
    assert result.exit_code == 0
    assert "Good (non-strict) ok: exports, and agrees with eager" in result.stdout
    assert "torch.ops.aten.add.Tensor" in result.stdout


@pytest.mark.usefixtures("lent_workers")
def test_results_are_written_for_a_ci_service_too(net: str, tmp_path: Path):
    result = run(net, "--junit", str(tmp_path / "export.xml"))
    assert result.exit_code == 1
    (suite,) = ElementTree.parse(tmp_path / "export.xml").getroot()
    assert [(case.get("classname"), [kind.tag for kind in case]) for case in suite] == [
        (f"{net}::Good", []),
        (f"{net}::Bad", ["failure"]),
    ]
    result = run(net, "--junit", str(tmp_path / "nowhere" / "export.xml"))
    assert result.exit_code == 2
    assert "export.xml: cannot be written: No such file or directory" in result.stderr


def test_settings_that_cannot_be_read_are_told_once(net: str, tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text("[tool.exportdb]\ntimeout = \n")
    result = run(net)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert "pyproject.toml:2:11: not valid TOML" in result.stderr


@pytest.mark.usefixtures("lent_workers")
def test_what_torch_and_the_model_say_is_shown_on_request(tmp_path: Path):
    (tmp_path / "net.py").write_text(GOOD.replace("if x.sum()", "print('a word of the model')\n        if x.sum()"))
    short = run(str(tmp_path / "net.py") + "::Bad")
    assert "    torch: GuardOnDataDependentSymNode" in short.stdout
    assert "Could not guard" not in short.stdout
    long = run(str(tmp_path / "net.py") + "::Bad", "--verbose")
    assert long.stdout.startswith(short.stdout)
    assert "    message of torch:\n    | Could not guard on data-dependent expression" in long.stdout
    assert "    output of the model:\n    | a word of the model" in long.stdout


RELATED = """
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Linear(3, 1)

    def forward(self, x, y):
        z = torch.cat([x, x])
        return self.scale(z + y), y.nonzero()


model = Net()
example_args = (torch.randn(4, 3), torch.randn(8, 3))
"""


@pytest.mark.usefixtures("lent_workers")
def test_a_program_is_told_by_its_size_its_ranges_and_their_relations(tmp_path: Path):
    (tmp_path / "net.py").write_text(RELATED)
    result = run(str(tmp_path / "net.py"), "--dynamic", "auto")
    assert result.exit_code == 0
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert re.fullmatch(r"\d operators, 2 inputs, 2 outputs, 2 parameters", lines[1])
    rows = {line.partition(" = ")[0]: line for line in lines if " = " in line}
    assert re.search(r": dynamic, 4 <= 2\*(s\d+); Eq\(2\*\1, s\d+\) is assumed by .*`return self", rows["y[0]"])
    assert re.search(r": specialized to 3, by .*net.py:12 `return self.scale", rows["y[1]"])
    assert "0 <= u0" in lines


@pytest.mark.usefixtures("lent_workers")
def test_guessed_inputs_are_told_as_the_comment_that_keeps_them(tmp_path: Path):
    (tmp_path / "net.py").write_text(GOOD.replace("# exportdb: args=(torch.randn(2, 3),)\n", ""))
    result = run(str(tmp_path / "net.py") + "::Good")
    (line,) = [line.strip() for line in result.stdout.splitlines() if "to reuse them" in line]
    comment = line.partition("above the class: ")[2]
    assert comment.startswith("# exportdb: args=(torch.randn(")
    (tmp_path / "net.py").write_text(GOOD.replace("# exportdb: args=(torch.randn(2, 3),)", comment))
    assert "inputs (comment): " in run(str(tmp_path / "net.py") + "::Good").stdout


HALVES = """\
import torch
from torch.export import Dim


class Halves(torch.nn.Module):
    def forward(self, x):
        return x.reshape(-1, 2, 4)


model = Halves()
example_args = (torch.randn(12, 4),)
dynamic_shapes = ({0: Dim("n")},)
"""


@pytest.mark.usefixtures("lent_workers")
def test_dims_are_declared_as_torch_suggests_on_request(tmp_path: Path):
    path = tmp_path / "net.py"
    path.write_bytes(HALVES.replace("\n", "\r\n").encode())
    assert run(str(path)).exit_code == 1
    result = run(str(path), "--fix")
    assert result.exit_code == 0, result.output
    assert "Declare the dimensions as suggested by torch: n = 2*_n" in result.stderr
    wanted = HALVES.replace('Dim("n")', '2 * Dim("_n")')
    assert path.read_bytes() == wanted.replace("\n", "\r\n").encode()
    again = run(str(path), "--fix")
    assert again.exit_code == 0
    assert "torch suggests" not in again.stderr


@pytest.mark.usefixtures("lent_workers")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(GOOD, id="no Dim is to blame"),
        # It takes one size then, and the code takes all.
        pytest.param(HALVES.replace("x.reshape(-1, 2, 4)", "x * len(x.unbind(0))"), id="a constant"),
    ],
)
def test_a_file_stays_as_it_is_where_other_dims_prove_nothing(tmp_path: Path, text: str):
    path = tmp_path / "net.py"
    path.write_text(text)
    result = run(str(path), "--fix")
    assert result.exit_code == 1
    assert path.read_text() == text


@pytest.mark.usefixtures("lent_workers")
def test_dims_of_a_file_that_is_read_only_are_left_and_told(tmp_path: Path):
    path = tmp_path / "net.py"
    path.write_text(HALVES)
    path.chmod(0o444)
    result = run(str(path), "--fix")
    assert result.exit_code == 2
    assert f"{path}: not fixed: read-only" in " ".join(result.stderr.split())
    assert path.read_text() == HALVES


@pytest.mark.usefixtures("lent_workers")
def test_a_model_that_cannot_be_tried_is_exit_code_2(tmp_path: Path):
    (tmp_path / "net.py").write_text("import a_module_that_nobody_has\n" + GOOD)
    result = run(str(tmp_path / "net.py") + "::Good")
    assert result.exit_code == 2
    assert "net.py:1: Good (non-strict) eager-error: the module cannot be imported" in result.stdout


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "net.py: cannot be read: No such file or directory"),
        (b"x = 1\n\n\ny = '\xff'\n", "net.py: cannot be decoded: byte 0xff on line 4 is not valid utf-8"),
        (b"# coding: klingon\n", "net.py: cannot be decoded: unknown encoding"),
        (b"x = 1\n\x00\n", "net.py: contains null bytes: not a text file"),
        (b"x = 1\n", "net.py has nothing to export"),
    ],
)
def test_a_file_that_has_nothing_to_export_is_one_line(tmp_path: Path, content: bytes | None, message: str):
    if content is not None:
        (tmp_path / "net.py").write_bytes(content)
    result = run(str(tmp_path / "net.py"))
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.output


@pytest.mark.usefixtures("lent_workers")
def test_a_syntax_error_names_its_row(tmp_path: Path):
    (tmp_path / "net.py").write_text("x = 1\nclass Net(:\n")
    result = run(str(tmp_path / "net.py"))
    assert result.exit_code == 2
    assert "net.py:2: net (non-strict) eager-error: syntax error" in result.stdout


def test_an_interpreter_without_torch_and_one_that_is_none(net: str, tmp_path: Path):
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    bare.chmod(bare.stat().st_mode | stat.S_IXUSR)
    result = run(net, "--python", str(bare))
    assert result.exit_code == 2
    assert f"{bare} (Python 3." in result.stderr
    assert "has no usable torch" in result.stderr
    assert "name the interpreter of your model (--python, setting `interpreter`)" in result.stderr

    result = run(net, "--python", str(tmp_path / "nothing"))
    assert result.exit_code == 2
    assert "cannot be started: No such file or directory" in result.stderr


def test_a_limit_that_is_no_size_is_a_usage_error(net: str):
    result = run(net, "--memory-limit", "much")
    assert result.exit_code == 2
    assert "is not a byte size" in result.stderr
