"""The analyser takes any text: real files, cut, swapped, re-indented and renamed at random, never make it raise.

A run takes a fifth of 5,000 texts, each day another; with `--long` it takes 100,000.
"""

from __future__ import annotations

import random
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from exportdb_rules import engine
from exportdb_rules.finding import Mode, Position

from .. import proofs
from .mutations import drop, indent, mutated, rename, sources, swap

SETTINGS = engine.Settings(modes=tuple(Mode), assume_dynamic="all")
SHARDS = 5
PARTS = 5
# How much text is kept parsed, in characters: as in a run of `check`.
MAX_KEPT = 16_000_000


@pytest.mark.parametrize("shard", range(SHARDS))
def test_any_text_is_taken(shard: int, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    files = sources()
    assert len(files) < 5_000, "not every file has its turn"
    part = 5_000 // PARTS
    first = proofs.today() % PARTS * part
    numbers = range(100_000) if request.config.getoption("--long") else range(first, first + part)
    project = engine.Project(tmp_path)
    for count in numbers[shard::SHARDS]:
        if project.size() > MAX_KEPT:
            project = engine.Project(tmp_path)
        path, text = mutated(count, files, random.Random(count))
        name = str(tmp_path / f"m{count % 7}.py")
        project.set_text(name, text)
        try:
            report = engine.check(project, name, SETTINGS)
        except Exception as error:
            kept = tmp_path / "failing.py"
            kept.write_text(text, errors="surrogatepass")
            raise AssertionError(f"{type(error).__name__} on text {count}, of {path}, kept in {kept}") from error
        internal = [problem for problem in report.problems if "internal" in problem.message]
        assert not internal, (count, path, internal)
        rows = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
        for finding in report.findings:
            assert Position(1, 1) <= finding.span.start <= finding.span.end
            assert finding.span.end.row <= rows


@pytest.mark.parametrize("seed", range(5))
def test_what_was_checked_before_does_not_matter(seed: int, tmp_path: Path) -> None:
    """A project that saw fifty versions of a text says of the last what a fresh one says."""
    chance = random.Random(seed)
    torch = find_spec("torch")
    assert torch is not None
    assert torch.origin is not None
    folder = Path(torch.origin).parent / "nn" / "modules"
    original = chance.choice(["rnn.py", "activation.py", "transformer.py", "batchnorm.py", "adaptive.py"])
    text = (folder / original).read_text()
    used = engine.Project(tmp_path)
    name = str(tmp_path / "m.py")
    for _ in range(50):
        text = chance.choice((swap, indent, rename, drop))(text, chance) or "x"
        used.set_text(name, text)
        seen = engine.check(used, name, SETTINGS)
    fresh = engine.Project(tmp_path)
    fresh.set_text(name, text)
    assert engine.check(fresh, name, SETTINGS) == seen


def deep(levels: int, opening: str) -> str:
    return (
        "".join("    " * (2 + level) + opening + "\n" for level in range(levels)) + "    " * (2 + levels) + "return x\n"
    )


HEAD = "import torch\nfrom torch import nn\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
EXTREMES = {
    "nested ifs": HEAD + deep(90, "if x.sum() > 0:"),
    "nested parentheses": HEAD + "        return " + "(" * 150 + "x" + ")" * 150 + "\n",
    "too deep for Python": HEAD + "        return " + "(" * 5000 + "x" + ")" * 5000 + "\n",
    "a long chain": HEAD + "        return x" + ".sin()" * 900 + "\n",
    "a long sum": HEAD + "        return " + " + ".join(["x"] * 5000) + "\n",
    "nested calls": HEAD + "        return " + "torch.sin(" * 150 + "x" + ")" * 150 + "\n",
    "10,000 branches": HEAD + "".join(f"        if x.sum() > {n}:\n            x = x + {n}\n" for n in range(10_000)),
    "50,000 lines": HEAD + "        x = x + 1\n" * 50_000,
    "a recursive method": HEAD + "        if x.sum() > 0:\n            return self.forward(x - 1)\n        return x\n",
    "a class that holds itself": "from torch import nn\nclass A(nn.Module):\n    def __init__(self):\n"
    "        self.a = A()\n    def forward(self, x):\n        return self.a(self.a)(x)\n",
    "a class that is its own base": "class A(A):\n    def forward(self, x):\n        return x\n",
    "a circle of bases": "class A(B): pass\nclass B(A): pass\nclass C(A):\n    def forward(self, x): return super().forward(x)\n",
    "an endless loop": HEAD + "        while True:\n            x = [x]\n",
    "growing values": HEAD + "        y = (x,)\n        for _ in range(10**9):\n            y = (y, y)\n        return y\n",
}  # fmt: skip


LEVELS = 1_000
INDENTED = "too many levels of indentation"
BRACKETS = "too many nested parentheses|nested too deeply"
FOLLOWED = "is nested too deeply to analyze completely"
CALLS = "deeper ones are not analyzed"
# Text, and the note that says which bound was hit; "" where none is.
DEEP = {
    "ifs": (HEAD + deep(LEVELS, "if x.sum() > 0:"), INDENTED),
    "loops": (HEAD + deep(LEVELS, "for _ in x:"), INDENTED),
    "functions": ("".join(f"{' ' * n}def f{n}(x):\n" for n in range(LEVELS)) + " " * LEVELS + "return x\n", INDENTED),
    "lists": (HEAD + "        return " + "[" * LEVELS + "x" + "]" * LEVELS + "\n", BRACKETS),
    "elifs": (HEAD + "        if x.sum() > 0:\n            return x\n" + "".join(f"        elif x.sum() > {n}:\n            return x + {n}\n" for n in range(LEVELS)), FOLLOWED),
    "conditional expressions": (HEAD + "        return " + "x if x.sum() > 0 else " * LEVELS + "x\n", FOLLOWED),
    "nots": (HEAD + "        return " + "not " * LEVELS + "x\n", FOLLOWED),
    "subscripts": (HEAD + "        return x" + "[0]" * LEVELS + "\n", FOLLOWED),
    "attributes": (HEAD + "        return x" + ".T" * LEVELS + "\n", FOLLOWED),
    "lambdas": (HEAD + "        return " + "lambda: " * LEVELS + "x\n", ""),
    "calls": (HEAD + "        f0 = lambda: x\n" + "".join(f"        f{n} = lambda: f{n - 1}()\n" for n in range(1, LEVELS)) + f"        return f{LEVELS - 1}()\n", CALLS),
    "bases": ("from torch import nn\nclass A0(nn.Module):\n    def forward(self, x):\n        return x\n" + "".join(f"class A{n}(A{n - 1}):\n    def forward(self, x):\n        return super().forward(x)\n" for n in range(1, LEVELS)), CALLS),
}  # fmt: skip


@pytest.mark.parametrize(("text", "note"), DEEP.values(), ids=DEEP.keys())
def test_a_thousand_levels_are_followed_or_it_is_said_that_they_are_not(text: str, note: str, tmp_path: Path) -> None:
    project = engine.Project(tmp_path)
    name = str(tmp_path / "net.py")
    project.set_text(name, text)
    problems = engine.check(project, name, SETTINGS).problems
    assert not [problem for problem in problems if problem.internal]
    if not note:
        assert problems == ()
        return
    assert [problem for problem in problems if any(words in problem.message for words in note.split("|"))], problems


# Of address space, which an interpreter with libcst takes a quarter of before it has read anything.
ENOUGH = 1 << 30
BOUNDED = """
import resource, sys
from pathlib import Path
from exportdb_rules import engine
from exportdb_rules.finding import Mode

if sys.platform.startswith("linux"):
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
settings = engine.Settings(modes=tuple(Mode), assume_dynamic="all")
for path in sorted(Path(sys.argv[2]).glob("*.py")):
    report = engine.check(engine.Project(path.parent), str(path), settings)
    print(path.stem, [problem.message for problem in report.problems if problem.internal])
"""


def test_extremes_come_to_an_end_in_a_bounded_amount_of_memory(tmp_path: Path) -> None:
    texts = {**EXTREMES, **{f"{LEVELS} {name}": text for name, (text, _) in DEEP.items()}}
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    command = [sys.executable, "-c", BOUNDED, str(ENOUGH), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == [f"{name} []" for name in sorted(texts)]


def test_a_circle_of_imports(tmp_path: Path) -> None:
    for one, other in (("a", "b"), ("b", "c"), ("c", "a")):
        (tmp_path / f"{one}.py").write_text(
            f"from {other} import *\nfrom {other} import {other.upper()}\nclass {one.upper()}({other.upper()}):\n"
            "    def forward(self, x):\n        return super().forward(x)\n"
        )
    project = engine.Project(tmp_path)
    reports = engine.check_files(project, [str(tmp_path / f"{name}.py") for name in "abc"], SETTINGS)
    assert [len(report.problems) for report in reports] == [0, 0, 0]
