"""Transforms of torchvision in `forward`: what check says of each, beside a real export in both modes."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
import torch
from exportdb_rules import engine
from exportdb_rules.finding import Mode, Verdict
from exportdb_rules.project import Project

PROGRAM = """\
import torch
import torchvision.transforms as T
from torchvision.transforms import functional, v2


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.transform = {transform}

    def forward(self, x: torch.Tensor):
        return self.transform(x)
"""
# Each as it is and as v2 has it.
BOTH = [
    "CenterCrop(16)", "Resize((16, 16))", "Resize(16)", "Pad(2)", "Grayscale()", "FiveCrop(16)", "Lambda(lambda x: 2 * x)",
    "Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))", "GaussianBlur(3)", "GaussianBlur(3, 1.0)", "ColorJitter(0.4)",
    "RandomGrayscale(0.2)", "RandomHorizontalFlip()", "RandomVerticalFlip()", "RandomCrop(16)", "RandomCrop(32, padding=4)",
    "RandomResizedCrop(16)", "RandomErasing()", "RandomRotation(10)", "RandomAffine(10)", "RandomPerspective()",
    "RandomInvert()", "RandomSolarize(0.5)", "RandomAutocontrast()", "RandomAdjustSharpness(2)", "ElasticTransform()",
    "RandomApply([T.CenterCrop(16)], p=0.3)", "Compose([T.CenterCrop(16), T.Pad(2)])", "Compose([T.CenterCrop(16), T.RandomInvert()])",
]  # fmt: skip
ALONE = [
    "T.Normalize((0.5,), (0.5,))", "T.Normalize(0.5, 0.5)", "v2.RandomZoomOut()", "v2.RandomPhotometricDistort()", "v2.ScaleJitter((16, 16))", "v2.RandomShortestSize(16)",
    "v2.RandomResize(16, 20)", "v2.RandomChoice([T.Pad(1), T.Pad(2)])", "v2.RandomOrder([T.Pad(1), T.Pad(2)])",
    "v2.GaussianNoise()", "v2.RandomChannelPermutation()", "v2.ToDtype(torch.float64)",
    "lambda x: functional.normalize(x, [0.5], [0.5])", "lambda x: functional.normalize(x, [0.5] * 3, [0.5] * 3)", "lambda x: functional.gaussian_blur(x, 3, [1.0])",
    "lambda x: T.RandomResizedCrop.get_params(x, (0.1, 1.0), (0.75, 1.33))",
    "torch.nn.Sequential(T.Pad(2), T.RandomErasing())",
]  # fmt: skip
ROWS = [f"{where}.{row}" for row in BOTH for where in ("T", "v2")] + ALONE
# Of images of whole numbers.
WHOLE = ["T.RandomPosterize(4)", "v2.RandomPosterize(4)", "T.RandomEqualize()", "v2.RandomEqualize()"]


@cache
def _missing_operators() -> torch.library.Library:
    """A build of torchvision for another build of torch has no operators, and cannot be imported: no transform uses them."""
    library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms", "deform_conv2d", "roi_align", "roi_pool", "ps_roi_align", "ps_roi_pool"):
        library.define(f"{name}(Tensor x) -> Tensor")
        if "nms" not in name:
            library.define(f"_{name}_backward(Tensor x) -> Tensor")
    return library


def _module(path: Path) -> ModuleType:
    spec = importlib.util.find_spec("torchvision")
    assert spec is not None
    assert spec.origin is not None
    if "torchvision" not in sys.modules:
        try:
            torch.ops.load_library(str(next(Path(spec.origin).parent.glob("_C*.so"))))
        except (OSError, StopIteration):
            _missing_operators()
    own = importlib.util.spec_from_file_location(path.stem, path)
    assert own is not None
    assert own.loader is not None
    module = importlib.util.module_from_spec(own)
    sys.modules[path.stem] = module
    own.loader.exec_module(module)
    return module


@pytest.mark.parametrize("transform", [*ROWS, *WHOLE])
def test_a_transform_exports_where_nothing_is_said_of_it(transform: str, tmp_path: Path) -> None:
    path = tmp_path / "program_with_transform.py"
    path.write_text(PROGRAM.format(transform=transform), encoding="utf-8")
    settings = engine.Settings(modes=tuple(Mode))
    said = engine.check(Project(tmp_path), str(path), settings).findings
    net = _module(path).Net().eval()
    image = torch.randint(0, 255, (2, 3, 32, 32), dtype=torch.uint8) if transform in WHOLE else torch.rand(2, 3, 32, 32)
    net(image)
    for mode in Mode:
        torch._dynamo.reset()
        try:
            torch.export.export(net, (image,), strict=mode is Mode.STRICT)
            failed = False
        except Exception:
            failed = True
        assert failed == any(finding.verdict[mode] is Verdict.FAILS for finding in said), (mode, said)
