"""The page about ExportDB and the tutorials says what check says now, and that is what export was measured to do."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

GENERATE = Path(__file__).parents[2] / "docs" / "generate"


@pytest.fixture(scope="module")
def tutorials() -> ModuleType:
    sys.path.insert(0, str(GENERATE))
    try:
        import tutorials
    finally:
        sys.path.remove(str(GENERATE))
    return tutorials


def test_the_page_is_what_check_says_now(tutorials: ModuleType) -> None:
    assert tutorials.page() == tutorials.PAGE.read_text("utf-8"), "run python docs/generate/tutorials.py"


def test_check_answers_every_row_as_export_does(tutorials: ModuleType) -> None:
    assert [case for case in tutorials.cases() if not tutorials.agrees(case)] == []


def test_every_program_of_the_page_was_measured(tutorials: ModuleType) -> None:
    assert [case for case in tutorials.cases() if set(tutorials.measured(case)) == {"-"}] == []
