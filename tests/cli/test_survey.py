"""`survey`: every module class of a folder or package, exported; going on where a survey was ended; the page."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from exportdb_lsp.cli.program import program
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.survey import surveying
from exportdb_lsp.survey.page import page
from exportdb_lsp.survey.rows import ALWAYS, FailingLine, Row, RowsError, RowsFile, Setting
from exportdb_lsp.survey.summary import by_class, summary
from exportdb_lsp.survey.surveying import SurveyedClass
from exportdb_lsp.worker.goals import GOALS

from ..lent_workers import LentWorker
from ..programs import block
from .conftest import BRANCH, CLEAN, Program

# The folder of `surveyed` is surveyed once, in one process.
pytestmark = pytest.mark.xdist_group("survey")

FIXED = block("""
    import torch
    from torch import nn


    class Fixed(nn.Module):
        def __init__(self):
            super().__init__()
            self.lin = nn.Linear(5, 3)

        def forward(self, x):
            return self.lin(x)
""")
UNBUILT = block("""
    from torch import nn


    class Unbuilt(nn.Module):
        def __init__(self, config):
            super().__init__()
            self.n = config.sizes["what"].deep.value

        def forward(self, x):
            return x.sin()
""")


@pytest.fixture(scope="module")
def surveyed(tmp_path_factory: pytest.TempPathFactory, returned_workers: None) -> Path:
    """A folder that was surveyed: `rows.jsonl`, `page.html`, and what was printed in `out.json`."""
    folder = tmp_path_factory.mktemp("surveyed")
    nets = folder / "nets"
    nets.mkdir()
    for name, text in {
        "bad": BRANCH,
        "clean": CLEAN,
        "fixed": FIXED,
        "unbuilt": UNBUILT,
        "broken": "def f(:\n",
    }.items():
        (nets / f"{name}.py").write_text(text)
    files = ["--results", str(folder / "rows.jsonl"), "--html", str(folder / "page.html")]
    with pytest.MonkeyPatch.context() as patch:
        LentWorker.lend(patch)
        done = CliRunner().invoke(program, ["survey", str(nets), *files, "--jobs", "2", "--output-format", "json"])
    assert done.exit_code == 0, done.stderr
    assert "broken.py: cannot be parsed" in done.stderr
    (folder / "out.json").write_text(done.stdout)
    return folder


def test_each_class_has_its_verdicts_and_the_lines_that_decide_them(surveyed: Path) -> None:
    out = json.loads((surveyed / "out.json").read_text())
    verdicts = {
        one["name"]: {export["setting"]: export["outcome"] for export in one["exports"]} for one in out["classes"]
    }
    assert verdicts == {
        "Net": {"non-strict": "fails", "strict": "fails"},
        "Fine": {"non-strict": "ok", "strict": "ok", "auto": "ok"},
        "Fixed": {"non-strict": "ok", "strict": "ok", "auto": "ok"},
        "Unbuilt": {"non-strict": "no-inputs"},
    }
    exports = {(one["name"], export["setting"]): export for one in out["classes"] for export in one["exports"]}
    line = {"filename": "bad.py", "row": 7, "code": "if x.sum() > 0:", "rule": "EDB101", "message": ""}
    assert exports["Net", "non-strict"]["line"] == exports["Net", "strict"]["line"] == line
    (fixed,) = exports["Fixed", "auto"]["fixed"]
    assert (fixed["filename"], fixed["row"], fixed["code"]) == ("fixed.py", 11, "return self.lin(x)")
    assert re.fullmatch(r"x\[\d\] = 5", fixed["message"])
    assert "config" in exports["Unbuilt", "non-strict"]["message"]
    assert out["summary"] == {
        "classes": 4,
        "built": 3,
        "outcomes": {
            "non-strict": {"fails": 1, "ok": 2, "no-inputs": 1},
            "strict": {"fails": 1, "ok": 2},
            "auto": {"ok": 2},
        },
        "failing_lines": 1,
        "found_by_check": 1,
        "all_dimensions_dynamic": 1,
    }


def test_the_schema_holds(surveyed: Path) -> None:
    from jsonschema import Draft202012Validator

    schema = Path(__file__).parents[2] / "docs" / "reference" / "schemas" / "survey.schema.json"
    validator = Draft202012Validator(json.loads(schema.read_text()))
    assert list(validator.iter_errors(json.loads((surveyed / "out.json").read_text()))) == []


def test_what_is_in_the_file_is_not_exported_again(
    surveyed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rows = (surveyed / "rows.jsonl").read_text().splitlines(keepends=True)
    # The survey was ended while it wrote the last row of a class.
    left = [row for row in rows if json.loads(row)["name"] != "Fine"]
    assert len(rows) - len(left) == 3
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(left) + rows[0][:50])
    asked: list[str] = []
    run = "exportdb_lsp.confirm.confirmer.Confirmer.run"

    def recorded(self: object, request: Any, **_: object) -> list[object]:
        asked.append(request.name)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(run, recorded)
        done = CliRunner().invoke(program, ["survey", str(surveyed / "nets"), "--results", str(file)])
    assert (done.exit_code, asked) == (130, ["Fine"])
    assert file.read_text() == "".join(left)
    (surveyed / "nets" / "more.py").write_text("x = 1\n")
    try:
        with monkeypatch.context() as patch:
            patch.setattr(run, recorded)
            CliRunner().invoke(program, ["survey", str(surveyed / "nets"), "--results", str(file)])
    finally:
        (surveyed / "nets" / "more.py").unlink()
    assert asked == ["Fine", "Net"], "the sources are others: all is surveyed anew"
    assert file.read_text() == ""


class _Page(HTMLParser):
    """The script elements, and everything that a browser would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.loaded: list[str] = []
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "script"
        self.loaded += [value for name, value in attrs if name in ("src", "href") and value]
        if self._inside:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.scripts[-1] += data


EIGEN = block("""
    import torch


    # exportdb: args=(torch.randn(3, 3),)
    class Eigen(torch.nn.Module):
        def forward(self, x):
            return torch.linalg.eigvals(x).abs()
""")


@pytest.mark.usefixtures("lent_workers")
def test_a_goal_that_is_asked_for_later_is_added_to_the_rows(tmp_path: Path) -> None:
    for package in GOALS["onnx"].packages:
        pytest.importorskip(package, reason=f"surveys for ONNX are not tested: {package} is not installed")
    for name, text in {"eigen": EIGEN, "unbuilt": UNBUILT}.items():
        (tmp_path / f"{name}.py").write_text(text)
    rows = ["--results", str(tmp_path / "rows.jsonl")]
    plain = CliRunner().invoke(program, ["survey", str(tmp_path), *rows])
    assert "onnx" not in plain.stdout
    files = [*rows, "--html", str(tmp_path / "page.html"), "--output-format", "json"]
    done = CliRunner().invoke(program, ["survey", str(tmp_path), "--to", "onnx", *files])
    assert done.exit_code == 0, done.stderr
    out = json.loads(done.stdout)
    verdicts = {
        one["name"]: {export["setting"]: export["outcome"] for export in one["exports"]} for one in out["classes"]
    }
    assert verdicts == {
        "Eigen": {"non-strict": "ok", "strict": "ok", "auto": "ok", "onnx": "fails"},
        "Unbuilt": {"non-strict": "no-inputs"},
    }
    lines = {export["setting"]: export["line"] for export in out["classes"][0]["exports"]}
    assert lines["onnx"]["code"] == "return torch.linalg.eigvals(x).abs()"
    assert out["summary"]["outcomes"]["onnx"] == {"fails": 1}
    assert "<th>onnx</th>" in (tmp_path / "page.html").read_text()
    before = (tmp_path / "rows.jsonl").read_text()
    CliRunner().invoke(program, ["survey", str(tmp_path), "--to", "onnx", *rows])
    assert (tmp_path / "rows.jsonl").read_text() == before


def test_every_goal_is_a_way_of_exporting() -> None:
    assert {setting.value for setting in Setting} - {setting.value for setting in ALWAYS} == set(GOALS)


def test_the_page_loads_nothing_and_holds_every_class(surveyed: Path) -> None:
    shown = _Page((surveyed / "page.html").read_text("utf-8"))
    assert shown.loaded == []
    data = json.loads(shown.scripts[0])
    assert [one["class"] for one in data["classes"]] == ["Net", "Fine", "Fixed", "Unbuilt"]
    assert data["classes"][0]["lines"] == [{"place": "bad.py:7", "code": "if x.sum() > 0:", "rule": "EDB101"}]


@pytest.mark.skipif(
    shutil.which("chromium") is None, reason="there is no chromium: vscode-extension/test/install.sh gets it"
)
def test_a_browser_shows_a_row_for_each_class(surveyed: Path) -> None:
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command = ["chromium", *options, f"--user-data-dir={surveyed / 'browser'}", (surveyed / "page.html").as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    rows = re.findall(r"<tr>(.*?)</tr>", shown.split('<table id="classes">')[1], flags=re.DOTALL)
    texts = [re.sub(r"<[^>]*>", " ", row).split() for row in rows]
    assert [text[0] for text in texts] == ["class", "Net", "Fine", "Fixed", "Unbuilt"]
    assert texts[1][1:4] == ["bad.py:5", "fails", "Data-dependent"]


def _row(**fields: Any) -> Row:
    return Row(
        **{"filename": "a.py", "name": "A", "row": 1, "setting": Setting.STRICT, "outcome": Outcome.OK, "message": ""}
        | fields
    )


def test_no_source_line_ends_the_script_of_the_page() -> None:
    code = "x = '</script><script>alert(1)</script>' @DATA@"
    row = _row(outcome=Outcome.FAILS, line=FailingLine("a.py", 2, code), message="<b>")
    shown = _Page(page("<i>nets</i>", "torch 0", by_class([row]), {}))
    assert len(shown.scripts) == 2
    assert json.loads(shown.scripts[0])["classes"][0]["lines"][0]["code"] == code


def test_a_line_is_counted_once_and_what_was_not_tried_has_none() -> None:
    line = FailingLine("a.py", 2, "code", "EDB101")
    rows = [
        _row(setting=Setting.NON_STRICT, outcome=Outcome.FAILS, line=line, later=(FailingLine("a.py", 5, "more"),)),
        _row(outcome=Outcome.FAILS, line=line),
        _row(name="B", row=9, outcome=Outcome.EAGER_ERROR, line=FailingLine("a.py", 11, "code")),
    ]
    total = summary(by_class(rows))
    assert (total.classes, total.built, total.lines, total.found) == (2, 1, 2, 1)


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    line = FailingLine("a.py", 2, "é\ud800", "EDB101", "why")
    rows = [_row(line=line, later=(line,), fixed=(line, line), basis="now"), _row(name="B", basis="now")]
    path = tmp_path / "rows.jsonl"
    RowsFile(path, "now").add(rows)
    assert RowsFile(path, "now").rows == rows
    assert RowsFile(path, "later").rows == []
    assert path.read_text() == ""


@pytest.mark.parametrize("line", ["{}", "[1]", "no", '{"line": 1}', "[" * 100_000])
def test_another_file_is_not_written_over(tmp_path: Path, line: str) -> None:
    path = tmp_path / "rows.jsonl"
    text = json.dumps(_row(basis="now").to_json()) + f"\n{line}\n"
    path.write_text(text)
    with pytest.raises(RowsError, match=r"rows\.jsonl:2: not a row of a survey"):
        RowsFile(path, "now")
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere"], "nowhere: no such folder, and no such package in "),
        (["../nets"], "../nets: no such folder, and no such package in "),
        (["empty"], "no module class"),
        (["empty", "--python", "/bin/sh"], "/bin/sh: torch is not installed"),
        (["nets", "--results", "no/rows.jsonl"], "no/rows.jsonl: No such file or directory"),
        (["nets", "--results", "nets/net.py"], "nets/net.py:1: not a row of a survey"),
    ],
)
def test_what_cannot_be_surveyed_is_said_in_one_line(run: Program, arguments: list[str], complaint: str) -> None:
    run.write("empty/a.py", "x = 1\n")
    run.write("nets/net.py", BRANCH)
    done = run("survey", *([*arguments, "--python", sys.executable] if "--python" not in arguments else arguments))
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1
    assert complaint in done.err
    assert (run.folder / "nets/net.py").read_text() == BRANCH


def test_a_survey_that_is_given_up_begins_no_other_export(monkeypatch: pytest.MonkeyPatch) -> None:
    """The confirmers are closed while one export runs and others wait."""

    class Stub:
        def __init__(self) -> None:
            self.closed = threading.Event()

        def close(self) -> None:
            self.closed.set()
            third.wait(0.5)  # the time that another export would take to begin

    def rows_of(confirmer: Stub, _plan: object, subject: SurveyedClass, *_: object) -> tuple[Row, ...]:
        if subject.name == "second":
            running.set()
            confirmer.closed.wait(5)
        elif subject.name != "first":
            third.set()
        return ()

    monkeypatch.setattr(surveying, "Confirmer", Stub)
    monkeypatch.setattr(surveying, "rows_of", rows_of)
    running, third = threading.Event(), threading.Event()
    begun: list[str] = []
    subjects = tuple(SurveyedClass("net.py", name, 1) for name in ("first", "second", "third", "fourth"))
    plan = surveying.SurveyPlan(Path("."), subjects, "basis", ())
    going = surveying.survey(plan, ExportRequest("net.py"), (), on_begin=lambda subject: begun.append(subject.name))
    assert next(going) == ()
    assert running.wait(5)
    going.close()
    assert begun == ["first", "second"]
