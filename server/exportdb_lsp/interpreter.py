"""Which Python the user's models run in, and which torch it has; nothing is executed to find out."""

from __future__ import annotations

import os
import re
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# In the order in which people name them; `.venv` is what uv, poetry and the editors make.
VENV_FOLDERS = (".venv", "venv", "env")


def find_interpreter(configured: str | None, root: Path) -> str:
    """The Python to export with, as a path.

    The configured one (relative to the project, or a command on PATH); else the active virtual environment; else
    one in the project's own folder; else the Python that runs this program.
    """
    if configured:
        expanded = os.path.expanduser(configured)
        if os.path.isabs(expanded):
            return expanded
        if os.sep in expanded or "/" in expanded:
            return str(root / expanded)
        return shutil.which(expanded) or expanded
    if sys.prefix != sys.base_prefix and torch_version(sys.executable) is not None:
        return sys.executable
    active = os.environ.get("VIRTUAL_ENV")
    for folder in [Path(active)] if active else [root / name for name in VENV_FOLDERS]:
        for python in (folder / "bin" / "python", folder / "Scripts" / "python.exe"):
            if python.is_file():
                return str(python)
    return sys.executable


def torch_version(interpreter: str) -> str | None:
    """The version of torch that an interpreter would import, or None if none was found.

    It is read from the metadata in the interpreter's folders: an interpreter that a workspace names is not run for it.
    """
    if os.path.abspath(interpreter) == os.path.abspath(sys.executable):
        try:
            return version("torch")
        except PackageNotFoundError:
            return None
    for folder in site_packages(interpreter):
        for info in sorted(folder.glob("torch-*.dist-info"), reverse=True):
            return info.name.removeprefix("torch-").removesuffix(".dist-info")
        # A torch that was built in place has no metadata there.
        if found := _declared_version(folder / "torch" / "version.py"):
            return found
    return None


def site_packages(interpreter: str) -> Iterator[Path]:
    """The folders in which an interpreter looks for packages, nearest first; found by the layout of the folders.

    A virtual environment is known by its pyvenv.cfg; one that sees the system's packages goes on to those.
    """
    # The path as given, before links are followed: a virtual environment's python is a link out of it.
    prefix = Path(os.path.abspath(interpreter)).parent.parent
    yield from _packages_below(prefix)
    config = _pyvenv(prefix / "pyvenv.cfg")
    if config.get("include-system-site-packages", "").lower() == "true" and "home" in config:
        yield from _packages_below(Path(config["home"]).parent)
    elif not config:
        yield from _packages_below(Path(interpreter).resolve().parent.parent)


def _packages_below(prefix: Path) -> Iterator[Path]:
    for pattern in (
        "lib*/python3*/site-packages",
        "local/lib/python3*/dist-packages",
        "lib/python3*/dist-packages",
        "Lib/site-packages",
    ):
        yield from sorted(prefix.glob(pattern), reverse=True)


def _pyvenv(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    pairs = (line.partition("=") for line in lines)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _declared_version(path: Path) -> str | None:
    try:
        text = path.read_text("utf-8", errors="replace")
    except OSError:
        return None
    match = re.search(r"""^__version__\s*(?::\s*str\s*)?=\s*['"]([^'"]+)""", text, re.MULTILINE)
    return match[1] if match else None
