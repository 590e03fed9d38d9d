"""Makes `proof` importable from the tests beside it, and shares the confirmer, whose worker takes seconds to start."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from exportdb_lsp.confirm.confirmer import Confirmer

sys.path.insert(0, str(Path(__file__).parent))

# pytest listens to every logger; torch then writes down all that its tracer does, which costs more than the trace.
logging.getLogger("torch.__trace").disabled = True


@pytest.fixture(autouse=True)
def _validated() -> None:
    """Dynamo turns the validation of distributions off for the whole process, when it is used first."""
    torch.distributions.Distribution.set_default_validate_args(True)


@pytest.fixture(scope="session")
def confirmer() -> Iterator[Confirmer]:
    confirmer = Confirmer()
    yield confirmer
    confirmer.close()
