"""The analyser takes any text: real files, cut, swapped, re-indented and renamed at random, never make it raise."""

from __future__ import annotations

import keyword
import random
import re
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import pytest
from exportdb_rules import engine
from exportdb_rules.finding import Mode, Position

SETTINGS = engine.Settings(modes=tuple(Mode), assume_dynamic="all")
SHARDS = 10
SIZE = 40_000


def sources() -> list[Path]:
    """Files of the standard library and of torch: what is long takes time and shows nothing new."""
    torch = find_spec("torch")
    folders = [Path(sysconfig.get_path("stdlib"))]
    if torch is not None and torch.origin is not None:
        folders += [Path(torch.origin).parent / part for part in ("nn", "distributions", "optim", "_export")]
    found = [p for folder in folders for p in sorted(folder.rglob("*.py")) if "site-packages" not in p.parts[5:-6]]
    return [path for path in found if 200 < path.stat().st_size < SIZE]


def cut(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return text[:at] if chance.random() < 0.5 else text[at:]


def drop(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return text[:at] + text[at + chance.randrange(1, 60) :]


def swap(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    for _ in range(chance.randrange(1, 6)):
        one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def indent(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(lines))
        lines[at] = " " * chance.randrange(13) + lines[at].lstrip()
    return "\n".join(lines)


def rename(text: str, chance: random.Random) -> str:
    names = sorted({name for name in re.findall(r"[A-Za-z_]\w*", text) if not keyword.iskeyword(name)})
    if not names:
        return text
    new = chance.choice([*names, "self", "x", "torch", "forward", "super", "class", "é", "__class__"])
    return re.sub(rf"\b{chance.choice(names)}\b", new, text)


def entry(text: str, chance: random.Random) -> str:
    """Make methods of the file `forward` of a module, so that the interpreter runs them."""
    text = re.sub(r"^class (\w+)(\([^)]*\))?:", r"class \1(torch.nn.Module):", text, flags=re.MULTILINE)
    methods = re.findall(r"^    def (\w+)\(self", text, re.MULTILINE)
    return "import torch\n" + (
        text.replace(f"def {chance.choice(methods)}(self", "def forward(self", 1) if methods else text
    )


def noise(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return text[:at] + "".join(chance.choice("()[]{}:,.;'\"\\\n\t =+*@é🎉\x0c\x00\ud800") for _ in range(5)) + text[at:]


MUTATIONS = (cut, drop, swap, indent, rename, noise)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_any_text_is_taken(shard: int, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    number = (100_000 if request.config.getoption("--long") else 5_000) // SHARDS
    files = sources()
    chance = random.Random(shard)
    project = engine.Project(tmp_path)
    for count in range(number):
        path = chance.choice(files)
        text = path.read_text("utf-8", errors="replace")
        if chance.random() < 0.5:
            text = entry(text, chance)
        for _ in range(chance.randrange(1, 4)):
            text = chance.choice(MUTATIONS)(text, chance) or "x"
        name = str(tmp_path / f"m{count % 7}.py")
        project.set_text(name, text)
        try:
            report = engine.check(project, name, SETTINGS)
        except Exception as error:
            kept = tmp_path / "failing.py"
            kept.write_text(text, errors="surrogatepass")
            raise AssertionError(f"{type(error).__name__} on a text made from {path}, kept in {kept}") from error
        internal = [problem for problem in report.problems if "internal" in problem.message]
        assert not internal, (path, internal)
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


@pytest.mark.parametrize("text", EXTREMES.values(), ids=EXTREMES.keys())
def test_extremes(text: str, tmp_path: Path) -> None:
    project = engine.Project(tmp_path)
    name = str(tmp_path / "net.py")
    project.set_text(name, text)
    report = engine.check(project, name, SETTINGS)
    assert not [problem for problem in report.problems if "internal" in problem.message]


def test_a_circle_of_imports(tmp_path: Path) -> None:
    for one, other in (("a", "b"), ("b", "c"), ("c", "a")):
        (tmp_path / f"{one}.py").write_text(
            f"from {other} import *\nfrom {other} import {other.upper()}\nclass {one.upper()}({other.upper()}):\n"
            "    def forward(self, x):\n        return super().forward(x)\n"
        )
    project = engine.Project(tmp_path)
    reports = engine.check_files(project, [str(tmp_path / f"{name}.py") for name in "abc"], SETTINGS)
    assert [len(report.problems) for report in reports] == [0, 0, 0]
