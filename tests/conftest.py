"""Options of the whole suite: `--long` asks for twenty times as many mutated sources, `--prove` for all proofs of fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="robustness: 100,000 mutated sources in place of 5,000")
    parser.addoption("--prove", action="store_true", help="fixes: write the fixed programs, prove all, and record it")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the tests' programs keep between runs is not the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield
