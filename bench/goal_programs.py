"""The programs of bench/goals.py: an operator each, dimensions that do not hold, and whole models."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CASES = Path(__file__).parent.parent / "cases" / "exportdb_cases"
MARK = "# here"
# What the models are of, and what these import; torch is that of the interpreter.
REQUIREMENTS = (
    "torchvision==0.28.0", "monai==1.5.1", "vector-quantize-pytorch==1.32.0", "x-transformers==2.31.10", "einops==0.8.2",
    "einx==0.4.3", "loguru==0.7.3", "frozendict==2.5.1", "torch-einops-utils==0.2.0",
)  # fmt: skip

OPERATOR = f"""\
import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        y = x + 1
        y = {{}}  {MARK}
        return y * 1


torch.manual_seed(0)
model = Net().eval()
example_args = (torch.randn(4, 4),)
"""
OPERATORS = (
    "torch.linalg.eigvals(y).abs()", "torch.linalg.svdvals(y)", "torch.linalg.inv(y)", "torch.linalg.det(y)",
    "torch.linalg.qr(y).R.abs()", "torch.linalg.cholesky(y @ y.T + 9 * torch.eye(4))", "torch.linalg.solve(y, y)",
    "torch.fft.rfft(y).abs()", "torch.fft.fft2(y).abs()", "torch.cumsum(y, 0)", "torch.cumprod(y, 0)",
    "torch.cummax(y, 0).values", "torch.logcumsumexp(y, 0)", "torch.special.erfcx(y)", "torch.special.bessel_j0(y)",
    "torch.special.i0(y)", "torch.lgamma(y.abs() + 1)", "torch.digamma(y.abs() + 1)", "torch.polygamma(1, y.abs() + 1)",
    "torch.erfinv(y.tanh())", "torch.igamma(y.abs() + 1, y.abs() + 1)", "torch.histc(y, 4)",
    "torch.bincount((y.abs() * 3).long().flatten())", "torch.unique(y)", "torch.sort(y).values", "torch.topk(y, 2).values",
    "torch.kthvalue(y, 2).values", "torch.median(y)", "torch.mode(y).values", "torch.bucketize(y, torch.arange(4.0))",
    "torch.searchsorted(torch.arange(4.0), y)", "torch.cdist(y, y)", "torch.nextafter(y, y + 1)", "torch.heaviside(y, y)",
    "torch.roll(y, 1)", "torch.flip(y, [0])", "torch.triu(y)", "torch.einsum('ij,kj->ik', y, y)", "torch.frac(y)",
    "torch.hypot(y, y)", "torch.copysign(y, -y)", "torch.logaddexp(y, y)", "torch.atan2(y, y + 1)",
    "torch.renorm(y, 2, 0, 1.0)", "torch.trapezoid(y)", "torch.bitwise_xor(y.long(), 3)", "torch.nonzero(y > 0)",
    "F.scaled_dot_product_attention(y[None], y[None], y[None])", "F.interpolate(y[None, None], scale_factor=2, mode='bicubic')",
    "F.grid_sample(y.view(1, 1, 4, 4), y.view(1, 2, 4, 2).tanh(), align_corners=False)", "F.max_pool2d(y[None], 2)",
    "F.unfold(y[None, None], 2)", "F.fold(y[None], (3, 3), 2)", "F.gumbel_softmax(y).detach() * 0",
    "y.bfloat16().atan().float()", "y.half().softmax(-1).float()", "y.index_add(0, torch.arange(4), y)",
    "y.scatter_reduce(0, y.long() % 4, y, 'amax')", "y.masked_fill(y > 0, 1.0)", "y.var(0)",
    "F.conv2d(y[None, None], torch.ones(2, 1, 3, 3))", "F.conv_transpose2d(y[None, None], torch.ones(1, 2, 3, 3))",
    "F.conv1d(y[None], torch.ones(3, 4, 2))", "F.linear(y, torch.ones(3, 4), torch.ones(3))", "F.layer_norm(y, (4,))",
    "F.group_norm(y[None], 2)", "F.instance_norm(y[None])", "F.rms_norm(y, (4,))", "F.gelu(y)", "F.silu(y)", "F.mish(y)",
    "F.hardswish(y)", "F.celu(y)", "F.glu(y)", "F.softplus(y)", "F.avg_pool2d(y[None], 2)", "F.adaptive_avg_pool2d(y[None], 3)",
    "F.adaptive_max_pool2d(y[None], 2)", "F.max_pool1d(y, 2)", "F.lp_pool1d(y[None], 2.0, 2)",
    "F.pixel_shuffle(y.view(1, 4, 2, 2), 2)", "F.interpolate(y[None, None], scale_factor=2, mode='nearest')",
    "F.interpolate(y[None, None], size=(3, 5), mode='bilinear')", "F.pad(y[None], (1, 1), mode='reflect')",
    "F.pad(y[None], (1, 1), mode='circular')", "F.embedding(y.long() % 3, torch.eye(3))", "F.one_hot(y.long() % 3 + 2).float()",
    "F.cosine_similarity(y, y + 1)", "F.cross_entropy(y, y.argmax(-1))", "F.ctc_loss(y.log_softmax(-1)[:, None], "
    "torch.tensor([[1, 2]]), torch.tensor([4]), torch.tensor([2]))", "torch.gather(y, 1, y.long() % 4)",
    "torch.index_select(y, 0, torch.tensor([2, 0]))", "torch.masked_select(y, y > 0)", "torch.where(y > 0, y, -y)",
    "torch.clamp(y, -1, 1)", "torch.cat([y, y], 1)", "torch.repeat_interleave(y, 2, 0)", "torch.tile(y, (2, 1))",
    "torch.argmax(y, 0)", "torch.prod(y, 0)", "torch.linalg.vector_norm(y, 3.0)", "torch.logsumexp(y, 0)",
    "torch.baddbmm(y[None], y[None], y[None])", "torch.outer(y[0], y[1])", "torch.cross(y[:, :3], y[:, 1:], 1)",
    "torch.kron(y, y)", "torch.diag(y)", "torch.rot90(y)", "torch.floor_divide(y, 2)", "torch.remainder(y, 2)",
    "torch.fmod(y, 2)", "torch.pow(y.abs(), 1.5)", "torch.log1p(y.abs())", "torch.expm1(y)", "torch.sinh(y)",
    "torch.round(y, decimals=1)", "torch.count_nonzero(y, 0)", "torch.aminmax(y, dim=0).max", "y.unfold(0, 2, 1)",
    "torch.as_strided(y, (2, 2), (1, 2))", "torch.index_put(y, (torch.tensor([0, 1]),), y[0])", "y.scatter(1, y.long() % 4, y)",
    "torch.bitwise_left_shift(y.long(), 1)", "torch.stft(y.flatten(), 4, return_complex=True, window=torch.ones(4)).abs()",
    "torch.polar(y.abs(), y).real", "torch.quantile(y, 0.5)", "torch.tril_indices(3, 3) + y.long()[0, 0]",
    "torch.matrix_exp(y)", "torch.linalg.pinv(y)", "torch.vander(y[0])", "torch.sgn(y)", "torch.nan_to_num(y)",
    "y.double().sin().float()", "y.to(torch.int8).float()", "torch.corrcoef(y)",
)  # fmt: skip

# Forwards whose named dimensions do not hold: torch.export refuses them, and torch.onnx.export goes on with others.
DIMENSIONS = {
    "a branch, numbers": ("if x.shape[0] > 5:  # here\n            return x * 2\n        return x + 1", "8, 4"),
    "a branch, range": ("if x.shape[0] > 5:  # here\n            return x * 2\n        return x + x", "8, 4"),
    "another branch": ("return x * 2 if x.shape[0] <= 64 else 2 * x  # here", "8, 4"),
    "a constant": ("return x + torch.ones(8, 1)  # here", "8, 4"),
    "a number of rows": ("return x.view(8, 4) * 2  # here", "8, 4"),
    "a check": ("torch._check(x.shape[0] < 100)  # here\n        return x * 2", "8, 4"),
    "a square": ("return x @ x  # here", "4, 4"),
    "int of a size": ("n = int(x.shape[0])  # here\n        return torch.arange(8) * x.reshape(n, -1).T", "8, 4"),
    "split": ("a, b = x.split(4)\n        return a + b  # here", "8, 4"),
    "unpacked": ("return sum(row for row in x)  # here", "8, 4"),
}
DIMENSION = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        {}


torch.manual_seed(0)
model = Net().eval()
example_args = (torch.randn({}),)
dynamic_shapes = {{"x": {{0: {}}}}}
"""
NAMED, UNNAMED = 'torch.export.Dim("rows", min=2, max=4096)', "torch.export.Dim.DYNAMIC"

MODEL = """\
import sys
sys.path.insert(0, {!r})
import torch
from {} import {}

torch.manual_seed(0)
model = {}.eval()
example_args = ({},)
"""
_PICTURE, _SMALL, _TOKENS, _VOLUME = (
    "torch.randn(1, 3, 64, 64)", "torch.randn(1, 1, 32, 32)", "torch.randn(1, 4, 8)", "torch.randn(1, 3, 4, 32, 32)",
)  # fmt: skip
_BLOCKS, _NETS = "monai.networks.blocks", "monai.networks.nets"
# Of torchvision, and classes of packages that other benchmarks survey: the module, the model, its inputs.
MODELS = (
    ("torchvision.models", "resnet18()", _PICTURE),
    ("torchvision.models", "mobilenet_v2()", _PICTURE),
    ("torchvision.models", "mobilenet_v3_small()", _PICTURE),
    ("torchvision.models", "squeezenet1_1()", _PICTURE),
    ("torchvision.models", "shufflenet_v2_x0_5()", _PICTURE),
    ("torchvision.models", "mnasnet0_5()", _PICTURE),
    ("torchvision.models", "efficientnet_b0()", _PICTURE),
    ("torchvision.models", "regnet_y_400mf()", _PICTURE),
    ("torchvision.models", "googlenet(init_weights=False)", _PICTURE),
    ("torchvision.models", "convnext_tiny()", _PICTURE),
    ("torchvision.models", "VisionTransformer(32, 8, 2, 2, 32, 64)", "torch.randn(1, 3, 32, 32)"),
    ("torchvision.models", "SwinTransformer([2, 2], 16, [2, 2], [2, 4], [4, 4])", _PICTURE),
    ("torchvision.models.segmentation", "lraspp_mobilenet_v3_large(weights_backbone=None)", _PICTURE),
    ("torchvision.models.video", "r3d_18()", _VOLUME),
    (_NETS, "UNet(spatial_dims=2, in_channels=1, out_channels=2, channels=(4, 8, 16), strides=(2, 2))", _SMALL),
    (
        _NETS,
        "AttentionUnet(spatial_dims=2, in_channels=1, out_channels=2, channels=(4, 8, 16), strides=(2, 2))",
        _SMALL,
    ),
    (_NETS, "BasicUNet(spatial_dims=2, features=(4, 4, 8, 8, 16, 4))", _SMALL),
    (_NETS, "SegResNet(spatial_dims=2, init_filters=8)", _SMALL),
    (_NETS, "AutoEncoder(spatial_dims=2, in_channels=1, out_channels=1, channels=(4, 8), strides=(2, 2))", _SMALL),
    (_NETS, "Regressor((1, 32, 32), (2,), (4, 8), (2, 2))", _SMALL),
    (_NETS, "FullyConnectedNet(8, 2, (16,))", "torch.randn(4, 8)"),
    (_BLOCKS, "MLPBlock(8, 16)", _TOKENS),
    (_BLOCKS, "TransformerBlock(8, 16, 2)", _TOKENS),
    (_BLOCKS, "SABlock(8, 2)", _TOKENS),
    (_BLOCKS, "ResidualSELayer(2, 4)", "torch.randn(1, 4, 8, 8)"),
    ("x_transformers", "Encoder(dim=8, depth=1, heads=2)", _TOKENS),
    ("x_transformers.x_transformers", "Attention(dim=8, heads=2, dim_head=4)", _TOKENS),
    ("x_transformers.x_transformers", "FeedForward(dim=8)", _TOKENS),
    ("vector_quantize_pytorch", "VectorQuantize(dim=8, codebook_size=8)", _TOKENS),
    ("vector_quantize_pytorch", "FSQ(levels=[8, 5, 5])", "torch.randn(1, 4, 3)"),
    ("vector_quantize_pytorch", "LFQ(dim=8, codebook_size=16)", _TOKENS),
    ("vector_quantize_pytorch", "ResidualVQ(dim=8, num_quantizers=2, codebook_size=8)", _TOKENS),
)
# So many cases beside those that declare named dimensions, drawn with a fixed seed.
DRAWN = 20


class Program(NamedTuple):
    """One program: `kind` is a row of the table."""

    kind: str
    name: str
    path: Path


def written(folder: Path, packages: Path) -> Iterator[Program]:
    """Every program, in files in a folder; the packages of `REQUIREMENTS` are in the other."""

    def file(kind: str, name: str, text: str) -> Program:
        path = folder / f"{kind.replace(' ', '_')}_{len([*folder.iterdir()])}.py"
        path.write_text(text, "utf-8")
        return Program(kind, name, path)

    for operator in OPERATORS:
        yield file("operators", operator, OPERATOR.format(operator))
    for kind, dimension in {"refused dimensions": NAMED, "unnamed dimensions": UNNAMED}.items():
        for name, (body, shape) in DIMENSIONS.items():
            yield file(kind, name, DIMENSION.format(body, shape, dimension))
    named = sorted((CASES / "dynamic_shape").glob("*_named.py"))
    yield from (Program("named dimensions", path.stem, path) for path in named)
    # torch 2.13, which the models need, does not take a ShapesSpec.
    others = sorted(
        path for path in CASES.glob("*/*.py") if path not in named and "ShapesSpec" not in path.read_text("utf-8")
    )
    drawn = random.Random(0).sample(others, DRAWN)
    yield from (Program("cases", path.stem, path) for path in sorted(drawn))
    for module, made, inputs in MODELS:
        name = made.partition("(")[0]
        yield file("models", f"{module}.{name}", MODEL.format(str(packages), module, name, made, inputs))
