"""Rewrites of model code with libcst: what the rules' fixes are made of.

The rules import them when a fix is asked for: to import them, and libcst, takes longer than to check a file.
"""

from __future__ import annotations

import importlib
import pkgutil


def load() -> None:
    """Import them all, for who will ask for fixes and has time now."""
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        importlib.import_module(module.name)
