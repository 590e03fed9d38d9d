"""`exportdb-lsp cases`: what people read and what is kept."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from exportdb_cases import support_file
from exportdb_cases.collection import all_cases
from exportdb_lsp.cli.cases import cases
from exportdb_lsp.measure.run import MeasureRequest
from exportdb_rules import verdict_table

REPOSITORY = Path(__file__).parents[2]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cases, list(arguments))


def test_the_table_beside_the_cases_is_up_to_date() -> None:
    """If it is not: exportdb-lsp cases list --torch-version 2.13.0 --output-format markdown > cases/README.md"""
    printed = run("list", "--torch-version", "2.13.0", "--output-format", "markdown").stdout
    assert (REPOSITORY / "cases" / "README.md").read_text(encoding="utf-8") == printed


def test_list_filters_by_tag_family_and_verdict() -> None:
    listed = json.loads(
        run(
            "list", "--tag", "torch.cond", "--family", "operators", "--verdict", "fails", "--output-format", "json"
        ).stdout
    )
    assert {"cond_alias", "cond_input_mutation"} <= {case["name"] for case in listed}
    assert all("torch.cond" in case["tags"] and "fails" in case["verdict"].values() for case in listed)


def test_list_has_every_case() -> None:
    assert len(json.loads(run("list", "--output-format", "json").stdout)) == len(all_cases())


def test_show_prints_source_verdicts_and_the_difference_to_the_twin() -> None:
    text = run("show", "tensor_if").stdout
    assert "if x.sum() > 0:" in text
    assert "GB0170" in text
    assert "+        return torch.cond(x.sum() > 0" in text
    for version in verdict_table.versions():
        assert version in text


GRAPH_BREAK = "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html"


def test_graph_breaks_are_linked() -> None:
    assert f"graph break: GB0170 {GRAPH_BREAK}\n" in run("show", "tensor_if").stdout
    listed = json.loads(run("list", "--output-format", "json").stdout)
    (case,) = (case for case in listed if case["name"] == "tensor_if")
    assert (case["graph_break_ids"], case["graph_break_urls"]) == (["GB0170"], [GRAPH_BREAK])
    main, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "exportdb_lsp", "cases", "show", "tensor_if"]
    with subprocess.Popen(command, stdout=terminal, env=environment) as process:
        os.close(terminal)
        written = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while data := os.read(main, 1 << 16):
                written += data
    assert process.returncode == 0
    # OSC 8: the address, the text, and the end of the link.
    assert re.search(rb"\x1b\]8;[^;]*;" + GRAPH_BREAK.encode() + rb"\x1b\\GB0170\x1b\]8;;\x1b\\", written), written[
        :600
    ]


def test_show_prints_what_the_fix_makes_of_the_case_and_what_that_does() -> None:
    text = run("show", "tensor_if").stdout.split("\nfixed: ")[1]
    assert text.startswith("EDB101 Rewrite as torch.where")
    assert "+        return torch.where(x.sum() > 0, x.sin(), x.cos())" in text
    assert re.search(r"^2\.13\.0 +ok +ok *$", text, re.MULTILINE)


def test_show_of_a_case_that_exports_has_no_fix() -> None:
    assert "fixed: " not in run("show", "tensor_if_ok").stdout


def test_show_tells_what_decomposition_leaves() -> None:
    text = run("show", "decompositions_ok").stdout
    assert "non-strict, operators after decomposition: aten._native_batch_norm_legit_no_training.default" in text


def test_show_of_a_misspelt_name_offers_the_right_one() -> None:
    result = run("show", "tensor_iff")
    assert result.exit_code == 2
    assert "no case 'tensor_iff': did you mean tensor_if?" in result.output


def test_diff_says_what_changed_and_in_which_mode() -> None:
    result = run("diff", "2.13.0", "2.13.0")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "0 verdicts differ" in result.output


def test_diff_of_a_version_that_nobody_measured_is_refused() -> None:
    result = run("diff", "1.0.0", "2.13.0")
    assert result.exit_code == 2
    assert "torch 1.0.0 has not been measured" in result.output


@pytest.mark.parametrize("bad", ["newest", "2.x"])
def test_a_version_that_is_none_is_refused(bad: str) -> None:
    result = run("list", "--torch-version", bad)
    assert result.exit_code == 2
    assert f"not a version of torch: '{bad}'" in result.output


def test_run_of_one_case_exports_it_for_real() -> None:
    result = run("run", "tensor_if", "tensor_if_ok", "--mode", "non-strict", "--json", "-")
    assert result.exit_code == 0, result.output
    written = json.loads(result.stdout)
    assert written["cases"]["tensor_if"]["non-strict"]["verdict"] == "fails"
    assert written["cases"]["tensor_if_ok"]["non-strict"]["verdict"] == "ok"


def test_run_of_a_fixed_case_exports_its_fixed_text() -> None:
    result = run("run", "tensor_if", "tensor_if_ok", "--fixed", "--mode", "non-strict", "--json", "-")
    assert result.exit_code == 0, result.output
    written = json.loads(result.stdout)
    assert {case: record["non-strict"]["verdict"] for case, record in written["cases"].items()} == {"tensor_if": "ok"}
    unfixed = next(case.fingerprint for case in all_cases() if case.name == "tensor_if")
    assert written["fingerprints"]["tensor_if"] != unfixed


def test_a_run_shows_how_far_it_is_on_a_terminal() -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "exportdb_lsp", "cases", "run", "tensor_if", "--mode", "non-strict"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=slave) as process:
        os.close(slave)
        shown = b""
        # A terminal whose other end was closed is an error to read from, on Linux.
        with contextlib.suppress(OSError):
            while piece := os.read(master, 4096):
                shown += piece
    os.close(master)
    assert process.returncode == 0
    assert b"1/1" in shown
    assert b"tensor_if non-strict" in shown


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> support_file.SupportFile:
    """What `run` measures, which is what was measured before."""
    kept = support_file.read(support_file.path_for("2.13.0"))

    def measure(request: MeasureRequest, on_progress: object) -> support_file.SupportFile:
        modes = [mode.value for mode in request.modes]
        records = {case.name: {mode: kept.records[case.name][mode] for mode in modes} for case in request.cases}
        return support_file.SupportFile(kept.torch, kept.python, records)

    monkeypatch.setattr("exportdb_lsp.measure.run.measure", measure)
    return kept


def test_run_check_ends_with_one_where_a_kept_verdict_is_not_met(
    measured: support_file.SupportFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {"tensor_if": {"non-strict": support_file.Record("ok")}}
    (tmp_path / "2.13.0.json").write_text(support_file.SupportFile(measured.torch, measured.python, wrong).text())
    monkeypatch.setattr(support_file, "FOLDER", tmp_path)
    result = run("run", "tensor_if", "--mode", "non-strict", "--check")
    assert result.exit_code == 1
    assert "tensor_if non-strict: recorded verdict ok, measured fails" in result.output


def test_run_of_an_unknown_case_is_refused() -> None:
    result = run("run", "no_such_case")
    assert result.exit_code == 2
    assert "no case 'no_such_case'" in result.output


@pytest.mark.parametrize(("option", "known"), [("--tag", "torch.cond"), ("--family", "control_flow")])
def test_what_no_case_has_is_refused_with_what_there_is(option: str, known: str) -> None:
    result = run("list", option, "nothing")
    assert result.exit_code == 2
    assert f"no {option[2:]} 'nothing'; choose from" in result.output
    assert known in result.output


@pytest.mark.usefixtures("measured")
def test_records_that_cannot_be_written_are_one_line(tmp_path: Path) -> None:
    result = run("run", "tensor_if", "--mode", "non-strict", "--json", str(tmp_path / "nowhere" / "records.json"))
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].endswith("records.json: cannot be written: No such file or directory")
