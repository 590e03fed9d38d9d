"""Measure the cases on other versions of torch, each in a virtual environment that is thrown away afterwards.

    python cases/scripts/measure_versions.py 2.5.1 2.6.0

One version at a time: an environment takes about 5 GB while it lives. What was measured of the cases is kept as
`cases/exportdb_cases/support/<version>.json`, and of what the fixes make of them as `support/fixed/<version>.json`. A
version that cannot be installed or measured is reported and the next one is tried. Run it by hand, when a version of
torch is new; with `--stale`, when cases or fixes were added or changed: then only that is measured which a version's
files do not hold as it is now. It needs this project installed in the Python that runs it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from exportdb_cases import support_file
from exportdb_cases.collection import all_cases, fingerprint
from exportdb_lsp.measure.fixed import fix
from exportdb_rules.engine import Project

_MODES = ("non-strict", "strict")


def main() -> int:
    """Measure the versions of the command line; 1 if one of them could not be measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("versions", nargs="+", metavar="VERSION")
    parser.add_argument("--stale", action="store_true", help="only cases that are new or were changed")
    parser.add_argument(
        "--cases-only", action="store_true", help="leave what the fixes make of the cases for another time"
    )
    parser.add_argument("--python", default=sys.executable, help="the Python that the environments are made of")
    parser.add_argument("--jobs", default="1", help="exports at the same time")
    parser.add_argument("--timeout", default="120", help="seconds for one export")
    options = parser.parse_args()
    failed = [version for version in options.versions if not _measure(version, options)]
    if failed:
        print(f"not measured: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _measure(version: str, options: argparse.Namespace) -> bool:
    stale = _stale(version) if options.stale else []
    fixed = not options.cases_only and (not options.stale or _fixed_is_stale(version))
    if options.stale and not stale and not fixed:
        print(f"{version}: nothing to measure", file=sys.stderr, flush=True)
        return True
    with tempfile.TemporaryDirectory(prefix=f"torch-{version}-") as folder:
        print(f"{version}: installing", file=sys.stderr, flush=True)
        python = str(Path(folder, "bin", "python"))
        # torch before 2.6 imports setuptools in places and does not ask for it; the others are in some cases.
        steps = [
            [options.python, "-m", "venv", folder],
            [
                python,
                "-m",
                "pip",
                "install",
                "--quiet",
                "--no-cache-dir",
                f"torch=={version}",
                "numpy",
                "opt-einsum",
                "setuptools",
                "tqdm",
            ],
        ]
        for step in steps:
            done = subprocess.run(step, capture_output=True, text=True, check=False)
            if done.returncode:
                lines = (done.stderr or done.stdout).strip().splitlines()
                print(f"{version}: {lines[-1] if lines else 'cannot be installed'}", file=sys.stderr, flush=True)
                return False
        print(f"{version}: measuring {f'{len(stale)} cases' if options.stale else 'all'}", file=sys.stderr, flush=True)
        # A run of all cases is written to the version's file anew, a run of some is put into it.
        runs = [["--json", str(support_file.path_for(version))]] if not options.stale else []
        runs += [["--keep", *stale]] if stale else []
        # After the cases, because what a fix does depends on what was measured of them.
        runs += [["--fixed", "--json", str(support_file.fixed_path_for(version))]] if fixed else []
        program = [sys.executable, "-m", "exportdb_lsp", "cases", "run", "--python", python]
        limits = ["--jobs", options.jobs, "--timeout", options.timeout]
        return all(
            subprocess.run([*program, *run, *limits], stdout=subprocess.DEVNULL, check=False).returncode == 0
            for run in runs
        )


def _stale(version: str) -> list[str]:
    """The cases that the file of this version does not hold as they are now; cases that are gone leave the file."""
    path = support_file.path_for(version)
    texts = {case.name: case.fingerprint for case in all_cases()}
    if not path.is_file():
        return list(texts)
    kept = support_file.read(path).only(texts)
    path.write_text(kept.text(), encoding="utf-8")
    # What crashed or hung on a busy machine may do better.
    broken = [name for name, modes in kept.records.items() if name in texts and any(map(_broke, modes.values()))]
    return sorted({*kept.missing(texts.items(), _MODES), *broken})


def _broke(record: support_file.Record) -> bool:
    return bool(record.error and record.error.startswith(("the process ended", "no result")))


def _fixed_is_stale(version: str) -> bool:
    """Whether the fixes make other texts of the cases than those that were measured on this version."""
    path = support_file.fixed_path_for(version)
    if not path.is_file():
        return True
    project = Project()
    made = {case.name: fingerprint(fixed.text) for case in all_cases() if (fixed := fix(case, version, project))}
    return made != support_file.read(path).fingerprints


if __name__ == "__main__":
    sys.exit(main())
