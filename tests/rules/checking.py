"""What the fixture `check_text` gives: a function that checks a text as a file of its own."""

from __future__ import annotations

from collections.abc import Callable

from exportdb_rules.engine import Report

Checker = Callable[..., Report]
