"""Classes that are local to a function, a test or another class are checked as those at the top level of a file are."""

from __future__ import annotations

import ast
import io
import tokenize
from functools import cache
from pathlib import Path

import exportdb_cases
import pytest
from checking import Checker, codes
from exportdb_cases.collection import all_cases
from exportdb_rules.engine import Project, Settings, check, fixes
from exportdb_rules.finding import Mode
from exportdb_rules.rewrite.edits import apply

FOLDER = Path(exportdb_cases.__file__).parent
# Their findings are about names of the module itself, or about its `dynamic_shapes`.
PROGRAMS = {
    case.name: text
    for case in all_cases()
    if "dynamic_shapes" not in (text := case.path.read_text("utf-8"))
    and "export" not in text.partition("import torch")[2]
}
SETTINGS = Settings(modes=tuple(Mode))
FUNCTION = "def test_it():\n"
METHOD = """\
class TestIt(Case):
    @decorated
    def test_it(
        self, x=1
    ) -> None:  # it: that
"""
# What is written behind a definition of the module, and what speaks of `global` names, is not offered inside a function.
MODULE_LEVEL = frozenset({"EDB701", "EDB801", "EDB404"})


def wrapped(text: str, head: str) -> tuple[str, int, int]:
    """A program in a function that exports it, its imports left where they are; by how many rows and columns it moved."""
    lines = text.splitlines(keepends=True)
    imports = [node.end_lineno or 0 for node in ast.parse(text).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    top = max(imports, default=0)
    depth = 8 if head.startswith("class") else 4
    body = [" " * depth + line if line.strip() else line for line in lines[top:]]
    kwargs = ", example_kwargs" if "\nexample_kwargs" in text else ""
    body.append(f"{' ' * depth}torch.export.export(model, example_args{kwargs})\n")
    return "".join([*lines[:top], head, *body]), head.count("\n"), depth


def laid_out(text: str) -> tuple[str, list[str]]:
    """The code of a text, whatever lines it is broken at, which depends on the indentation; and its comments."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return ast.unparse(ast.parse(text)), [token.string for token in tokens if token.type == tokenize.COMMENT]


@cache
def found(text: str) -> list[tuple[tuple[object, ...], dict[str, str]]]:
    """What is found in a text: each finding in short, and the texts that its fixes make."""
    filename = str(FOLDER / "model.py")
    project = Project(FOLDER)
    project.set_text(filename, text)
    report = check(project, filename, SETTINGS)
    assert not report.problems
    return [
        (
            (f.code, f.span.start.row, f.span.start.column, f.case, f.confidence),
            {fix.title: apply(text, fix.edits) for fix in fixes(project, f, SETTINGS)},
        )
        for f in report.findings
    ]


@pytest.mark.parametrize("head", [FUNCTION, METHOD], ids=["function", "test"])
@pytest.mark.parametrize("case", PROGRAMS)
def test_a_program_in_a_function_has_the_same_findings_and_fixes(case: str, head: str) -> None:
    text = PROGRAMS[case]
    inside, rows, columns = wrapped(text, head)
    plain, local = found(text), found(inside)
    assert [(c, r + rows, col + columns, *rest) for (c, r, col, *rest), _ in plain] == [f for f, _ in local]
    for (finding, offered), (_, offered_inside) in zip(plain, local, strict=True):
        if finding[0] not in MODULE_LEVEL:
            expected = {title: wrapped(fixed, head)[0] for title, fixed in offered.items()}
            assert {t: laid_out(made) for t, made in offered_inside.items()} == {
                t: laid_out(made) for t, made in expected.items()
            }


TEST = """
import torch
from torch import nn


class Base(nn.Module):
    pass


class TestIt:
    class Shared(Base):
        def forward(self, x):
            return x if x.sum() > 0 else -x

    def test_one(self, device):
        import torch.nn.functional as F

        limit = 3

        def positive(x):
            return F.relu(x).sum() > limit

        class Net(Base):
            def forward(self, x):
                return x if positive(x) else -x

        class Other(Net):
            def forward(self, x):
                if limit > 2:
                    return super().forward(x)
                return x.item()

        with self.subTest():
            class Net(nn.Module):
                def forward(self, x):
                    return x.numpy() if device else self.Inner()(x)

                class Inner(nn.Module):
                    def forward(self, x):
                        return x if x[0] > 0 else -x


if __name__ == "__main__":
    class Main(nn.Module):
        def forward(self, x):
            return x.numpy()
"""


def test_local_classes_are_entries_with_their_qualified_names(check_text: Checker) -> None:
    report = check_text(TEST)
    assert not report.problems
    assert [entry.name for entry in report.entries] == [
        "TestIt.Shared.forward",
        "TestIt.test_one.<locals>.Net.forward",
        "TestIt.test_one.<locals>.Other.forward",
        "TestIt.test_one.<locals>.Net.forward",
        "TestIt.test_one.<locals>.Net.Inner.forward",
        "Main.forward",
    ]


def test_local_classes_see_what_is_around_them(check_text: Checker) -> None:
    lines = TEST.splitlines()
    marked = {(f.code, lines[f.span.start.row - 1].strip()) for f in check_text(TEST).findings}
    assert marked == {
        ("EDB101", "return x if x.sum() > 0 else -x"),
        ("EDB101", "return x if positive(x) else -x"),
        ("EDB204", "return x.numpy() if device else self.Inner()(x)"),
        ("EDB701", "return x.numpy() if device else self.Inner()(x)"),
        ("EDB101", "return x if x[0] > 0 else -x"),
        ("EDB204", "return x.numpy()"),
        ("EDB701", "return x.numpy()"),
    }


def test_a_number_that_a_closure_counts_is_found(check_text: Checker) -> None:
    text = """
import torch


def build():
    calls = 0

    class Net(torch.nn.Module):
        def forward(self, x):
            nonlocal calls
            calls += 1
            return x + calls

    return Net()
"""
    assert codes(check_text(text)) == ["EDB404"]


def test_a_name_that_is_bound_again_is_not_known(check_text: Checker) -> None:
    text = """
import torch


def build(n):
    for size in (1, n):
        kind = "a" if n else "b"

        class Net(torch.nn.Module):
            def forward(self, x):
                if kind == "a":
                    return x
                return x.numpy()
"""
    assert codes(check_text(text)) == ["EDB204", "EDB701"]


def test_a_local_class_is_no_class_of_that_name_elsewhere(check_text: Checker) -> None:
    text = """
import torch
from elsewhere import Net


def test_it():
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("flag", torch.zeros(()))

        def forward(self, x):
            return x

    class Outer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = Net()

        def forward(self, x):
            return x if self.net.flag > 0 else -x
"""
    assert codes(check_text(text)) == ["EDB101"]


def test_an_edit_beside_and_within_local_classes_is_seen(tmp_path: Path) -> None:
    filename = str(tmp_path / "model.py")
    text = """
import torch


def helper(x):
    return x


def test_it():
    class Net(torch.nn.Module):
        def forward(self, x):
            return helper(x)

    return Net()
"""
    project = Project(tmp_path)
    seen: list[list[tuple[str, int]]] = []
    beside = text.replace("    return x\n\n", "    y = x + 1\n    return y if x.sum() > 0 else y\n\n")
    within = text.replace("return helper(x)", "return x.tolist()")
    for version in (text, beside, within, text, beside):
        project.set_text(filename, version)
        report = check(project, filename, SETTINGS)
        seen.append([(f.code, f.span.start.row) for f in report.findings])
        fresh = Project(tmp_path)
        fresh.set_text(filename, version)
        assert check(fresh, filename, SETTINGS) == report
    assert seen[0] == seen[3] == []
    assert seen[1] == seen[4] != []
