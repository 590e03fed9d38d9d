"""Transforms of torchaudio that branch on a number that they draw, as they are measured in `random_transforms`."""

from __future__ import annotations

import pytest
from exportdb_rules import engine
from exportdb_rules.finding import Confidence, Mode
from exportdb_rules.project import Project

PROGRAM = """\
import torch
import torchaudio
from torchaudio.transforms import FrequencyMasking, SpecAugment, SpeedPerturbation, TimeMasking


class Net(torch.nn.Module):
    def __init__(self, each):
        super().__init__()
        self.augment = {augment}

    def forward(self, x: torch.Tensor):
        {body}
        return x
"""
CALL = "x = self.augment(x)"
ROWS = [
    ("FrequencyMasking(8)", CALL, [Confidence.CERTAIN]),
    ("TimeMasking(8, False)", CALL, [Confidence.CERTAIN]),
    ("TimeMasking(8, iid_masks=True)", CALL, []),
    ("TimeMasking(8, each)", CALL, []),
    ("SpecAugment(1, 8, 1, 8)", CALL, []),
    ("SpeedPerturbation(16000, [0.9, 1.1])", CALL, [Confidence.CERTAIN]),
    ("torch.nn.Sequential(FrequencyMasking(8), torch.nn.ReLU())", CALL, [Confidence.CERTAIN]),
    ("None", "x = torchaudio.functional.mask_along_axis(x, 8, 0.0, 2)", [Confidence.CERTAIN]),
    ("TimeMasking(8)", "x = self.augment(x) if self.training else x", []),
]


@pytest.mark.parametrize(("augment", "body", "expected"), ROWS, ids=range(len(ROWS)))
def test_a_transform_that_draws_for_all_of_a_batch_branches(
    augment: str, body: str, expected: list[Confidence]
) -> None:
    project = Project()
    project.set_text("/net.py", PROGRAM.format(augment=augment, body=body))
    found = engine.check(project, "/net.py", engine.Settings(modes=tuple(Mode))).findings
    assert [finding.confidence for finding in found] == expected
    assert {finding.code for finding in found} <= {"EDB101"}
