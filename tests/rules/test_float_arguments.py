"""Which parameters torch wants a plain float for, beside what check says of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from exportdb_rules import engine
from exportdb_rules.finding import Mode, Verdict
from exportdb_rules.interpreter import float_arguments
from exportdb_rules.project import Project

from ..programs import fill, load, model_exports

NET = """\
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def forward(self, x, image, t: torch.Tensor):
        x = x.clone()
        s = {number}
        return {call}
"""
# A number is known there, whether it comes from `.item()` or is a tensor.
FLOATS = (
    "F.dropout(x, s)", "F.dropout(x, p=s, training=False)", "F.dropout1d(x, s)", "F.dropout2d(image, s)",
    "F.dropout3d(image[None], s)", "F.alpha_dropout(x, s)", "F.feature_alpha_dropout(image, s)",
    "F.layer_norm(x, (4,), eps=s)", "F.layer_norm(x, (4,), None, None, s)", "F.hardtanh(x, -s, s)", "F.softshrink(x, s)",
    "F.normalize(x, p=s)", "F.cosine_similarity(x, x, eps=s)", "F.pairwise_distance(x, x, p=s)",
    "F.pairwise_distance(x, x, eps=s)", "torch.cdist(x, x, p=s)", "x.norm(p=s)", "torch.norm(x, s)",
    "torch.linalg.norm(x, ord=s, dim=-1)", "torch.linalg.vector_norm(x, s)", "torch.bernoulli(x.clamp(max=1), p=s)",
    "F.scaled_dot_product_attention(x[None], x[None], x[None], scale=s)",
    "F.scaled_dot_product_attention(x[None], x[None], x[None], dropout_p=s)",
    "F.batch_norm(x, torch.zeros(4), torch.ones(4), eps=s)", "F.batch_norm(x, torch.zeros(4), torch.ones(4), momentum=s)",
    "F.group_norm(x, 2, eps=s)", "F.instance_norm(image, eps=s)", "F.rms_norm(x, (4,), eps=s)",
    "F.huber_loss(x, x, delta=s)", "F.smooth_l1_loss(x, x, beta=s)", "F.margin_ranking_loss(x, x, x, margin=s)",
    "F.hinge_embedding_loss(x, x.sign(), margin=s)", "F.cosine_embedding_loss(x, x, torch.ones(3), margin=s)",
    "F.triplet_margin_loss(x, x, x + 1, margin=s)", "F.poisson_nll_loss(x, x, eps=s)",
    "F.cross_entropy(x, torch.tensor([0, 1, 2]), label_smoothing=s)", "torch.nan_to_num(x, nan=s)",
    "torch.nan_to_num(x, 0.0, s)", "F.pad(x, (1, 1), value=s)", "F.pad(x, (1, 1), 'constant', s)", "x.uniform_(0, s)",
    "x.normal_(0, s)", "x.exponential_(s)", "x.cauchy_(0, s)", "x.log_normal_(0, s)", "torch.isclose(x, x, atol=s)",
    "torch.isclose(x, x, s)", "torch.std(x, correction=s)", "torch.trapezoid(x, dx=s)", "torch.cumulative_trapezoid(x, dx=s)",
    "torch.fft.fftfreq(4, d=s)", "torch.fft.rfftfreq(4, s)", "F.fractional_max_pool2d(image, 2, output_ratio=(s, s))",
    "F.rrelu(x, 0.1, s)", "torch.logspace(0, 1, 5, base=s)", "F.embedding(torch.tensor([0]), x, max_norm=s)",
    "F.embedding_bag(torch.tensor([[0]]), x, max_norm=s)", "torch.addmm(x[:, :3], x, x.T, beta=s)",
    "torch.sub(x, x, alpha=s)",
)  # fmt: skip
# Only a number: torch, or the overload, takes a tensor.
NUMBERS = (
    "x.quantile(s)", "torch.nanquantile(x, s)", "x.bernoulli_(s)", "torch.normal(x, s)", "torch.normal(0.0, s, (2,))",
    "torch.float_power(x, s)", "torch.linalg.pinv(x, rtol=s)", "torch.linalg.matrix_rank(x, tol=s)",
    "F.interpolate(image, scale_factor=s)", "F.interpolate(image, scale_factor=(s, 1.0), mode='bilinear')",
    "F.upsample(image, scale_factor=s)",
)  # fmt: skip
# Only a tensor, and in strict mode alone.
SCALARS = (
    "torch.celu(x, s)", "torch.clamp(x, s, 1.0)", "x.fill_diagonal_(s)", "torch.histc(x, 4, 0.0, s)", "x.new_full((2,), s)",
    "torch.scalar_tensor(s)", "F.threshold(x, s, s)",
)  # fmt: skip
# A symbol will do.
TAKEN = (
    "x * s", "x.clamp(max=s)", "F.leaky_relu(x, s)", "F.normalize(x, eps=s)", "torch.full((2,), s)", "x.masked_fill(x > 0, s)",
    "F.softplus(x, beta=s)", "F.elu(x, alpha=s)", "torch.lerp(x, x, s)", "torch.add(x, x, alpha=s)", "x.add_(x, alpha=s)",
    "F.gumbel_softmax(x, tau=s)", "torch.where(x > 0, x, s)", "torch.linspace(0, s, 5)", "F.softmax(x / s, -1)",
    "F.interpolate(image, scale_factor=s, mode='bilinear', recompute_scale_factor=True)",
)  # fmt: skip
ITEM, TENSOR = "t.item()", "t"


def exports(text: str, folder: Path, *, strict: bool) -> bool:
    torch = pytest.importorskip("torch")
    net = load(text, folder, "net_of_float_arguments").Net()
    inputs = (torch.rand(3, 4) + 0.1, torch.rand(1, 3, 8, 8), torch.tensor(0.5))
    return model_exports(net, inputs, strict=strict)


def failing(text: str) -> dict[Mode, bool]:
    project = Project()
    project.set_text("/net.py", text)
    findings = engine.check(project, "/net.py", engine.Settings(modes=tuple(Mode))).findings
    assert {finding.span.start.row for finding in findings} <= {text.count("\n")}
    return {mode: any(finding.verdict[mode] is not Verdict.OK for finding in findings) for mode in Mode}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("call", "number"), [*((c, n) for c in FLOATS for n in (ITEM, TENSOR)), *((c, ITEM) for c in NUMBERS)]
)
def test_a_number_must_be_known(call: str, number: str, tmp_path: Path) -> None:
    text = fill(NET, call=call, number=number)
    assert not exports(text, tmp_path, strict=False)
    assert failing(text) == {Mode.NON_STRICT: True, Mode.STRICT: True}


@pytest.mark.parametrize("call", SCALARS)
def test_strict_export_does_not_read_a_tensor(call: str, tmp_path: Path) -> None:
    text = fill(NET, call=call, number=TENSOR)
    assert exports(text, tmp_path, strict=False)
    assert not exports(text, tmp_path, strict=True)
    assert failing(text) == {Mode.NON_STRICT: False, Mode.STRICT: True}


@pytest.mark.parametrize("call", [*TAKEN, *SCALARS])
def test_a_symbol_is_taken(call: str, tmp_path: Path) -> None:
    text = fill(NET, call=call, number=ITEM)
    assert exports(text, tmp_path, strict=False)
    assert failing(text) == {Mode.NON_STRICT: False, Mode.STRICT: False}


def test_each_row_of_the_tables_is_exported() -> None:
    calls = " ".join((*FLOATS, *NUMBERS, *SCALARS))
    tables = (float_arguments._FLOATS, float_arguments._OR_TENSORS, float_arguments._SCALARS)
    assert [name for table in tables for name in table if f"{name}(" not in calls] == []
