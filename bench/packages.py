"""The sources of public packages at fixed versions: fetched and unpacked, never installed."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

BENCH = Path(__file__).parent
TRUTH = BENCH / "truth"
STORE = BENCH / ".packages"


def rows(name: str) -> list[dict]:
    """The rows of `fails.jsonl` or `ran.jsonl`, also of a set: `tune/fails.jsonl`; none where there is no such file yet."""
    if not (TRUTH / name).exists():
        return []
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
                opened.extractall(target)
        else:
            with tarfile.open(archive) as opened:
                opened.extractall(target, filter="data")
            inner = next(p for p in target.iterdir() if p.is_dir())
            source = inner / "src" if (inner / "src").is_dir() else inner
            target = source
        target.rename(folder)
    return folder


# The wheel of torchvision is built for CUDA and cannot load its operators beside a torch without it; what it registers
# for them when it is imported then fails. Nothing that is measured calls them.
OPERATORS = """
if not _has_ops():
    for _name in ("nms", "qnms"):
        torch.library.define(f"torchvision::{_name}", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
"""


def without_cuda(python: Path) -> None:
    """Makes torchvision and torchaudio importable in a virtual environment whose torch has no CUDA."""
    for site in python.parents[1].glob("lib/*/site-packages"):
        _without_cuda(site)


def _without_cuda(site: Path) -> None:
    for path in site.glob("torchvision/extension.py"):
        if OPERATORS not in path.read_text("utf-8"):
            path.write_text(path.read_text("utf-8") + OPERATORS, "utf-8")
    for binary in site.glob("torchaudio/lib/*.so"):
        binary.unlink()


def install(directory: Path, requirements: Iterable[str]) -> None:
    """Puts packages into a folder, unless they are there; what they depend on only where it is named."""
    there = {path.name.lower() for path in directory.glob("*.dist-info")}
    absent = [r for r in requirements if f"{r.replace('-', '_').replace('==', '-')}.dist-info".lower() not in there]
    if absent:
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(directory), *absent]
        subprocess.run(command, check=True)
    _without_cuda(directory)
