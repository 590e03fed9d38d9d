"""Makes `proof` importable from the tests beside it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

sys.path.insert(0, str(Path(__file__).parent))

from .. import proofs
from . import record


@pytest.fixture(autouse=True)
def _validated() -> None:
    """Dynamo turns the validation of distributions off for the whole process, when it is used first."""
    torch.distributions.Distribution.set_default_validate_args(True)


@pytest.fixture
def proven_once(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`proven_once(prove, *texts)` makes the proof of a test about these texts where this run is to make it (proofs.py)."""

    def once(prove: Callable[[], None], *texts: str) -> None:
        proofs.once(request, "repairs", request.node.nodeid, proofs.key(record.SOURCES, *texts), prove)

    return once
