"""File names for people and for hosts of repositories."""

from __future__ import annotations

import os
from pathlib import PurePath


def shown(filename: str) -> str:
    """The name relative to the current folder if it is inside, else as it is."""
    try:
        relative = os.path.relpath(filename)
    except ValueError:  # another drive
        return filename
    return filename if relative.startswith("..") else relative


def posix(filename: str) -> str:
    """As `shown`, with forward slashes: what GitHub, GitLab and SARIF want."""
    return PurePath(shown(filename)).as_posix()
