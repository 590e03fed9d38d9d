"""Does `exportdb-lsp run` leave tests of public packages as they are, and give their export calls the right verdicts?

    python bench/calls_real.py [--only TEXT] [--keep FILE]

The packages are installed at fixed versions, each into a virtual environment of its own under bench/.packages; what is
run are tests and examples that their authors wrote and ship, in the source distribution or in the wheel, and that make
export calls on a machine without a GPU or a network. Each is run three times: as it is, with bench/calls/recorder, which
writes down whether each call returned or raised, and under `exportdb-lsp run`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import calls
from packages import STORE
from rich.console import Console
from rich.table import Table

PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
# Long enough for a file of tests on a busy machine.
SECONDS = 400


@dataclass(frozen=True)
class Script:
    """Tests or an example of a package."""

    package: str
    """The requirement: name and version."""
    file: str
    """Where it lies in the source distribution, or among the installed packages."""
    command: tuple[str, ...] = PYTEST
    """What goes between Python and the name of the file."""
    options: tuple[str, ...] = ()
    """What follows it: chosen tests of a long file."""
    needs: tuple[str, ...] = ()
    """What the package imports that is not installed here."""
    sdist: bool = False
    """Whether the file is in the source distribution only."""
    variables: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The name of the package."""
        return self.package.partition("==")[0]


KERAS = ("namex==0.1.0", "h5py==3.15.1", "optree==0.17.0", "absl-py==2.3.1", "ml-dtypes==0.6.0")
TORCHVISION = ("torchvision==0.28.0", "huggingface-hub==1.1.4", "safetensors==0.7.0", "pillow==12.0.0")
SCRIPTS = (
    Script(
        "norse==1.1.0",
        "norse/torch/test/test_onnx.py",
        needs=("nir==1.0.6", "nirtorch==2.1", *KERAS[1:2], *calls.NEEDED),
    ),
)
# The wheel of torchvision is built for CUDA and cannot load its operators beside a torch without it; what it registers
# for them when it is imported then fails. None of these tests calls them.
OPERATORS = """
if not _has_ops():
    for _name in ("nms", "qnms"):
        torch.library.define(f"torchvision::{_name}", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
"""


def environment(script: Script) -> Path:
    """The interpreter of the package's own environment."""
    python = calls.environment(f"real-{script.name}", (script.package, *script.needs))
    for path in python.parents[1].glob("lib/*/site-packages/torchvision/extension.py"):
        if OPERATORS not in path.read_text("utf-8"):
            path.write_text(path.read_text("utf-8") + OPERATORS, "utf-8")
    return python


def source(script: Script, python: Path) -> Path:
    """The file that is run."""
    if not script.sdist:
        (found,) = python.parents[1].glob(f"lib/*/site-packages/{script.file}")
        return found
    folder = STORE / f"real-{script.name}" / "source"
    if not folder.is_dir():
        with tempfile.TemporaryDirectory(dir=STORE) as scratch:
            command = [
                sys.executable,
                "-m",
                "pip",
                "download",
                "-q",
                "--no-deps",
                "--no-binary",
                ":all:",
                "-d",
                scratch,
            ]
            subprocess.run([*command, script.package], check=True)
            (archive,) = Path(scratch).iterdir()
            with tarfile.open(archive) as opened:
                opened.extractall(Path(scratch, "unpacked"), filter="data")
            (unpacked,) = Path(scratch, "unpacked").iterdir()
            unpacked.rename(folder)
    return folder / script.file


@dataclass
class Measured:
    """One file: its calls when it is run plainly, and what `run` made of it."""

    package: str
    file: str
    calls: list[dict]
    run: calls.Judged
    output: bool
    status: bool
    steady: bool
    plain_status: int | str
    run_status: int | str


def measure(script: Script) -> Measured:
    """Runs one file plainly, with the recorder, and under `run`."""
    python = environment(script)
    path = source(script, python)
    command = [*script.command, path.name, *script.options]
    with tempfile.TemporaryDirectory(prefix="export-calls-") as scratch:
        folders = [Path(scratch, part, "project") for part in ("plain", "recorded", "run")]
        for folder in folders:
            folder.mkdir(parents=True)
            shutil.copy(path, folder)
        more = dict(script.variables)
        plain = calls.execute([str(python), *command], folders[0], SECONDS, **more)
        seen, again = calls.recorded(python, command, folders[1], SECONDS, **more)
        rows, ran = calls.run_watched(python, command, folders[2], SECONDS, **more)
        texts = [
            one.output.replace(str(folder), "<folder>")
            for one, folder in zip((plain, again, ran), folders, strict=True)
        ]
        return Measured(
            script.package,
            script.file,
            seen,
            calls.in_order(seen, rows),
            calls.same(texts[0], texts[2]),
            plain.status == ran.status,
            calls.same(texts[0], texts[1]) and plain.status == again.status,
            plain.status,
            ran.status,
        )


def main() -> int:
    """Prints the disagreements, the table and the headline."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], help="the packages with this in their name")
    parser.add_argument("--keep", type=Path, help="write what was measured to this file, as JSON")
    options = parser.parse_args()
    results: list[Measured] = []
    table = Table("package", "file", "calls", "raised", *calls.VERDICTS, "same output", "same status")
    for script in SCRIPTS:
        if options.only and not any(text in script.package for text in options.only):
            continue
        result = measure(script)
        results.append(result)
        for call, verdict, outcome in zip(result.calls, result.run.verdicts, result.run.outcomes, strict=True):
            if verdict != "agreed":
                print(
                    f"{script.package} {Path(call['filename']).name}:{call['row']} {call['api']}({call['model']}) "
                    f"{call['outcome']}; run says {outcome}: {verdict}",
                    flush=True,
                )
        if not result.steady:
            print(f"{script.package} {script.file}: prints or ends otherwise from run to run", flush=True)
        if not result.status:
            print(f"{script.package} {script.file}: status {result.plain_status}, under run {result.run_status}")
        raised = sum(call["outcome"] == "raised" for call in result.calls)
        counts = [str(result.run.count(name)) for name in calls.VERDICTS]
        same = ["yes" if value else "no" for value in (result.output, result.status)]
        table.add_row(script.package, script.file, str(len(result.calls)), str(raised), *counts, *same)
    if options.keep:
        options.keep.write_text(json.dumps([asdict(result) for result in results], indent=1) + "\n", "utf-8")
    Console(width=170).print(table)
    count = sum(len(result.calls) for result in results)
    agreed = sum(result.run.count("agreed") for result in results)
    print(
        f"run: {agreed} of {count} calls in {len({result.package for result in results})} packages as when they are run "
        f"plainly; {sum(result.output for result in results)} of {len(results)} files print the same and "
        f"{sum(result.status for result in results)} end the same"
    )
    return 0 if all(result.calls for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
