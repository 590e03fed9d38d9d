"""SARIF for code scanning, put to the reference validator, which has the whole schema of version 2.1.0 in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import BRANCH, CLEAN, DATA, Program

TOOLS = Path(__file__).parent / "sarif" / "node_modules" / "@microsoft"
SYSTEM = "win32" if sys.platform == "win32" else "darwin" if sys.platform == "darwin" else "linux"
VALIDATOR = TOOLS / f"sarif-multitool-{SYSTEM}" / ("Sarif.Multitool" + ".exe" * (SYSTEM == "win32"))


def flaws(log: Any, folder: Path) -> list[str]:
    """What the validator says against a log."""
    if not VALIDATOR.exists():
        pytest.skip("the SARIF validator is missing: `make sarif-validator` gets it from npm")
    (folder / "log.sarif").write_text(json.dumps(log), encoding="utf-8")
    done = subprocess.run(
        [VALIDATOR, "validate", "log.sarif", "--output", "flaws.sarif"],
        cwd=folder,
        # Without this it asks for the system's library of locales, which it does not need.
        env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (run,) = json.loads((folder / "flaws.sarif").read_text("utf-8-sig"))["runs"]
    return [f"{flaw['ruleId']}: {flaw['message']}" for flaw in run.get("results", [])]


def test_sarif_is_valid(run: Program, tmp_path_factory: pytest.TempPathFactory) -> None:
    run.write("sp ace/né.py", BRANCH)
    run.write("scale.py", DATA)
    run.write("bad.py", "class (\n")
    done = run("check", ".", "--output-format", "sarif", "--mode", "both")
    (job,) = done.json["runs"]
    assert {rule["id"] for rule in job["tool"]["driver"]["rules"]} == {"EDB101", "EDB201"}
    places = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in job["results"]}
    assert places == {"sp%20ace/n%C3%A9.py", "scale.py"}
    assert job["invocations"][0]["executionSuccessful"] is False
    assert "bad.py" in job["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    for result in job["results"]:
        assert job["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    assert flaws(done.json, tmp_path_factory.mktemp("sarif")) == []


def test_a_setting_that_is_wrong_is_a_notification_too(run: Program) -> None:
    run.write("pyproject.toml", "[tool.exportdb]\nmode = 'fast'\n")
    run.write("net.py", CLEAN)
    done = run("check", ".", "--output-format", "sarif")
    assert done.status == 2
    (invocation,) = done.json["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["message"]["text"].startswith("pyproject.toml:2:1: mode: must be")


def test_sarif_of_nothing_is_valid(run: Program, tmp_path_factory: pytest.TempPathFactory) -> None:
    run.write("net.py", CLEAN)
    done = run("check", ".", "--output-format", "sarif")
    assert done.json["runs"][0]["results"] == []
    assert flaws(done.json, tmp_path_factory.mktemp("sarif")) == []


def test_a_flaw_would_be_seen(run: Program, tmp_path_factory: pytest.TempPathFactory) -> None:
    run.write("net.py", BRANCH)
    log = run("check", ".", "--output-format", "sarif").json
    log["runs"][0]["results"][0]["locatoins"] = []
    del log["runs"][0]["tool"]["driver"]["name"]
    said = flaws(log, tmp_path_factory.mktemp("sarif"))
    assert len(said) == 2
    assert any("locatoins" in flaw for flaw in said)
    assert any("name" in flaw for flaw in said)
