"""What patterns of einops ask of dynamic sizes: what check says, beside what export makes of it.

The rows were exported with torch 2.13 and einops 0.8 in both modes: those that are silent export for their whole range.
"""

from __future__ import annotations

import pytest

from .conftest import Checker
from .test_layer_sizes import check
from .test_sizes_demanded import FIXED, RELATED

IMPORTS = """\
from einops import einsum, pack, parse_shape, rearrange, reduce, repeat, unpack
from einops.layers.torch import Rearrange, Reduce
"""
# A call, the inputs, their dimensions, and the rule; "" where it exports.
FUNCTIONS = [
    ('rearrange(x, "b (h d) -> b h d", h=4)', "torch.randn(2,12)", "{0: A}", ""),
    ('rearrange(x, "b (h d) -> b h d", h=4)', "torch.randn(2,12)", "{0: A, 1: B}", RELATED),
    ('rearrange(x, "b (h d) -> b h d", h=4)', "torch.randn(2,12)", "{0: A, 1: 4 * B}", ""),
    ('rearrange(x, "b (h d) -> b h d", h=4, d=3)', "torch.randn(2,12)", "{0: A, 1: B}", FIXED),
    ('rearrange(x, "b h d -> b (h d)")', "torch.randn(2,3,4)", "{0: A, 1: B, 2: C}", ""),
    ('rearrange(x, "(b h) n d -> b n (h d)", h=2)', "torch.randn(6,5,3)", "{0: A, 1: B}", RELATED),
    ('rearrange(x, "b (w n) d -> b w n d", w=x.shape[1] // 4)', "torch.randn(2,8,3)", "{0: A, 1: B}", RELATED),
    ('rearrange(x, "b ... d -> b (...) d")', "torch.randn(2,3,4,5)", "{0: A, 1: B, 2: C}", ""),
    ('rearrange(x, "b … d -> b (…) d") + y', "torch.randn(2,3,4,5), torch.randn(2,12,5)", "{0: A}, {0: B}", RELATED),
    ('rearrange(x, "b n -> b 1 n 1") + x[:, None, :, None]', "torch.randn(2,3)", "{0: A, 1: B}", ""),
    ('rearrange(x, "b c ... -> b ... c") + y', "torch.randn(2,3,4), torch.randn(2,4,3)", "{0: A}, {0: B}", RELATED),
    ('rearrange([x, y], "t b d -> b t d")', "torch.randn(2,3), torch.randn(2,3)", "{0: A}, {0: B}", RELATED),
    ('reduce(x, "b c (h p) -> b c h", "max", p=2)', "torch.randn(2,3,4)", "{0: A, 2: B}", RELATED),
    ('x - reduce(x, "b c h -> b c 1", "mean")', "torch.randn(2,3,4)", "{0: A, 1: B, 2: C}", ""),
    ('reduce(x, "b c -> ", "sum")', "torch.randn(2,3)", "{0: A, 1: B}", ""),
    ('repeat(x, "n d -> b n d", b=y.shape[0]) + y', "torch.randn(4,5), torch.randn(2,4,5)", "{}, {0: A}", ""),
    ('repeat(x, "n d -> b n d", b=y.shape[0]) + y', "torch.randn(4,5), torch.randn(2,4,5)", "{0: B}, {0: A}", FIXED),
    ('repeat(x, "h w -> h w 3")', "torch.randn(4,5)", "{0: A, 1: B}", ""),
    ('einsum(x, y, "b i dim, b j dim -> b i j")', "torch.randn(2,3,4), torch.randn(2,5,4)", "{0: A}, {0: A}", ""),
    ('einsum(x, y, "b i dim, b j dim -> b i j")', "torch.randn(2,3,4), torch.randn(2,5,4)", "{0: A}, {0: B}", RELATED),
    ('unpack(*pack([x], "* d"), "* d")[0] + y', "torch.randn(2,3,4), torch.randn(2,3,4)", "{0: A}, {0: A}", ""),
    ('unpack(*pack([x], "* d"), "* d")[0] + y', "torch.randn(2,3,4), torch.randn(2,3,4)", "{0: A}, {0: B}", RELATED),
    ('pack([x, y], "b *")[0]', "torch.randn(2,3,4), torch.randn(2,5)", "{0: A}, {0: B}", RELATED),
    ('x.new_zeros(parse_shape(x, "b _")["b"]) + y', "torch.randn(2,3), torch.randn(2)", "{0: A}, {0: B}", RELATED),
]
# A layer, and the size of its input that is dynamic beside the first.
LAYERS = [
    ('Rearrange("b c (h p) -> b h (p c)", p=2)', "torch.randn(2,3,4)", "{0: A}", ""),
    ('Rearrange("b c (h p) -> b h (p c)", p=2)', "torch.randn(2,3,4)", "{0: A, 2: B}", RELATED),
    ('nn.Sequential(Rearrange("b c h -> b (c h)"), nn.Linear(12, 2))', "torch.randn(2,3,4)", "{0: A, 2: B}", FIXED),
    ('nn.Sequential(Reduce("b c h -> b c", "mean"), nn.Linear(3, 2))', "torch.randn(2,3,4)", "{0: A, 2: B}", ""),
]
# Behind another size of a view stands what is left of what the two share: a number to nothing but eager.
LEFT_OVER = [
    ('rearrange(x, "b (d r) -> b d r", r=2).unbind(-1)[0]', "torch.randn(2,8)", "{0: A, 1: Dim.DYNAMIC}", ""),
    ("[*x.view(2, x.shape[1] // 4, 4).unbind(-1)]", "torch.randn(2,8)", "{1: Dim.DYNAMIC}", ""),
]


@pytest.mark.parametrize(("body", "args", "dims", "code"), [*FUNCTIONS, *LEFT_OVER])
def test_a_function(
    request: pytest.FixtureRequest, check_text: Checker, body: str, args: str, dims: str, code: str
) -> None:
    check(request, check_text, ("nn.Identity()", body, args, dims), code, IMPORTS)


@pytest.mark.parametrize(("layer", "args", "dims", "code"), LAYERS)
def test_a_layer(
    request: pytest.FixtureRequest, check_text: Checker, layer: str, args: str, dims: str, code: str
) -> None:
    check(request, check_text, (layer, "self.layer(x)", args, dims), code, IMPORTS)
