"""Which fixes fire on public packages that no fix was written for, and whether the safe ones change what runs.

    python bench/fires.py [--all] [--only PACKAGE] [--models N] [--programs DIR]

First every finding of every package is asked for its fixes: for each strategy (a function that a rule asks for fixes),
how often it was asked, what it offered, and why it refused. Then `check --fix --assume-dynamic all --mode both` is run on
a copy of each package, every changed module is imported before and after, and what changed is called in eager before and
after, with equal seeds, and backward where it trains: classes with a forward whose code changed, or that of something in
their file that they name, and functions of the module, each as the forward of a class that calls it. Constructor and inputs
are guessed, as confirm guesses them. What cannot be imported, built or called before either is counted apart, with the
reason. Prints each difference; there should be none. With `--programs DIR` the files of that folder count as one more package. Package code runs in processes of its own.
"""

from __future__ import annotations

import argparse
import ast
import functools
import importlib
import inspect
import os
import pickle
import pkgutil
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import packages
from exportdb_lsp.confirm import targets
from exportdb_lsp.confirm.confirmer import Confirmer, RequestError
from exportdb_lsp.confirm.verification import VerifyRequest
from exportdb_rules import engine, rewrite
from exportdb_rules.finding import Applicability, Mode
from exportdb_rules.project import Project
from exportdb_rules.rewrite import refusal

# The smaller ones first: what no time is left for is told.
PACKAGES = """
info-nce-pytorch==0.1.4 conformer==0.3.2 halonet-pytorch==0.0.5 lambda-networks==0.4.0 nystrom-attention==0.0.14
siren-pytorch==0.1.7 torch-dct==0.1.6 pytorch-msssim==1.0.0 axial-attention==0.6.1 byol-pytorch==0.9.1
g-mlp-pytorch==0.1.5 linformer==0.2.3 mixture-of-experts==0.2.3 product-key-memory==0.3.0
tab-transformer-pytorch==0.6.1 invariant-point-attention==0.2.2 torch-stoi==0.2.3 local-attention==1.11.2
slot-attention==1.5.2 soft-moe-pytorch==0.1.9 en-transformer==1.6.6 st-moe-pytorch==0.1.8 pytorch-crf==0.7.2
egnn-pytorch==0.2.8 efficientnet-pytorch==0.7.1 ema-pytorch==0.8.3 julius==0.2.8 pytorch-tcn==1.2.3
routing-transformer==1.6.1 rotary-embedding-torch==0.9.1 torchcrepe==0.0.24 colt5-attention==0.11.2
facenet-pytorch==2.6.0 titans-pytorch==0.5.5 se3-transformer-pytorch==0.9.0 equiformer-pytorch==0.5.4
hyper-connections==0.4.11 auraloss==0.4.0 torchdiffeq==0.2.5 dalle-pytorch==1.6.6 entmax==1.3 encodec==0.1.1
pytorch-wavelets==1.3.0 zuko==1.6.0 torchsde==0.2.6 grad-cam==1.5.7 ptwt==1.0.1 imagen-pytorch==2.1.0 pykan==0.2.8
torch-audiomentations==0.12.0 geomloss==0.3.1 torchgan==0.1.0 nnaudio==0.3.4 nflows==0.14
bert-pytorch==0.0.1a4 aft-pytorch==0.2.2 alphafold2-pytorch==0.4.32 audio-diffusion-pytorch==0.1.3
audio-encoders-pytorch==0.0.22 block-recurrent-transformer-pytorch==0.4.4 blitz-bayesian-pytorch==0.2.8
best-rq-pytorch==0.0.2 reformer-pytorch==1.4.4 sinkhorn-transformer==0.11.4 linear-attention-transformer==0.19.1
performer-pytorch==1.1.4 perceiver-pytorch==0.11.0 lightweight-gan==1.2.1 h-transformer-1d==0.1.9
memory-transformer-xl==0.1.0 electra-pytorch==0.1.2 charformer-pytorch==0.0.4 adjacent-attention-pytorch==0.0.12
bidirectional-cross-attention==0.1.0 torchlibrosa==0.1.0 kmeans-pytorch==0.3 pytorch-tabnet==4.1.0 lpips==0.1.4
piq==0.8.0 segformer-pytorch==0.0.6 retro-pytorch==0.3.9 memorizing-transformers-pytorch==0.4.1
bottleneck-transformer-pytorch==0.1.4 torchcde==0.2.5 pytorch-pretrained-vit==0.0.7 asteroid-filterbanks==0.4.0
torch-pesq==0.1.2 focal-loss-torch==0.1.2 snntorch==1.0.0 norse==1.1.0 torchdyn==1.0.6 deepctr-torch==0.3.0
torchreid==0.2.5 pytorch-nlp==0.5.0 rtdl==0.0.13 sru==2.6.0 torchsummary==1.5.1 vector-quantize-pytorch==1.32.0
x-transformers==2.31.10 denoising-diffusion-pytorch==2.3.4 vit-pytorch==1.26.11
pytorch-metric-learning==2.9.0 torchani==2.9.0 segmentation-models-pytorch==0.6.0 stable-baselines3==2.9.2
normflows==1.7.3 openunmix==1.3.0 tianshou==2.0.1 pytorch-forecasting==1.8.0
""".split()
# With --all: larger ones.
MORE = """
kornia==0.9.0 captum==0.9.0 opacus==1.6.0 gpytorch==1.15.2 linear-operator==0.6.1 pyro-ppl==1.9.2 flair==0.15.1
neuralforecast==3.3.0 sentence-transformers==6.2.0 speechbrain==1.1.2 torch-geometric==2.8.1 pytorch-optimizer==4.1.0
""".split()
# What many of them import. torch is that of this interpreter.
NEEDED = """
einops==0.8.2 einx==0.4.3 loguru==0.7.3 frozendict==2.5.1 torch-einops-utils==0.2.0 numpy scipy tqdm beartype julius==0.2.8
local-attention==1.11.2 hyper-connections==0.4.11 ema-pytorch==0.8.3 rotary-embedding-torch==0.9.1 torchdiffeq==0.2.5
axial-attention==0.6.1 axial_positional_embedding omegaconf a-unet librosa faiss-cpu opencv-python-headless pandas
huggingface-hub setuptools<81 lightning timm==1.0.31 pillow matplotlib gymnasium scikit-learn scikit-base
torchvision==0.28.0 gdown h5py PyWavelets torch-pitch-shift torchaudio torchmetrics==1.9.0 hyperpyyaml utilsforecast
transformers==5.23.0 xxhash coreforecast boto3
""".split()
SETTINGS = engine.Settings(modes=(Mode.NON_STRICT, Mode.STRICT), assume_dynamic="all")
CHECK = ("check", "--fix", "--assume-dynamic", "all", "--mode", "both", "--no-cache", "--exit-zero", "--output-format", "json")  # fmt: skip
# For the code of a class before and after, each: limits of a hanging model, not of a slow machine.
SECONDS = 150.0
# The class that calls a function of a module.
CALLER = "CallerOfTheBench"
MAX_SECONDS = 300


@dataclass
class Strategy:
    """How often a function that offers fixes was asked, and what came of it."""

    asked: int = 0
    safe: int = 0
    unsafe: int = 0
    refusals: Counter[str] = field(default_factory=Counter)


@dataclass
class Tally:
    """What is counted over all packages. `imports` and `models` count outcomes."""

    packages: int = 0
    unjudged: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    unfixed: Counter[str] = field(default_factory=Counter)
    changed_packages: int = 0
    imports: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    functions: Counter[str] = field(default_factory=Counter)
    compared_packages: int = 0
    differences: list[str] = field(default_factory=list)


def watched() -> dict[str, Strategy]:
    """Has the rules count what they ask for fixes; the counts, by the name of what is asked."""
    found: dict[str, Strategy] = {}

    def counted(name: str, ask: Callable[..., tuple[Any, ...]]) -> Callable[..., tuple[Any, ...]]:
        strategy = found.setdefault(name, Strategy())

        @functools.wraps(ask)
        def asked(*given: Any, **named: Any) -> tuple[Any, ...]:
            with refusal.recorded() as refusals:
                fixes = ask(*given, **named)
            strategy.asked += 1
            if not fixes:
                strategy.refusals[refusals[-1].detail if refusals else "nothing to say"] += 1
            elif any(fix.applicability is Applicability.SAFE for fix in fixes):
                strategy.safe += 1
            else:
                strategy.unsafe += 1
            return fixes

        return asked

    # Rules import them when they are asked for fixes.
    for info in pkgutil.walk_packages(rewrite.__path__, f"{rewrite.__name__}."):
        module = importlib.import_module(info.name)
        for name, value in list(vars(module).items()):
            if not inspect.isfunction(value) or value.__module__ != info.name or name.startswith("_"):
                continue
            signature = inspect.signature(value)
            if next(iter(signature.parameters), "") == "context" and signature.return_annotation == "tuple[Fix, ...]":
                setattr(module, name, counted(name, value))
    return found


def surveyed(folder: Path, tally: Tally) -> None:
    """Asks every finding of a package for its fixes."""
    project = Project(folder)
    until = time.monotonic() + MAX_SECONDS
    for path in sorted(folder.rglob("*.py")):
        if time.monotonic() > until:
            print(f"{folder.name}: not all files were asked: {MAX_SECONDS} s")
            return
        report = engine.check(project, str(path), SETTINGS)
        for finding in report.findings:
            tally.findings[finding.code] += 1
            if not engine.fixes(project, finding, SETTINGS):
                tally.unfixed[finding.code] += 1


def fixed(folder: Path, copy: Path) -> dict[Path, tuple[str, str]]:
    """Applies all safe fixes to a copy of a package; the files that they change, before and after."""
    command = [sys.executable, "-m", "exportdb_lsp", *CHECK, str(copy)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=2 * MAX_SECONDS, check=False)
        if done.returncode:
            print(f"{folder.name}: check --fix ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    except subprocess.TimeoutExpired:
        print(f"{folder.name}: check --fix took more than {2 * MAX_SECONDS} s")
    changed: dict[Path, tuple[str, str]] = {}
    for path in sorted(copy.rglob("*.py")):
        old, new = (folder / path.relative_to(copy)).read_bytes(), path.read_bytes()
        if old != new:
            changed[path.relative_to(copy)] = (old.decode(errors="replace"), new.decode(errors="replace"))
    return changed


IMPORTER = """
import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except BaseException as error:
        print(f"{name}\\t{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
    else:
        print(f"{name}\\tok")
sys.stdout.flush()
"""


def imported(python: Path, folder: Path, names: list[str], scratch: Path) -> dict[str, str]:
    """What becomes of importing modules, each in the order given: "ok", or the error."""
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(scratch), "PYTHONPATH": str(folder)}
    command = [str(python), "-c", IMPORTER, *names]
    try:
        done = subprocess.run(command, env=environment, cwd=scratch, capture_output=True, text=True, timeout=180, check=False)  # fmt: skip
        output = done.stdout
    except subprocess.TimeoutExpired:
        output = ""
    rows = [line.split("\t", 1) for line in output.splitlines() if "\t" in line]
    return {row[0]: row[1] for row in rows} | {name: "no answer" for name in names if name not in {r[0] for r in rows}}


def module_name(path: Path) -> str:
    """The name that a file of a package is imported by."""
    parts = list(path.with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def changed(before: str, after: str, filename: str) -> tuple[list[str], list[str]]:
    """The classes with a forward, and the functions of the module, whose code changed, or whose code names what changed."""
    old, new = _parts(before), _parts(after)
    parts = {getattr(node, "name", ""): node for node in ast.parse(before).body}
    touched = {name for name, code in new.items() if old.get(name) != code}
    named = {name: {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} for name, node in parts.items()}
    reaching = set(touched)
    while more := {name for name, names in named.items() if names & reaching} - reaching:
        reaching |= more
    classes = [
        t.name for t in targets.find(before, filename) if t.kind == "class" and t.name.partition(".")[0] in reaching
    ]
    functions = [name for name in touched if isinstance(parts.get(name), ast.FunctionDef)]
    # Those that changed themselves come first.
    return sorted(classes, key=lambda name: (name.partition(".")[0] not in touched, name)), sorted(functions)


def _parts(text: str) -> dict[str, str]:
    return {getattr(node, "name", ""): ast.dump(node) for node in ast.parse(text).body}


def calling(text: str, name: str) -> str:
    """A text with a class behind it whose forward calls a function of the text, with the function's own parameters."""
    function = next(node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == name)
    given = function.args
    passed = [p.arg for p in (*given.posonlyargs, *given.args)]
    passed += [f"{p.arg}={p.arg}" for p in given.kwonlyargs]
    given.vararg = given.kwarg = None
    given.args.insert(0, ast.arg("self")) if not given.posonlyargs else given.posonlyargs.insert(0, ast.arg("self"))
    return (
        f"{text}\n\nimport torch as _torch_of_the_bench\n\n\nclass {CALLER}(_torch_of_the_bench.nn.Module):\n"
        f"    def forward({ast.unparse(given)}):\n        return {name}({', '.join(passed)})\n"
    )


def judged(confirmer: Confirmer, python: Path, copy: Path, path: Path, texts: tuple[str, str], name: str) -> tuple[str, str]:  # fmt: skip
    """The outcome of one class in eager, before and after: "same", "differs", or why it could not be compared."""
    before, after = texts
    if isinstance(cls := next(n for n in ast.parse(before).body if getattr(n, "name", "") == name.partition(".")[0]), ast.FunctionDef):  # fmt: skip
        before, after, name = calling(before, cls.name), calling(after, cls.name), CALLER
    request = VerifyRequest(
        str(copy / path), before, after, name, (Mode.NON_STRICT,), str(python), copy, SECONDS
    )  # fmt: skip
    try:
        results = list(confirmer.verify(request))
    except RequestError as refused:
        return "not built", str(refused)
    for result in results:
        if result.same is False or result.gradients:
            return "differs", result.message
    if any(result.same for result in results):
        return "same", ""
    return "not built", results[0].message if results else "no model"


def interpreter() -> Path:
    """A Python with this one's packages and what the packages under test import."""
    home = packages.STORE / "venv"
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, symlinks=True)
        (site,) = home.glob("lib/python*/site-packages")
        (site / "torch_of_the_bench.pth").write_text(sysconfig.get_path("purelib") + "\n")
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as overrides:
            overrides.writelines(f"{name} ; python_version < '3'\n" for name in ("torch", "triton"))
            overrides.flush()
            command = [sys.executable, "-m", "uv", "pip", "install", "-q", "--python", str(python)]
            subprocess.run([*command, "--override", overrides.name, *NEEDED], check=True)
        packages.without_cuda(python)
    return python


def report(strategies: dict[str, Strategy], tally: Tally) -> None:
    """The tables, and the headline as the last line."""
    total, without = sum(tally.findings.values()), sum(tally.unfixed.values())
    if total:
        _survey(strategies, tally)
    print(f"\nimports of changed modules: {_counts(tally.imports)}")
    print(f"classes: {_counts(tally.models)}\nfunctions: {_counts(tally.functions)}")
    for line in tally.differences:
        print(f"DIFFERENCE {line}")
    fired = sum(1 for one in strategies.values() if one.safe + one.unsafe)
    survey = (
        f"{total} findings, {total - without} with a fix, by {fired} of {len(strategies)} strategies; " if total else ""
    )
    called = sum(counter[outcome] for counter in (tally.models, tally.functions) for outcome in ("same", "differs"))
    print(
        f"{tally.packages} packages ({tally.unjudged} more not judged): {survey}"
        f"safe fixes changed {sum(tally.imports.values())} modules of {tally.changed_packages} packages; {called} classes and "
        f"functions of {tally.compared_packages} of them compared in eager, forward and backward: "
        f"{len(tally.differences)} differences"
    )


def _survey(strategies: dict[str, Strategy], tally: Tally) -> None:
    print(f"\n{'strategy':32} {'asked':>6} {'safe':>6} {'unsafe':>6}  most frequent refusal")
    ranked = sorted(strategies.items(), key=lambda item: (-(item[1].safe + item[1].unsafe), -item[1].asked, item[0]))
    for name, one in ranked:
        why = one.refusals.most_common(1)
        print(f"{name:32} {one.asked:6} {one.safe:6} {one.unsafe:6}  {why[0][0] + f' ({why[0][1]})' if why else ''}")
    print(f"\n{'rule':8} {'findings':>8} {'without a fix':>14}")
    for code, count in tally.findings.most_common():
        print(f"{code:8} {count:8} {tally.unfixed[code]:14}")


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counter.most_common()) or "none"


def compare(name: str, folder: Path, tally: Tally, python: Path, confirmer: Confirmer, most: int) -> None:
    """Applies the safe fixes to a copy of a package, and compares what it does before and after."""
    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary)
        copy = scratch / "project"
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("__pycache__"))
        found = fixed(folder, copy)
        if not found:
            return
        tally.changed_packages += 1
        names = {module_name(path): path for path in found}
        before = imported(python, folder, list(names), scratch)
        after = imported(python, copy, list(names), scratch)
        for module in names:
            if before[module] != "ok":
                tally.imports["fail before too"] += 1
            elif after[module] == "ok":
                tally.imports["ok"] += 1
            else:
                tally.imports["fail now"] += 1
                tally.differences.append(f"{name} {module}: {after[module]}")
        compared = False
        for path, texts in found.items():
            classes, functions = changed(*texts, str(path))
            for counter, parts in ((tally.models, classes), (tally.functions, functions)):
                for part in parts[:most]:
                    outcome, message = judged(confirmer, python, copy, path, texts, part)
                    compared = compared or outcome != "not built"
                    counter[outcome] += 1
                    print(f"{name} {path}::{part}: {outcome} {' '.join(message.split())[:160]}", flush=True)
                    if outcome == "differs":
                        tally.differences.append(f"{name} {path}::{part}: {' '.join(message.split())[:300]}")
                counter["left out"] += len(parts[most:])
        tally.compared_packages += compared


def one(name: str, folder: Path, options: argparse.Namespace) -> tuple[dict[str, Strategy], Tally]:
    """All that is counted of one package."""
    strategies, tally = watched(), Tally(packages=1)
    confirmer = Confirmer()
    try:
        if not options.no_survey:
            surveyed(folder, tally)
        compare(name, folder, tally, interpreter(), confirmer, options.models)
    finally:
        confirmer.close()
    return strategies, tally


def apart(name: str, folder: Path, options: argparse.Namespace) -> tuple[dict[str, Strategy], Tally]:
    """The same in a process of its own, which is ended when it takes too long: then the package counts as not judged."""
    with tempfile.TemporaryDirectory() as temporary:
        kept = Path(temporary) / "kept"
        command = [sys.executable, __file__, "--one", name, str(folder), str(kept), "--models", str(options.models)]
        command += ["--no-survey"] if options.no_survey else []
        process = subprocess.Popen(command, start_new_session=True)
        try:
            process.wait(options.seconds)
        except subprocess.TimeoutExpired:
            # The session holds the worker of this package, and nothing else.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            print(f"{name}: ended after {options.seconds:.0f} s", flush=True)
        if not kept.exists():
            return {}, Tally(unjudged=1)
        # Written by the process above, which is this program.
        return pickle.loads(kept.read_bytes())


def added(strategies: dict[str, Strategy], tally: Tally, more: dict[str, Strategy], other: Tally) -> None:
    """Adds what was counted of one package."""
    for name, mine in more.items():
        whole = strategies.setdefault(name, Strategy())
        whole.asked, whole.safe, whole.unsafe = (
            whole.asked + mine.asked,
            whole.safe + mine.safe,
            whole.unsafe + mine.unsafe,
        )
        whole.refusals.update(mine.refusals)
    tally.packages += other.packages
    tally.unjudged += other.unjudged
    tally.changed_packages += other.changed_packages
    tally.findings.update(other.findings)
    tally.unfixed.update(other.unfixed)
    tally.imports.update(other.imports)
    tally.models.update(other.models)
    tally.functions.update(other.functions)
    tally.compared_packages += other.compared_packages
    tally.differences += other.differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="larger packages too")
    parser.add_argument("--only", action="append", default=[], help="this package; may be given more than once")
    parser.add_argument(
        "--models", type=int, default=4, help="so many classes, and so many functions, of each file that changed"
    )
    parser.add_argument("--programs", type=Path, help="a folder of programs that counts as one more package")
    parser.add_argument("--no-survey", action="store_true", help="do not count strategies")
    parser.add_argument("--seconds", type=float, default=600, help="a package that takes longer is not judged")
    parser.add_argument("--jobs", type=int, default=2, help="packages at once")
    parser.add_argument("--within", type=float, default=0, help="begin no further package after so many seconds")
    parser.add_argument("--one", nargs=3, metavar=("NAME", "FOLDER", "KEPT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        name, folder, kept = options.one
        Path(kept).write_bytes(pickle.dumps(one(name, Path(folder), options)))
        return 0
    chosen = [one for one in [*PACKAGES, *(MORE if options.all else ())] if not options.only or one.split("==")[0] in options.only]  # fmt: skip
    strategies, tally = {name: Strategy() for name in watched()}, Tally()
    interpreter()
    began = time.monotonic()
    folders: dict[str, Path] = {} if options.programs is None else {options.programs.name: options.programs}
    for requirement in chosen:
        package, _, version = requirement.partition("==")
        try:
            folders[requirement] = packages.fetch(package, version)
        except SystemExit as error:
            print(error)
            tally.unjudged += 1
    # They import each other.
    (site,) = (packages.STORE / "venv").glob("lib/python*/site-packages")
    (site / "others_of_the_bench.pth").write_text("".join(f"{folder}\n" for folder in folders.values()))

    def judge(name: str) -> tuple[dict[str, Strategy], Tally]:
        if options.within and time.monotonic() - began > options.within:
            return {}, Tally(unjudged=1)
        return apart(name, folders[name], options)

    with ThreadPoolExecutor(options.jobs) as pool:
        for counted in pool.map(judge, folders):
            added(strategies, tally, *counted)
    report(strategies, tally)
    return 1 if tally.differences else 0


if __name__ == "__main__":
    raise SystemExit(main())
