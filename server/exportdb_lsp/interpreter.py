"""Which Python the user's models run in, and which torch it has; nothing is executed to find out."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from exportdb_rules.disk import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

# In the order in which people name them; `.venv` is what uv, poetry and the editors make.
VENV_FOLDERS = (".venv", "venv", "env")


def find_interpreter(configured: str | None, root: Path) -> str:
    """The Python to export with, as a path.

    The configured one (relative to the project, or a command on PATH); else the active environment, of venv or conda;
    else one in the project's own folder; else the first that has torch of pyenv's choice for the project, the Python
    on PATH and conda's base; else the Python that runs this program.
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
    active = _active()
    for folder in [active] if active else [root / name for name in VENV_FOLDERS]:
        if python := _python_in(folder):
            return python
    return next((python for python in _others(root) if torch_version(python) is not None), sys.executable)


def is_of_project(interpreter: str, root: Path) -> bool:
    """Whether a Python that nobody named was found only because it lies in the project.

    One that is active, stands on PATH, or runs this program was chosen by the user.
    """
    place = os.path.abspath(interpreter)
    active = _active()
    chosen = [sys.executable, *(found for name in ("python3", "python") if (found := shutil.which(name)))]
    if place in map(os.path.abspath, chosen) or (active is not None and Path(place).is_relative_to(active)):
        return False
    real = Path(os.path.realpath(os.path.dirname(place)))
    return Path(place).is_relative_to(root) or real.is_relative_to(os.path.realpath(root))


def typed(interpreter: str | None) -> str | None:
    """A Python that was named on the command line: a path is relative to the current folder, not to the project."""
    if not interpreter or (os.sep not in interpreter and "/" not in interpreter):
        return interpreter
    return os.path.abspath(os.path.expanduser(interpreter))


def _active() -> Path | None:
    """The environment that somebody activated. conda's base is none: shells activate it by themselves."""
    if folder := os.environ.get("VIRTUAL_ENV"):
        return Path(folder)
    folder = os.environ.get("CONDA_PREFIX")
    return Path(folder) if folder and os.environ.get("CONDA_DEFAULT_ENV") != "base" else None


def _python_in(folder: Path) -> str | None:
    """The Python of an environment, by the layouts of venv and conda."""
    for place in ("bin/python", "Scripts/python.exe", "python.exe"):
        if (folder / place).is_file():
            return str(folder / place)
    return None


def _others(root: Path) -> Iterator[str]:
    for folder in _pyenv_versions(root):
        if python := _python_in(folder):
            yield python
    yield from (python for name in ("python3", "python") if (python := shutil.which(name)))
    base = os.environ.get("CONDA_PREFIX")
    if base and (python := _python_in(Path(base))):
        yield python


def _pyenv_versions(root: Path) -> Iterator[Path]:
    """The folders of the versions that pyenv takes in `root`. Its command on PATH is a script that says nothing of them."""
    home = Path(os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv"))
    names = os.environ.get("PYENV_VERSION", "").split(":")
    for path in [*(folder / ".python-version" for folder in (root, *root.parents)), home / "version"]:
        if any(names):
            break
        try:
            names = read_text(path).split()
        except OSError:
            continue
    # A name with a folder in it leads wherever the project likes.
    yield from (
        home / "versions" / name for name in names if name not in ("", ".", "..") and not re.search(r"[/\\]", name)
    )


def torch_version(interpreter: str) -> str | None:
    """The version of torch that an interpreter would import, or None if none was found.

    It is read from the metadata in the interpreter's folders: an interpreter that a workspace names is not run for it.
    """
    if _is_ours(interpreter):
        return _our_version("torch")
    for folder in site_packages(interpreter):
        # A torch that was built in place has no metadata there.
        if found := _version_in(folder, "torch") or _declared_version(folder / "torch" / "version.py"):
            return found
    return None


def package_version(interpreter: str, name: str) -> str | None:
    """The version of a package that an interpreter would import, by its metadata; None if none was found."""
    if _is_ours(interpreter):
        return _our_version(name)
    return next((found for folder in site_packages(interpreter) if (found := _version_in(folder, name))), None)


def _is_ours(interpreter: str) -> bool:
    return os.path.abspath(interpreter) == os.path.abspath(sys.executable)


def _our_version(name: str) -> str | None:
    # Not at the top: it brings the packages of e-mail along, and an editor waits for the server to start.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _version_in(folder: Path, name: str) -> str | None:
    """The version of a package in a folder, by its metadata."""
    for info in sorted(folder.glob(f"{name}-*.dist-info"), reverse=True):
        return info.name.removeprefix(f"{name}-").removesuffix(".dist-info")
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


def package_folders(interpreter: str) -> tuple[str, ...]:
    """`site_packages` as the analyser's settings hold them."""
    return tuple(map(str, site_packages(interpreter)))


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
        lines = read_text(path).splitlines()
    except OSError:
        return {}
    pairs = (line.partition("=") for line in lines)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _declared_version(path: Path) -> str | None:
    try:
        text = read_text(path)
    except OSError:
        return None
    match = re.search(r"""^__version__\s*(?::\s*str\s*)?=\s*['"]([^'"]+)""", text, re.MULTILINE)
    return match[1] if match else None
