"""What a name stands for: across files, through stars and aliases, and after a loop of the file's own top level."""

from __future__ import annotations

import ast
from pathlib import Path

import libcst
import pytest
from exportdb_rules.definitions import Import, Module
from exportdb_rules.engine import Project, Settings, check
from exportdb_rules.importers import importers
from exportdb_rules.names import Names, read_names
from exportdb_rules.project import import_root
from exportdb_rules.source import read

BRANCH = """
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x
"""


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
    ("head", "other"),
    [
        ("from parts import *\nclass Net(Base):", "import torch\nclass Base(torch.nn.Module): pass\n"),
        (
            "from parts import *\nclass Net(Base):",
            "from net import *\nimport torch\nclass Base(torch.nn.Module): pass\n",
        ),
        ("from parts import Base\nclass Net(Base):", "import torch.nn as layers\nBase = layers.Linear\n"),
        ("from parts import Base\nclass Net(Base):", "from torch import nn\nKind = nn.Linear\nBase = Kind\n"),
    ],
    ids=["star", "stars in a circle", "an alias of its own file", "an alias of an alias"],
)
def test_a_base_is_found_where_it_is_bound(tmp_path: Path, head: str, other: str) -> None:
    assert codes(tmp_path, head + BRANCH, parts=other) == ["EDB101"]


@pytest.mark.parametrize(
    ("public", "found"),
    [
        ("", ["EDB101"]),
        ('__all__ = ["Base"]\n', ["EDB101"]),
        ('__all__ = ("Other",)\n', []),
        ('__all__ = ["Other"]\n__all__ += ["Base"]\n', ["EDB101"]),
        ('__all__ = ["Other", *more]\n', ["EDB101"]),
    ],
)
def test_a_star_takes_what_the_other_file_gives(tmp_path: Path, public: str, found: list[str]) -> None:
    other = f"import torch\n{public}class Base(torch.nn.Module): pass\n"
    assert codes(tmp_path, f"from parts import *\nclass Net(Base):{BRANCH}", parts=other) == found


def test_a_star_takes_no_private_names_unless_they_are_given(tmp_path: Path) -> None:
    other = "import torch\nclass _Base(torch.nn.Module): pass\n"
    text = f"from parts import *\nclass Net(_Base):{BRANCH}"
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
        (package / f"{part}.py").write_text(f"import torch\nclass {part.title()}(torch.nn.Module): pass\n")
    net = folder / "net.py"
    net.write_text(f"from package import Part7, missing\nclass Net(Part7):{BRANCH}")
    return package, net


def test_of_files_that_pass_names_on_only_those_are_analysed_that_bind_one(tmp_path: Path) -> None:
    package, net = passed_on(tmp_path)
    project = Asked(tmp_path)
    assert [finding.code for finding in check(project, str(net), Settings()).findings] == ["EDB101"]
    init = str(package / "__init__.py")
    assert set(project.behind(str(net))) == {str(net), init, str(package / "part7.py"), f"*Part7 {init}"}
    # Nobody looks further than to the first that binds it.
    assert project.asked == {"__init__", *[f"part{number}" for number in range(8)]}


def test_another_file_may_bind_a_name_first_after_an_edit(tmp_path: Path) -> None:
    package, net = passed_on(tmp_path)
    project = Project(tmp_path)
    init, key = str(package / "__init__.py"), f"*Part7 {package / '__init__.py'}"
    assert len(check(project, str(net), Settings()).findings) == 1
    assert project.star_digest(key) == str(package / "part7.py")
    project.set_text(str(package / "part3.py"), "class Part7: pass\n")
    assert project.star_digest(key) == str(package / "part3.py")
    assert check(project, str(net), Settings()).findings == ()
    project.set_text(str(package / "part3.py"), "__all__ = []\nclass Part7: pass\n")
    assert len(check(project, str(net), Settings()).findings) == 1
    project.set_text(str(package / "part7.py"), "")
    assert project.star_source(init, "Part7") is None
    assert check(project, str(net), Settings()).findings == ()


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


@pytest.mark.parametrize(
    "text",
    [
        'TEXT = """\nclass A:\n    """\nclass B:\n    x = 1\ny = 1\n',
        'def f():\n    return """\nclass A:\n    x = """\nz = 1\n',
        "def f(\n    a,\n):\n    b = 1\nc = 1\n",
        "if x:\n    def f():\n        a = 1\n    b = 1\nelse:\n    c = 1\n",
        "class A:  # a remark:\n\n    x = 1\n# y\n    z = 1\nw = 1\n",
        "def f(): return 1\nasync def g():\n\ta = 1\n\nh = 1",
        "try:\n    import a.b\nexcept ImportError:\n    a = None\nfor i, (j, k) in x:\n    m: int = 1\n    n: int\n",
        "if __name__ == '__main__':\n    a = 1\nwith open(x) as (b, c):\n    d += 1\n",
        "class A:\n    x = 1\nbroken(\n",
    ],
)
def test_the_names_of_unusual_texts(tmp_path: Path, text: str) -> None:
    project = Project(tmp_path)
    project.set_text(str(tmp_path / "a.py"), text)
    module = project.module(str(tmp_path / "a.py"))
    assert module is not None
    assert project.names(str(tmp_path / "a.py")).bound == module.scope.keys()


def test_files_that_import_each_other_by_stars_still_know_the_builtins(tmp_path: Path) -> None:
    text = "import torch\nfrom parts import *\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return [v for v in x][: len([1])]\n"
    assert codes(tmp_path, text, parts="from net import *\n") == []


@pytest.mark.parametrize("alias", ["input = input", "first = second\nsecond = first", "from net import first"])
def test_a_name_that_stands_for_itself_is_no_class(tmp_path: Path, alias: str) -> None:
    name = "input" if alias.startswith("input") else "first"
    assert codes(
        tmp_path, f"import torch\n{alias}\nclass Other({name}): pass\nclass Net(torch.nn.Module):{BRANCH}"
    ) == ["EDB101"]


@pytest.mark.parametrize(
    "loop", ["for _ in range(3):\n    COUNT = COUNT + 1", "while COUNT < 3:\n    COUNT = COUNT + 1"]
)
def test_a_number_that_a_loop_of_the_file_changes_is_not_known(tmp_path: Path, loop: str) -> None:
    body = "\n    def forward(self, x):\n        if COUNT and x.sum() > 0:\n            return x\n        return -x\n"
    assert codes(tmp_path, f"import torch\nCOUNT = 0\n{loop}\nclass Net(torch.nn.Module):{body}") == ["EDB101"]


@pytest.mark.parametrize("names", ["helper", "(\n    other,\n    helper,\n)", "(other,  # first\n    helper)"])
def test_a_file_is_imported_by_name_also_on_several_lines(tmp_path: Path, names: str) -> None:
    package = tmp_path / "package"
    package.mkdir()
    for name in ("__init__", "helper", "other"):
        (package / f"{name}.py").touch()
    (tmp_path / "main.py").write_text(f"from package import {names}\n")
    project = Project(tmp_path)
    assert importers(project, str(package / "helper.py")) == (str(tmp_path / "main.py"),)


def test_the_root_of_imports_is_found_from_a_relative_path_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "__init__.py").touch()
    monkeypatch.chdir(tmp_path)
    assert import_root(Path("net.py"))[1] == "net"


def test_the_files_that_were_not_used_for_long_are_forgotten_first(tmp_path: Path) -> None:
    filler = "# " + "x" * 1000 + "\n"
    (tmp_path / "base.py").write_text(f"{filler}import torch\nclass Base(torch.nn.Module): pass\n")
    nets = [tmp_path / f"net{number}.py" for number in range(6)]
    for net in nets:
        net.write_text(f"{filler}from base import Base\nclass Net(Base):{BRANCH}")
    project = Project(tmp_path)
    for net in (*nets, *nets):
        project.spare(4000)
        assert project.size() <= 4000
        base = project.module(str(tmp_path / "base.py"))
        assert [finding.code for finding in check(project, str(net), Settings(), reaching=()).findings] == ["EDB101"]
        assert project.module(str(tmp_path / "base.py")) is base, "it was used by each of them"
        assert set(project.behind(str(net))) == {str(net), str(tmp_path / "base.py")}


def test_a_file_that_was_forgotten_and_read_again_is_the_base_of_those_that_were_kept(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text("import torch\nclass Base(torch.nn.Module): pass\n" + "# x\n" * 900)
    (tmp_path / "net.py").write_text(f"from base import Base\nclass Net(Base):{BRANCH}")
    project = Project(tmp_path)
    check(project, str(tmp_path / "net.py"), Settings())
    project.spare(10**6)
    net = project.module(str(tmp_path / "net.py"))
    assert net is not None
    project.spare(2000)
    base = project.module(str(tmp_path / "base.py"))
    assert base is not None
    assert project.module(str(tmp_path / "net.py")) is net
    assert net.classes[0].mro(project)[1] is base.classes[0]
