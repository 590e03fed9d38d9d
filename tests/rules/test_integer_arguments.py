"""Which parameters torch wants a plain int for, or asks for their sign, beside what check says of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from exportdb_rules import engine
from exportdb_rules.finding import Mode, Verdict
from exportdb_rules.project import Project

from ..programs import fill, load, model_exports

NET = """\
import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional as F


# exportdb: args=(torch.randn(1, 2, 9), torch.randn(1, 2, 9, 9), torch.tensor(1), torch.randn(3)){declared}
class Net(nn.Module):
    def forward(self, x, image, t, sized):
        weight = torch.ones(2, 2, 3)
        n = {number}
        return {call}
"""
DECLARED = ' dynamic_shapes={"x": None, "image": None, "t": None, "sized": {0: Dim.DYNAMIC}}'
BOUNDED = "t.item(); torch._check(n >= 1); torch._check(n <= 4)"
# A plain int: a number from data has none, and a dynamic size is specialized.
PLAIN = (
    "F.max_pool1d(x, n)", "F.max_pool1d(x, 3, stride=n)", "F.max_pool2d(image, n)", "F.avg_pool1d(x, 3, n)", "F.unfold(image, n)",
    "F.unfold(image, 3, stride=n)", "F.local_response_norm(x, n)", "F.lp_pool1d(x, 2.0, n)", "F.adaptive_max_pool1d(x, n)",
    "torch.linalg.matrix_power(image, n)", "x[0].tensor_split(sections=n, dim=1)", "torch.tensor_split(x[0], n, 1)",
    "torch.stft(x[0].repeat(1, 4), n_fft=8, hop_length=n, return_complex=True).abs()", "torch.histc(x, n)", "x.histc(n)",
    "torch.diagonal(image, offset=n, dim1=2, dim2=3)", "torch.pixel_shuffle(torch.ones(1, 9, 2, 2), n)",
)  # fmt: skip
# A symbol serves, once it is known to be positive.
SIGNED = (
    "F.conv1d(x, weight, stride=n)", "F.conv1d(x, weight, padding=n)", "F.conv1d(x, torch.ones(2, 2, 3), groups=n)",
    "F.conv_transpose1d(x, weight, stride=n)", "torch.conv1d(x, weight, padding=(n,))", "torch.fft.rfft(x, n).abs()",
    "torch.fft.irfft(x + 0j, n=n)",
)  # fmt: skip
TAKEN = (
    "x.roll(n, 2)",
    "x.repeat(n, 1, 1)",
    "F.pad(x, (n, 0))",
    "torch.zeros(n) + 1",
    "x.triu(n)",
    "x.expand(2, 2, 9) * n",
)


def exports(text: str, folder: Path, *, strict: bool) -> bool:
    torch = pytest.importorskip("torch")
    net = load(text, folder, "net_of_integer_arguments").Net()
    inputs = (torch.randn(1, 2, 9), torch.randn(1, 2, 9, 9), torch.tensor(1), torch.randn(3))
    shapes = {"x": None, "image": None, "t": None, "sized": {0: torch.export.Dim.DYNAMIC}} if DECLARED in text else None
    return model_exports(net, inputs, strict=strict, dynamic_shapes=shapes)


def failing(text: str) -> dict[Mode, int]:
    """How many findings there are in each mode, all of them in the last line."""
    project = Project()
    project.set_text("/net.py", text)
    findings = engine.check(project, "/net.py", engine.Settings(modes=tuple(Mode))).findings
    assert {finding.span.start.row for finding in findings} <= {text.count("\n")}
    return {mode: sum(finding.verdict[mode] is not Verdict.OK for finding in findings) for mode in Mode}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", [*PLAIN, *SIGNED])
def test_a_number_from_data_is_refused(call: str, tmp_path: Path) -> None:
    text = fill(NET, call=call, number="t.item()", declared="")
    assert not exports(text, tmp_path, strict=False)
    assert failing(text) == {Mode.NON_STRICT: 1, Mode.STRICT: 1}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", PLAIN)
def test_a_dynamic_size_is_specialized(call: str, tmp_path: Path) -> None:
    text = fill(NET, call=call, number="sized.shape[0]", declared=DECLARED)
    assert not exports(text, tmp_path, strict=False)
    assert failing(text) == {Mode.NON_STRICT: 1, Mode.STRICT: 1}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", [*SIGNED, *TAKEN])
def test_a_symbol_that_is_positive_is_taken(call: str, tmp_path: Path) -> None:
    text = fill(NET, call=call, number=BOUNDED, declared="")
    assert exports(text, tmp_path, strict=False)
    assert failing(text) == {Mode.NON_STRICT: 0, Mode.STRICT: 0}


@pytest.mark.parametrize(
    "call", ["F.max_pool1d(x, n)", "F.avg_pool1d(x, n)", "F.one_hot(t, n)", "torch.linspace(0, 1, n)"]
)
def test_what_is_read_of_a_size_is_reported_once(call: str) -> None:
    text = fill(NET, call=call, number="x.shape[2]", declared=' dynamic_shapes={"x": {2: Dim("long")}}')
    assert failing(text) == {Mode.NON_STRICT: 1, Mode.STRICT: 1}
