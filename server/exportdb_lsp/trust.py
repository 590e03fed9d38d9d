"""Which projects the user trusts: only those may start code, or say what is started, without being asked to.

A project is data until then: its files are read. Trust comes from the user alone, never from a file of the project:
from an editor that asks its user (`"trusted": true` in the initialization options), or from the environment.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

VARIABLE: Final = "EXPORTDB_LSP_TRUSTED"


def is_trusted(root: Path) -> bool:
    """Whether a project is, or lies in, one of the folders of `EXPORTDB_LSP_TRUSTED`.

    The folders stand there as those of PATH do. They must be absolute (or begin with `~`): what a relative one means
    is for the current folder to say, which may be anybody's.
    """
    given = [os.path.expanduser(text) for text in os.environ.get(VARIABLE, "").split(os.pathsep) if text.strip()]
    folders = [os.path.realpath(text) for text in given if os.path.isabs(text)]
    place = Path(os.path.realpath(root))
    return any(place.is_relative_to(folder) for folder in folders)
