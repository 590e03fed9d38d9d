"""Checking a file again after an edit gives what a fresh check of the new text gives."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from exportdb_rules import engine
from exportdb_rules.definitions import FunctionInfo
from exportdb_rules.engine import Project, check
from exportdb_rules.interpreter import calls
from exportdb_rules.interpreter.machine import Frame

ROOT = Path(__file__).parents[2]
PROGRAMS = [path for path in (ROOT / "tests" / "data" / "fixes").rglob("*.py") if not path.name.endswith(".fixed.py")]
SOURCES = sorted([*(ROOT / "examples" / "speech").rglob("*.py"), *PROGRAMS])
EDITS = 12


def edited(text: str, chance: random.Random) -> str:
    """The text with one line changed as somebody who types changes it."""
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    line = lines[at]
    indent = line[: len(line) - len(line.lstrip())]
    kind = chance.choice(["insert", "delete", "rename", "branch", "break"])
    if kind == "insert":
        lines.insert(at, f"{indent}edited = 1")
    elif kind == "delete":
        del lines[at]
    elif kind == "rename":
        lines[at] = line.replace("x", "y", 1)
    elif kind == "branch":
        lines.insert(at, f"{indent}if x.sum() > 0: x = x + 1")
    else:
        lines[at] = f"{line} ("
    return "\n".join(lines)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_an_edited_file_is_checked_as_if_for_the_first_time(path: Path) -> None:
    chance = random.Random(path.name)
    name = str(path)
    text = path.read_text(encoding="utf-8")
    kept = Project()
    kept.set_text(name, text)
    check(kept, name)
    for _ in range(EDITS):
        newer = edited(text, chance)
        kept.set_text(name, newer)
        fresh = Project()
        fresh.set_text(name, newer)
        assert check(kept, name).findings == check(fresh, name).findings, newer
        if chance.random() < 0.7:
            text = newer


TWO = """\
import torch


class One(torch.nn.Module):
    def forward(self, x):
        y = x
        return y


class Two(torch.nn.Module):
    base = 1

    def forward(self, x):
        if x.sum() > self.base:
            return x.data
        return x
"""


@pytest.mark.parametrize(
    "typed",
    ["\n\n\n\n", "        if x is None:\n            y = 1\n\n", "        while y:\n            (\n", '        """'],
)
def test_findings_below_move_with_each_line_that_is_typed(typed: str) -> None:
    """Key by key, half-typed in between: no edit may see what an earlier one has moved where it was."""
    head, tail = TWO.split("        return y\n")
    kept = Project()
    for end in range(len(typed) + 1):
        text = f"{head}{typed[:end]}        return y\n{tail}"
        kept.set_text("net.py", text)
        fresh = Project()
        fresh.set_text("net.py", text)
        assert check(kept, "net.py") == check(fresh, "net.py"), text


CONTAINERS = """\
import torch


class Net(torch.nn.Module):
    def forward(self, xs: list[torch.Tensor], known: dict[str, torch.Tensor] | None = None):
        if xs[0].sum() > 0:
            return xs[0]
        if known is not None and known["a"].sum() > 0:
            return known["a"]
        self.hook(xs, known)
        return xs[1]


class Other(torch.nn.Module):
    def forward(self, x):
        return x
"""


def test_what_happens_to_the_containers_of_an_entry_is_no_business_of_the_next_check() -> None:
    project = Project()
    project.set_text("net.py", CONTAINERS)
    first = check(project, "net.py").findings
    assert {f.span.start.row for f in first} >= {6, 8}
    for number in range(3):
        project.set_text("net.py", CONTAINERS.replace("return x\n", f"return x + {number}\n"))
        assert check(project, "net.py").findings == first


def test_what_did_not_change_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The edit of one function's body is carried over, and finds what it brought."""
    carried: list[bool] = []
    carry_over = engine.carry_over

    def watched(*given: object) -> bool:
        carried.append(carry_over(*given))  # type: ignore[arg-type]
        return carried[-1]

    monkeypatch.setattr(engine, "carry_over", watched)
    before = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        y = x * 2\n        return y\n"
    project = Project()
    project.set_text("net.py", before)
    assert check(project, "net.py").findings == ()
    project.set_text("net.py", before.replace("y = x * 2", "y = x * 2 if x.sum() > 0 else x"))
    assert [f.code for f in check(project, "net.py").findings] == ["EDB101"]
    assert carried == [True]


WRAPPED = """\
import torch


def doubled(function):
    def wrapper(self, *args, **kwargs):
        self.seen = self.seen + 1
        return function(self, *args, **kwargs) * self.factor(args[0])

    return wrapper


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = 0

    def factor(self, x):
        return 2

    @doubled
    def forward(self, x):
        return self.part(x)

    def part(self, x):
        return x + 1


class Other(torch.nn.Module):
    def forward(self, x):
        return x
"""


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("return x\n", "return x * 2\n", False),
        ("return x + 1", "return x - 1", False),
        ("return x + 1", "return x + 1 if x.sum() > 0 else x", True),
        ("return self.part(x)", "y = self.part(x)\n        return x if y.sum() > 0 else y", True),
        ("return 2", "return 2 if x.sum() > 0 else 3", True),
        ("return 2", "return 2 if isinstance(x, torch.Tensor) else x", False),
    ],
)
def test_what_decorators_do_around_an_entry_is_seen_again_where_it_ran_what_changed(
    old: str, new: str, again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    run: list[str] = []
    plain = calls.run_body

    def noted(frame: Frame, info: FunctionInfo) -> None:
        run.append(info.name)
        plain(frame, info)

    monkeypatch.setattr(calls, "run_body", noted)
    project = Project()
    project.set_text("net.py", WRAPPED)
    check(project, "net.py")
    assert run.count("wrapper") == 1
    for text in (WRAPPED.replace(old, new), WRAPPED):
        project.set_text("net.py", text)
        run.clear()
        kept = check(project, "net.py").findings
        assert ("wrapper" in run) == again
        fresh = Project()
        fresh.set_text("net.py", text)
        assert kept == check(fresh, "net.py").findings
