"""Makes `proof` importable from the tests beside it."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest
import torch

sys.path.insert(0, str(Path(__file__).parent))

# pytest listens to every logger; torch then writes down all that its tracer does, which costs more than the trace.
logging.getLogger("torch.__trace").disabled = True


@pytest.fixture(autouse=True)
def _validated() -> None:
    """Dynamo turns the validation of distributions off for the whole process, when it is used first."""
    torch.distributions.Distribution.set_default_validate_args(True)
