"""`check --output-format json` is a promise that other programs build on: its keys, places and exit statuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import BRANCH, CLEAN, DATA, Program

KEYS = {
    "code": str,
    "name": str,
    "message": str,
    "filename": str,
    "location": dict,
    "end_location": dict,
    "verdict": dict,
    "severity": str,
    "confidence": str,
    "entry": str,
    "url": str,
}


def test_a_finding_has_every_key_of_the_contract(run: Program) -> None:
    path = run.write("net.py", BRANCH)
    done = run("check", "net.py", "--output-format", "json")
    assert done.status == 1
    (finding,) = done.json
    for key, kind in KEYS.items():
        assert isinstance(finding[key], kind), key
    assert (finding["code"], finding["name"]) == ("EDB101", "tensor-branch")
    assert finding["filename"] == str(path)
    assert finding["location"] == {"row": 7, "column": 12}
    assert finding["end_location"] == {"row": 7, "column": 23}
    assert finding["verdict"]["non-strict"] == "fails"
    assert finding["severity"] == "error"
    assert finding["entry"] == "Net.forward"
    assert finding["url"].startswith("https://")
    assert "tensor-branch" in finding["url"]


def test_a_fix_carries_edits_that_can_be_applied(run: Program) -> None:
    run.write("scale.py", DATA)
    (finding,) = run("check", "scale.py", "--output-format", "json").json
    fix = finding["fix"]
    assert fix["applicability"] in ("safe", "unsafe")
    assert fix["title"]
    for edit in fix["edits"]:
        assert set(edit) == {"content", "location", "end_location"}
        assert edit["location"]["row"] >= 1
        assert edit["location"]["column"] >= 1


def test_columns_count_code_points(run: Program) -> None:
    run.write("net.py", BRANCH.replace("        if x.sum()", "        '🎉é'; _ = x  # 🎉\n        if '🎉' and x.sum()"))
    (finding,) = run("check", "net.py", "--output-format", "json").json
    line = (run.folder / "net.py").read_text().splitlines()[finding["location"]["row"] - 1]
    start, end = finding["location"]["column"] - 1, finding["end_location"]["column"] - 1
    assert "x.sum() > 0" in line[start:end]
    assert line[end:].strip() == ":"


def test_json_lines_hold_one_finding_each(run: Program) -> None:
    import json

    run.write("a.py", BRANCH)
    run.write("b.py", DATA)
    done = run("check", ".", "--output-format", "jsonl")
    names = [Path(json.loads(line)["filename"]).name for line in done.out.splitlines()]
    assert sorted(names) == ["a.py", "b.py"]


def test_json_of_nothing_is_an_empty_array(run: Program) -> None:
    run.write("fine.py", CLEAN)
    done = run("check", "fine.py", "--output-format", "json")
    assert (done.status, done.json) == (0, [])


STATUSES = [
    # name, content, exit status, what stderr must name
    ("clean", CLEAN, 0, ""),
    ("finding", BRANCH, 1, ""),
    ("syntax error", "def f(:\n    pass\n", 2, "bad.py:1:"),
    ("null bytes", b"import torch\0\n", 2, "bad.py"),
    ("binary", bytes(range(256)), 2, "bad.py"),
    ("not UTF-8", b"x = '\xff\xfe'\n", 2, "bad.py"),
    ("unknown encoding", b"# coding: klingon\nx = 1\n", 2, "bad.py"),
    ("latin-1 with a declaration", b"# coding: latin-1\nx = '\xe9'\n", 0, ""),
    ("empty", b"", 0, ""),
    ("only a byte order mark", b"\xef\xbb\xbf", 0, ""),
]


@pytest.mark.parametrize(("name", "content", "status", "named"), STATUSES, ids=[s[0] for s in STATUSES])
def test_exit_status(run: Program, name: str, content: str | bytes, status: int, named: str) -> None:
    run.write("bad.py", content)
    done = run("check", "bad.py")
    assert done.status == status
    assert named in done.err
    assert len(done.err.strip().splitlines()) == (1 if status == 2 else 0)
    assert "Traceback" not in done.err


def test_what_cannot_be_read_does_not_hide_the_rest(run: Program) -> None:
    run.write("net.py", BRANCH)
    run.write("bad.py", "class (\n")
    done = run("check", "net.py", "bad.py", "missing.py", "--output-format", "json")
    assert done.status == 2
    assert [finding["code"] for finding in done.json] == ["EDB101"]
    assert "bad.py:1:" in done.err
    assert "missing.py" in done.err


def test_findings_beside_a_broken_statement_stay(run: Program) -> None:
    run.write("net.py", BRANCH + "\n\ndef broken(:\n    pass\n")
    done = run("check", "net.py", "--output-format", "json")
    assert done.status == 2
    assert [finding["code"] for finding in done.json] == ["EDB101"]


def test_exit_zero_forgives_findings_but_not_broken_files(run: Program) -> None:
    run.write("net.py", BRANCH)
    assert run("check", "--exit-zero", "net.py").status == 0
    run.write("bad.py", "class (\n")
    assert run("check", "--exit-zero", "net.py", "bad.py").status == 2


def test_standard_input(run: Program) -> None:
    done = run("check", "-", "--output-format", "json", stdin=BRANCH)
    assert (done.status, done.json[0]["code"], done.json[0]["filename"]) == (1, "EDB101", "-")
    done = run("check", "-", "--stdin-filename", "src/net.py", "--output-format", "json", stdin=BRANCH)
    assert done.json[0]["filename"] == str(run.folder / "src" / "net.py")
    assert run("check", "-", stdin=b"\0").status == 2
    assert run("check", "-", "net.py", stdin="").status == 2


def test_select_and_ignore(run: Program) -> None:
    run.write("net.py", BRANCH)
    run.write("scale.py", DATA)

    def codes(*options: str) -> set[str]:
        return {finding["code"] for finding in run("check", ".", "--output-format", "json", *options).json}

    assert codes() == {"EDB101", "EDB201"}
    assert codes("--select", "EDB1") == {"EDB101"}
    assert codes("--select", "tensor-branch") == {"EDB101"}
    assert codes("--ignore", "EDB101,EDB2") == set()


def test_suppressed_findings_are_silent(run: Program) -> None:
    for comment in ("# exportdb: ignore[EDB101]", "# exportdb: ignore[tensor-branch]", "# noqa: EDB101"):
        run.write("net.py", BRANCH.replace("> 0:", f"> 0:  {comment}"))
        assert run("check", "net.py").status == 0, comment
    run.write("net.py", "# exportdb: ignore-file\n" + BRANCH)
    assert run("check", "net.py").status == 0


def test_an_unknown_option_value_is_refused_with_the_possible_ones(run: Program) -> None:
    done = run("check", "--mode", "fast")
    assert done.status == 2
    assert "non-strict" in done.err


def test_a_wrong_setting_is_named_at_its_place(run: Program) -> None:
    run.write("pyproject.toml", "[project]\nname = 'x'\n\n[tool.exportdb]\nselect = ['EDB1']\nassume-dynamc = 'all'\n")
    run.write("net.py", BRANCH)
    done = run("check", "net.py")
    assert done.status == 2
    assert "pyproject.toml:6:1: unknown setting 'assume-dynamc': did you mean 'assume-dynamic'?" in done.err
    assert "EDB101" in done.out


def test_the_projects_settings_are_used(run: Program) -> None:
    run.write("pyproject.toml", "[tool.exportdb]\nignore = ['tensor-branch']\n")
    run.write("net.py", BRANCH)
    assert run("check", "net.py").status == 0
    assert run("check", "net.py", "--ignore", "EDB9").status == 1
