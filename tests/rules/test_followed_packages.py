"""Models, functions and configurations of installed packages: their code is followed, and what fails in it is told at the call
that comes there."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from exportdb_rules.engine import Project, Settings, check
from exportdb_rules.finding import Confidence, Mode

from ..programs import block, fill, load, model_exports

if TYPE_CHECKING:
    from exportdb_rules.finding import Finding

torch = pytest.importorskip("torch")

PACKAGE = {
    "stones/__init__.py": """
        import torch
        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            from .models import *
            from .options import *
        from .models import *
        from .models import inner
        from .options import *
    """,
    "stones/options.py": """
        import copy
        from dataclasses import dataclass

        __all__ = ["Options"]


        @dataclass
        class Options:
            gated: bool = False
            cached: bool = False
            depth: int = 1
            other_names = {"gate": "gated"}

            def __setattr__(self, name, value):
                if name in super().__getattribute__("other_names"):
                    name = super().__getattribute__("other_names")[name]
                super().__setattr__(name, value)

            def copied(self):
                other = copy.deepcopy(self)
                other.gated = False
                return other
    """,
    "stones/outputs.py": """
        from collections import OrderedDict
        from dataclasses import fields

        from torch.utils import _pytree as pytree


        class Output(OrderedDict):
            def __init_subclass__(cls):
                pytree.register_pytree_node(
                    cls, lambda one: (list(one.values()), list(one)), lambda values, names: dict(zip(names, values)),
                    serialized_type_name=cls.__name__,
                )

            def __post_init__(self):
                for one in fields(self):
                    if getattr(self, one.name) is not None:
                        self[one.name] = getattr(self, one.name)
    """,
    "stones/models.py": """
        import functools
        from dataclasses import dataclass

        import torch
        from torch import nn

        from .options import Options
        from .outputs import Output

        __all__ = [
            "Cached", "Careful", "Decorated", "Gate", "Gated", "Plain", "Repeated", "Rescaled", "Swapped", "gate", "plain", "stone",
        ]


        class inner:
            def __init__(self, x):
                self.x = x


        @dataclass
        class Result(Output):
            logits: torch.Tensor = None
            cache: inner = None


        class Plain(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = nn.Linear(4, 4)

            def forward(self, x, scale=None):
                if scale is not None and scale > 2:
                    x = x * scale
                return self.lin(x)

            def eval(self):
                return self.train(False)

            def train(self, mode=True):
                return super().train(mode)


        class Gate(Plain):
            def forward(self, x):
                y = self.lin(x)
                if y.sum() > 0:
                    y = y + 1
                return y


        class Gated(nn.Module):
            def __init__(self, options: Options):
                super().__init__()
                self.options = options
                self.lin = nn.Linear(4, 4)

            @classmethod
            def from_pretrained(cls, name, **keywords):
                return load(cls, **keywords)

            def forward(self, x):
                if self.options.gated and x.sum() > 0:
                    return x
                return self.lin(x)


        def load(cls, **keywords):
            return cls(Options(**keywords))


        def with_options(function):
            @functools.wraps(function)
            def wrapper(self, *args, **keywords):
                if "cached" in function.__code__.co_varnames and keywords.get("cached") is None:
                    keywords["cached"] = getattr(self.options, "cached", None)
                return function(self, *args, **keywords)

            return wrapper


        class Cached(Gated):
            @with_options
            def forward(self, x, cached=None):
                return Result(logits=self.lin(x), cache=inner(x) if cached else None)


        def without_gate(cls):
            gated = cls.forward

            def forward(self, x):
                return self.lin(x) if self.options.depth == 1 else gated(self, x)

            cls.forward = forward
            return cls


        @without_gate
        class Decorated(Gated):
            def forward(self, x):
                return x if x.sum() > 0 else self.lin(x)


        class Repeated(Plain):
            def __init__(self, count=3):
                super().__init__()
                self.count = count

            def forward(self, x):
                for part in x.unbind(0):
                    for _ in range(self.count):
                        x = x + one_by_one(part)
                return x


        class Careful(Plain):
            def __init__(self, mode="fast"):
                super().__init__()
                self.mode = mode

            def forward(self, x, careful=None):
                y = self.lin(x)
                if careful or self.mode == "careful":
                    y = y if y.sum() > 0 else x
                return y


        def one_by_one(part):
            return 1 if part.sum() > 0 else 2


        class Rescaled(Plain):
            def __init__(self):
                super().__init__()
                self.done = False

            def forward(self, x):
                if not self.done:
                    self.done = True
                return self.lin(x)


        class Swapped(nn.Module):
            def __init__(self, kind):
                super().__init__()
                self.inner = {"plain": Plain, "gate": Gate}[kind]()

            def forward(self, x):
                return self.inner(x)


        def gate(x):
            return x if x.sum() > 0 else -x


        def plain(x):
            return torch.tanh(x)


        def stone(gated=False):
            return Gate() if gated else Plain()
    """,
    "stones/auto.py": """
        import importlib
        from collections import OrderedDict

        import torch

        TABLE = OrderedDict([("gate", "Plain"), ("plain", "Gate")])
        TABLE = OrderedDict([("gate", "Gate"), ("plain", "Plain"), *[(name, name.upper()) for name in ("a", "b", "c", "d", "e")]])
        TABLE = OrderedDict(**{"rescaled": "Rescaled"}, **TABLE)
        KINDS = {name: kind for kind, name in TABLE.items()}
        USED = {}


        def made(kind):
            module = importlib.import_module(".models", "stones")
            if kind in USED or not hasattr(module, TABLE[kind]):
                raise KeyError(kind)
            return getattr(module, TABLE[kind])()


        def like(model):
            return made(KINDS[type(model).__name__])
    """,
    "pebbles.py": """
        def sized(x):
            return 1 if x.sum() > 0 else 2
    """,
}
WRAPPED = """\
import stones
import torch
from pebbles import sized
from stones import auto
from stones import Cached, Careful, Decorated, Gate, Gated, Options, Plain, Repeated, Rescaled, Swapped


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    def forward(self, x):
        return {result}


model = Net().eval()
example_args = (torch.rand(3, 4),)
"""
WRAPPED_FAIL = (
    ("self.inner = Gate()", "self.inner(x) + 1"),
    ("self.inner = stones.Gate()", "self.inner(x) + 1"),
    ("self.inner = stones.models.Gate()", "self.inner(x) + 1"),
    ("self.inner = stones.stone(gated=True)", "self.inner(x)"),
    ("self.inner = Swapped('gate')", "self.inner(x)"),
    ("self.inner = Gated(Options(gated=True))", "self.inner(x)"),
    ("options = Options()\noptions.gated = True\nself.inner = Gated(options)", "self.inner(x)"),
    ("options = Options()\noptions.gate = True\nself.inner = Gated(options)", "self.inner(x)"),
    ("options = Options(gated=True)\noptions.copied()\nself.inner = Gated(options)", "self.inner(x)"),
    ("self.inner = Cached(Options(cached=True))", "self.inner(x)"),
    ("self.inner = Cached(Options())", "self.inner(x, cached=True)"),
    ("self.inner = Gated.from_pretrained('some', gated=True)", "self.inner(x)"),
    ("self.inner = Repeated()", "self.inner(x)"),
    ("self.inner = auto.made('gate')", "self.inner(x)"),
    ("self.inner = auto.like(Gate())", "self.inner(x)"),
    ("self.inner = Careful('careful')", "self.inner(x)"),
    ("self.inner = Careful()", "self.inner(x, careful=True)"),
    ("pass", "stones.gate(x) + 1"),
)  # fmt: skip
WRAPPED_EXPORT = (
    ("self.inner = Plain()", "self.inner(x) + 1"),
    ("self.inner = stones.stone()", "self.inner(x)"),
    ("self.inner = Swapped('plain')", "self.inner(x)"),
    ("self.inner = Gated(Options())", "self.inner(x)"),
    ("options = Options()\noptions.depth = 2\nself.inner = Gated(options)", "self.inner(x)"),
    ("self.inner = Gated(Options(gated=True).copied())", "self.inner(x)"),
    ("self.inner = Gated.from_pretrained('some')", "self.inner(x)"),
    ("self.inner = Cached(Options())", "self.inner(x)"),
    ("self.inner = Cached(Options(cached=True))", "self.inner(x).logits"),
    ("self.inner = Gated.from_pretrained('some', cached=True)", "self.inner(x)"),
    ("Gated.from_pretrained('some', gated=True)\nself.inner = Gated.from_pretrained('some')", "self.inner(x)"),
    ("self.inner = Careful()", "self.inner(x)"),
    ("self.inner = Decorated(Options())", "self.inner(x)"),
    ("self.inner = Rescaled()", "self.inner(x)"),
    ("self.inner = auto.made('plain')", "self.inner(x)"),
    ("self.inner = auto.made('rescaled')", "self.inner(x)"),
    ("self.inner = auto.like(Plain())", "self.inner(x)"),
    ("self.inner = Gate()", "self.inner.lin(x)"),
    ("pass", "stones.plain(x) + 1"),
)  # fmt: skip
EXPORTED = """\
import torch
from stones import Cached, Gate, Gated, Options, Plain, stone

options = Options()
{options}
model = {made}
{then}
example_args = (torch.rand(3, 4),)

if __name__ == "__main__":
    torch.export.export(model, example_args)
"""
EXPORTED_FAIL = (
    ("", "Gate()", ""),
    ("", "Gate().eval()", ""),
    ("", "stone(gated=True).eval()", ""),
    ("options.gated = True", "Gated(options)", ""),
    ("", "Gated(options)", "model.options.gated = True"),
    ("options.cached = True", "Cached(options)", ""),
    ("", "torch.nn.Sequential(Plain(), Gate())", ""),
)  # fmt: skip
EXPORTED_EXPORT = (
    ("", "Plain()", ""),
    ("", "Plain().eval()", ""),
    ("", "stone().eval()", ""),
    ("", "Gated(options)", ""),
    ("options.gated = True\noptions.gated = False", "Gated(options)", ""),
    ("options.gated = True", "Gated(options)", "model.eval()\nmodel.options.gated = False"),
    ("", "Gated.from_pretrained('some').eval()", ""),
    ("", "Cached(options)", ""),
    ("options.cached = True", "Cached(options)", "model.options.cached = False"),
    ("", "torch.nn.Sequential(Plain(), Plain())", ""),
)  # fmt: skip


DERIVED = """\
import torch
from stones import Gate, Gated, Options, Plain


class Net({base}):
    {body}


model = Net({given}).eval()
example_args = (torch.rand(3, 4),)
"""
DERIVED_FAIL = (
    ("Gate", "pass", ""),
    ("Gate", "def forward(self, x): return super().forward(x) + 1", ""),
    ("Gated", "pass", "Options(gated=True)"),
    ("Plain", "def forward(self, x):\n    y = self.lin(x)\n    return y if y.mean() > 0 else x", ""),
)  # fmt: skip
DERIVED_EXPORT = (
    ("Plain", "pass", ""),
    ("Plain", "def forward(self, x): return super().forward(x) + 1", ""),
    ("Gate", "def forward(self, x): return self.lin(x)", ""),
    ("Gated", "pass", "Options()"),
)  # fmt: skip


@pytest.fixture
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages."""
    folder = tmp_path_factory.mktemp("packages") / "site-packages"
    for name, text in PACKAGE.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block(text), encoding="utf-8")
    return folder


def findings_in(text: str, tmp_path: Path, packages: Path) -> tuple[Finding, ...]:
    """What is found in a file beside which the packages are installed."""
    filename = str(tmp_path / "model.py")
    project = Project(tmp_path)
    project.set_text(filename, text)
    return check(project, filename, Settings(modes=(Mode.NON_STRICT,), packages=(str(packages),))).findings


def exports_beside(text: str, tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the model of a program is exported where the packages are installed."""
    monkeypatch.syspath_prepend(str(packages))
    try:
        module = load(text, tmp_path, "program")
        return model_exports(module.model, module.example_args, strict=False)
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] in ("stones", "pebbles")]:
            del sys.modules[name]


@pytest.mark.parametrize(("made", "result"), [*WRAPPED_FAIL, *WRAPPED_EXPORT])
def test_a_module_around_one_of_a_package(
    made: str, result: str, tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = fill(WRAPPED, made=made, result=result)
    fails = (made, result) in WRAPPED_FAIL
    assert bool(findings_in(text, tmp_path, packages)) is fails
    assert exports_beside(text, tmp_path, packages, monkeypatch) is not fails


@pytest.mark.parametrize(("options", "made", "then"), [*EXPORTED_FAIL, *EXPORTED_EXPORT])
def test_a_model_of_a_package(
    options: str, made: str, then: str, tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = fill(EXPORTED, options=options, made=made, then=then)
    fails = (options, made, then) in EXPORTED_FAIL
    assert bool(findings_in(text, tmp_path, packages)) is fails
    assert exports_beside(text, tmp_path, packages, monkeypatch) is not fails


@pytest.mark.parametrize(("base", "body", "given"), [*DERIVED_FAIL, *DERIVED_EXPORT])
def test_a_class_that_derives_from_one_of_a_package(
    base: str, body: str, given: str, tmp_path: Path, packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = fill(DERIVED, base=base, body=body, given=given)
    fails = (base, body, given) in DERIVED_FAIL
    assert bool(findings_in(text, tmp_path, packages)) is fails
    assert exports_beside(text, tmp_path, packages, monkeypatch) is not fails


def test_of_an_inherited_forward_it_stands_at_the_base(tmp_path: Path, packages: Path) -> None:
    text = fill(DERIVED, base="Gate", body="pass", given="")
    (finding,) = findings_in(text, tmp_path, packages)
    assert text.splitlines()[finding.span.start.row - 1] == "class Net(Gate):"
    assert finding.package == "stones"


def test_the_finding_stands_at_the_call_and_names_the_line_inside(tmp_path: Path, packages: Path) -> None:
    text = fill(WRAPPED, made="self.inner = Swapped('gate')", result="self.inner(x) + 1")
    (finding,) = findings_in(text, tmp_path, packages)
    rows = text.splitlines()
    assert finding.filename == str(tmp_path / "model.py")
    assert rows[finding.span.start.row - 1].strip() == "return self.inner(x) + 1"
    assert finding.span.end.column - finding.span.start.column == len("self.inner(x)")
    inside = finding.related[0]
    source = Path(inside.filename).read_text(encoding="utf-8").splitlines()
    assert source[inside.span.start.row - 1].strip() == "if y.sum() > 0:"
    assert f"(in `stones`, models.py:{inside.span.start.row})" in finding.message
    assert finding.confidence is Confidence.LIKELY
    assert not finding.fixable


def test_of_an_exported_model_it_stands_where_it_is_exported(tmp_path: Path, packages: Path) -> None:
    text = fill(EXPORTED, options="", made="Gate()", then="")
    (finding,) = findings_in(text, tmp_path, packages)
    assert text.splitlines()[finding.span.start.row - 1].strip() == "torch.export.export(model, example_args)"


def test_what_a_package_without_torch_does_is_not_followed(tmp_path: Path, packages: Path) -> None:
    text = fill(WRAPPED, made="pass", result="x * sized(x)")
    assert not findings_in(text, tmp_path, packages)


def test_the_files_of_a_package_are_what_the_check_rests_on(tmp_path: Path, packages: Path) -> None:
    text = fill(WRAPPED, made="self.inner = Gate()", result="self.inner(x)")
    filename = str(tmp_path / "model.py")
    project = Project(tmp_path)
    project.set_text(filename, text)
    check(project, filename, Settings(packages=(str(packages),)))
    rests = project.dependencies(filename)
    assert {str(packages / "stones" / name) for name in ("__init__.py", "models.py")} <= rests.keys()
