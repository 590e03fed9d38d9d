"""`exportdb-lsp shapes`: what is proposed for a program is exported, and what it calls static `Dim.AUTO` specializes too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.utils import _pytree as pytree

from ..programs import fill
from .conftest import Program

PROGRAM = """\
import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 3)
        self.conv = nn.Conv1d(2, 4, 5)
        self.norm = nn.LayerNorm(6)
        self.words = nn.Embedding(9, 6)
        self.register_buffer("table", torch.ones(16, 6))

    def forward(self, {names}):
        {body}


model = Net().eval()
example_args = ({args},)
"""
# The parameters, the body, the example, and the dimensions proposed for each of its tensors.
ROWS: dict[str, tuple[str, str, str, list[dict[int, str]]]] = {
    "nothing is demanded": ("x", "return x.relu()", "torch.ones(4, 3)", [{0: "x_0", 1: "x_1"}]),
    "a layer": ("x", "return self.linear(x)", "torch.ones(4, 6)", [{0: "x_0"}]),
    "sizes that meet": (
        "x, y", "return x + y", "torch.ones(4, 3), torch.ones(4, 3)",
        [{0: "batch", 1: "x_1"}, {0: "batch", 1: "x_1"}],
    ),
    "twice as many": (
        "x, y", "return torch.cat([x, x]) + y", "torch.ones(4), torch.ones(8)", [{0: "x_0"}, {0: "2 * x_0"}],
    ),
    "one more": ("x, y", "return x + y[1:]", "torch.ones(4), torch.ones(5)", [{0: "x_0"}, {0: "x_0 + 1"}]),
    "a reshape": ("x", "return x.view(-1, 3)", "torch.ones(12)", [{0: "3 * _x_0"}]),
    "heads of an attention": (
        "x", "return x.view(x.shape[0], x.shape[1], 3, 2).transpose(1, 2)", "torch.ones(4, 5, 6)", [{0: "x_0", 1: "x_1"}],
    ),
    "a kernel": ("x", "return self.conv(x)", "torch.ones(3, 2, 9)", [{0: "x_0", 2: "x_2"}]),
    "a table": (
        "ids", "return self.words(ids) + self.table[: ids.shape[1]]", "torch.zeros(2, 5, dtype=torch.long)",
        [{0: "ids_0", 1: "ids_1"}],
    ),
    "an attention": (
        "q, k, v",
        "return F.scaled_dot_product_attention(self.norm(q), self.norm(k), v)",
        "torch.ones(2, 5, 6), torch.ones(2, 7, 6), torch.ones(2, 7, 6)",
        [{0: "batch", 1: "q_1"}, {0: "batch", 1: "k_1"}, {0: "batch", 1: "k_1", 2: "v_2"}],
    ),
    "a branch": (
        "x",
        """
        if x.shape[0] > 8:
            return x[:4]
        return x * 2
        """,
        "torch.ones(6, 3)",
        [{0: "x_0", 1: "x_1"}],
    ),
    "a number": ("x", "return x / int(x.shape[1])", "torch.ones(6, 3)", [{0: "x_0"}]),
    "a loop": (
        "x",
        """
        total = torch.zeros_like(x[0])
        for i in range(x.shape[0]):
            total = total + x[i]
        return total
        """,
        "torch.ones(6, 3)",
        [{1: "x_1"}],
    ),
    "one in the example": ("x", "return x + 1", "torch.ones(1, 3)", [{1: "x_1"}]),
    "tensors in a dict": (
        "batch, scale",
        'return batch["a"] @ batch["b"][0] * scale',
        '{"a": torch.ones(4, 3), "b": [torch.ones(3, 2)]}, 0.5',
        [{0: "batch_a_0", 1: "batch_a_1"}, {0: "batch_a_1", 1: "batch_b_0_1"}],
    ),
    "a check that raises": (
        "x",
        """
        if x.shape[0] % 4 != 0:
            raise ValueError("whole blocks only")
        assert x.shape[1] <= 64
        return x.unflatten(0, (-1, 4))
        """,
        "torch.ones(8, 3)",
        [{0: "4 * _x_0", 1: "x_1"}],
    ),
    "a reshape that mixes two": ("x", "return x.view(-1, 8)", "torch.ones(4, 6)", [{0: "Dim.AUTO", 1: "Dim.AUTO"}]),
    "a size that is rounded": ("x", "return x[: round(x.shape[0] / 2)]", "torch.ones(8)", [{0: "Dim.AUTO"}]),
    "a sum of two": (
        "x, y, z", "return torch.cat([x, y]) + z", "torch.ones(4), torch.ones(3), torch.ones(7)",
        [{0: "x_0"}, {0: "y_0"}, {0: "z_0"}],
    ),
    "a sum that is known": (
        "x, y", "return torch.cat([x, y]) + self.table[:, 0]", "torch.ones(4), torch.ones(12)",
        [{0: "Dim.AUTO"}, {0: "Dim.AUTO"}],
    ),
    "a size that is tested for another": (
        "x, y",
        """
        if x.shape[0] == 5:
            return x + y
        return x - 1
        """,
        "torch.ones(4), torch.ones(5)",
        [{0: "Dim.AUTO"}, {0: "y_0"}],
    ),
}  # fmt: skip


def text_of(name: str) -> str:
    names, body, args, _ = ROWS[name]
    return fill(PROGRAM, names=names, body=body, args=args)


def axes_of(found: dict[str, Any]) -> list[dict[int, str]]:
    """What is proposed for each tensor, static dimensions left out."""
    tensors: dict[str, dict[int, str]] = {}
    for axis in found["axes"]:
        tensor = tensors.setdefault(axis["input"], {})
        if axis["dimension"] is not None:
            tensor[axis["axis"]] = axis["dimension"]
    return list(tensors.values())


def dynamic_in(program: torch.export.ExportedProgram) -> Iterator[list[bool]]:
    """Which dimensions of each tensor that goes in have a symbol."""
    wanted = set(program.graph_signature.user_inputs)
    for node in program.graph.nodes:
        if node.op == "placeholder" and node.name in wanted and isinstance(node.meta.get("val"), torch.Tensor):
            sizes = node.meta["val"].shape
            yield [isinstance(size, torch.SymInt) and not size.node.expr.is_number for size in sizes]


@pytest.mark.parametrize("name", ROWS)
def test_a_proposal_is_accepted_and_static_is_what_auto_specializes(run: Program, name: str) -> None:
    path = run.write("model.py", text_of(name))
    done = run("shapes", str(path), "--output-format", "json")
    assert done.status == 0, done.err
    (found,) = done.json
    assert axes_of(found) == ROWS[name][3]
    assert found["notes"] == []

    space: dict[str, Any] = {}
    exec(compile(text_of(name), str(path), "exec"), space)
    exec(run("shapes", str(path)).out, space)
    program = torch.export.export(space["model"], space["example_args"], dynamic_shapes=space["dynamic_shapes"])
    proposed = [
        [dimension in tensor for dimension in range(len(sizes))]
        for tensor, sizes in zip(ROWS[name][3], dynamic_in(program), strict=True)
    ]
    assert list(dynamic_in(program)) == proposed

    def auto(value: object) -> object:
        return [torch.export.Dim.AUTO] * value.ndim if isinstance(value, torch.Tensor) else None

    everywhere = pytree.tree_map(auto, space["example_args"])
    traced = torch.export.export(space["model"], space["example_args"], dynamic_shapes=everywhere)
    assert list(dynamic_in(traced)) == proposed


def test_the_text_is_code_with_the_lines_that_narrow_it(run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    path = run.write("model.py", text_of("a table"))
    monkeypatch.chdir(path.parent)
    row = next(n for n, line in enumerate(text_of("a table").splitlines(), 1) if "self.table[" in line)
    assert run("shapes", "model.py::Net").out == (
        "# Net (model.py): what its code allows; `exportdb-lsp export --dynamic auto` verifies it\n"
        "from torch.export import Dim\n"
        "\n"
        'ids_0 = Dim("ids_0")\n'
        'ids_1 = Dim("ids_1", max=16)\n'
        "dynamic_shapes = {\n"
        f"    # ids.shape[1]: model.py:{row}: `: ids.shape[1]` requires `ids.shape[1] <= 16`\n"
        '    "ids": {0: ids_0, 1: ids_1},\n'
        "}\n"
    )


def test_the_names_that_a_file_declares_are_kept(run: Program) -> None:
    declared = 'dynamic_shapes = ({0: Dim("rows"), 1: Dim("columns")},)\n'
    path = run.write("model.py", text_of("nothing is demanded") + declared)
    (found,) = run("shapes", str(path), "--output-format", "json").json
    assert axes_of(found) == [{0: "rows", 1: "columns"}]


def test_every_model_of_a_file_or_the_one_that_is_named(run: Program) -> None:
    text = """\
import torch
from torch import nn


# exportdb: args=(torch.ones(2, 3),)
class One(nn.Module):
    def forward(self, x):
        return x


# exportdb: args=(torch.ones(2, 3),)
class Two(nn.Module):
    def forward(self, x):
        return x + torch.ones(2, 3)


class Three(nn.Module):
    def forward(self, x):
        return x
"""
    path = run.write("model.py", text)
    found = run("shapes", str(path), "--output-format", "json").json
    assert [one["target"] for one in found] == ["One", "Two"]
    (found,) = run("shapes", f"{path}::Two", "--output-format", "json").json
    assert (found["target"], found["dynamic_shapes"]) == ("Two", '{"x": None}')


@pytest.mark.parametrize(
    ("target", "text", "message"),
    [
        ("model.py", "x = 1\n", "has no model whose example inputs are known"),
        ("model.py::Net", "class Net:\n    pass\n", "has no class or exported function 'Net' whose example inputs"),
        ("model.py", "def f(:\n", "syntax error"),
        ("other.py", "", "cannot be read: No such file or directory"),
        (".", "", "shapes requires exactly one Python file"),
    ],
)
def test_what_it_cannot_do_is_said_in_one_line(
    run: Program, monkeypatch: pytest.MonkeyPatch, target: str, text: str, message: str
) -> None:
    monkeypatch.chdir(run.write("model.py", text).parent)
    done = run("shapes", target)
    assert done.status == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_nothing_of_the_file_runs(run: Program) -> None:
    path = run.write("model.py", text_of("a layer") + "\nraise SystemExit('it ran')\n")
    assert json.loads(run("shapes", str(path), "--output-format", "json").out)[0]["target"] == "Net"
    assert Path(path).exists()
