"""The bodies of functions that are parsed when they are looked at: the same trees as those of the whole text."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path

import exportdb_rules
import pytest
from exportdb_rules.bodies import Body, mentions_store, outline
from exportdb_rules.definitions import Module
from exportdb_rules.engine import Settings, check_unit
from exportdb_rules.project import Project
from exportdb_rules.source import parse

from ..programs import block, fill

LONG = f"n = {list(range(60))}"
TRICKY = {
    "a function": """
        def f():
            {long}
            return 1
    """,
    "margins in strings": '''
        def f():
            {long}
            s = """
        def g():
          no
        """
            return s

        y = 1
    ''',
    "comments at the margin": """
        class C:
            def f(self):
                {long}
        # here
                return 1
        # there
            z = 2
    """,
    "a bracket at the margin": """
        def f():
            {long}
            return (
                1
        )


        def g():
            {long}
    """,
    "rows that go on at the margin": """
        def f():
            {long}
            return [
        1,
        2]
    """,
    "colons in a head": """
        def f(a: dict[str, int] = {{'(': 1}}, b=lambda x: x) -> 'A:':  # so:
            {long}
            return a
    """,
    "a head of many rows": """
        class C:
            def f(
                self,
                x='):',
            ):
                {long}
                return x

            def g(self): return 1
    """,
    "letters of many bytes": """
        class C:
            def f(self):
                {long}
                return 'ä' + self.é
    """,
    "tabs": """
        def f():
            {long}


        if 1:
        \tx = 1
    """,
    "a string of one quote": """
        def f():
            {long}
            return "'" '"' # '


        def g():
            {long}
    """,
    "a match": """
        match 1:
            case 1:
                def f():
                    {long}
                    return 1
    """,
    "a method in a branch": """
        if 1:
            async def f():
                {long}
                await f()
    """,
}
TEXTS = {name: "\n" + fill(block(text), long=LONG) for name, text in TRICKY.items()}
TEXTS["nothing behind it"] = TEXTS["a method in a branch"].rstrip()
TEXTS["ends of other systems"] = TEXTS["a function"].replace("\n", "\r\n")


def _dump(body: list[ast.stmt]) -> str:
    return ast.dump(ast.Module(body, []), include_attributes=True)


def _read(text: str) -> list[ast.stmt] | None:
    found = outline(text)
    if found is None:
        return None
    assert all(len(body) for body in found[1].bodies)
    return found[0]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_tree_in_pieces_is_the_tree_of_the_text(text: str) -> None:
    body = _read(text)
    assert body is None or _dump(body) == _dump(ast.parse(text).body)


def test_most_texts_are_taken_apart() -> None:
    kept = {name for name, text in TEXTS.items() if outline(text) is None}
    assert kept == {"rows that go on at the margin", "tabs", "ends of other systems"}


@pytest.mark.parametrize(
    "folder", [Path(exportdb_rules.__file__).parent, Path(ast.__file__).parent], ids=["ours", "stdlib"]
)
def test_the_trees_of_real_files(folder: Path) -> None:
    taken = 0
    for path in sorted(folder.rglob("*.py") if folder.name == "exportdb_rules" else folder.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body, whole = _read(text), ast.parse(text).body
        taken += body is not None
        assert body is None or _dump(body) == _dump(whole), path
    assert taken > 50


def test_a_body_is_a_list_of_statements_to_all_that_read_it() -> None:
    text = f"""
def f():
    {LONG}
    y = 1
    return y
"""
    looks = [
        len, bool, list, tuple, reversed, lambda b: [*b], lambda b: b[-1], lambda b: b[:2], lambda b: b[0] in b,
        lambda b: [].extend(b), lambda b: list(zip(b, b, strict=True)), lambda b: next(iter(b)),
    ]  # fmt: skip
    whole = ast.parse(text).body[0]
    assert isinstance(whole, ast.FunctionDef)
    for look in looks:
        found = outline(text)
        assert found is not None
        node = found[0][0]
        assert isinstance(node, ast.FunctionDef)
        body = node.body
        assert isinstance(body, Body)
        assert body.unread
        look(body)  # type: ignore[operator]
        assert type(node.body) is list
        assert _dump(node.body) == _dump(whole.body) == _dump([*body])
        assert (node.end_lineno, node.end_col_offset) == (whole.end_lineno, whole.end_col_offset)


def test_a_body_that_is_no_python_is_mended_as_in_the_whole_text() -> None:
    text = f"""
def f():
    {LONG}
    return = 1
    return x


def g():
    {LONG}
    return 2
"""
    for first in (True, False):
        module = Module("m.py", "m", text, is_package=False, whole=False)
        if first:
            assert len(module.functions[0].node.body) == 3
        assert module.problem is None
        module.read_whole()
        assert module.problem == parse(text).problem
        assert module.problem is not None
        assert _dump(module.body) == _dump(parse(text).body)


@pytest.mark.parametrize(
    ("statement", "stores"),
    [
        ("self.a = 1", True), ("self.a: int = 1", True), ("self.a += 1", True), ("x.a, self.b = 1, 2", True),
        ("(self.b, self.a) = y", True), ("self.b = self.a \\\n = 1", True), ("setattr(self, 'a', 1)", True),
        ("[q, self.a] = y", True), ("self.a >>= 1", True), ("self.a == 1", False), ("self.a(1)", False),
        ("self.ab = 1", False), ("return self.a + 1", False), ("x = self.a.b", False),
    ],
)  # fmt: skip
def test_an_assignment_to_an_attribute_is_seen_in_the_text(statement: str, stores: bool) -> None:
    assert mentions_store(f"    {statement} \n", "a") is stores


def test_what_is_imported_is_read_only_where_it_is_entered(tmp_path: Path) -> None:
    layers = f"""\
import torch
from torch import nn


class Base(nn.Module):
    def forward(self, x):
        y = x + 1
        {LONG}
        if x.sum() > 0:
            return y
        return x

    def unused(self):
        {LONG}
        return 1
"""
    net = """\
from layers import Base


class Net(Base):
    def forward(self, x):
        return super().forward(x)
"""
    files = {str(tmp_path / name): text for name, text in (("layers.py", layers), ("net.py", net))}
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    project = Project(tmp_path)
    unit = check_unit(project, str(tmp_path / "net.py"), Settings())
    assert [finding.code for finding in unit.findings] == ["EDB101"]
    module = project.module(str(tmp_path / "layers.py"))
    assert module is not None
    assert [type(method.node.body) is list for method in module.classes[0].methods.values()] == [True, False]
    assert check_unit(Project(tmp_path), str(tmp_path / "layers.py"), Settings()).findings
    # Whether it was imported before it is checked itself makes no difference.
    again = check_unit(project, str(tmp_path / "layers.py"), Settings())
    assert again == check_unit(Project(tmp_path), str(tmp_path / "layers.py"), Settings())


def test_of_a_base_only_the_methods_that_may_read_a_list_are_parsed(tmp_path: Path) -> None:
    base = """
        from torch import nn


        class Base(nn.Module):
            def __init__(self):
                super().__init__()
                self.items = []

            def forward(self, x):
                self.items.append(x)
                return x

            def other(self):
                {long}
                return n

            def stacked(self):
                {long}
                return self.items[n[0]]
    """
    (tmp_path / "base.py").write_text(fill(block(base), long=LONG), encoding="utf-8")
    net = """
        from base import Base


        class Net(Base):
            def forward(self, x):
                return super().forward(x)
    """
    (tmp_path / "net.py").write_text(block(net), encoding="utf-8")
    project = Project(tmp_path)
    unit = check_unit(project, str(tmp_path / "net.py"), Settings())
    assert [finding.code for finding in unit.findings] == ["EDB402"]
    module = project.module(str(tmp_path / "base.py"))
    assert module is not None
    methods = {name: method.node.body for name, method in module.classes[0].methods.items()}
    unread = [name for name, body in methods.items() if isinstance(body, Body) and body.unread]
    assert unread == ["other"]
