"""Options of the whole suite: `--long` asks for twenty times as many mutated sources."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="robustness: 100,000 mutated sources in place of 5,000")
