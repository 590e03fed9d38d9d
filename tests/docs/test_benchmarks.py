"""The page of benchmarks and the README say what was printed, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from ..bench_scripts import load

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def run() -> ModuleType:
    return load("run.py")


def test_the_page_is_made_of_what_was_printed(run: ModuleType) -> None:
    assert run.page(run.kept()) == (REPOSITORY / "docs" / "benchmarks.md").read_text("utf-8")


def test_the_readme_shows_the_figures(run: ModuleType) -> None:
    readme = (REPOSITORY / "README.md").read_text("utf-8")
    assert run.with_table(readme, run.kept()) == readme


def test_every_figure_of_the_table_is_one_that_was_printed(run: ModuleType) -> None:
    for row, line in zip(run.shown(run.kept()), run.table(run.kept())[2:], strict=True):
        shown = line.split(" | ")[1]
        printed = run.kept()[row.benchmark].headline
        assert all(figure in printed for figure in re.findall(r"\d+\.\d+|\d{2,}", shown)), line


def test_a_benchmark_that_prints_another_form_is_an_error(run: ModuleType) -> None:
    result = run.Result("bench/robust.py", "12 files and no figure", 0, 1.0, "2026-01-31", "x86_64", "torch 2.13.0")
    with pytest.raises(ValueError, match="robust"):
        run.table({"robust": result})


def test_a_benchmark_that_failed_is_shown_as_such(run: ModuleType) -> None:
    result = run.Result("bench/speed.py", "cold: 3 files\nno network", 2, 1.0, "2026-01-31", "x86_64", "torch 2.13.0")
    assert "| ended with status 2: no network | 1 s |" in run.page({"speed": result})
    assert "Not run yet: " in run.page({"speed": result})
    assert "| failed |  | `python bench/run.py speed` |" in run.table({"speed": result})[2]
