"""The sources of public packages at fixed versions: fetched, unpacked, never installed and never executed."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

BENCH = Path(__file__).parent
TRUTH = BENCH / "truth"
STORE = BENCH / ".packages"


def rows(name: str) -> list[dict]:
    """The rows of `fails.jsonl` or `ran.jsonl`."""
    return [json.loads(line) for line in (TRUTH / name).read_text(encoding="utf-8").splitlines() if line.strip()]


def fetch(package: str, version: str) -> Path:
    """The folder that holds a package's sources as site-packages would.

    Raises:
        SystemExit: the registry does not have it, or it is no archive that Python knows.
    """
    folder = STORE / f"{package}-{version}"
    if folder.is_dir():
        return folder
    STORE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=STORE) as scratch:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", scratch, f"{package}=={version}"]
        if subprocess.run([*command, "--only-binary", ":all:"], capture_output=True, check=False).returncode:
            done = subprocess.run(
                [*command, "--no-binary", ":all:", "--no-build-isolation"], capture_output=True, text=True, check=False
            )
            if not any(Path(scratch).iterdir()):
                raise SystemExit(f"cannot fetch {package}=={version}: {done.stderr.strip().splitlines()[-1:]}")
        archive = next(Path(scratch).iterdir())
        target = Path(scratch) / "unpacked"
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as opened:
                opened.extractall(target, [n for n in opened.namelist() if n.endswith(".py")])
        else:
            with tarfile.open(archive) as opened:
                opened.extractall(target, [m for m in opened.getmembers() if m.name.endswith(".py")], filter="data")
            inner = next(p for p in target.iterdir() if p.is_dir())
            source = inner / "src" if (inner / "src").is_dir() else inner
            target = source
        target.rename(folder)
    return folder
