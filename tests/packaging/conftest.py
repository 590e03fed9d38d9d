"""The distributions, built once for all tests that try them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BRANCH = """\
import torch
from torch import nn


# exportdb: args=(torch.randn(3),)
class Net(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return x - 1
"""


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with both distributions; the wheel is built from the sdist, so the sdist is complete."""
    out = tmp_path_factory.mktemp("dist")
    # --no-isolation: the build backend is part of the development environment, the network is not.
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    (path,) = built.glob("*.whl")
    return path
