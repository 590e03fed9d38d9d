"""What is installed beside the program: written down to the version, and without known vulnerabilities."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "constraints.txt"
PINS = [Requirement(line) for line in LOCK.read_text("utf-8").splitlines() if line and not line.startswith("#")]
EXTRAS = ("torch", "dev", "docs", "cluster")


def needed() -> Iterator[str]:
    """The names of what the program and its extras ask for here, directly or through others."""
    waiting = [("exportdb-lsp", extra) for extra in ("", *EXTRAS)]
    seen: set[tuple[str, str]] = set()
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        try:
            requirements = distribution(name).requires or []
        except PackageNotFoundError:
            continue  # an extra that is not installed here
        yield name
        for requirement in map(Requirement, requirements):
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                waiting += [(canonicalize_name(requirement.name), inner) for inner in ("", *requirement.extras)]


def test_every_version_is_written_down() -> None:
    pins = {canonicalize_name(pin.name): pin for pin in PINS if pin.marker is None or pin.marker.evaluate()}
    names = {*needed()} - {"exportdb-lsp"}
    assert {"torch", "libcst", "pygls", "lsprotocol", "pytest"} <= names
    assert {name for name in names if name not in pins} == set(), "run `make lock`"
    other = {
        name: distribution(name).version
        for name in names
        if not pins[name].specifier.contains(distribution(name).version)
    }
    assert other == {}, "these are not the versions of constraints.txt: run `make install`"


def test_each_pin_is_exact() -> None:
    assert [str(pin) for pin in PINS if [spec.operator for spec in pin.specifier] != ["=="]] == []


def test_no_vulnerability_is_known() -> None:
    command = [sys.executable, "-m", "pip_audit", "-r", str(LOCK), "--no-deps", "--disable-pip"]
    command += ["--format", "json", "--progress-spinner", "off"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("SKIPPED: pip-audit got no answer within two minutes")
    if not done.stdout.strip():
        pytest.skip(f"SKIPPED: pip-audit cannot ask: {done.stderr.strip().splitlines()[-1:]}")
    found = json.loads(done.stdout)["dependencies"]
    asked = [item for item in found if "vulns" in item]
    if not asked:
        pytest.skip("SKIPPED: the registry in use knows nothing of vulnerabilities")
    assert [(item["name"], item["version"], item["vulns"]) for item in asked if item["vulns"]] == []
