"""`check` after `export`: what an export said of a finding stands with it, for as long as the code does not change."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from exportdb_lsp.confirm import kept_verdicts
from exportdb_lsp.confirm.result import ExportResult, Frame, Outcome
from exportdb_rules.finding import Mode

from .conftest import BRANCH, Program

FAILS = BRANCH.replace("class Net", "# exportdb: args=(torch.ones(3),)\nclass Net")
# Only who sets the variable gets to the branch.
PASSES = FAILS.replace("import torch\n", "import os\n\nimport torch\n", 1).replace(
    "if x", 'if os.environ.get("EXPORTDB_NOBODY_SETS_THIS") and x'
)


@pytest.fixture
def run(run: Program, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The command line with a cache folder of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    return run


def test_a_finding_is_confirmed_or_refuted_by_the_last_export(run: Program) -> None:
    run.write("fails.py", FAILS)
    run.write("passes.py", PASSES)
    before = {Path(one["filename"]).stem: one for one in run("check", "--output-format", "json").json}
    assert [one["export"] for one in before.values()] == [None, None]
    assert run("export", "fails.py", "--mode", "both").status == 1
    assert run("export", "passes.py").status == 0

    found = {Path(one["filename"]).stem: one for one in run("check", "--output-format", "json").json}
    confirmed, refuted = found["fails"]["export"], found["passes"]["export"]
    assert (confirmed["status"], found["fails"]["severity"]) == ("confirmed", "error")
    assert [(one["mode"], one["outcome"]) for one in confirmed["results"]] == [
        ("non-strict", "fails"),
        ("strict", "fails"),
    ]
    assert confirmed["results"][1]["graph_break_id"] == "GB0170"
    assert confirmed["results"][1]["torch_message"].startswith("Unsupported: ")
    assert (refuted["status"], found["passes"]["severity"]) == ("refuted", "information")
    assert refuted["results"][0]["inputs"]["args"] == "(torch.ones(3),)"
    # Nothing else of a finding is different, so that baselines and programs go on.
    for name, one in found.items():
        changed = {"export", "severity"}
        assert {k: v for k, v in one.items() if k not in changed} == {
            k: v for k, v in before[name].items() if k not in changed
        }

    # A finding stays one: it is shown, and counts, whether it is refuted or not.
    text = run("check")
    assert text.status == 1
    assert "= last export: confirmed by an export of Net: non-strict, strict, torch " in text.out
    assert "= last export: torch: Unsupported: " in text.out
    assert "= last export: Net exports with these inputs: non-strict, torch " in text.out
    assert "= last export: Net (non-strict): inputs args=(torch.ones(3),)" in text.out
    assert "Found 2 problems" in text.out

    (log,) = run("check", "--output-format", "sarif").json["runs"]
    results = {one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]: one for one in log["results"]}
    assert [results[name]["level"] for name in ("fails.py", "passes.py")] == ["error", "note"]
    assert results["fails.py"]["properties"]["export"]["status"] == "confirmed"
    assert any("torch: Unsupported" in one["message"]["text"] for one in results["fails.py"]["relatedLocations"])
    assert results["passes.py"]["message"]["text"].endswith(")")

    assert "::notice title=exportdb (EDB101),file=passes.py" in run("check", "--output-format", "github").out
    stdin = run("check", "-", "--stdin-filename", "passes.py", "--output-format", "json", stdin=PASSES).json
    assert [one["export"]["status"] for one in stdin] == ["refuted"]
    stdin = run("check", "-", "--stdin-filename", "passes.py", "--output-format", "json", stdin=PASSES + "\n").json
    assert [one["export"] for one in stdin] == [None]

    assert "confirmed" not in run("check", "--no-cache").out
    run.write("passes.py", PASSES + "\n")
    after = {Path(one["filename"]).stem: one for one in run("check", "--output-format", "json").json}
    assert after["passes"]["export"] is None
    assert after["passes"]["severity"] == "error"
    assert after["fails"] == found["fails"]


def fails(path: Path, row: int = 1) -> ExportResult:
    frames = (Frame(str(path), row, "x"),)
    return ExportResult("Net", str(path), Mode.STRICT, Outcome.FAILS, "a reason", torch="2.13.0", frames=frames)


def test_a_verdict_of_a_file_that_was_written_meanwhile_is_not_kept(run: Program) -> None:
    path = run.write("net.py", FAILS)
    began = os.stat(path).st_mtime
    kept_verdicts.keep([fails(path)], began - 1)
    assert kept_verdicts.of_file(str(path)) == []
    kept_verdicts.keep([fails(path)], began)
    assert [verdict.result for verdict in kept_verdicts.of_file(str(path))] == [fails(path)]


def test_a_new_verdict_takes_the_place_of_the_old_one_of_the_same_target(run: Program) -> None:
    path = run.write("net.py", FAILS)
    began = os.stat(path).st_mtime
    kept_verdicts.keep([fails(path, 7)], began)
    kept_verdicts.keep([fails(path, 8)], began)
    assert [verdict.result.frames[0].row for verdict in kept_verdicts.of_file(str(path))] == [8]


@pytest.mark.parametrize(
    "entry",
    [
        1,
        {},
        {"texts": 1, "result": {}},
        {"texts": [["net.py"]], "result": None},
        {"texts": [], "result": {"mode": "x"}},
    ],
)
def test_what_others_wrote_there_is_passed_over(run: Program, entry: object) -> None:
    path = run.write("net.py", FAILS)
    kept_verdicts.keep([fails(path)], os.stat(path).st_mtime)
    folder = Path(os.environ["XDG_CACHE_HOME"]) / "exportdb-lsp" / "verdicts"
    (kept,) = folder.iterdir()
    content = json.loads(kept.read_text("utf-8"))
    content["verdicts"].insert(0, entry)
    kept.write_text(json.dumps(content), "utf-8")
    assert [verdict.result for verdict in kept_verdicts.of_file(str(path))] == [fails(path)]
