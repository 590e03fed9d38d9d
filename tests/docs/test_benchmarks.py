"""The page of benchmarks and the README say what was printed, and nothing else."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def run() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_run", REPOSITORY / "bench" / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_the_page_is_made_of_what_was_printed(run: ModuleType) -> None:
    assert run.page(run.kept()) == (REPOSITORY / "docs" / "benchmarks.md").read_text("utf-8")


def test_the_readme_shows_the_headlines(run: ModuleType) -> None:
    readme = (REPOSITORY / "README.md").read_text("utf-8")
    assert run.with_headlines(readme, run.kept()) == readme


def test_a_benchmark_that_failed_is_shown_as_such(run: ModuleType) -> None:
    result = run.Result("bench/speed.py", "cold: 3 files\nno network", 2, 1.0, "2026-01-31", "x86_64", "torch 2.13.0")
    assert "| ended with status 2: no network | 1 s |" in run.page({"speed": result})
    assert "Not run yet: " in run.page({"speed": result})
