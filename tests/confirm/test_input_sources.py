"""Where example inputs come from, and which of several places wins."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from exportdb_lsp.confirm import calls, targets
from exportdb_lsp.confirm.confirmer import Confirmer, RequestError
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import InputOrigin, Outcome
from exportdb_rules.finding import Mode, Position, Span
from exportdb_rules.input_comment import CommentError, parse

from .conftest import NET


def export(confirmer: Confirmer, root: Path, file: str = "net.py", **options: object):
    options.setdefault("modes", (Mode.NON_STRICT,))
    return confirmer.run(ExportRequest(str(root / file), root=root, draft=False, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("args=(torch.randn(2, 3),)", {"args": "(torch.randn(2, 3),)"}),
        ("args=(x,) kwargs={'k': 1}", {"args": "(x,)", "kwargs": "{'k': 1}"}),
        ("args=(x,), constructor=Net(dim=3)", {"args": "(x,)", "constructor": "Net(dim=3)"}),
        (
            "args=(f(args=1),)\n  dynamic_shapes={\n 'x': {0: d}}",
            {"args": "(f(args=1),)", "dynamic_shapes": "{ 'x': {0: d}}"},
        ),
        ("constructor=Net('args=(1,)')", {"constructor": "Net('args=(1,)')"}),
    ],
)
def test_a_comment_is_split_at_its_keys(text: str, fields: dict[str, str]):
    assert parse(text, 1) == fields


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("args=(torch.randn(2, 3)", "incomplete"),
        ("args=(1,) args=(2,)", "args twice"),
        ("args=(1,) wargs=(2,)", "unknown field 'wargs'"),
        ("args=1 2", "not an expression"),
    ],
)
def test_a_comment_that_is_none_says_why(text: str, message: str):
    with pytest.raises(CommentError, match=message) as caught:
        parse(text, 7)
    assert caught.value.row == 7


def test_targets_have_their_places_in_the_text():
    text = "é = 1\n\n\n# exportdb: args=(1,)\n@decorated\nclass Nët:\n    def forward(self, x): return x\n"
    (target,) = targets.find(text, "net.py")
    assert target.name == "Nët"
    assert target.span == Span(Position(6, 7), Position(6, 10))
    assert target.whole.start == Position(5, 1)
    assert target.source is InputOrigin.COMMENT


@pytest.mark.parametrize("separator", ["\x0c", "\x1c", "\u2028", "\x85"])
def test_what_ends_no_line_of_python_moves_nothing(separator: str):
    """`str.splitlines` would count a form feed, as old files have them between their parts, for a line."""
    text = f"page = '{separator}'  # {separator}\n\n# exportdb: args=(1,)\nclass Net:\n    def forward(self, x): return x\n"
    (target,) = targets.find(text, "net.py")
    assert target.span == Span(Position(4, 7), Position(4, 10))
    assert target.source is InputOrigin.COMMENT


@pytest.mark.parametrize("text", ["-" * 100_000 + "1\n", "x = 1\0\n"], ids=["deep", "null byte"])
def test_what_python_cannot_read_is_a_syntax_error(confirmer: Confirmer, tmp_path: Path, text: str):
    with pytest.raises(SyntaxError):
        targets.find(text, "net.py")
    (result,) = export(confirmer, tmp_path, text=text)
    assert result.outcome is Outcome.EAGER_ERROR
    assert result.message.startswith("syntax error: ")


@pytest.mark.filterwarnings("error")
def test_reading_a_project_warns_of_nothing(tmp_path: Path):
    (tmp_path / "test_net.py").write_text("import net\nprint('\\d', 1is 1)\nnet.Net(3)(net.x)\n")
    targets.find(NET + "print('\\d')\n", "net.py")
    calls.in_project(str(tmp_path / "net.py"), NET, tmp_path, {}, ["Net"])


def test_a_file_that_is_empty_in_the_editor_has_no_calls(tmp_path: Path):
    other = tmp_path / "test_net.py"
    other.write_text("import net\nimport torch\n\n\ndef test():\n    net.Net(3)(torch.ones(2, 3))\n")
    name = str(tmp_path / "net.py")
    assert list(calls.in_project(name, NET, tmp_path, {}, ["Net"])) == ["Net"]
    assert calls.in_project(name, NET, tmp_path, {str(other): ""}, ["Net"]) == {}


def test_a_suppression_comment_is_no_input():
    text = "# exportdb: ignore[EDB101]\nclass Net:\n    def forward(self, x): return x\n"
    (target,) = targets.find(text, "net.py")
    assert target.input_sources == ()


def test_parts_are_left_out_where_something_has_inputs():
    text = "class Part:\n    def forward(self, x): return x\n# exportdb: args=(1,)\nclass Net(Part): pass\n"
    found = targets.find(text, "net.py")
    assert [t.name for t in found] == ["Part", "Net"]
    assert [t.name for t in targets.choose(found, None)] == ["Net"]
    assert [t.name for t in targets.choose(found, "Part")] == ["Part"]


def test_examples_beside_the_one_class_are_its_own(confirmer: Confirmer, tmp_path: Path):
    text = dedent(
        """
        import torch
        from torch.export import Dim


        class Net(torch.nn.Module):
            def forward(self, x):
                return x if x.shape[0] > 8 else -x


        example_args = (torch.randn(4, 3),)
        dynamic_shapes = {"x": {0: Dim("b")}}
        """
    )
    (tmp_path / "net.py").write_text(text)
    (result,) = export(confirmer, tmp_path)
    assert result.target == "Net"
    assert result.inputs is not None
    assert result.inputs.source is InputOrigin.MODULE
    assert result.outcome is Outcome.FAILS, result.message
    two = text + "\n\nclass Other(torch.nn.Module):\n    def forward(self, y):\n        return y\n"
    assert not any(target.input_sources for target in targets.find(two, "net.py"))


@pytest.mark.parametrize(
    "lines",
    [
        "model = Net()\nexample_args = (1,)",
        "model, example_args = Net(), (1,)",
        "(model, other), example_args = (Net(), 2), (1,)",
        "net = model = Net()\nexample_args: tuple = (1,)",
    ],
)
def test_the_names_of_a_file_are_read_however_they_are_assigned(lines: str):
    (target,) = [t for t in targets.find(f"{NET}\n\n{lines}\n", "net.py") if t.input_sources]
    assert (target.name, target.names) == ("Net", ("model",))
    assert target.input_sources[0].args == "example_args"


def test_the_comment_wins_over_everything(confirmer: Confirmer, tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text(
        "[tool.exportdb.targets.Net]\nargs = '(torch.randn(2, 4),)'\nconstructor = 'Net(4)'\n"
    )
    tail = "\n\nmodel = Net(5)\nexample_args = (torch.randn(2, 5),)\ntorch_ = torch.export.export\n"
    plain = NET + tail
    commented = plain.replace("class Net", "# exportdb: args=(torch.randn(2, 3),) constructor=Net(3)\nclass Net")
    (tmp_path / "net.py").write_text(commented)
    (result,) = export(confirmer, tmp_path)
    assert result.inputs is not None
    assert (result.inputs.source, result.inputs.args) == (InputOrigin.COMMENT, "(torch.randn(2, 3),)")

    (tmp_path / "net.py").write_text(plain)
    (result,) = export(confirmer, tmp_path)
    assert result.inputs is not None
    assert (result.inputs.source, result.inputs.place) == (InputOrigin.CONFIG, "pyproject.toml")

    (tmp_path / "pyproject.toml").write_text("")
    (result,) = export(confirmer, tmp_path)
    assert result.outcome is Outcome.OK
    assert result.inputs is not None
    assert (result.target, result.inputs.source, result.inputs.args) == (
        "Net",
        InputOrigin.MODULE,
        "(torch.randn(2, 5),)",
    )


def test_a_call_in_a_test_of_the_project(confirmer: Confirmer, tmp_path: Path):
    (tmp_path / "net.py").write_text(NET)
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_net.py").write_text(
        dedent("""
        import a_plugin_that_is_not_installed
        import torch
        from net import Net

        SIZE = 7

        def rows(n):
            return torch.randn(n, SIZE)

        def test_exports():
            model = Net(SIZE)
            model.eval()
            x = rows(9)
            a_plugin_that_is_not_installed.begin()
            assert torch.export.export(model, (x,))
        """)
    )
    (result,) = export(confirmer, tmp_path)
    assert result.outcome is Outcome.OK, result
    assert result.inputs is not None
    assert (result.inputs.source, result.inputs.args) == (InputOrigin.CALL, "(torch.randn(9, 7),)")
    assert result.inputs.place == "tests/test_net.py:16"


def test_a_call_of_a_class_that_its_package_hands_on(tmp_path: Path):
    for name, text in {
        "nets/__init__.py": "from .one import Net\n",
        "nets/one.py": NET,
        "nets/two.py": NET,
        "use.py": "import torch\nfrom nets import Net\n\nNet(7)(torch.randn(9, 7))\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = {
        name: calls.in_project(str(tmp_path / "nets" / f"{name}.py"), NET, tmp_path, {}, ["Net"])
        for name in ("one", "two")
    }
    assert [source.args for source in found["one"]["Net"]] == ["(torch.randn(9, 7),)"]
    assert found["two"] == {}, "another class of that name"


def test_the_search_for_calls_ends_beside_a_data_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    opened: list[str] = []
    iterdir = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda folder: opened.append(folder.name) or iterdir(folder))
    monkeypatch.setattr(calls, "MAX_ENTRIES", 20)
    for folder in range(9):
        (tmp_path / f"images{folder}").mkdir()
        for number in range(9):
            (tmp_path / f"images{folder}" / f"{number}.png").touch()
    assert calls.in_project(str(tmp_path / "net.py"), NET, tmp_path, {}, ["Net"]) == {}
    assert opened == [tmp_path.name, "images8", "images7"]


def test_a_call_whose_names_come_from_nowhere_is_none():
    text = (
        NET + "\n\ndef test(model, x):\n    torch.export.export(model, (x,))\n    torch.export.export(Net(3), (x,))\n"
    )
    assert calls.in_project("net.py", text, Path("/nowhere"), {}, ["Net"]) == {}


CALLED = (
    NET
    + """
WIDTH = 6


def test_refuses():
    with pytest.raises(RuntimeError):
        Net(3)(torch.randn(2, 4))


def test_once():
    model = Net(WIDTH)
    model = model.eval()
    assert model(x=torch.randn(5, WIDTH)) is not None
    Net(WIDTH)(torch.randn(2, 7))
"""
)


def test_a_call_of_the_model_itself(confirmer: Confirmer, tmp_path: Path):
    (tmp_path / "net.py").write_text(CALLED)
    (result,) = export(confirmer, tmp_path)
    assert result.outcome is Outcome.OK, result
    assert result.inputs is not None
    # The shorter call, `Net(WIDTH)(torch.randn(2, 7))`, raises in eager and is passed over.
    told = (result.inputs.source, result.inputs.args, result.inputs.kwargs, result.inputs.place)
    assert told == (InputOrigin.CALL, "()", "{'x': torch.randn(5, 6)}", "net.py:25")
    assert result.inputs.as_comment() == "# exportdb: args=() kwargs={'x': torch.randn(5, 6)} constructor=Net(WIDTH)"


def test_an_export_goes_before_a_call_and_a_short_call_before_a_long_one():
    text = NET + dedent("""
        if __name__ == "__main__":
            net = Net(w=5).to("cpu")
            x = torch.randn(3, 5)
            net(x)
            Net(4)(torch.randn(1, 4))
            torch.export.export(net, (x,))
        """)
    found = calls.in_project("net.py", text, Path("/nowhere"), {}, ["Net"])["Net"]
    assert [(input_source.called, input_source.row, input_source.constructor) for input_source in found] == [
        (False, 19, "Net(w=5)"),
        (True, 18, "Net(4)"),
        (True, 17, "Net(w=5)"),
    ]


def test_calls_that_tell_nothing_are_none():
    text = NET + dedent("""
        class Outer(nn.Module):
            def __init__(self):
                self.net = Net(3)

            def forward(self, x):
                net = Net(3)
                return self.net(x) + net(*x) + net(x) + Net(3)()

        def test(loader, options):
            net = Net(3)
            for batch in loader:
                net(batch)
            net(**options)
            with pytest.raises(ValueError):
                net(torch.ones(1))
        """)
    assert calls.in_project("net.py", text, Path("/nowhere"), {}, ["Net"]) == {}


def test_what_was_inferred_can_be_written_down_and_gives_the_same(confirmer: Confirmer, tmp_path: Path):
    (tmp_path / "net.py").write_text(NET)
    (guessed,) = export(confirmer, tmp_path)
    assert guessed.inputs is not None
    comment = guessed.inputs.as_comment()
    assert comment == "# exportdb: args=(torch.randn(2, 8, 16),) constructor=Net(width=16)"
    (tmp_path / "net.py").write_text(NET.replace("class Net", comment + "\nclass Net"))
    (written,) = export(confirmer, tmp_path)
    assert written.outcome is Outcome.OK
    assert written.inputs is not None
    assert written.inputs.source is InputOrigin.COMMENT


def test_a_model_that_takes_nothing_we_can_think_of_has_no_inputs(confirmer: Confirmer, tmp_path: Path):
    (tmp_path / "net.py").write_text(
        "from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return x.graph['nodes']\n"
    )
    (result,) = export(confirmer, tmp_path)
    assert result.outcome is Outcome.NO_INPUTS
    assert "# exportdb: args=(…)" in result.message
    assert (
        "forward(x=torch.randn(2, 8, 16)) raises AttributeError: 'Tensor' object has no attribute 'graph'"
        in result.message
    )


def test_unsaved_text_is_exported_and_nothing_is_written(confirmer: Confirmer, tmp_path: Path):
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "parts.py").write_text("def plus(x):\n    raise RuntimeError('the disk')\n")
    (package / "net.py").write_text("raise RuntimeError('the disk')\n")
    text = """
        import inspect
        import torch
        from .parts import plus

        page = "\x0c \u2028"  # two of the characters that end no line

        # exportdb: args=(torch.randn(2),)
        class Net(torch.nn.Module):
            def forward(self, x):
                return plus(x)

        assert "return plus(x)" in inspect.getsource(Net)
    """
    before = sorted(tmp_path.rglob("*"))
    results = export(
        confirmer,
        tmp_path,
        "pkg/net.py",
        text=dedent(text),
        documents={str(package / "parts.py"): "def plus(x):\n    return x + 1\n"},
        modes=(Mode.NON_STRICT, Mode.STRICT),
    )
    assert [r.outcome for r in results] == [Outcome.OK, Outcome.OK], results
    assert sorted(tmp_path.rglob("*")) == before


def test_a_name_that_is_not_there_is_refused_with_those_that_are(confirmer: Confirmer, tmp_path: Path):
    (tmp_path / "net.py").write_text(NET)
    with pytest.raises(RequestError, match="no target 'Nett'; its targets: Net"):
        confirmer.run(ExportRequest(str(tmp_path / "net.py"), name="Nett", root=tmp_path))


def test_auto_tells_which_sizes_stay_open_and_what_to_paste(confirmer: Confirmer, tmp_path: Path):
    text = NET.replace("return self", "x = x + 1 if x.shape[0] > 3 else x\n        return self")
    (tmp_path / "net.py").write_text(text)
    (result,) = export(confirmer, tmp_path, dynamic="auto")
    assert result.outcome is Outcome.OK
    first, second, last = result.dimensions
    assert (first.dynamic, first.lower, first.upper) == (True, 2, 3)
    assert first.cause is not None
    assert first.cause.code.startswith("x = x + 1 if")
    assert second.dynamic
    assert (last.dynamic, last.symbol) == (False, "16")
    assert last.cause is not None
    assert last.cause.code == "return self.linear(x)"
    assert result.dynamic_shapes == '{"x": {0: Dim("x0", max=3), 1: Dim("x1")}}'
