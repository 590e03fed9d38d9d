"""Fresh ground truth: what really happened when the module classes of a package were exported.

    python bench/truth/make.py [PACKAGE==VERSION[/FOLDER]…] [--list FILE] [--classes N] [--seconds N] [--page]

Installs each package with its dependencies into an environment of its own beside this interpreter's torch, surveys it as
`exportdb-lsp survey` does (both modes, and Dim.AUTO for every size), and writes rows in the form of fails.jsonl and ran.jsonl
into tune/ or test/: which of them is decided by a hash of the package's name. With /FOLDER only the classes below that folder
of the package count, and only the lines below it; it is a package of its own to the hash. What was exported is kept in the
folder of results, and a later run goes on from there: with more --classes it goes deeper.

The rows of test/ are scored, never read: rules are worked out from those of tune/.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

TRUTH = Path(__file__).parent
sys.path.insert(0, str(TRUTH.parent))

import packages  # noqa: E402
from exportdb_lsp.confirm.confirmer import Confirmer, RequestError  # noqa: E402
from exportdb_lsp.confirm.request import GIBIBYTE, ExportRequest  # noqa: E402
from exportdb_lsp.confirm.result import DimensionOutcome, ExportResult, Frame, Outcome, innermost  # noqa: E402
from exportdb_lsp.survey.rows import ALWAYS, Setting  # noqa: E402
from exportdb_lsp.survey.surveying import SurveyedClass, plan  # noqa: E402
from exportdb_rules.finding import Mode  # noqa: E402

SETS = ("tune", "test")
STORE = Path(os.environ.get("EXPORTDB_TRUTH_STORE", packages.STORE / "truth"))
README = "readme_of_the_bench"
# Folders that hold no part of what a package is for.
ASIDE = {
    "tests",
    "test",
    "testing",
    "examples",
    "example",
    "docs",
    "doc",
    "scripts",
    "benchmarks",
    "benchmark",
    "tools",
    README,
}
TORCH = version("torch").partition("+")[0]
TORCHVISION = "torchvision==0.28.0"
# What many packages import without saying so.
BESIDE = (TORCHVISION, "timm==1.0.31", "einops==0.8.2", "einx==0.4.3", "beartype", "scipy", "tqdm", "setuptools<81")
# What takes long to import is imported once, by the worker that each export is forked from. Nothing of the package itself: a
# module that is there already would be loaded a second time, with classes of its own.
PRELOAD = """
import importlib, sys
if any(argument.endswith("worker/__main__.py") for argument in sys.orig_argv):
    for name in {names!r}:
        try:
            importlib.import_module(name)
        except BaseException:
            pass
"""
# Of a setting in which no class was exported.
_NOTHING = "–"
# What is there after modules of a package were imported, but for what is there anyway.
IMPORTED = """
import importlib, sys
import torch, torch._dynamo
before = set(sys.modules)
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except BaseException:
        pass
print("IMPORTED", *(name for name in sys.modules if name not in before))
"""
HEAVY = ("numpy", "scipy.signal", "scipy.stats", "pandas", "sklearn", "beartype", "einops", "einx", "torchvision", "torchaudio", "lightning", "pytorch_lightning", "transformers.modeling_utils", "transformers.modeling_layers", "timm")  # fmt: skip
# torchvision's own operators are missing in a build for another torch: the one that many models call, in Python.
NMS = """
    @torch.library.impl("torchvision::nms", "CPU")
    def _nms(dets, scores, iou_threshold):
        order, kept = scores.argsort(descending=True, stable=True).tolist(), []
        areas = (dets[:, 2] - dets[:, 0]) * (dets[:, 3] - dets[:, 1])
        while order:
            best, order = order[0], order[1:]
            kept.append(best)
            others = torch.tensor(order, dtype=torch.int64)
            low, high = torch.maximum(dets[best, :2], dets[others, :2]), torch.minimum(dets[best, 2:], dets[others, 2:])
            shared = (high - low).clamp(min=0).prod(1)
            order = others[shared / (areas[best] + areas[others] - shared) <= iou_threshold].tolist()
        return torch.tensor(kept, dtype=torch.int64)
"""
# torch's words for what depends on the values of a tensor.
DATA = re.compile(r"data[- ]dependent|unbacked|capture_scalar_outputs|capture_dynamic_output|GuardOnDataDependent", re.IGNORECASE)  # fmt: skip
DATA_EXCEPTIONS = {"GuardOnDataDependentSymNode", "DataDependentOutputException", "DynamicOutputShapeException", "PendingUnbackedSymbolNotFound"}  # fmt: skip
# What takes no end in one mode is not asked for in another.
UNENDED = {Outcome.TIMEOUT, Outcome.CRASH, Outcome.OUT_OF_MEMORY}
# Of a size that is only said to be that of another input: what specialized the other is the line.
OF_ANOTHER = re.compile(r"is specialized: Eq\([a-z]\w*, [a-z]\w*\)$")
# Where packages happen to be installed.
LOCAL = re.compile(r"/[^\s'\"`]*/site-packages/")
# Of torch's text so much is looked at, and so much is kept in a row.
HEAD, MESSAGE = 600, 200


@dataclass(frozen=True)
class Unit:
    """A package, or a folder of one."""

    package: str
    version: str
    folder: str = ""

    @classmethod
    def parse(cls, text: str) -> Unit:
        """`PACKAGE==VERSION` or `PACKAGE==VERSION/FOLDER`."""
        package, _, rest = text.partition("==")
        version, _, folder = rest.partition("/")
        if not package or not version:
            raise SystemExit(f"{text}: PACKAGE==VERSION or PACKAGE==VERSION/FOLDER is expected")
        return cls(package, version, folder.strip("/"))

    @property
    def name(self) -> str:
        """What the hash is taken of."""
        return f"{self.package}/{self.folder}".rstrip("/")

    @property
    def set(self) -> str:
        """`tune` or `test`."""
        return SETS[hashlib.sha256(self.name.lower().encode()).digest()[0] % 2]

    @property
    def requirement(self) -> str:
        """What is installed for it."""
        return f"{self.package}=={self.version}"

    @property
    def file(self) -> Path:
        """Where its results are kept."""
        return STORE / "results" / (re.sub(r"[^\w.-]", "+", f"{self.requirement}/{self.folder}".rstrip("/")) + ".jsonl")


class Unusable(Exception):
    """A package that cannot be installed, or has nothing to export."""


def environment(requirement: str) -> Path:
    """The Python of an environment with a package, its dependencies, and this interpreter's torch.

    Raises:
        Unusable: it cannot be installed.
    """
    home = STORE / "environments" / re.sub(r"[^\w.-]", "+", requirement)
    python = home / "bin" / "python"
    if (home / "ready").exists():
        return python
    shutil.rmtree(home, ignore_errors=True)
    venv.create(home, symlinks=True)
    (site,) = home.glob("lib/python*/site-packages")
    (site / "torch_of_the_bench.pth").write_text(sysconfig.get_path("purelib") + "\n")
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as overrides:
        overrides.writelines(f"{name} ; python_version < '3'\n" for name in ("torch", "triton"))
        overrides.write(TORCHVISION + "\n")
        overrides.flush()
        command = [
            sys.executable,
            "-m",
            "uv",
            "pip",
            "install",
            "-q",
            "--python",
            str(python),
            "--link-mode",
            "hardlink",
        ]
        command += [
            "--cache-dir",
            str(STORE / "cache"),
            "--override",
            overrides.name,
            requirement,
        ]
        # A package may depend on other versions of them itself.
        for beside in (BESIDE, [re.match(r"[\w-]+", name)[0] for name in BESIDE]):
            try:
                done = subprocess.run([*command, *beside], capture_output=True, text=True, timeout=420, check=False)
            except subprocess.TimeoutExpired as error:
                raise Unusable("cannot be installed: it takes too long") from error
            if not done.returncode:
                break
    if done.returncode:
        words = " ".join(done.stderr.split())
        raise Unusable(f"cannot be installed: {words[:200]}")
    for path in site.glob("torchvision/extension.py"):
        text = path.read_text("utf-8")
        path.unlink()  # the cache of the installer has a link to the same file
        path.write_text(text.partition("\nif not _has_ops():\n    for _name")[0] + packages.OPERATORS + NMS, "utf-8")
    packages.without_cuda(python)
    own = requirement.partition("==")[0].replace("-", "_").lower()
    preload(site, (name for name in HEAVY if name != own))
    (site / "zz_preload_of_the_bench.pth").write_text("import preload_of_the_bench\n", "utf-8")
    (home / "ready").touch()
    return python


def preload(site: Path, names: Iterable[str]) -> None:
    """Says what the worker of an environment imports, once."""
    (site / "preload_of_the_bench.py").write_text(PRELOAD.format(names=tuple(names)), "utf-8")


def preload_around(python: Path, site: Path, tops: Iterable[Path], files: Iterable[Path]) -> None:
    """Finds out what modules of a package import from elsewhere, and preloads that."""
    own = tuple(".".join(top.relative_to(site).parts) for top in tops)
    modules = [".".join(file.relative_to(site).with_suffix("").parts) for file in files]
    try:
        done = subprocess.run([str(python), "-c", IMPORTED, *modules], capture_output=True, text=True, timeout=60, check=False)  # fmt: skip
    except subprocess.TimeoutExpired:
        return
    found = done.stdout.rpartition("IMPORTED ")[2].split()
    if found and not done.returncode:
        preload(site, (name for name in found if not f"{name}.".startswith(tuple(f"{top}." for top in own))))


def records(unit: Unit, site: Path) -> list[Path]:
    """The list of the files of a package."""

    def plain(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    wanted = plain(unit.package)
    return [r for r in site.glob("*.dist-info/RECORD") if plain(r.parent.name.removesuffix(".dist-info").rpartition("-")[0]) == wanted]  # fmt: skip


def folders(unit: Unit, site: Path) -> list[Path]:
    """The folders of a package's own code.

    Raises:
        Unusable: there are none.
    """
    found = records(unit, site)
    if not found:
        raise Unusable("its files are not listed")
    names = {line.split(",")[0].split("/")[0] for line in found[0].read_text("utf-8").splitlines() if ".py," in line and "/" in line}  # fmt: skip
    if unit.folder:
        tops = [path for name in sorted(names) if (path := site / name / unit.folder).is_dir()]
    else:
        tops = [site / name for name in sorted(names) if (site / name).is_dir() and name not in ASIDE and not name.startswith("..")]  # fmt: skip
    if not tops:
        raise Unusable("it has no folder of modules")
    return tops


def shown(unit: Unit, site: Path, top: Path) -> None:
    """Puts the Python of a package's own description beside its modules: how it shows its classes called is how they are called."""
    (record,) = records(unit, site)
    folder = top / README
    blocks = re.findall(r"^```(?:python|py)\n(.*?)^```", (record.parent / "METADATA").read_text("utf-8", errors="replace"), re.MULTILINE | re.DOTALL)  # fmt: skip
    if blocks and not folder.exists():
        folder.mkdir()
        for number, block in enumerate(blocks):
            (folder / f"block_{number}.py").write_text(block, "utf-8")


def flow(path: Path) -> dict[str, int]:
    """How many branches, loops, assertions and comprehensions the methods of each class of a file have, its constructor left out."""
    kinds = (ast.If, ast.IfExp, ast.For, ast.While, ast.Assert, ast.comprehension)
    classes = [node for node in ast.walk(ast.parse(path.read_text("utf-8", errors="replace"))) if isinstance(node, ast.ClassDef)]  # fmt: skip
    return {
        one.name: sum(isinstance(node, kinds) for method in one.body if isinstance(method, ast.FunctionDef) and method.name != "__init__" for node in ast.walk(method))
        for one in classes
    }  # fmt: skip


@dataclass
class Kept:
    """The results of one unit: a line for each class, which has all that was learned of it."""

    path: Path
    classes: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])

    def __post_init__(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.path.exists():
            for line in self.path.read_text("utf-8").splitlines():
                # The last line of a run that was ended may be half a line.
                if line.endswith("}"):
                    row = json.loads(line)
                    # What could not be imported is tried again: the environment may have what it lacked.
                    if not row["exports"][0]["message"].startswith("the module cannot be imported"):
                        self.classes[row["class"]] = row["exports"]

    def add(self, name: str, exports: list[dict[str, Any]]) -> None:
        """Keep what was learned of one class."""
        self.classes[name] = exports
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"class": name, "exports": exports}) + "\n")


def examine(unit: Unit, options: argparse.Namespace) -> tuple[Kept, int, str]:
    """Exports the classes of a unit that no result is kept of; how many classes there are, and what was in the way."""
    kept = Kept(unit.file)
    try:
        python = environment(unit.requirement)
        (site,) = python.parents[1].glob("lib/python*/site-packages")
        tops = folders(unit, site)
    except Unusable as error:
        return kept, 0, str(error)
    if not unit.folder:
        for top in tops:
            shown(unit, site, top)
    whole = [(top, plan(top, TORCH)) for top in tops]
    subjects = [(top, planned, one) for top, planned in whole for one in planned.subjects if not ASIDE & set(one.filename.split("/")[:-1])]  # fmt: skip
    # A sample that does not change: more classes go on from fewer. Those with the most control flow come first: layers that
    # only call others show little that is not seen in them.
    flows = {top / name: flow(top / name) for top, name in {(top, one.filename) for top, _, one in subjects}}
    subjects.sort(key=lambda s: (-flows[s[0] / s[2].filename].get(s[2].name, 0), hashlib.sha256(f"{s[2].filename}::{s[2].name}".encode()).digest()))  # fmt: skip
    chosen: dict[Path, list[SurveyedClass]] = defaultdict(list)
    for top, _, one in subjects[: options.classes]:
        if named(top, site, one) not in kept.classes:
            chosen[top].append(one)
    if any(chosen.values()):
        preload_around(python, site, tops, {top / one.filename: None for top in tops for one in chosen[top]})
    until = time.monotonic() + options.seconds
    for top, _ in whole:
        if chosen[top] and time.monotonic() < until:
            exported(kept, top, site, chosen[top], python, until, options)
    return kept, len(subjects), ""


def named(top: Path, site: Path, one: SurveyedClass) -> str:
    return f"{(top / one.filename).relative_to(site).as_posix()}::{one.name}"


def exported(kept: Kept, top: Path, site: Path, subjects: list[SurveyedClass], python: Path, until: float, options: argparse.Namespace) -> None:  # fmt: skip
    """Exports classes below one folder, until the time is over."""
    request = ExportRequest(
        filename=str(top),
        interpreter=str(python),
        root=top,
        timeout=options.timeout,
        memory_limit=4 * GIBIBYTE,
        findings=False,
        propose=False,
        trace_lines=True,
    )
    confirmer = Confirmer()
    try:
        for one in subjects:
            if time.monotonic() > until:
                return
            try:
                results = list(of_class(confirmer, replace(request, filename=str(top / one.filename), name=one.name)))
            except RequestError as error:
                print(f"  {error}", flush=True)
                continue
            kept.add(named(top, site, one), [told(setting, result, site) for setting, result in results])
    finally:
        confirmer.close()


def of_class(confirmer: Confirmer, request: ExportRequest) -> Iterator[tuple[Setting, ExportResult]]:
    """A class as a survey exports it; then in training, with all the tensors that it takes: more of its lines run."""
    ways = (request, replace(request, train=True, every_input=True))
    tried: list[tuple[ExportRequest, set[Outcome], list[Any]]] = []
    for asked in ways:
        first = confirmer.run(replace(asked, modes=(Mode.NON_STRICT,)))
        yield from ((Setting.NON_STRICT, result) for result in first)
        outcomes = {result.outcome for result in first}
        if all(outcome.untried or outcome in UNENDED for outcome in outcomes):
            break
        tried.append((asked, outcomes, [result.inputs for result in first]))
        if len(tried) > 1 and tried[0][2] == tried[1][2] and outcomes == {Outcome.OK}:
            tried.pop()  # it differs by dropout at most
            break
        yield from ((Setting.STRICT, result) for result in confirmer.run(replace(asked, modes=(Mode.STRICT,))))
        if sum(result.seconds for result in first) > request.timeout / 3:
            return  # what is slow is slower still with more
    for asked, outcomes, _ in reversed(tried):
        if outcomes & {Outcome.OK, Outcome.SPECIALIZES}:
            dynamic = replace(asked, modes=(Mode.NON_STRICT,), dynamic="auto")
            yield from ((Setting.AUTO, result) for result in confirmer.run(dynamic))
            return


def tied(one: DimensionOutcome, result: ExportResult) -> bool:
    """Whether another size is computed from a dimension: the two change together, and it is not said which of them is refused."""
    return any((other.symbol != one.symbol and one.symbol in re.findall(r"\w+", other.symbol)) or not one.symbol.isidentifier() for other in result.dimensions)  # fmt: skip


def told(setting: Setting, result: ExportResult, site: Path) -> dict[str, Any]:
    """What the rows are made of."""

    def line(frame: Frame | None) -> list[Any] | None:
        if frame is None or not frame.project or not Path(frame.filename).is_relative_to(site):
            return None
        return [Path(frame.filename).relative_to(site).as_posix(), frame.row, frame.code]

    return {
        "setting": setting.value,
        "outcome": result.outcome.value,
        "exception": result.exception or "",
        "detail": LOCAL.sub("", result.detail)[:HEAD],
        "message": LOCAL.sub("", result.message)[:HEAD],
        "graph_break_id": result.graph_break_id,
        "line": line(result.frame),
        "stack": [at for frame in result.frames if (at := line(frame)) is not None],
        "origin": line(innermost(result.origin)),
        "later": [
            [line(one.frame), one.message[:MESSAGE]]
            for one in result.failures
            if one.exception == "DATA_DEPENDENT_ERROR" and one.frame is not None
        ],
        "specialized": [
            [
                line(one.cause),
                f"{one.input}.shape[{one.axis}] = {one.size} is {'narrowed' if one.dynamic else 'specialized'}: {one.reason}"[
                    :MESSAGE
                ],
            ]
            for one in result.dimensions
            if one.needless and one.cause is not None and not (one.dynamic and tied(one, result))
        ],
        "dimensions": [
            [d.input, d.axis, d.size, d.symbol, d.lower, d.upper, d.needless, line(d.cause), d.reason[:MESSAGE]]
            for d in result.dimensions
        ],
        "lines": {
            Path(name).relative_to(site).as_posix(): list(rows)
            for name, rows in result.lines.items()
            if Path(name).is_relative_to(site)
        },
        "inputs": result.inputs.as_fields()[:HEAD] if result.inputs else "",
        "seconds": round(result.seconds, 1),
    }


class Statements:
    """The statements of files by line."""

    def __init__(self, site: Path) -> None:
        self._site = site
        self._spans: dict[str, list[tuple[int, int]]] = {}
        self._texts: dict[str, list[str]] = {}

    def at(self, file: str, row: int) -> tuple[int, int]:
        """The first and the last line of the innermost statement at a line; of one with a body, its head."""
        if file not in self._spans:
            text = (self._site / file).read_text("utf-8", errors="replace")
            self._texts[file] = text.split("\n")
            self._spans[file] = [
                (node.lineno, _end(node)) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)
            ]
        around = [span for span in self._spans[file] if span[0] <= row <= span[1]]
        return min(around, key=lambda span: (span[1] - span[0], -span[0]), default=(row, row))

    def code(self, file: str, span: tuple[int, int]) -> str:
        """The text of a statement in one line."""
        return " ".join(" ".join(self._texts[file][span[0] - 1 : span[1]]).split())[:MESSAGE]


def _end(node: ast.stmt) -> int:
    body = getattr(node, "body", None)
    if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
        return max(node.lineno, min(body[0].lineno, *(d.lineno for d in getattr(body[0], "decorator_list", ()) or [body[0]])) - 1)  # fmt: skip
    return node.end_lineno or node.lineno


def strict_outcomes(exports: list[dict[str, Any]]) -> list[set[str]]:
    """For each export of a class, what became in strict of the inputs that it had: each of `of_class`'s rounds begins in non-strict."""
    rounds: list[set[str]] = []
    before = ""
    for one in exports:
        rounds.append(set() if one["setting"] == "non-strict" != before or not rounds else rounds[-1])
        before = one["setting"]
        if before == "strict":
            rounds[-1].add(one["outcome"])
    return rounds


def rows_of(unit: Unit, kept: Kept, site: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of failing places, and those of lines that ran."""
    statements = Statements(site)
    places: dict[tuple[Any, ...], dict[str, Any]] = {}
    ran: dict[str, set[int]] = defaultdict(set)
    in_strict: dict[str, set[int]] = defaultdict(set)
    inside = re.compile(rf"[^/]+/{re.escape(unit.folder)}/") if unit.folder else re.compile("")
    head = {"package": unit.package, "version": unit.version, **({"folder": unit.folder} if unit.folder else {})}

    def blamed(one: dict[str, Any]) -> tuple[list[Any] | None, list[list[Any]]]:
        """The line of a failure, and what else tells of it: where its value was made, and the failing line itself where the folder
        only leads to it."""
        line, origin = one["line"], one["origin"]
        beside = [] if origin is None else [origin]
        if line is not None and not inside.match(line[0]):
            beside.append(line)
            around = [at for at in (origin, *reversed(one.get("stack", ()))) if at is not None and inside.match(at[0])]
            line = around[0] if around else None
        return line, beside

    def add(line: list[Any] | None, beside: list[list[Any]], kind: str, mode: str, verdict: str, entry: str, exception: str, message: str) -> None:  # fmt: skip
        if line is None or not inside.match(line[0]):
            return
        span = statements.at(line[0], line[1])
        row = places.setdefault(
            (line[0], *span, kind),
            {
                **head,
                "places": [[line[0], *span]],
                "code": statements.code(line[0], span),
                "kind": kind,
                "entries": [],
                "verdict": {},
                "exception": exception,
                "message": message.strip().split("\n")[0][:MESSAGE],
            },
        )
        for other in beside:
            at = [other[0], *statements.at(other[0], other[1])]
            if at not in row["places"]:
                row["places"].append(at)
        if entry not in row["entries"]:
            row["entries"].append(entry)
        if row["verdict"].get(mode) != "fails":
            row["verdict"][mode] = verdict

    for name, exports in sorted(kept.classes.items()):
        file, _, qualified = name.partition("::")
        entry = f"{file.removesuffix('.py').replace('/', '.')}.{qualified}"
        strictly = strict_outcomes(exports)
        for number, one in enumerate(exports):
            mode = "strict" if one["setting"] == "strict" else "non-strict"
            auto = one["setting"] == "auto"
            verdict = "fails-dynamic" if auto else "fails"
            if one["outcome"] == Outcome.FAILS.value:
                data = one["exception"] in DATA_EXCEPTIONS or DATA.search(one["detail"]) is not None
                kind = "data" if data else "dynamic" if auto else "other"
                add(*blamed(one), kind, mode, verdict, entry, one["exception"], one["detail"])
                for line, message in one["later"]:
                    add(line, [], "data", mode, verdict, entry, "draft_export", message)
            elif auto and one["outcome"] == Outcome.OK.value:
                for line, message in one["specialized"]:
                    if OF_ANOTHER.search(message):
                        continue
                    add(line, [], "dynamic", mode, verdict, entry, "specialized", message)
            elif one["setting"] == "non-strict" and one["outcome"] == Outcome.OK.value:
                strict = strictly[number] == {Outcome.OK.value}
                for path, lines in one["lines"].items():
                    if inside.match(path):
                        ran[path].update(lines)
                        in_strict[path].update(lines if strict else ())
    fails = sorted(places.values(), key=lambda row: (row["places"][0][:2], row["kind"]))
    for row in fails:
        row["entries"] = row["entries"][:5]
        if "fails" in row["verdict"].values():
            # What fails with other inputs or another constructor is no proof of a false alarm.
            for path, first, last in row["places"]:
                ran[path] -= set(range(first, last + 1))
    return fails, [
        {**head, "file": path, "ran": sorted(lines), "not_in_strict": sorted(lines - in_strict[path])}
        for path, lines in sorted(ran.items())
        if lines
    ]


def write(unit: Unit, fails: list[dict[str, Any]], ran: list[dict[str, Any]]) -> None:
    """Puts the rows of one unit in place of those that it had."""
    (TRUTH / unit.set).mkdir(exist_ok=True)
    for name, rows in (("fails", fails), ("ran", ran)):
        path = TRUTH / unit.set / f"{name}.jsonl"
        others = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
        others = [row for row in others if (row["package"], row.get("folder", "")) != (unit.package, unit.folder)]
        every = sorted([*others, *rows], key=lambda row: (row["package"].lower(), row.get("folder", "")))
        path.write_text("".join(json.dumps(row) + "\n" for row in every), "utf-8")


def note(unit: Unit, kept: Kept, classes: int, reason: str, failing: Counter[str], lines: int) -> None:
    """Says in surveyed.jsonl what became of a unit."""
    path = TRUTH / "surveyed.jsonl"
    others = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    others = [row for row in others if row["package"] != unit.name]
    outcomes = {
        setting.value: Counter(e["outcome"] for exports in kept.classes.values() for e in exports if e["setting"] == setting.value)
        for setting in ALWAYS
    }  # fmt: skip
    others.append(
        {
            "package": unit.name,
            "version": unit.version,
            "set": unit.set,
            "classes": classes,
            "tried": len(kept.classes),
            "reason": reason,
            "outcomes": outcomes,
            "failing": dict(failing),
            "ran_lines": lines,
        }
    )
    others.sort(key=lambda row: row["package"].lower())
    path.write_text("".join(json.dumps(row) + "\n" for row in others), "utf-8")


def page(surveyed: list[dict[str, Any]], torch: str) -> str:
    """The page of the documentation that says how ready the packages are, in Markdown."""
    lines = [
        "# Readiness of packages",
        "",
        f"How many module classes of public packages export with torch {torch}, by mode, with inputs that are",
        "inferred. A class counts where it can be built and runs in eager, and twice where training with all of its inputs is",
        "something else; `diverges` exports, but computes something else. Of each package a sample of classes was tried, first those",
        "that no other class calls. Each row is made again by the command in it; of your own package by",
        "[`exportdb-lsp survey`](guide/survey.md).",
        "",
        "Generated by `python bench/truth/make.py --page`; do not edit.",
        "",
        "| package | classes tried | non-strict | strict | `Dim.AUTO` | command |",
        "|---|---|---|---|---|---|",
    ]
    for row in surveyed:
        cells = [_cell(row["outcomes"][setting.value]) for setting in ALWAYS]
        if any(cell != _NOTHING for cell in cells):
            unit = "==".join([row["package"].partition("/")[0], row["version"]])
            unit += row["package"].removeprefix(row["package"].partition("/")[0])
            command = f"`python bench/truth/make.py {unit} --classes {row['tried']}`"
            lines.append(f"| {row['package']} {row['version']} | {row['tried']} of {row['classes']} | {' | '.join(cells)} | {command} |")  # fmt: skip
    return "\n".join(lines) + "\n"


def _cell(outcomes: dict[str, int]) -> str:
    tried = {name: count for name, count in outcomes.items() if not Outcome(name).untried}
    order = [outcome.value for outcome in Outcome if outcome.value in tried]
    return ", ".join(f"{tried[name]} {name}" for name in order) or _NOTHING


def listed(path: Path) -> list[str]:
    """The requirements of a list: one a line, comments left out."""
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines())
    return [line for line in lines if line]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE==VERSION")
    parser.add_argument("--list", type=Path, help="a file of packages, one a line")
    parser.add_argument("--classes", type=int, default=24, help="so many classes of each, drawn by a hash")
    parser.add_argument("--seconds", type=float, default=300, help="begin no further class of a package after so long")
    parser.add_argument("--timeout", type=float, default=45, help="seconds for one export")
    parser.add_argument("--rows-only", action="store_true", help="write the rows of what was exported before")
    parser.add_argument("--keep-environments", action="store_true", help="do not delete what was installed")
    parser.add_argument(
        "--page", action="store_true", help="write docs/readiness.md from surveyed.jsonl, after all else"
    )
    options = parser.parse_args()
    units = [Unit.parse(text) for text in [*options.packages, *(listed(options.list) if options.list else ())]]
    for number, unit in enumerate(units):
        began = time.monotonic()
        if options.rows_only:
            if unit.file.exists():
                write(unit, *rows_of(unit, Kept(unit.file), packages.fetch(unit.package, unit.version)))
            continue
        kept, classes, reason = examine(unit, options)
        fails: list[dict[str, Any]] = []
        ran: list[dict[str, Any]] = []
        if not reason:
            (site,) = environment(unit.requirement).parents[1].glob("lib/python*/site-packages")
            fails, ran = rows_of(unit, kept, site)
            write(unit, fails, ran)
        failing = Counter(row["kind"] for row in fails)
        lines = sum(len(row["ran"]) for row in ran)
        note(unit, kept, classes, reason, failing, lines)
        # Of a unit of test no more than totals is shown.
        print(
            f"{unit.name} {unit.version} ({unit.set}): {reason or f'{len(kept.classes)} of {classes} classes'}; failing places "
            f"{dict(failing)}; {lines} lines ran; {time.monotonic() - began:.0f} s",
            flush=True,
        )
        last = all(other.requirement != unit.requirement for other in units[number + 1 :])
        if last and not options.keep_environments:
            shutil.rmtree(STORE / "environments" / re.sub(r"[^\w.-]", "+", unit.requirement), ignore_errors=True)
    surveyed = TRUTH / "surveyed.jsonl"
    if options.page and surveyed.exists():
        rows = [json.loads(line) for line in surveyed.read_text("utf-8").splitlines()]
        (TRUTH.parents[1] / "docs" / "readiness.md").write_text(page(rows, TORCH), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
