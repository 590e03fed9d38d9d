"""Does `exportdb-lsp run` leave tests of public packages as they are, and give their export calls the right verdicts?

    python bench/calls_real.py [--only TEXT] [--keep FILE]

The packages are installed at fixed versions, each into a virtual environment of its own under bench/.packages; what is
run are tests and examples that their authors wrote and ship, in the source distribution or in the wheel, and that make
export calls on a machine without a GPU or a network. Each is run three times: plainly, for what it prints and its exit
status; beside bench/calls/recorder, which writes down whether each call returned or raised (it stands between the
caller and torch, which a warning that names the caller's line shows); and under `exportdb-lsp run`.
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
import packages
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
    needs: str = ""
    """What the package imports that is not installed here, with spaces."""
    sdist: bool = False
    """Whether the file is in the source distribution only."""
    variables: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The name of the package."""
        return self.package.partition("==")[0]


# What the packages import that is not installed here, one line a package.
COREMLTOOLS = "protobuf==7.36.2 attrs==26.1.0 cattrs==26.2.1 pyaml==26.7.0 pyyaml==6.0.3 tqdm==4.70.1"
EXECUTORCH = (
    "flatbuffers==25.12.19 ruamel.yaml==0.19.1 pyyaml==6.0.3 tabulate==0.10.0 parameterized==0.9.0 expecttest==0.3.0 "
    "torchao==0.18.0 mpmath==1.4.1 psutil==7.2.2"
)
KERAS = "namex==0.1.0 h5py==3.16.0 optree==0.20.0 absl-py==2.5.1 ml-dtypes==0.6.0"
NORSE = "nir==1.0.8 nirtorch==2.6 h5py==3.16.0"
TIMM = (
    "torchvision==0.28.0 huggingface-hub==2.4.0 safetensors==0.8.0 pillow==13.0.0 pyyaml==6.0.3 httpx==0.28.1 "
    "httpcore==1.0.9 h11==0.16.0 anyio==4.16.0 idna==3.20 certifi==2026.10.18 sniffio==1.3.1 tqdm==4.70.1 "
    "hf-xet==1.8.0 shellingham==1.5.4 typer-slim==0.24.0"
)
TICO = (
    "circle-schema==0.10.1 flatbuffers==25.12.19 plotext==6.1.0 transformers==4.57.3 tokenizers==0.22.1 "
    "huggingface-hub==0.36.0 safetensors==0.8.0 regex==2025.11.3 requests==2.34.2 urllib3==2.8.0 idna==3.20 "
    "certifi==2026.10.18 charset-normalizer==3.4.4 torchvision==0.28.0 pillow==13.0.0 pyyaml==6.0.3 tqdm==4.70.1"
)
TORCHANI = "expecttest==0.3.0 parameterized==0.9.0 h5py==3.16.0 tqdm==4.70.1"
TORCHAO = f"coremltools==9.0 {COREMLTOOLS} scikit-learn==1.7.2 scipy==1.16.3 joblib==1.5.2 threadpoolctl==3.6.0"
ON_TORCH = (("KERAS_BACKEND", "torch"),)
SCRIPTS = (
    Script(
        "coremltools==9.0", "coremltools/test/ml_program/experimental/test_torch_debugging_utils.py", needs=COREMLTOOLS
    ),
    *(
        Script("executorch==1.5.1", f"executorch/exir/{file}.py", ("-m", "unittest", "-q"), needs=EXECUTORCH)
        for file in ("tests/test_remove_view_copy", "tests/test_prune_empty_tensors_pass")
    ),
    Script(
        "keras==3.15.1",
        "keras/src/backend/torch/core_test.py",
        needs=KERAS,
        sdist=True,
        variables=ON_TORCH,
    ),
    Script(
        "keras==3.15.1",
        "keras/src/ops/core_test.py",
        options=("-k", "in_export"),
        needs=KERAS,
        sdist=True,
        variables=ON_TORCH,
    ),
    Script(
        "norse==1.1.0",
        "norse/torch/test/test_onnx.py",
        needs=" ".join((NORSE, *calls.NEEDED)),
    ),
    *(
        Script("tico==0.3.0", f"tico/quantization/wrapq/examples/nn/{file}.py", (), needs=TICO)
        for file in ("quantize_linear", "quantize_tied_embedding")
    ),
    Script(
        "timm==1.0.31",
        "tests/test_models.py",
        options=("-k", "naflexvit_direct_grid_sample_export"),
        needs=TIMM,
        sdist=True,
    ),
    Script("torchani==2.9.0", "tests/test_pt2.py", needs=TORCHANI, sdist=True),
    Script("torchao==0.18.0", "test/prototype/test_codebook_coreml.py", options=("-k", "export"), needs=TORCHAO),
)


def environment(script: Script) -> Path:
    """The interpreter of the package's own environment."""
    python = calls.environment(f"real-{script.name}", (script.package, *script.needs.split()))
    packages.without_cuda(python)
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
    difference: list[str]
    status: bool
    plain_status: int | str
    run_status: int | str


def measure(script: Script) -> Measured:
    """Runs one file plainly, beside the recorder, and under `run`."""
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
        seen, _ = calls.recorded(python, command, folders[1], SECONDS, **more)
        rows, ran = calls.run_watched(python, command, folders[2], SECONDS, **more)
        alone, watched = (
            one.output.replace(str(folder), "<folder>") for one, folder in ((plain, folders[0]), (ran, folders[2]))
        )
        return Measured(
            script.package,
            script.file,
            seen,
            calls.in_order(seen, rows),
            calls.same(alone, watched),
            calls.difference(alone, watched),
            plain.status == ran.status,
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
        if not result.output:
            print(f"{script.package} {script.file} does not print the same:", *result.difference[:20], sep="\n    ")
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
