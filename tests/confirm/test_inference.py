"""Models and inputs that nobody wrote down."""

from __future__ import annotations

from pathlib import Path

import pytest
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import InputOrigin, Outcome
from exportdb_rules.finding import Mode

from .conftest import HEAD, NET, Export, RowOf


@pytest.mark.parametrize(
    ("text", "args"),
    [
        (NET, "(torch.randn(2, 8, 16),)"),
        (
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, in_channels: int = 3):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, 4, 3)

    def forward(self, image: torch.Tensor):
        return self.conv(image)
""",
            "(torch.randn(2, 3, 16, 16),)",
        ),
        (
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.attention = nn.MultiheadAttention(d_model, num_heads, batch_first=True)

    def forward(self, input_ids, mask):
        x = self.embedding(input_ids)
        return self.attention(x, x, x, key_padding_mask=~mask)[0]
""",
            "(torch.randint(0, 32, (2, 8)), torch.ones(2, 8, dtype=torch.bool))",
        ),
        (
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dim=None, size=None):
        super().__init__()
        assert dim is not None, "a size, please"
        self.linear = nn.Linear(dim, 3)

    def forward(self, query, key):
        return self.linear(query) @ self.linear(key).transpose(-1, -2)
""",
            "(torch.randn(2, 8, 16), torch.randn(2, 8, 16))",
        ),
        (
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, in_channels, kernel_size, norm, head):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, 4, kernel_size)
        self.norm = {"batch_2d": nn.BatchNorm2d, "instance_2d": nn.InstanceNorm2d}[norm](4)
        if head not in ("mean", "sum"):
            raise ValueError("a head, please")
        self.head = head

    def forward(self, x):
        return getattr(self.norm(self.conv(x)), self.head)((-1, -2))


def make(norm="instance_2d"):
    return Net(3, 3, norm=norm, head="mean")
""",
            "(torch.randn(2, 16, 16, 16),)",
        ),
        (
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        if kind != "a" + "bc":
            raise ValueError(f"there is no {kind}, only 'abc'")

    def forward(self, x):
        return x
""",
            "(torch.randn(2, 8, 16),)",
        ),
        (
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(4, 4, 2, stride=2)

    def forward(self, x, skip):
        return torch.cat([self.up(x), skip], dim=1)
""",
            "(torch.randn(2, 4, 8, 8), torch.randn(2, 4, 16, 16))",
        ),
        (
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 4, 3)

    def forward(self, stages):
        return sum(self.conv(stage).mean() for stage in stages.values())
""",
            "({'a': torch.randn(2, 4, 16, 16), 'b': torch.randn(2, 4, 16, 16)},)",
        ),
        (
            """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.Sequential(*[nn.Sequential(nn.Conv2d(1, 1, 3, padding=1), nn.MaxPool2d(2)) for _ in range(6)])

    def forward(self, x):
        return self.stages(x)
""",
            "(torch.randn(2, 1, 64, 64),)",
        ),
        (
            """
import torch
from torch import nn


class Inner(nn.Module):
    def __init__(self, dim, *, levels):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(dim, dim) for _ in levels)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Net(nn.Module):
    def __init__(self, dim, **kwargs):
        super().__init__()
        self.inner = Inner(dim, **kwargs)

    def forward(self, x):
        return self.inner(x)


def make():
    return Net(16, levels=[8, 5])
""",
            "(torch.randn(2, 8, 16),)",
        ),
        (
            """
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.max_length = 4
        self.embedding = nn.Embedding(vocab_size, dim)

    def forward(self, ids):
        return self.embedding(ids)


class Net(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net, self.length = net, net.max_length

    def forward(self, ids):
        return self.net(ids[:, : self.length])
""",
            "(torch.randint(0, 32, (2, 8)),)",
        ),
        (
            """
from typing import List

import torch
from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, maps: List[List[Tensor]], pads: List[int]):
        return nn.functional.pad(maps[1][0] - maps[0][1], pads)
""",
            "([[torch.randn(2, 8, 16), torch.randn(2, 8, 16)], [torch.randn(2, 8, 16), torch.randn(2, 8, 16)]], [2, 2])",
        ),
    ],
    ids=[
        "linear",
        "convolution",
        "attention",
        "optional",
        "words",
        "options",
        "sides",
        "maps",
        "stages",
        "within",
        "around",
        "lists",
    ],
)
def test_inputs_are_inferred_where_nobody_wrote_any(export: Export, text: str, args: str):
    (result,) = export(text, name="Net", head=False)
    assert result.outcome is Outcome.OK, result
    assert result.inputs is not None
    assert (result.inputs.source, result.inputs.args) == (InputOrigin.INFERRED, args)


PATCHES = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Conv2d(3, 32, kernel_size=16, stride=16)
        %s

    def forward(self, x):
        x = self.proj(x).flatten(2).transpose(1, 2)
        return %s
"""


@pytest.mark.parametrize(
    ("text", "side"),
    [
        (PATCHES % ("self.norm = nn.LayerNorm(32)", "self.norm(x)"), 32),
        (PATCHES % ("self.position = nn.Parameter(torch.zeros(1, 1, 32))", "x + self.position"), 32),
        (PATCHES % ("self.position = nn.Parameter(torch.zeros(2, 32, 1))", "torch.cat([x.mT, self.position])"), 16),
    ],
    ids=["any number", "broadcast", "one only"],
)
def test_guessed_images_have_several_patches_where_the_model_takes_them(export: Export, text: str, side: int):
    (small,) = export(text)
    assert small.inputs is not None
    assert small.inputs.args == "(torch.randn(2, 3, 16, 16),)"
    (result,) = export(text, dynamic="auto")
    assert result.inputs is not None
    assert result.inputs.args == f"(torch.randn(2, 3, {side}, {side}),)", result


def test_a_module_that_loads_when_it_is_asked_is_not_asked(export: Export):
    (result,) = export(
        """
        import sys
        import types

        class Lazy(types.ModuleType):
            def __getattr__(self, name):
                raise ImportError("an optional dependency is missing")

        sys.modules[__name__ + ".lazy"] = Lazy(__name__ + ".lazy")

        class Net(nn.Module):
            def __init__(self, kind):
                super().__init__()
                assert kind in ("sum", "mean")
                self.kind = kind

            def forward(self, x: torch.Tensor):
                return x.sum() if self.kind == "sum" else x.mean()
        """
    )
    assert result.outcome is Outcome.OK, result.message


def test_two_inputs_of_one_shape_are_two_tensors(export: Export):
    """One tensor in two places is one input to export, whose program then computes something else with two."""
    text = """
class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gate = nn.Linear(3 * dim, 1)

    def forward(self, x, res):
        gate = self.gate(torch.cat((x, res, x - res), -1))
        return x * gate + res * (1 - gate)
"""
    (result,) = export(text)
    assert (result.outcome, result.inputs and result.inputs.args.count("randn")) == (Outcome.OK, 2), result.message


def test_inputs_that_may_be_none_are_given_where_the_model_complains(export: Export):
    text = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(32, 8)

    def forward(self, input_ids=None, scale=None, decoder_input_ids=None, inputs_embeds=None):
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("exactly one of input_ids or inputs_embeds, please")
        if decoder_input_ids is None:
            raise ValueError("decoder_input_ids, please")
        return self.embedding(input_ids) + self.embedding(decoder_input_ids)
"""
    (result,) = export(text)
    assert result.outcome is Outcome.OK, result.message
    assert result.inputs is not None
    assert result.inputs.args == "(torch.randint(0, 32, (2, 8)),)"
    assert result.inputs.kwargs == "{'decoder_input_ids': torch.randint(0, 32, (2, 8))}"


def test_a_configuration_is_known_by_the_name_of_its_parameter_and_made_small(export: Export):
    text = """
class BaseConfig:
    pass


class NetConfig(BaseConfig):
    def __init__(self, vocab_size=50000, hidden_size=4096, num_attention_heads=64, eos_token_id=49999, use_cache=True, factor=3):
        self.__dict__.update({k: v for k, v in locals().items() if k != "self"})


class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embedding = nn.Embedding(config.vocab_size, config.hidden_size, config.eos_token_id)

    def forward(self, input_ids):
        return self.embedding(input_ids)
"""
    (result,) = export(text, name="Net")
    assert result.outcome is Outcome.OK, result.message
    assert result.inputs is not None
    sizes = "hidden_size=32, num_attention_heads=4, eos_token_id=1, vocab_size=128, use_cache=False"
    assert result.inputs.constructor == f"Net(config=NetConfig({sizes}))"


def test_a_configuration_is_made_small_in_all_its_parts(export: Export):
    text = """
class PartConfig:
    def __init__(self, hidden_size=768, depths=(2, 6)):
        self.hidden_size, self.depths = hidden_size, depths


class NetConfig:
    def __init__(self, image_size=224, patch_size=16, num_hidden_layers=12, part_config=None):
        self.image_size, self.patch_size, self.num_hidden_layers = image_size, patch_size, num_hidden_layers
        self.part_config = part_config or PartConfig()


class Net(nn.Module):
    def __init__(self, config: NetConfig):
        super().__init__()
        self.config = config
        part = config.part_config
        self.patches = nn.Conv2d(3, part.hidden_size, config.patch_size, config.patch_size)
        self.positions = nn.Parameter(torch.zeros((config.image_size // config.patch_size) ** 2, part.hidden_size))
        self.layers = nn.ModuleList(nn.Linear(part.hidden_size, part.hidden_size) for _ in range(sum(part.depths)))

    def forward(self, pixel_values):
        x = self.patches(pixel_values).flatten(2).mT + self.positions
        for layer in self.layers:
            x = layer(x)
        return x
"""
    (result,) = export(text, name="Net")
    assert result.outcome is Outcome.OK, result.message
    assert result.inputs is not None
    part = "PartConfig(hidden_size=32, depths=(1, 1))"
    sizes = f"image_size=32, num_hidden_layers=2, part_config={part}"
    assert result.inputs.constructor == f"Net(config=NetConfig({sizes}))"
    assert result.inputs.args == "(torch.randn(2, 3, 32, 32),)"


def test_a_dict_has_the_keys_that_the_model_asks_for(export: Export):
    text = """
class Net(nn.Module):
    def __init__(self, n_steps, n_features):
        super().__init__()
        self.linear = nn.Linear(n_features, n_steps)

    def forward(self, batch):
        series, mask = batch["series"], batch["missing_mask"]
        return self.linear(series * mask)
"""
    (result,) = export(text, name="Net")
    assert result.outcome is Outcome.OK, result.message
    assert result.inputs is not None
    assert result.inputs.args == "({'series': torch.randn(2, 8, 16), 'missing_mask': torch.ones(2, 8, 16)},)"


def test_every_input_has_the_tensors_that_may_be_left_out_and_are_taken(export: Export):
    text = """
class Net(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None, scale=None, bias: torch.Tensor | None = None):
        if bias is not None:
            raise NotImplementedError("no bias")
        return x if mask is None else x.masked_fill(~mask[..., None], 0)
"""
    (plain,), (every,) = export(text), export(text, every_input=True)
    assert plain.inputs is not None
    assert every.inputs is not None
    assert plain.inputs.args == "(torch.randn(2, 8, 16),)"
    assert every.inputs.args == "(torch.randn(2, 8, 16), torch.ones(2, 8, dtype=torch.bool))"


def test_lines_that_ran_are_told_and_findings_are_not(export: Export, row_of: RowOf):
    text = """
class Net(nn.Module):
    def forward(self, x):
        if x.dim() > 5:
            x = x.sum()
        return x + 1
"""
    (result,) = export(text, trace_lines=True)
    ((_, lines),) = result.lines.items()
    assert lines == (row_of(text, "if x.dim"), row_of(text, "return x + 1"))
    failing = text.replace("x.dim() > 5", "x.sum() > 5")
    assert [bool(export(failing, findings=wanted)[0].rule) for wanted in (True, False)] == [True, False]


def test_a_size_that_eager_takes_at_other_values_is_specialized_needlessly(export: Export):
    text = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(5, 3)

    def forward(self, x):
        return self.linear(x) * int(x.shape[0])
"""
    (result,) = export(text, dynamic="auto", propose=False)
    fixed = {(one.axis, one.needless) for one in result.dimensions if not one.dynamic}
    assert fixed == {(0, True), (len(result.dimensions) - 1, False)}
    assert result.dynamic_shapes == ""


def test_a_size_that_is_narrowed_needlessly_is_so_by_the_line_whose_guard_other_sizes_break(
    export: Export, row_of: RowOf
):
    text = """
class Net(nn.Module):
    def forward(self, x):
        if x.shape[1] == 1000:
            return x
        if x.shape[1] > 5:
            return x * 2
        return x
"""
    (result,) = export(text, dynamic="auto", propose=False)
    narrowed = [(one.axis, one.cause.row) for one in result.dimensions if one.dynamic and one.needless and one.cause]
    assert narrowed == [(1, row_of(text, "> 5"))]


def test_the_model_that_is_exported_has_not_been_called_by_the_search(export: Export):
    text = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.positions = None

    def forward(self, x):
        if self.positions is None or x.shape[1] > self.positions.shape[0]:
            self.positions = torch.arange(x.shape[1])
        return x + self.positions[: x.shape[1], None]
"""
    (result,) = export(text, dynamic="auto", propose=False)
    assert [one.axis for one in result.dimensions if one.needless] == []
    assert all(one.dynamic for one in result.dimensions)


def test_layers_that_get_their_sizes_from_a_call_have_had_one(export: Export):
    text = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.LazyLinear(3)

    def forward(self, x):
        return self.linear(x)
"""
    (result,) = export(text)
    assert result.outcome is Outcome.OK, result.message


def test_a_module_of_the_package_s_name_does_not_hide_the_package(confirmer: Confirmer, tmp_path: Path):
    package = tmp_path / "nets"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "parts.py").write_text("def more(x):\n    return x + 1\n")
    (package / "nets.py").write_text(HEAD + "from nets.parts import more\n\n\n" + "class Net(nn.Module):\n    def forward(self, x):\n        return more(x)\n")  # fmt: skip
    request = ExportRequest(str(package / "nets.py"), name="Net", modes=(Mode.NON_STRICT,), root=package)
    (result,) = confirmer.run(request)
    assert result.outcome is Outcome.OK, result.message
