"""What the inputs of an entry are is read from the file: from a comment, ExportDB's names, or a call that exports it."""

from __future__ import annotations

from pathlib import Path

import pytest
from checking import Checker, codes
from exportdb_rules.declared import Declared, PlainInput, Written

from ..programs import block, fill

NET = """\
import torch
from torch.export import Dim, ShapesCollection, dims


class Net(torch.nn.Module):
    def forward(self, x, n=None):
        {body}


"""
SIZE = "return x if x.shape[0] > 8 else -x"
LAST = "return x if x.shape[1] > 8 else -x"
NUMBER = "return x if n > 2 else -x"

# Ways to say that the first dimension of x is dynamic, and the second is not.
WAYS = {
    "call": "torch.export.export(Net(), (torch.randn(4, 3),), dynamic_shapes={'x': {0: Dim('b')}})",
    "tuple": "torch.export.export(Net(), (torch.randn(4, 3),), dynamic_shapes=((Dim.DYNAMIC, None),))",
    "keywords": "torch.export.export(mod=Net(), args=(torch.randn(4, 3),), dynamic_shapes=({0: Dim('b')},))",
    "in a function": """def main():
    net = Net().eval()
    x = torch.randn(4, 3)
    shapes = {"x": {0: Dim("b")}}
    return torch.export.export(net, (x,), dynamic_shapes=shapes)
""",
    "in a test": """class TestNet(TestCase):
    def test_it(self):
        net, inputs = Net(), (torch.randn(4, 3),)
        with self.subTest():
            torch.export.export(net, inputs, dynamic_shapes={"x": {0: Dim("b")}})
""",
    "under main": """if __name__ == "__main__":
    torch.export.export(Net(), (torch.randn(4, 3),), dynamic_shapes={"x": {0: Dim.AUTO}})
""",
    "item by item": """def main():
    shapes = {}
    shapes["x"] = {}
    shapes["x"][0] = Dim("b")
    torch.export.export(Net(), (torch.randn(4, 3),), dynamic_shapes=shapes)
""",
    "a collection": """def main():
    x = torch.randn(4, 3)
    shapes = ShapesCollection()
    shapes[x] = {0: Dim("b")}
    torch.export.export(Net(), (x,), dynamic_shapes=shapes)
""",
    "dict and **": """def main():
    base = dict(x={0: Dim("b")})
    torch.export.export(Net(), (torch.randn(4, 3), 4), dynamic_shapes={**base, "n": None})
""",
    "a comprehension": """def main():
    batch = Dim("b")
    shapes = {name: {0: batch} for name in ("x",)}
    torch.export.export(Net(), (torch.randn(4, 3),), dynamic_shapes=shapes)
""",
    "a product": """def main():
    torch.export.export(Net(), (torch.randn(4, 3),), dynamic_shapes=[{0: Dim("b")}] * 1)
""",
    "dims": """def main():
    b, c = dims("b", "c")
    torch.export.export(Net(), (torch.randn(4, 3),), dynamic_shapes={"x": {0: b}})
""",
    "names": """model = Net()
example_args = (torch.randn(4, 3),)
dynamic_shapes = {'x': {0: Dim('b')}}
""",
    "names beside the one class": """example_args = (torch.randn(4, 3),)
dynamic_shapes = {'x': {0: Dim('b')}}
""",
    "the name of the call's": """dynamic_shapes = {"x": {0: Dim("b")}}
model = Net()
torch.export.export(model, (torch.randn(4, 3),), dynamic_shapes=dynamic_shapes)
""",
    "one or none": """def main(full):
    shapes = {"x": {0: Dim("b")}} if full else None
    torch.export.export(Net(), (torch.randn(4, 3),), dynamic_shapes=shapes)
""",
    "none on one branch": """def main(full):
    if full:
        shapes = {"x": {0: Dim("b")}}
    else:
        shapes = None
    torch.export.export(Net(), (torch.randn(4, 3),), dynamic_shapes=shapes)
""",
    "options": """def main():
    options = {"dynamic_shapes": {"x": {0: Dim("b")}}, "strict": False}
    torch.export.export(Net(), (torch.randn(4, 3),), **options)
""",
    "a function that is given the model": """def save(model, path="net.pt2"):
    exported = torch.export.export(model, (torch.randn(4, 3),), dynamic_shapes={"x": {0: Dim("b")}})
    torch.export.save(exported, path)

def main():
    net = Net().eval()
    save(net)
""",
    "a function that is given everything": """def save(model, args, shapes=None, **options):
    exported = torch.export.export(model, args, dynamic_shapes=shapes)
    return exported

batch = Dim("b")
save(Net(), args=(torch.randn(4, 3),), shapes={"x": {0: batch}})
""",
    "functions that call one another": """def inner(model, args, shapes):
    return torch.export.export(model, args, dynamic_shapes=shapes)

def outer(model, shapes):
    args = (torch.randn(4, 3),)
    return inner(model, args, shapes)

def main():
    outer(Net(), {"x": {0: Dim("b")}})
""",
    "a method that is given the model": """class TestNet(TestCase):
    def check(self, model, *, shapes):
        torch.export.export(model, (torch.randn(4, 3),), dynamic_shapes=shapes)

    def test_it(self):
        self.check(Net(), shapes={"x": {0: Dim("b")}})
""",
    "a model that a function makes": """def build():
    net = Net()
    net.eval()
    return net

def train(net, steps):
    return net

torch.export.export(train(build(), 3), (torch.randn(4, 3),), dynamic_shapes={"x": {0: Dim("b")}})
""",
    "an attribute": """class TestNet(TestCase):
    def setUp(self):
        self.net = Net()

    def test_it(self):
        torch.export.export(self.net, (torch.randn(4, 3),), dynamic_shapes={"x": {0: Dim("b")}})
""",
    "an annotation": """def save(net: "Net"):
    torch.export.export(net, (torch.randn(4, 3),), dynamic_shapes={"x": {0: Dim("b")}})
""",
    "a fixture": """@pytest.fixture(scope="module")
def net():
    return Net()

def test_it(net):
    torch.export.export(net, (torch.randn(4, 3),), dynamic_shapes={"x": {0: Dim("b")}})
""",
    "a wrapper": """class Wrapper(torch.nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x)

torch.export.export(Wrapper(Net()), (torch.randn(4, 3),), dynamic_shapes={"x": {0: Dim("b")}})
""",
    "a loop over models": """x = torch.randn(4, 3)
for model in [Net(), Net()]:
    torch.export.export(model.eval(), (x,), dynamic_shapes={"x": {0: Dim("b")}})
""",
    "a loop over classes": """def main():
    for cls in (Net,):
        model = cls()
        model.eval()
        args = (torch.randn(4, 3),)
        with torch.no_grad():
            torch.export.export(model, args, dynamic_shapes={"x": {0: Dim("b")}})
""",
    "a loop over a dict": """MODELS = {"net": Net()}

if __name__ == "__main__":
    for name, model in MODELS.items():
        torch.export.export(model, (torch.randn(4, 3),), dynamic_shapes={"x": {0: Dim("b")}})
""",
    "loops side by side": """models = [Net()]
inputs = [(torch.randn(4, 3),)]
for at, (model, args) in enumerate(zip(models, inputs)):
    torch.export.export(model, args, dynamic_shapes={"x": {0: Dim("b")}})
""",
    "a comprehension over models": """models = {"net": Net()}
made = {
    name: torch.export.export(model, (torch.randn(4, 3),), dynamic_shapes={"x": {0: Dim("b")}})
    for name, model in models.items()
}
""",
    "a function called in a loop": """def save(model, path):
    return torch.export.export(model, (torch.randn(4, 3),), dynamic_shapes={"x": {0: Dim("b")}})

for path, model in [("net.pt2", Net())]:
    save(model, path)
""",
    "a test of several models": """@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("model, shapes", [pytest.param(Net(), {"x": {0: Dim("b")}}, id="net")])
def test_it(model, shapes, strict):
    torch.export.export(model, (torch.randn(4, 3),), dynamic_shapes=shapes, strict=strict)
""",
    "a test of several classes": """class TestNet(TestCase):
    @parameterized.expand([(Net,)])
    def test_it(self, cls):
        torch.export.export(cls(), (torch.randn(4, 3),), dynamic_shapes={"x": {0: Dim("b")}})
""",
    "a partial": """to_graph = functools.partial(torch.export.export, strict=False, dynamic_shapes={"x": {0: Dim("b")}})

def main():
    return to_graph(Net(), (torch.randn(4, 3),))
""",
    "attributes": """class Exporter:
    SHAPES = {"x": {0: Dim("b")}}

    def __init__(self):
        rows = torch.randn(4, 3)
        self.net = Net()
        self.args = (rows,)

    def run(self):
        return torch.export.export(self.net, self.args, dynamic_shapes=self.SHAPES)
""",
    "a comment above the object": """# exportdb: args=(torch.randn(4, 3),) dynamic_shapes={"x": {0: Dim("b")}}
net = Net()
""",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_size_that_the_file_declares_is_dynamic_and_no_other(check_text: Checker, way: str) -> None:
    assert codes(check_text(NET.format(body=SIZE) + WAYS[way])) == ["EDB302"]
    assert codes(check_text(NET.format(body=LAST) + WAYS[way])) == []
    assert codes(check_text(NET.format(body=LAST) + WAYS[way], "all")) == []


def test_a_comment_above_the_class_declares_too(check_text: Checker) -> None:
    comment = '# exportdb: args=(torch.randn(4, 3), 4) dynamic_shapes={"x": {0: Dim("b")}}\nclass Net'
    text = NET.replace("class Net", comment).replace("from torch.export import Dim, ShapesCollection, dims\n", "")
    assert codes(check_text(text.replace("{body}", SIZE))) == ["EDB302"]
    assert codes(check_text(text.replace("{body}", NUMBER))) == []


def test_each_call_of_a_function_that_exports_is_an_export_of_its_own(check_text: Checker) -> None:
    text = NET.format(body=SIZE) + NET.format(body=LAST).replace("Net", "Other").partition("\n\n\n")[2]
    helper = """def save(model, shapes=None):
    args = (torch.randn(4, 3),)
    torch.export.export(model, args, dynamic_shapes=shapes)

"""
    both = "save(Net(), {'x': {0: Dim('b')}})\nsave(Other(), {'x': {1: Dim('c')}})\n"
    assert codes(check_text(text + helper + both)) == ["EDB302", "EDB302"]
    neither = "save(Net(), {'x': {1: Dim('b')}})\nsave(Other(), shapes=None)\nsave(Other())\n"
    assert codes(check_text(text + helper + neither)) == []
    # What the function itself changes is not known.
    changed = helper.replace("    args", "    shapes = read(shapes)\n    args")
    assert codes(check_text(text + changed + both)) == []


def test_each_iteration_of_a_loop_is_an_export_of_its_own(check_text: Checker) -> None:
    text = NET.format(body=SIZE) + NET.format(body=LAST).replace("Net", "Other").partition("\n\n\n")[2]
    loop = """cases = [(Net(), {first}), (Other(), {second})]
for model, shapes in cases:
    args = (torch.randn(4, 3),)
    torch.export.export(model, args, dynamic_shapes=shapes)
"""
    rows, columns = "{'x': {0: Dim('b')}}", "{'x': {1: Dim('c')}}"
    assert codes(check_text(text + loop.format(first=rows, second=columns))) == ["EDB302", "EDB302"]
    assert codes(check_text(text + loop.format(first=columns, second=rows))) == []
    assert codes(check_text(text + loop.format(first=rows, second="None"))) == ["EDB302"]
    # Models that are not written out are not known.
    unknown = loop.replace("in cases", "in load(cases)")
    assert codes(check_text(text + unknown.format(first=rows, second=columns))) == []


@pytest.mark.parametrize("said", ["max=cfg.rows", "max=max(cfg.rows, 8)", "max=LONGEST"])
def test_a_maximum_that_is_declared_is_the_one_that_the_code_has(check_text: Checker, said: str) -> None:
    text = """import torch
from config import LONGEST, cfg
from torch.export import Dim

class Net(torch.nn.Module):
    def __init__(self, rows):
        super().__init__()
        self.rows = rows
        self.place = torch.nn.Parameter(torch.zeros(rows, 3))

    def forward(self, x):
        n = x.shape[0]
        if n > self.rows:
            raise ValueError(n)
        return x + self.place[:n]

torch.export.export(Net(cfg.rows), (torch.randn(4, 3),), dynamic_shapes={"x": {0: Dim("n", {said})}})
"""
    assert codes(check_text(text.replace("{said}", said))) == []
    unlimited = [*codes(check_text(text.replace("{said}", "max=None"))), *codes(check_text(text.replace("{said}", "")))]
    assert unlimited == ["EDB302", "EDB305"] * 2


def test_the_options_of_a_function_that_makes_a_model_of_onnx(check_text: Checker) -> None:
    call = """def save(model, path, names, axes):
    args = (torch.randn(4, 3),)
    torch.onnx.export(model, args, path, input_names=names, dynamic_axes=axes, dynamo=True)

def main(path):
    save(Net(), path, ["rows"], {"rows": {0: "b"}})
"""
    assert codes(check_text(NET.format(body=SIZE) + call)) == ["EDB302", "EDB1004"]
    assert codes(check_text(NET.format(body=LAST) + call)) == ["EDB1004"]


# Ways that are not followed: nothing is declared then, and what is assumed holds.
NOT_READ = {
    "a call": "shapes = load()",
    "a branch": """
        shapes = {'x': {0: Dim('b')}}
        if full:
            shapes['x'] = None
    """,
    "filled by calls": """
        shapes = {}
        fill(shapes)
        shapes.update(load())
    """,
    "a loop": """
        for shapes in ({'x': {0: Dim('b')}}, None):
            pass
    """,
    "one or another": "shapes = {'x': {0: Dim('b')}} if full else {'x': {0: Dim('c')}}",
}
EXPORTED = """\
def main(full):
    {made}
    torch.export.export(Net(), (torch.randn(4, 3),), dynamic_shapes=shapes)
"""


@pytest.mark.parametrize("made", NOT_READ.values(), ids=NOT_READ)
def test_what_is_built_in_another_way_declares_nothing(check_text: Checker, made: str) -> None:
    call = fill(EXPORTED, made=made)
    assert codes(check_text(NET.format(body=SIZE) + call)) == []
    assert codes(check_text(NET.format(body=LAST) + call, "all")) == ["EDB302"]


def test_the_settings_of_the_project_declare_too(check_text: Checker, tmp_path: Path) -> None:
    for key in ("Net", f"{tmp_path.name}.model.Net", "model.py::Net"):
        target = Written(key, "(torch.randn(4, 3), 4)", "", "{'x': {0: Dim('b')}}")
        assert codes(check_text(NET.format(body=SIZE), targets=(target,))) == ["EDB302"]
        assert codes(check_text(NET.format(body=NUMBER), targets=(target,))) == []
    assert codes(check_text(NET.format(body=SIZE), targets=(Written("Other", "", "", "({0: Dim('b')},)"),))) == []


@pytest.mark.parametrize("given", ["4", "-4.5", "None", "'text'", "True", "torch.randn(3).size(0)"])
def test_what_a_call_gives_is_no_tensor(check_text: Checker, given: str) -> None:
    text = NET.replace("n=None", "n").format(body="return torch.relu(n) if n else torch.relu(x)")
    assert codes(check_text(text)) == ["EDB101"]
    call = f"""\
def test():
    given = {given}
    torch.export.export(Net(), (torch.randn(2),), {{'n': given}})
"""
    assert codes(check_text(text + call)) == []


@pytest.mark.parametrize(
    ("given", "body"),
    [
        ("(torch.randn(2), 3)", "return x if n[0].sum() > 0 else -x"),
        ("[torch.randn(2)] * 2", "return x if n[1].sum() > 0 else -x"),
        ("{'a': torch.randn(2)}", "return x if n['a'].sum() > 0 else -x"),
        ("torch.randn(2) > 0", "return x if n.any() else -x"),
    ],
)
def test_what_holds_tensors_does(check_text: Checker, given: str, body: str) -> None:
    call = f"torch.export.export(Net(), (torch.randn(2), {given}))\n"
    (finding,) = check_text(NET.format(body=body) + call).findings
    assert (finding.code, finding.confidence.value) == ("EDB101", "certain")


def test_a_size_of_a_tensor_in_a_container_is_dynamic_alone(check_text: Checker) -> None:
    call = """torch.export.export(
    Net(), (torch.randn(2), [torch.randn(2, 3), torch.randn(2, 3)]), dynamic_shapes=(None, [None, {0: Dim("b")}])
)
"""
    for index, found in ((0, []), (1, ["EDB302"])):
        text = NET.format(body=f"return x if n[{index}].shape[0] > 8 else -x")
        assert codes(check_text(text + call)) == found
    assert codes(check_text(NET.format(body="return x if n[1].shape[1] > 8 else -x") + call)) == []


def test_each_class_has_the_call_that_exports_it(check_text: Checker) -> None:
    text = """
import torch


def test_it():
    class Net(torch.nn.Module):
        def forward(self, x, n):
            return torch.relu(n) if n else x

    model = Net()
    torch.export.export(model, (torch.randn(2), 4))

    class Net(torch.nn.Module):
        def forward(self, x, n):
            return torch.relu(n) if n else x

    model = Net()
    torch.export.export(model, (torch.randn(2), torch.randn(2)))
"""
    assert [(f.code, f.span.start.row) for f in check_text(text).findings] == [("EDB101", 15)]


def test_naming_a_variable_dynamic_shapes_changes_nothing_else(check_text: Checker) -> None:
    script = """
model = Net()
{name} = {{"x": {{0: Dim("b")}}}}
torch.export.export(model, (torch.randn(1, 3),), dynamic_shapes={name})
"""
    text = NET.format(body="return x if x.sum() > 0 else -x")
    found = [codes(check_text(text + script.format(name=name))) for name in ("shapes", "dynamic_shapes")]
    assert found == [["EDB101", "EDB305"]] * 2


def test_the_names_speak_of_the_one_class_only(check_text: Checker) -> None:
    text = NET.format(body=SIZE) + WAYS["names beside the one class"]
    assert codes(check_text(text)) == ["EDB302"]
    other = block("""
        class Other(torch.nn.Module):
            def forward(self, y):
                return y
    """)
    assert codes(check_text(text + other)) == []


def test_a_recorded_call_comes_before_what_the_file_says(check_text: Checker, tmp_path: Path) -> None:
    text = NET.format(body=NUMBER) + "torch.export.export(Net(), (torch.randn(2), torch.randn(())))\n"
    assert codes(check_text(text)) == ["EDB101"]
    recorded = Declared(str(tmp_path / "model.py"), "Net", (PlainInput(1), PlainInput(4)))
    assert codes(check_text(text, declared=(recorded,))) == []


FACTORIES = """
import torch


class Gate(torch.nn.Module):
    def __init__(self, hard):
        super().__init__()
        self.hard = hard

    def forward(self, x):
        return x if self.hard and x.sum() > 0 else -x


class Net(torch.nn.Module):
    def __init__(self, gate):
        super().__init__()
        self.gate = gate

    @classmethod
    def of(cls, hard=False):
        return cls(Gate(hard))

    @staticmethod
    def strictly(hard, *, other=None):
        gate = Gate(hard)
        return Net(gate)

    def forward(self, x):
        return self.gate(x)


def build(hard):
    net = Net.of(not hard)
    return net.eval()


def twice(hard):
    return build(hard)


HARD = True
"""


@pytest.mark.parametrize(
    ("made", "hard"),
    [
        ("build(False)", True),
        ("build(HARD)", False),
        ("twice(hard=False)", True),
        ("Net.of()", False),
        ("Net.of(True).eval()", True),
        ("Net.strictly(HARD)", True),
        ("Net.strictly(False)", False),
    ],
)
def test_what_a_function_gives_the_constructor_of_the_model_is_known(
    check_text: Checker, made: str, hard: bool
) -> None:
    found = check_text(f"{FACTORIES}torch.export.export({made}, (torch.randn(3),))\n").findings
    assert [f.confidence.value for f in found if f.entry == "Net.forward"] == (["certain"] if hard else [])
