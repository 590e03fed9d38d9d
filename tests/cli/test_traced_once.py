"""Fixes ask what the check saw: an entry is traced again only where the fixes of another file rest on it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from exportdb_lsp.checking.cache_store import CacheStore
from exportdb_lsp.checking.checker import check_groups
from exportdb_lsp.checking.plan import Plan
from exportdb_lsp.checking.results import CheckRequest
from exportdb_rules import engine, importers
from exportdb_rules.entry_points import EntryPoint
from exportdb_rules.interpreter.machine import AnalysisState

from .conftest import BRANCH

HELPER = """\
import torch
from torch import nn


def positive(x):
    if x.sum() > 0:
        return x + 1
    return x - 1


class Own(nn.Module):
    def forward(self, x):
        return positive(x)
"""
USER = """\
from torch import nn
from helper import positive


class {0}(nn.Module):
    def forward(self, x):
        return {1}(x)
"""


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each entry was traced."""
    found: Counter[str] = Counter()
    run_entry = engine.run_entry

    def watched(run: AnalysisState, entry: EntryPoint) -> object:
        found[entry.name] += 1
        return run_entry(run, entry)

    monkeypatch.setattr(engine, "run_entry", watched)
    return found


def test_an_entry_is_traced_once_for_its_findings_and_their_fixes(tmp_path: Path, traced: Counter[str]) -> None:
    path = tmp_path / "net.py"
    path.write_text(BRANCH, encoding="utf-8")
    ((checked,), (offered,)) = [
        check_groups(Plan({}, recorded=False).groups([path]), CheckRequest(show_fixes=shown), 1)
        for shown in (True, False)
    ]
    assert [item.finding for item in checked.found] == [item.finding for item in offered.found]
    assert checked.found[0].fix is not None
    assert [*traced.values()] == [2]
    # One after the other, as an editor asks, it is the same fix.
    offer = engine.offer(engine.Project(tmp_path), checked.found[0].finding, engine.Settings())
    assert checked.found[0].fix in offer.fixes


def test_only_what_reaches_a_file_is_traced_for_its_fixes(tmp_path: Path, traced: Counter[str]) -> None:
    names = {"Calls": "positive", "Imports": "abs"}
    paths = [tmp_path / f"{name.lower()}.py" for name in names]
    for path, (name, callee) in zip(paths, names.items(), strict=True):
        path.write_text(USER.format(name, callee), encoding="utf-8")
    helper = tmp_path / "helper.py"
    helper.write_text(HELPER, encoding="utf-8")
    checked = check_groups(Plan({}, recorded=False).groups([*paths, helper]), CheckRequest(show_fixes=True), 1)
    assert [len(item.found) for item in checked] == [0, 0, 1]
    assert traced == {"Calls.forward": 2, "Imports.forward": 1, "Own.forward": 2}


SIZED = """\
import torch
from torch import Tensor


def one_hot(index: Tensor) -> Tensor:
    classes = int(index.max()) + 1
    return torch.zeros(index.shape[0], classes).scatter_(1, index.unsqueeze(1), 1)
"""
CALLER = """\
from torch import nn
from helper import one_hot


class Net(nn.Module):
    def forward(self, index):
        return one_hot(index)
"""


@pytest.mark.parametrize("apply", [False, True])
def test_a_fix_knows_what_the_entries_that_found_its_line_gave_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apply: bool
) -> None:
    monkeypatch.setattr(importers, "MAX_FILES", 1)
    (tmp_path / "helper.py").write_text(SIZED, encoding="utf-8")
    (tmp_path / "net.py").write_text(CALLER, encoding="utf-8")
    groups = Plan({}, recorded=False).groups([tmp_path / "helper.py", tmp_path / "net.py"])
    work = CheckRequest(show_fixes=not apply, apply=apply, unsafe=apply)
    kept = CacheStore(tmp_path / "cache", most=10_000)
    for store in (None, kept, kept):
        helper, net = check_groups(groups, work, 1, store=store)
        assert not net.found
        if apply:
            assert helper.change is not None
            assert "index.max().to(torch.int64).item() + 1" in helper.change.text
        else:
            assert [item.fix and item.fix.title for item in helper.found] == ["Replace `int()` with `.item()`"]
