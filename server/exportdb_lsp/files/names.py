"""File names for people and for hosts of repositories."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exportdb_rules.finding import Problem


def shown(filename: str) -> str:
    """The name relative to the current folder if it is inside, else as it is."""
    try:
        relative = os.path.relpath(filename)
    except ValueError:  # another drive
        return filename
    return filename if relative.startswith("..") else relative


def problem_line(problem: Problem) -> str:
    """A problem for people, in one line: `net.py:3:1: what is wrong`."""
    place = shown(problem.filename) if problem.filename else ""
    if problem.position is not None:
        place += f":{problem.position.row}:{problem.position.column}"
    message = " ".join(problem.message.split())
    return f"{place}: {message}" if place else message


def posix(filename: str) -> str:
    """As `shown`, with forward slashes: what GitHub, GitLab and SARIF want."""
    return PurePath(shown(filename)).as_posix()
