"""How fast check is, as ratios within one run on the same files.

    python bench/speed.py [--package NAME==VERSION] [--large NAME==VERSION] [--huge NAME==VERSION] [--only NAME,…]

1. cold: CPU time of checking all files of a package in one process, over what `libcst.parse_module` alone takes for
   those of its files that define a `forward`;
2. edit: re-checking the package's longest model file after a one-line edit, over `libcst.parse_module` of that file;
3. kept: CPU time of the whole program on a large package for the second time, over the first, and after an edit of a
   file that others import;
4. jobs: wall time of the whole program on the large package with one process, over that with two; and how much faster
   than one the machine's cores are at all, by two runs of one process side by side;
5. torchfix: CPU time of torchfix, a linter for PyTorch on libcst, over ours, both as whole programs in one process;
6. findings: CPU time of the whole program for each finding of n modules with one finding each, n from 50 to 800, its
   fixes computed, beyond what it takes for one module; the slowest n over the fastest;
7. tests: the same for a file like the tests of export, 700 classes and their tests, over `libcst.parse_module` of it;
8. file: the whole program on one file of a huge package, beyond its start, with nothing kept and for the second time, over
   `libcst.parse_module` of the file;
9. packages: CPU time of the whole program with its default output in one process, with nothing kept, over
   `libcst.parse_module` of the files with a `forward`, for each of a dozen packages;
10. server: with the huge package as workspace of the language server, what an editor waits for from opening a file to its
   diagnostics, where a server was there before, and from an edit, over `libcst.parse_module` of the file;
11. huge: CPU time and memory of the whole program on the huge package with one process and two, over
   `libcst.parse_module` of its files with a `forward`; for the second time; after an edit of a file that nothing
   imports, and of one that most do.
"""

from __future__ import annotations

import argparse
import ast
import gc
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import libcst
import lsp
import packages
from exportdb_rules.engine import Project, Settings, check, check_files

ROUNDS = 5
TORCHFIX = "torchfix==0.7.0"
TOOLS = Path(__file__).parent / ".tools"
DOZEN = (
    "vit-pytorch==1.26.11", "timm==1.0.31", "diffusers==0.42.1", "torchmetrics==1.9.0", "x-transformers==2.31.10",
    "vector-quantize-pytorch==1.32.0", "denoising-diffusion-pytorch==2.3.4", "piq==0.8.0", "asteroid==0.7.0",
    "basicsr==1.4.2", "demucs==4.1.0", "pytorch-tabnet==4.1.0",
)  # fmt: skip


def cpu(function, *args) -> float:
    """CPU seconds of one call."""
    gc.collect()
    start = time.process_time()
    function(*args)
    return time.process_time() - start


def program(*command: str, cache: str | None = None, statuses: tuple[int, ...] = (0,)) -> tuple[float, float]:
    """CPU and wall seconds of a program and all its processes."""
    return measured(*command, cache=cache, statuses=statuses)[:2]


def measured(*command: str, cache: str | None = None, statuses: tuple[int, ...] = (0,)) -> tuple[float, float, float]:
    """CPU and wall seconds of a program and all its processes, and the most megabytes that one of them held.

    Raises:
        SystemExit: it ended with another status than those that say that it did its work.
    """
    environment = {**os.environ, **({"XDG_CACHE_HOME": cache} if cache else {})}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # as where it is installed: bytecode is kept
    start = time.monotonic()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) not in statuses:
            out.seek(0)
            raise SystemExit(f"{' '.join(command)}: {out.read()[-500:].decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024


def checking(folder: Path, *options: str, cache: str | None = None) -> tuple[float, float]:
    """CPU and wall seconds of `exportdb-lsp check` on a folder."""
    command = (sys.executable, "-m", "exportdb_lsp", "check", "--exit-zero", *options, str(folder))
    return program(*command, cache=cache)


def parse_all(texts: list[str]) -> None:
    for text in texts:
        libcst.parse_module(text)


def ast_all(texts: list[str]) -> None:
    for text in texts:
        ast.parse(text)


def cold(folder: Path) -> str:
    files = [str(p) for p in sorted(folder.rglob("*.py"))]
    texts = [text for f in files if "def forward(" in (text := Path(f).read_text(encoding="utf-8"))]
    check_files(Project(folder), files[:1], Settings())  # imports and tables
    parse = min(cpu(parse_all, texts) for _ in range(2))
    plain = min(cpu(ast_all, texts) for _ in range(2))
    whole = min(cpu(lambda: check_files(Project(folder), files, Settings())) for _ in range(2))
    print(
        f"cold: {len(files)} files, {len(texts)} with a forward: check {whole:.2f} s CPU, libcst.parse_module {parse:.2f} s, "
        f"ast.parse {plain:.2f} s: ratio {whole / parse:.2f}"
    )
    return f"cold {whole / parse:.2f} × parsing"


def edit(folder: Path) -> str:
    candidates = [p for p in folder.rglob("*.py") if "def forward(" in p.read_text(encoding="utf-8")]
    path = max(candidates, key=lambda p: (len(p.read_text(encoding="utf-8").splitlines()) <= 2500, p.stat().st_size))
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    at = next(i for i, line in enumerate(lines) if line.lstrip().startswith("return ") and i > len(lines) // 2)
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    project = Project(folder)
    check(project, str(path), Settings())
    times = []
    for i in range(3 * ROUNDS):
        changed = [*lines]
        changed[at] = f"{indent}edited = {i}; {lines[at].lstrip()}"
        project.set_text(str(path), "\n".join(changed))
        times.append(cpu(check, project, str(path), Settings()))
    parse = statistics.median(cpu(libcst.parse_module, text) for _ in range(ROUNDS))
    ratio = statistics.median(times) / parse
    print(
        f"edit: {path.name}, {len(lines)} lines: re-check {1000 * statistics.median(times):.1f} ms, libcst.parse_module "
        f"{1000 * parse:.1f} ms: ratio {ratio:.2f}"
    )
    return f"an edit {ratio:.2f} × parsing the file"


def kept(folder: Path) -> str:
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "project"
        shutil.copytree(folder, copy)
        (copy / "pyproject.toml").write_text("")
        cache = str(Path(scratch) / "cache")
        first, _ = checking(copy, cache=cache)
        second = min(checking(copy, cache=cache)[0] for _ in range(2))
        used = max((p for p in copy.rglob("*.py")), key=lambda p: (p.stem == "attention", p.stat().st_size))
        used.write_text(used.read_text(encoding="utf-8") + "\nedited = 1\n", encoding="utf-8")
        third, _ = checking(copy, cache=cache)
        size = sum(p.stat().st_size for p in Path(cache).rglob("*") if p.is_file())
    print(
        f"kept: {folder.name}: first run {first:.2f} s CPU, second {second:.2f} s: ratio {second / first:.3f}; after an "
        f"edit of {used.name} {third:.2f} s: ratio {third / first:.3f}; {size / 1e6:.1f} MB kept"
    )
    return f"a second run {second / first:.3f} × the first"


def jobs(folder: Path) -> str:
    """Two processes against one; and what the machine allows: two runs of one process side by side."""
    walls: dict[str, list[float]] = {"one": [], "two": [], "beside": []}
    cpus: dict[str, list[float]] = {"one": [], "two": [], "beside": []}
    for _ in range(2):
        for name, count, copies in (("one", "1", 1), ("two", "2", 1), ("beside", "1", 2)):
            with ThreadPoolExecutor(copies) as pool:
                start = time.monotonic()
                runs = [pool.submit(checking, folder, "--no-cache", "--jobs", count) for _ in range(copies)]
                cpus[name].append(sum(run.result()[0] for run in runs) / copies)
                walls[name].append(time.monotonic() - start)
    one, two, beside = (min(walls[name]) for name in ("one", "two", "beside"))
    gain, most = one / two, 2 * one / beside
    print(
        f"jobs: {folder.name}: 1 process {one:.1f} s ({min(cpus['one']):.1f} s CPU), 2 processes {two:.1f} s "
        f"({min(cpus['two']):.1f} s CPU): {gain:.2f} times as fast; two runs side by side {beside:.1f} s "
        f"({min(cpus['beside']):.1f} s CPU each): the machine's {os.cpu_count()} cores do {most:.2f} times the work of one"
    )
    return f"2 processes {gain:.2f} × as fast of {most:.2f} possible"


def torchfix(folder: Path) -> str:
    python = TOOLS / "torchfix" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(TOOLS / "torchfix")], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", TORCHFIX], check=True)
    ours, _ = checking(folder, "--no-cache")
    theirs, _ = program(str(python), "-m", "torchfix", "--jobs", "1", str(folder), statuses=(0, 1))
    print(
        f"torchfix: {folder.name}: {theirs:.1f} s CPU, check {ours:.1f} s: {theirs / ours:.1f} times ours ({TORCHFIX})"
    )
    return f"torchfix {theirs / ours:.1f} × our time"


def findings(_: Path) -> str:
    head = "import torch\nfrom torch import nn\n"
    one = "\n\nclass Net{0}(nn.Module):\n    def forward(self, x):\n        if x.sum() > 0:\n            return x + {0}\n        return x - 1\n"
    with tempfile.TemporaryDirectory() as scratch:
        each: dict[int, float] = {}
        base = 0.0
        for n in (1, 50, 100, 200, 400, 800):
            path = Path(scratch) / f"n{n}.py"
            path.write_text(head + "".join(one.format(i) for i in range(n)), encoding="utf-8")
            # The start weighs as much as a hundred findings: where there are few, a single run says little of them.
            took = min(checking(path, "--no-cache")[0] for _ in range(8 if n <= 100 else 2))
            base = base or took
            each[n] = (took - base) / max(n - 1, 1)
    del each[1]
    ratio = max(each.values()) / min(each.values())
    shown = ", ".join(f"n = {n}: {1000 * seconds:.1f} ms" for n, seconds in each.items())
    print(f"findings: CPU a finding, beyond one module: {shown}: the slowest {ratio:.2f} × the fastest (goal 1.3)")
    return f"a finding of 800 {each[800] / each[50]:.2f} × one of 50"


def tests(_: Path) -> str:
    text = _test_file()
    with tempfile.TemporaryDirectory() as scratch:
        path, empty = Path(scratch) / "test_export.py", Path(scratch) / "empty.py"
        path.write_text(text, encoding="utf-8")
        empty.write_text("import torch\n", encoding="utf-8")
        start = min(checking(empty, "--no-cache")[0] for _ in range(2))
        whole = min(checking(path, "--no-cache")[0] for _ in range(2))
    parse = min(cpu(libcst.parse_module, text) for _ in range(2))
    print(
        f"tests: {text.count(chr(10))} lines, 700 classes, 100 findings: {whole - start:.2f} s CPU beyond the start, "
        f"libcst.parse_module {parse:.2f} s: ratio {(whole - start) / parse:.2f} (goal 3)"
    )
    return f"a test file {(whole - start) / parse:.1f} × parsing"


def _test_file() -> str:
    """A file as the tests of export are: small modules, and tests that export each of them."""
    lines = ["import unittest", "import torch", "from torch import nn", "from torch.export import Dim, export", "", ""]
    cases = ["class TestExport(unittest.TestCase):"]
    for i in range(700):
        lines += [f"class Net{i}(nn.Module):", "    def __init__(self):", "        super().__init__()"]
        lines += [f"        self.linear = nn.Linear(8, {8 + i % 5})", f"        self.scale = {i}.0", ""]
        lines += ["    def forward(self, x, y):"]
        lines += [f"        h{j} = self.linear(x) * self.scale + {j}" for j in range(4)]
        lines += ["        if x.sum() > 0:" if i % 7 == 0 else "        if x.shape[0] > 3:"]
        lines += ["            return h0 + y", "        return h1 + h2 + h3 + y", "", ""]
        cases += [f"    def test_net{i}(self):", f"        model = Net{i}()"]
        cases += ["        args = (torch.randn(4, 8), torch.randn(4, 8))"]
        dims = ", dynamic_shapes=({0: Dim('batch')}, {0: Dim('batch')})" if i % 5 == 0 else ""
        cases += [f"        ep = export(model, args{dims})", "        out = ep.module()(*args)"]
        cases += ["        self.assertTrue(torch.allclose(out, model(*args)))"]
        cases += [
            "        with self.assertRaisesRegex(RuntimeError, 'x'):",
            f"            ep.module()(torch.randn({i + 1}, 9))",
            "",
        ]
    return "\n".join([*lines, *cases, "", "if __name__ == '__main__':", "    unittest.main()", ""])


def file(folder: Path) -> str:
    path = next(folder.rglob("modeling_llama.py"))
    text = path.read_text(encoding="utf-8")
    parse = statistics.median(cpu(libcst.parse_module, text) for _ in range(ROUNDS))
    with tempfile.TemporaryDirectory() as scratch:
        empty = Path(scratch) / "empty.py"
        empty.write_text("import torch\n", encoding="utf-8")
        # With nothing kept the analyser is imported; where all is known it is not needed.
        start = min(checking(empty, cache=f"{scratch}/start{i}")[0] for i in range(3))
        first = min(checking(path, cache=f"{scratch}/{i}")[0] for i in range(3))
        again = min(checking(empty, cache=f"{scratch}/start0")[0] for _ in range(3))
        second = min(checking(path, cache=f"{scratch}/0")[0] for _ in range(3))
    print(
        f"file: {path.name}, {1000 * parse:.0f} ms to parse: {first - start:.2f} s CPU with nothing kept, beyond the "
        f"{start:.2f} s of the start; {second - again:.2f} s for the second time, beyond {again:.2f} s: ratios "
        f"{(first - start) / parse:.1f} and {(second - again) / parse:.1f} (goals 10 and 2)"
    )
    return f"one file of {folder.name} {(first - start) / parse:.1f} × its parse"


def with_forward(folder: Path) -> list[str]:
    """The texts of the files that define a `forward`."""
    texts = [p.read_text(encoding="utf-8") for p in sorted(folder.rglob("*.py"))]
    return [text for text in texts if "def forward(" in text]


def dozen(_: Path) -> str:
    ratios: dict[str, float] = {}
    for package in DOZEN:
        try:
            folder = packages.fetch(*package.split("=="))
        except SystemExit as error:
            print(f"packages: {error}")
            continue
        texts = with_forward(folder)
        parse = min(cpu(parse_all, texts) for _ in range(2))
        ratios[package] = min(checking(folder, "--no-cache", "--jobs", "1")[0] for _ in range(2)) / parse
    shown = ", ".join(f"{package} {ratio:.2f}" for package, ratio in ratios.items())
    if not ratios:
        return "no package could be had"
    median, worst = statistics.median(ratios.values()), max(ratios.values())
    print(f"packages: {shown}: median {median:.2f} × parsing (goal 0.8), worst {worst:.2f} × (goal 1.2)")
    return f"{len(ratios)} packages {median:.2f} × parsing in the median"


def server(folder: Path) -> str:
    path = next(folder.rglob("modeling_llama.py"))
    text = path.read_text(encoding="utf-8")
    parse = statistics.median(cpu(libcst.parse_module, text) for _ in range(ROUNDS))
    rows = [row for row, line in enumerate(text.split("\n")) if line.strip().startswith("hidden_states = ")]
    opened: list[lsp.Times] = []
    edited: list[lsp.Times] = []
    with tempfile.TemporaryDirectory() as cache:
        for _ in range(3):
            session, _ = lsp.start(folder.as_uri(), {"XDG_CACHE_HOME": cache})
            before = session.now()
            session.open(path.as_uri(), text)
            session.pull(path.as_uri())
            opened.append(session.since(before))
            for version in range(2, 2 + 3 * ROUNDS):
                place = {"line": rows[version % len(rows)], "character": 0}
                change = {"range": {"start": place, "end": place}, "text": "\n"}
                document = {"uri": path.as_uri(), "version": version}
                params = {"textDocument": document, "contentChanges": [change]}
                before = session.now()
                session.send({"method": "textDocument/didChange", "params": params})
                session.pull(path.as_uri())
                edited.append(session.since(before))
            session.end()
    first, later, edit = opened[0], min(opened[1:]), lsp.middle(edited)
    print(
        f"server: {path.name} in {folder.name}: diagnostics {first.waited:.2f} s after it is opened for the first time "
        f"({first.computed:.2f} s computed), {later.waited:.2f} s later ({later.computed:.2f} s; goal 1.5); "
        f"{1000 * edit.waited:.0f} ms after an edit in the median ({1000 * edit.computed:.0f} ms): {edit.waited / parse:.2f} × "
        f"libcst.parse_module (goal 0.25), {edit.computed / parse:.2f} × computed"
    )
    ratio = edit.computed / parse
    return f"an edit in {folder.name} {ratio:.2f} × parsing the file"


def huge(folder: Path) -> str:
    texts = with_forward(folder)
    parse = cpu(parse_all, texts)
    command = (sys.executable, "-m", "exportdb_lsp", "check", "--exit-zero")
    one, wall, size = measured(*command, "--no-cache", str(folder))
    two, faster, each = measured(*command, "--no-cache", "--jobs", "2", str(folder))
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "project"
        shutil.copytree(folder, copy)
        (copy / "pyproject.toml").write_text("")
        cache = str(Path(scratch) / "cache")
        checking(copy, "--jobs", "2", cache=cache)
        again = [checking(copy, cache=cache)[0]]
        for name in ("modeling_xlstm.py", "modeling_utils.py"):
            path = next(copy.rglob(name))
            path.write_text(path.read_text(encoding="utf-8") + "\nedited = 1\n", encoding="utf-8")
            again.append(checking(copy, cache=cache)[0])
    print(
        f"huge: {folder.name}: {len(texts)} files with a forward: {one:.0f} s CPU, libcst.parse_module {parse:.0f} s: ratio "
        f"{one / parse:.2f} (goal 2.0), {size:.0f} MB; 2 processes {two:.0f} s CPU, {wall / faster:.2f} times as fast (goal "
        f"1.8), at most {each:.0f} MB each (goal 1000); for the second time {again[0]:.1f} s (goal 3), after an edit of "
        f"modeling_xlstm.py {again[1]:.1f} s (goal 5), of modeling_utils.py {again[2]:.1f} s"
    )
    return f"{folder.name} {one / parse:.1f} × parsing"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", default="vit-pytorch==1.26.11")
    parser.add_argument("--large", default="diffusers==0.42.1", help="the package for `kept` and `jobs`")
    parser.add_argument("--huge", default="transformers==5.23.0", help="the package for `file` and `huge`")
    parser.add_argument("--only", help="these parts, with commas between them; all without it")
    options = parser.parse_args()
    folder, large = options.package, options.large
    parts = {"cold": folder, "edit": folder, "kept": large, "jobs": large, "torchfix": folder}
    parts |= {
        "findings": "",
        "tests": "",
        "file": options.huge,
        "packages": "",
        "server": options.huge,
        "huge": options.huge,
    }
    named = {**globals(), "packages": dozen}
    wanted = options.only.split(",") if options.only else [*parts]
    unknown = set(wanted) - set(parts)
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}: there are {', '.join(parts)}")
    results: list[str] = []
    for name in (name for name in parts if name in wanted):
        try:
            where = packages.fetch(*parts[name].split("==")) if parts[name] else Path()
        except SystemExit as error:
            print(f"{name}: {error}")  # that part alone is missing
            continue
        results.append(named[name](where))
    print("; ".join(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
