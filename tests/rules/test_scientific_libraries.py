"""What strict export does with functions of scientific libraries, beside what check says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from exportdb_rules.finding import Mode

from .strict_calls import found, refused

if TYPE_CHECKING:
    from pathlib import Path

REFUSED = (
    "cv2.getGaussianKernel(3, 1.0)", "cv2.Rodrigues(numpy.eye(3))", "librosa.hz_to_mel(440.0)",
    "librosa.filters.mel(sr=16000, n_fft=64, n_mels=4)", "networkx.path_graph(4)", "networkx.complete_graph(3)",
    "networkx.DiGraph()", "pandas.DataFrame({'a': [1.0]})", "pandas.Series([1.0])", "pandas.isna(1.0)",
    "PIL.Image.new('L', (4, 4))", "PIL.Image.fromarray(numpy.zeros((4, 4), numpy.uint8))",
    "scipy.constants.convert_temperature(20, 'C', 'K')", "scipy.fft.next_fast_len(17)", "scipy.fft.dct([1.0, 2.0])",
    "scipy.fftpack.next_fast_len(17)", "scipy.integrate.quad(lambda t: t, 0, 1)",
    "scipy.interpolate.CubicSpline([0.0, 1.0, 2.0], [0.0, 2.0, 1.0])", "scipy.interpolate.interp1d([0.0, 1.0], [0.0, 2.0])",
    "scipy.linalg.block_diag([1.0], [2.0])", "scipy.linalg.expm([[1.0, 0.0], [0.0, 1.0]])", "scipy.linalg.hilbert(3)",
    "scipy.linalg.norm([1.0, 2.0])", "scipy.linalg.pascal(3)", "scipy.linalg.svd([[1.0, 2.0], [3.0, 1.0]])",
    "scipy.linalg.toeplitz([1.0, 2.0])", "scipy.ndimage.gaussian_filter([1.0, 2.0], 1.0)",
    "scipy.ndimage.zoom([1.0, 2.0], 2)", "scipy.optimize.linear_sum_assignment([[1.0, 2.0], [3.0, 1.0]])",
    "scipy.signal.butter(2, 0.5)", "scipy.signal.firwin(9, 0.5)", "scipy.signal.get_window('hann', 9)",
    "scipy.signal.lfilter([1.0], [1.0], [1.0, 2.0])", "scipy.signal.windows.hann(9)", "scipy.signal.windows.kaiser(9, 2.0)",
    "scipy.spatial.Delaunay([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])", "scipy.spatial.KDTree([[1.0], [2.0]])",
    "scipy.spatial.distance.cdist([[1.0]], [[2.0]])",
    "scipy.spatial.transform.Rotation.from_euler('x', 90)", "scipy.sparse.eye(3)", "scipy.special.comb(4, 2)",
    "scipy.special.erf(0.5)", "scipy.special.factorial(4)", "scipy.special.logsumexp([1.0, 2.0])",
    "scipy.special.roots_legendre(3)", "scipy.stats.entropy([0.5, 0.5])", "scipy.stats.norm.ppf(0.9)",
    "skimage.filters.gaussian(numpy.zeros((4, 4)), 1)", "sklearn.cluster.KMeans(2).fit([[0.0], [1.0]])",
    "sklearn.metrics.accuracy_score([0, 1], [0, 1])",
)  # fmt: skip
TRACED = (
    "PIL.ImageColor.getrgb('red')",
    "PIL.ImageFilter.GaussianBlur(2)", "scipy.fft.fftfreq(4)", "scipy.fft.fftshift([1.0, 2.0])",
    "scipy.fftpack.fftfreq(4)", "scipy.linalg.dft(3)", "scipy.linalg.hadamard(4)", "scipy.linalg.helmert(3)",
    "scipy.signal.kaiser_beta(30.0)", "scipy.signal.unit_impulse(4)", "scipy.signal.windows.gaussian(9, 2.0)",
    "scipy.signal.windows.triang(9)", "scipy.signal.windows.tukey(9)", "scipy.special.sinc(0.5)",
    "scipy.special.softmax([1.0, 2.0])",
)  # fmt: skip


def imports_of(call: str) -> str:
    """The imports that a call needs; the test is skipped where its library is not installed."""
    function = call.partition("(")[0]
    parts = function.split(".")
    module = ".".join(part for part in parts[:-1] if part not in ("Rotation", "norm"))
    pytest.importorskip(
        parts[0], reason=f"{parts[0]} is not installed: what strict export does with it is not measured here"
    )
    return f"import numpy, {module}"


@pytest.mark.filterwarnings("ignore:Dynamo does not know how to trace")
@pytest.mark.parametrize("call", REFUSED)
def test_check_finds_what_strict_export_refuses(call: str, tmp_path: Path) -> None:
    imports = imports_of(call)
    assert refused(imports, call, tmp_path)
    assert found(imports, call) == [tuple(mode is Mode.STRICT for mode in Mode)]


@pytest.mark.parametrize("call", TRACED)
def test_check_leaves_alone_what_strict_export_traces(call: str, tmp_path: Path) -> None:
    imports = imports_of(call)
    assert not refused(imports, call, tmp_path)
    assert found(imports, call) == []
