"""Models and inputs that nobody wrote down."""

from __future__ import annotations

import pytest
from exportdb_lsp.confirm.result import Outcome, Source

from .conftest import NET, Export


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
    ],
)
def test_inputs_are_inferred_where_nobody_wrote_any(export: Export, text: str, args: str):
    (result,) = export(text, name="Net", head=False)
    assert result.outcome is Outcome.OK, result
    assert result.inputs is not None
    assert (result.inputs.source, result.inputs.args) == (Source.INFERRED, args)


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
