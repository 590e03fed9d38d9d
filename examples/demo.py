"""`make demo`: the three verbs on real code. Prints what it finds and exits 1 if anything is not as it should be.

1. check and export over the 36 programs of ExportDB that ship in the installed torch, side by side;
2. `examples/speech`, a model of several files with five export bugs: checked, exported, fixed, exported again;
3. VectorQuantize of vector-quantize-pytorch: check names the line on which the real export fails.
"""

from __future__ import annotations

import difflib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.table import Table

from exportdb_lsp.confirm.confirmer import Confirmer, RequestError
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_rules.finding import Mode

HERE = Path(__file__).parent
MODES = (Mode.NON_STRICT, Mode.STRICT)
# From the harmless to the harmful: a program is as bad as the worst that is found in it.
WORSE = ("ok", "specializes", "fails", "diverges")

console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 140)


def run(*arguments, cwd=None):
    """The command line, as a user calls it."""
    command = [sys.executable, "-m", "exportdb_lsp", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def check(*arguments, cwd=None):
    """The findings of `check`, as its JSON has them."""
    done = run("check", "--output-format", "json", *arguments, cwd=cwd)
    if done.returncode not in (0, 1):
        raise SystemExit(f"check could not do its work:\n{done.stderr}")
    return json.loads(done.stdout)


def folder_of(module):
    """The folder of an installed package, found without importing it."""
    spec = find_spec(module.partition(".")[0])
    if spec is None or spec.origin is None:
        raise SystemExit(f"{module} is not installed: run this through `make demo`")
    return Path(spec.origin).parent.joinpath(*module.split(".")[1:])


def agree(said, result):
    """Whether what check said is what the export did.

    `specializes` means that export refuses where the dimension was asked for by name: that refusal is a failure of the
    export, which names no operation but the constraint.
    """
    outcome = result.outcome.value
    if said == "specializes":
        refused = outcome == "fails" and "onstraint" in f"{result.exception} {result.detail}"
        return outcome == "specializes" or refused
    return said == outcome


def exportdb(confirmer):
    """Part 1. Returns how many verdicts disagree."""
    folder = folder_of("torch._export.db.examples")
    files = sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")
    findings = check("--mode", "both", folder)
    table = Table(title=f"ExportDB: the {len(files)} programs of the installed torch")
    table.add_column("case")
    for mode in MODES:
        table.add_column(f"check\n{mode.value}")
        table.add_column(f"export\n{mode.value}")
    table.add_column("agree")
    wrong = 0
    for path in files:
        results = {r.mode: r for r in confirmer.run(ExportRequest(str(path), modes=MODES, root=folder, draft=False))}
        row, agreed = [path.stem], True
        for mode in MODES:
            said = [f["verdict"].get(mode.value, "ok") for f in findings if Path(f["filename"]).name == path.name]
            worst = max(said, key=WORSE.index, default="ok")
            result = results.get(mode)
            same = result is not None and agree(worst, result)
            wrong += not same
            agreed = agreed and same
            row += [worst, result.outcome.value if result else "no target"]
        table.add_row(*row, "yes" if agreed else "[bold red]NO[/]")
    console.print(table)
    total = len(files) * len(MODES)
    console.print(f"{total - wrong} of {total} verdicts agree with the real export.\n")
    return wrong


def export_all(confirmer, root, title):
    """Export every model below a folder, in both modes. Returns the results."""
    table = Table(title=title)
    for column in ("model", "mode", "outcome", "line", "what torch says"):
        table.add_column(column, max_width=70)
    results = []
    for path in sorted(root.rglob("*.py")):
        try:
            exported = confirmer.run(ExportRequest(str(path), modes=MODES, root=root, draft=False))
        except RequestError:  # no model in this file
            continue
        for result in exported:
            results.append(result)
            frame = result.frame
            place = f"{Path(frame.filename).name}:{frame.row}" if frame else ""
            table.add_row(result.target, result.mode.value, result.outcome.value, place, result.message.split("\n")[0])
    console.print(table)
    return results


def speech(confirmer):
    """Part 2. Returns what went wrong, as sentences."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "speech"
        shutil.copytree(HERE / "speech", root, ignore=shutil.ignore_patterns("__pycache__"))
        before = {path: path.read_text() for path in root.rglob("*.py")}

        console.rule("examples/speech: check")
        console.print(run("check", ".", cwd=root).stdout, markup=False)
        found = check(".", cwd=root)
        if len(found) < 5:
            wrong.append(f"check found {len(found)} of the five bugs of examples/speech")
        failing = export_all(confirmer, root, "examples/speech: the real export, before")
        wrong += [f"{r.target} exports before the fix ({r.mode.value})" for r in failing if r.outcome.value == "ok"]

        console.rule("check --fix --unsafe-fixes --diff")
        console.print(run("check", "--fix", "--unsafe-fixes", "--diff", ".", cwd=root).stdout, markup=False)
        if {path: path.read_text() for path in root.rglob("*.py")} != before:
            wrong.append("--diff changed a file")
        fixed = run("check", "--fix", "--unsafe-fixes", ".", cwd=root)
        console.print(fixed.stdout + fixed.stderr, markup=False)
        if fixed.returncode != 0:
            wrong.append(f"check still finds something after the fixes (exit {fixed.returncode})")
        changed = sum(
            line.startswith("+") and not line.startswith("+++")
            for path, text in before.items()
            for line in difflib.unified_diff(text.splitlines(), path.read_text().splitlines())
        )
        console.print(f"{changed} lines written by fixes.\n")
        after = export_all(confirmer, root, "examples/speech: the real export, after (compared with eager, call by call)")
        if not after:
            wrong.append("no model was exported after the fixes")
        wrong += [f"{r.target}: {r.outcome.value} after the fix ({r.mode.value}): {r.message}" for r in after
                  if r.outcome.value != "ok"]  # fmt: skip
    return wrong


def vector_quantize(confirmer):
    """Part 3. Returns what went wrong, as sentences."""
    console.rule("VectorQuantize of vector-quantize-pytorch")
    package = folder_of("vector_quantize_pytorch")
    source = package / "vector_quantize_pytorch.py"
    found = check("--mode", "both", source)
    said = {finding["location"]["row"]: finding for finding in found}
    wrong = []
    request = ExportRequest(str(HERE / "vector_quantize" / "model.py"), modes=MODES, root=HERE, draft=False)
    results = confirmer.run(request)
    if not results:
        wrong.append("VectorQuantize was not exported")
    for result in results:
        lines = [frame for frame in result.frames if Path(frame.filename).name == source.name]
        if result.outcome.value != "fails" or not lines:
            wrong.append(f"VectorQuantize {result.mode.value}: {result.outcome.value}, {result.message}")
            continue
        row, code = lines[-1].row, lines[-1].code
        console.print(f"export {result.mode.value:>10} fails on {source.name}:{row}: {code}", markup=False)
        if row in said:
            finding = said[row]
            console.print(f"check names it:  {finding['code']} {finding['message']}\n", markup=False)
        else:
            wrong.append(f"check does not name {source.name}:{row} ({result.mode.value})")
    return wrong


def main():
    """Run the three parts."""
    started = time.monotonic()
    confirmer = Confirmer()
    try:
        disagreements = exportdb(confirmer)
        wrong = speech(confirmer) + vector_quantize(confirmer)
    finally:
        confirmer.close()
    if disagreements:
        wrong.insert(0, f"{disagreements} verdicts on ExportDB disagree with the real export")
    for sentence in wrong:
        console.print(f"[bold red]wrong:[/] {sentence}")
    console.print(f"The demo took {time.monotonic() - started:.0f} s.")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
