"""Puts the server into `bundled/`, for one of VS Code's platforms: what `vsce package --target` packs with the extension.

The packages are those of constraints.txt, as wheels: no code of theirs is run. What is compiled (libcst) is there once for each
version of Python that the server runs on, under names that differ.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
# VS Code's names of platforms, and uv's. libcst, or the YAML that it needs, has no wheels for macOS on Intel, nor for every
# Python on Windows on ARM.
PLATFORMS = {
    "linux-x64": "x86_64-manylinux_2_28",
    "linux-arm64": "aarch64-manylinux_2_28",
    "alpine-x64": "x86_64-unknown-linux-musl",
    "alpine-arm64": "aarch64-unknown-linux-musl",
    "darwin-arm64": "aarch64-apple-darwin",
    "win32-x64": "x86_64-pc-windows-msvc",
}


def install(wheel: Path, platform: str, python: str, folder: Path) -> None:
    """The wheel and what it depends on, as that Python on that platform would get it. Raises CalledProcessError."""
    subprocess.run(
        [
            sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-config", "--only-binary=:all:", "--link-mode=copy",
            f"--python-version={python}", f"--python-platform={platform}", "--target", folder,
            "--constraint", HERE.parent / "constraints.txt", wheel,
        ],
        check=True,
    )  # fmt: skip


def merge(source: Path, into: Path) -> None:
    """Add packages for a newer Python to those for an older one.

    A package that is there in another version stays as it is: what runs on the oldest Python runs on the others.
    """
    known = {one.name: one.version for one in distributions(path=[str(into)])}
    for package in distributions(path=[str(source)]):
        if known.get(package.name, package.version) != package.version:
            continue
        for name in package.files or ():
            path, target = source / name, into / name
            # Programs stand outside of the folder, or in `bin`.
            if ".." not in name.parts and name.parts[0] != "bin" and path.is_file() and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)


def main() -> None:
    """Make the folder anew."""
    parser = argparse.ArgumentParser(description="Put the server into a folder, with all that it needs besides a Python.")
    parser.add_argument("target", choices=PLATFORMS, help="the platform, by VS Code's name")
    parser.add_argument("wheel", type=Path, help="the server")
    parser.add_argument("--into", type=Path, default=HERE / "bundled", metavar="FOLDER", help="[default: %(default)s]")
    parser.add_argument("--python", action="append", choices=PYTHONS, help="for this version only; may be repeated")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.into, ignore_errors=True)
    for python in arguments.python or PYTHONS:
        with tempfile.TemporaryDirectory() as folder:
            install(arguments.wheel.resolve(), PLATFORMS[arguments.target], python, Path(folder))
            merge(Path(folder), arguments.into / "libs")
    shutil.copyfile(HERE / "run_server.py", arguments.into / "run_server.py")


if __name__ == "__main__":
    main()
