"""Imports run downward only: server -> rules -> cases. The worker stands alone: standard library and torch."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CASES = ROOT / "cases" / "exportdb_cases"
RULES = ROOT / "rules" / "exportdb_rules"
SERVER = ROOT / "server" / "exportdb_lsp"
WORKER = SERVER / "worker"
# What runs in the user's interpreter to measure cases, under the same law as the worker.
PROBE = SERVER / "measure" / "probe"
OWN = {"exportdb_cases", "exportdb_rules", "exportdb_lsp"}
# numpy comes with torch where there is one, and user code is compared in its terms; always behind a try.
MAY_BE_THERE = {"numpy"}


def imported(path: Path) -> set[str]:
    """The top-level packages that a file imports anywhere in it, also for type checkers only."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
    return names


def files(folder: Path) -> list[Path]:
    # bench/.packages and bench/.tools hold the sources of other people's packages.
    return sorted(p for p in folder.rglob("*.py") if not {".packages", ".tools"} & set(p.parts))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_rules_know_nothing_above_them() -> None:
    above = {"exportdb_lsp", "torch", "pygls", "lsprotocol", "click", "rich"}
    assert [name(p) for p in files(RULES) if imported(p) & above] == []


CHECKED = """
import sys
from pathlib import Path
from exportdb_rules.engine import Project, check, fixes
project = Project()
filename = str(Path.cwd() / "net.py")
project.set_text(filename, '''import torch
class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return x - 1
''')
(finding,) = check(project, filename).findings
print("libcst" in sys.modules)
print(len(fixes(project, finding)) > 0, "libcst" in sys.modules)
"""


def test_a_check_does_not_wait_for_what_writes_fixes(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", CHECKED], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "True"]


def test_the_collection_knows_nothing_above_it() -> None:
    above = {"exportdb_lsp", "exportdb_rules", "torch"}
    assert [name(p) for p in files(CASES) if p.parent == CASES and imported(p) & above] == []


def test_a_case_is_a_program_of_its_own() -> None:
    assert [name(p) for p in files(CASES) if p.parent != CASES and imported(p) & OWN] == []


def test_the_worker_needs_only_the_standard_library_and_torch() -> None:
    may = set(sys.stdlib_module_names) | {"torch"} | MAY_BE_THERE
    others = {name(p): imported(p) - may for p in (*files(WORKER), *files(PROBE))}
    assert {path: needed for path, needed in others.items() if needed} == {}


def test_the_server_never_imports_torch() -> None:
    own = [p for p in files(SERVER) if not p.is_relative_to(WORKER) and not p.is_relative_to(PROBE)]
    assert [name(p) for p in own if imported(p) & {"torch", "numpy"}] == []


def test_only_the_server_part_knows_the_protocol() -> None:
    inside = SERVER / "lsp"
    assert [
        name(p) for p in files(SERVER) if not p.is_relative_to(inside) and imported(p) & {"pygls", "lsprotocol"}
    ] == []


# What every rewrite stands on lies beside their folders.
GROUND = {
    "__init__",
    "context",
    "edits",
    "effort",
    "finished",
    "fix_site",
    "imports",
    "layout",
    "offer",
    "outline",
    "parts",
    "refusal",
    "tree",
    "written",
}


def test_a_rewrite_has_its_folder() -> None:
    assert {path.stem for path in (RULES / "rewrite").glob("*.py")} == GROUND


INTERPRETER = RULES / "interpreter"
INSIDE = "exportdb_rules.interpreter"


def run_imports(node: ast.AST) -> list[ast.Import | ast.ImportFrom]:
    """The imports in a piece of code that Python carries out: not those for type checkers only."""
    found: list[ast.Import | ast.ImportFrom] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            found.append(child)
        elif isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            found += [part for other in child.orelse for part in run_imports(ast.Module([other], []))]
        else:
            found += run_imports(child)
    return found


def neighbours(node: ast.AST) -> set[str]:
    """The modules of the interpreter that a piece of code imports when it is run."""
    names: set[str] = set()
    for statement in run_imports(node):
        if isinstance(statement, ast.Import):
            names |= {alias.name for alias in statement.names}
        elif statement.level == 0:
            names |= {f"{statement.module}.{alias.name}" for alias in statement.names} | {statement.module or ""}
        else:
            names |= {f"{INSIDE}.{statement.module or alias.name}" for alias in statement.names}
    inside = {
        imported.removeprefix(f"{INSIDE}.").partition(".")[0] for imported in names if imported.startswith(f"{INSIDE}.")
    }
    return inside & {path.stem for path in files(INTERPRETER)}


def circles(arrows: dict[str, set[str]]) -> list[set[str]]:
    """The strongly connected components of a graph that are more than one node without an arrow to itself."""

    def behind(start: str, graph: dict[str, set[str]]) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            new = graph[waiting.pop()] - seen
            seen |= new
            waiting += new
        return seen

    back = {node: {other for other, ends in arrows.items() if node in ends} for node in arrows}
    found = {frozenset(behind(node, arrows) & behind(node, back)) for node in arrows}
    return sorted((set(circle) for circle in found if circle), key=sorted)


def test_a_circle_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"d"}}) == [{"b", "c"}, {"d"}]


def test_the_interpreter_imports_in_no_circle() -> None:
    trees = {path.stem: ast.parse(path.read_text("utf-8")) for path in files(INTERPRETER)}
    assert circles({stem: neighbours(tree) for stem, tree in trees.items()}) == []


def test_the_interpreter_imports_at_the_top() -> None:
    functions = [
        (path, node)
        for path in files(INTERPRETER)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
    ]
    found = [(f"{name(path)}:{function.lineno}", neighbours(function)) for path, function in functions]
    assert [place for place in found if place[1]] == []


LOADED = """
import sys
import exportdb_rules.engine
print(*(name.removeprefix("exportdb_rules.interpreter.") for name in sys.modules if name.startswith("exportdb_rules.interpreter.")))
"""


def test_the_engine_loads_all_that_the_interpreter_registers() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {path.stem for path in files(INTERPRETER)} - {"__init__"}


FORBIDDEN_NAMES = {"utils", "helpers", "common", "misc"}


def test_no_drawer_for_odds_and_ends() -> None:
    folders = [ROOT / part for part in ("cases", "rules", "server", "tests", "bench", "examples")]
    assert [name(p) for folder in folders for p in files(folder) if p.stem in FORBIDDEN_NAMES] == []
