"""What a name stands for: across files, through stars and aliases, and after a loop of the file's own top level."""

from __future__ import annotations

import ast
import gc
from pathlib import Path

import libcst
import pytest
from exportdb_rules.bodies import Body
from exportdb_rules.definitions import ClassInfo, FunctionInfo, Import, Module
from exportdb_rules.engine import Project, Settings, check
from exportdb_rules.importers import importers
from exportdb_rules.names import Names, read_names
from exportdb_rules.project import import_root
from exportdb_rules.source import read

from ..programs import block, fill

NET = """\
{above}
class Net({base}):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x
"""


PARENT = """\
import torch
class {name}(torch.nn.Module): pass
"""


def net(above: str, base: str = "torch.nn.Module") -> str:
    """A file with a finding, if the base of its one class is a module of torch."""
    return fill(NET, above=above, base=base)


def codes(folder: Path, text: str, **others: str) -> list[str]:
    """What is found in a text beside other files of its folder, by their names."""
    project = Project(folder)
    for name, other in others.items():
        project.set_text(str(folder / f"{name}.py"), other)
    filename = str(folder / "net.py")
    project.set_text(filename, text)
    report = check(project, filename, Settings())
    assert not report.problems
    return [finding.code for finding in report.findings]


@pytest.mark.parametrize(
    ("imports", "other"),
    [
        (
            "from parts import *",
            """
            import torch
            class Base(torch.nn.Module): pass
            """,
        ),
        (
            "from parts import *",
            """
            from net import *
            import torch
            class Base(torch.nn.Module): pass
            """,
        ),
        (
            "from parts import Base",
            """
            import torch.nn as layers
            Base = layers.Linear
            """,
        ),
        (
            "from parts import Base",
            """
            from torch import nn
            Kind = nn.Linear
            Base = Kind
            """,
        ),
    ],
    ids=["star", "stars in a circle", "an alias of its own file", "an alias of an alias"],
)
def test_a_base_is_found_where_it_is_bound(tmp_path: Path, imports: str, other: str) -> None:
    assert codes(tmp_path, net(imports, "Base"), parts=block(other)) == ["EDB101"]


STARRED = """\
import torch
{public}
class Base(torch.nn.Module): pass
"""


@pytest.mark.parametrize(
    ("public", "found"),
    [
        ("", ["EDB101"]),
        ('__all__ = ["Base"]', ["EDB101"]),
        ('__all__ = ("Other",)', []),
        (
            """
            __all__ = ["Other"]
            __all__ += ["Base"]
            """,
            ["EDB101"],
        ),
        ('__all__ = ["Other", *more]', ["EDB101"]),
    ],
    ids=["nothing said", "said", "another", "added", "said elsewhere"],
)
def test_a_star_takes_what_the_other_file_gives(tmp_path: Path, public: str, found: list[str]) -> None:
    other = fill(STARRED, public=public)
    assert codes(tmp_path, net("from parts import *", "Base"), parts=other) == found


def test_a_star_takes_no_private_names_unless_they_are_given(tmp_path: Path) -> None:
    other = fill(PARENT, name="_Base")
    text = net("from parts import *", "_Base")
    assert codes(tmp_path, text, parts=other) == []
    assert codes(tmp_path, text, parts=other + '__all__ = ["_Base"]\n') == ["EDB101"]


class Asked(Project):
    """A project that remembers the files whose names were asked for."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.asked: set[str] = set()

    def names(self, filename: str) -> Names:
        self.asked.add(Path(filename).stem)
        return super().names(filename)


def passed_on(folder: Path) -> tuple[Path, Path]:
    """A package that gets its names from twenty files by `*`, and a file that takes two from it."""
    package = folder / "package"
    package.mkdir()
    parts = [f"part{number}" for number in range(20)]
    (package / "__init__.py").write_text("".join([f"from .{part} import *\n" for part in parts]))
    for part in parts:
        (package / f"{part}.py").write_text(fill(PARENT, name=part.title()))
    file = folder / "net.py"
    file.write_text(net("from package import Part7, missing", "Part7"))
    return package, file


def test_of_files_that_pass_names_on_only_those_are_analysed_that_bind_one(tmp_path: Path) -> None:
    package, file = passed_on(tmp_path)
    project = Asked(tmp_path)
    assert [finding.code for finding in check(project, str(file), Settings()).findings] == ["EDB101"]
    init = str(package / "__init__.py")
    assert set(project.dependencies(str(file))) == {str(file), init, str(package / "part7.py"), f"*Part7 {init}"}
    # Nobody looks further than to the first that binds it.
    assert project.asked == {"__init__", *[f"part{number}" for number in range(8)]}


def test_another_file_may_bind_a_name_first_after_an_edit(tmp_path: Path) -> None:
    package, file = passed_on(tmp_path)
    project = Project(tmp_path)
    init, key = str(package / "__init__.py"), f"*Part7 {package / '__init__.py'}"
    assert len(check(project, str(file), Settings()).findings) == 1
    assert project.star_digest(key) == str(package / "part7.py")
    project.set_text(str(package / "part3.py"), "class Part7: pass\n")
    assert project.star_digest(key) == str(package / "part3.py")
    assert check(project, str(file), Settings()).findings == ()
    private = """
        __all__ = []
        class Part7: pass
    """
    project.set_text(str(package / "part3.py"), block(private))
    assert len(check(project, str(file), Settings()).findings) == 1
    project.set_text(str(package / "part7.py"), "")
    assert project.star_source(init, "Part7") is None
    assert check(project, str(file), Settings()).findings == ()


def test_the_names_of_a_text_are_those_that_its_analysis_finds() -> None:
    compared = 0
    for path in [*Path(ast.__file__).parent.glob("*.py"), *Path(libcst.__file__).parent.rglob("*.py")]:
        try:
            module = Module(str(path), "a.b.c", read(path), is_package=False)
        except (SyntaxError, ValueError):
            continue
        known = read_names(module.text, "a.b.c", is_package=False)
        assert known is not None
        assert known.bound == module.scope.keys() - {"*"}, path
        stars = [star.module for star in module.scope.get("*", ()) if isinstance(star, Import)]
        assert list(known.stars) == list(dict.fromkeys(stars)), path
        compared += 1
    assert compared > 100


UNUSUAL = {
    "a text at the margin": '''
        TEXT = """
        class A:
            """
        class B:
            x = 1
        y = 1
    ''',
    "a text that ends in a body": '''
        def f():
            return """
        class A:
            x = """
        z = 1
    ''',
    "a head of many rows": """
        def f(
            a,
        ):
            b = 1
        c = 1
    """,
    "functions in branches": """
        if x:
            def f():
                a = 1
            b = 1
        else:
            c = 1
    """,
    "remarks at the margin": """
        class A:  # a remark:

            x = 1
        # y
            z = 1
        w = 1
    """,
    "bodies in the row of the head": """
        def f(): return 1
        async def g():
        \ta = 1

        h = 1
    """,
    "handlers and loops": """
        try:
            import a.b
        except ImportError:
            a = None
        for i, (j, k) in x:
            m: int = 1
            n: int
    """,
    "conditions and files": """
        if __name__ == '__main__':
            a = 1
        with open(x) as (b, c):
            d += 1
    """,
    "a class before an error": """
        class A:
            x = 1
        broken(
    """,
    "values over many rows": """
        a = b = {
            1: c,
        }
        d: dict[str, int] = dict(
            e=1,

            f=2,
        )
        g = 1
    """,
    "brackets that go on, and in strings": '''
        a = f(
            """
        b = g(
            """
        )
        c = [
            1,
        ] + [
            2,
        ]
    ''',
}


@pytest.mark.parametrize("text", UNUSUAL.values(), ids=UNUSUAL)
def test_the_names_of_unusual_texts(tmp_path: Path, text: str) -> None:
    project = Project(tmp_path)
    project.set_text(str(tmp_path / "a.py"), block(text))
    module = project.module(str(tmp_path / "a.py"))
    assert module is not None
    assert project.names(str(tmp_path / "a.py")).bound == module.scope.keys()


def test_files_that_import_each_other_by_stars_still_know_the_builtins(tmp_path: Path) -> None:
    text = """
        import torch
        from parts import *
        class Net(torch.nn.Module):
            def forward(self, x):
                return [v for v in x][: len([1])]
    """
    assert codes(tmp_path, block(text), parts="from net import *\n") == []


ITSELF = """\
import torch
{alias}
class Other({name}): pass
"""


@pytest.mark.parametrize(
    ("name", "alias"),
    [("input", "input = input"), ("first", "first = second\nsecond = first"), ("first", "from net import first")],
)
def test_a_name_that_stands_for_itself_is_no_class(tmp_path: Path, name: str, alias: str) -> None:
    assert codes(tmp_path, net(fill(ITSELF, name=name, alias=alias))) == ["EDB101"]


COUNTED = """\
import torch
COUNT = 0
{loop}
    COUNT = COUNT + 1
class Net(torch.nn.Module):
    def forward(self, x):
        if COUNT and x.sum() > 0:
            return x
        return -x
"""


@pytest.mark.parametrize("loop", ["for _ in range(3):", "while COUNT < 3:"])
def test_a_number_that_a_loop_of_the_file_changes_is_not_known(tmp_path: Path, loop: str) -> None:
    assert codes(tmp_path, fill(COUNTED, loop=loop)) == ["EDB101"]


NAMES = {
    "one line": "helper",
    "a line for each": """
        (
            other,
            helper,
        )
    """,
    "a remark between": """
        (other,  # first
            helper)
    """,
}


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_a_file_is_imported_by_name_also_on_several_lines(tmp_path: Path, names: str) -> None:
    package = tmp_path / "package"
    package.mkdir()
    for name in ("__init__", "helper", "other"):
        (package / f"{name}.py").touch()
    (tmp_path / "main.py").write_text(f"from package import {block(names)}")
    project = Project(tmp_path)
    assert importers(project, str(package / "helper.py")) == (str(tmp_path / "main.py"),)


def test_the_root_of_imports_is_found_from_a_relative_path_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "__init__.py").touch()
    monkeypatch.chdir(tmp_path)
    assert import_root(Path("net.py"))[1] == "net"


def test_the_files_that_were_not_used_for_long_are_forgotten_first(tmp_path: Path) -> None:
    filler = "# " + "x" * 1000 + "\n"
    (tmp_path / "base.py").write_text(filler + fill(PARENT, name="Base"))
    files = [tmp_path / f"net{number}.py" for number in range(6)]
    for file in files:
        file.write_text(filler + net("from base import Base", "Base"))
    project = Project(tmp_path)
    for file in (*files, *files):
        project.spare(4000)
        assert project.size() <= 4000
        base = project.module(str(tmp_path / "base.py"))
        assert [finding.code for finding in check(project, str(file), Settings(), reaching=()).findings] == ["EDB101"]
        assert project.module(str(tmp_path / "base.py")) is base, "it was used by each of them"
        assert set(project.dependencies(str(file))) == {str(file), str(tmp_path / "base.py")}


def test_a_file_that_was_forgotten_and_read_again_is_the_base_of_those_that_were_kept(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text(fill(PARENT, name="Base") + "# x\n" * 900)
    (tmp_path / "net.py").write_text(net("from base import Base", "Base"))
    project = Project(tmp_path)
    check(project, str(tmp_path / "net.py"), Settings())
    project.spare(10**6)
    kept = project.module(str(tmp_path / "net.py"))
    assert kept is not None
    project.spare(2000)
    base = project.module(str(tmp_path / "base.py"))
    assert base is not None
    assert project.module(str(tmp_path / "net.py")) is kept
    assert kept.classes[0].mro(project)[1] is base.classes[0]


def test_what_was_forgotten_does_not_wait_for_the_garbage_collector(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text(
        block(
            f"""
            class Outer:
                class Inner:
                    def method(self):
                        return "{"x" * 200}"

                def method(self):
                    return "{"x" * 200}"


            def function():
                return "{"x" * 200}"
            """
        )
    )
    project = Project(tmp_path)
    module = project.module(str(path))
    assert module is not None
    assert project.resolve(module, "function") is module.functions[0]
    assert module.functions[0].node.body, "one of the bodies is parsed"
    del module
    kinds = (Module, ClassInfo, FunctionInfo, Body, ast.ClassDef, ast.FunctionDef)
    gc.collect()
    gc.disable()
    try:
        before = sum(type(one) in kinds for one in gc.get_objects())
        project.spare(0)
        left = sum(type(one) in kinds for one in gc.get_objects())
    finally:
        gc.enable()
    # A module, its function, its two classes and their methods: as they are, as they are written, and three bodies.
    assert before - left == 1 + 2 * 5 + 3


def test_a_forward_of_another_file_is_run_with_the_methods_that_a_class_writes_anew(tmp_path: Path) -> None:
    """Whatever that file calls them: it need not name `forward` itself."""
    parts = """
        import torch

        class Base(torch.nn.Module):
            def forward(self, x: torch.Tensor):
                return self.process(x)

            def process(self, x):
                raise NotImplementedError
    """
    own = """
        import torch
        from parts import Base

        class Net(Base):
            def process(self, x):
                return x if x.sum() > 0 else -x
    """
    assert codes(tmp_path, block(own), parts=block(parts)) == ["EDB101"]
