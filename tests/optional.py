"""Packages that tests can do without."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def needs(package: str, reason: str) -> None:
    """Skip a module of tests where a package is not installed. It is not imported: each process of a run collects all
    modules, and takes seconds for what only one of them uses."""
    if find_spec(package) is None:
        pytest.skip(reason, allow_module_level=True)
