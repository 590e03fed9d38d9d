"""Exports of a text by the worker of all tests, as the tests here want them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import ExportResult
from exportdb_rules.finding import Mode

HEAD = "import torch\nfrom torch import nn\nfrom torch.export import Dim\n\n"
# A model whose constructor must be told something.
NET = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width, out=2):
        super().__init__()
        self.linear = nn.Linear(width, out)

    def forward(self, x):
        return self.linear(x)
"""

Export = Callable[..., tuple[ExportResult, ...]]
RowOf = Callable[[str, str], int]


@pytest.fixture
def export(confirmer: Confirmer, tmp_path: Path) -> Export:
    """Exports text as an unsaved file of an empty project; HEAD stands before it unless `head` is False."""

    def run(text: str, *, name: str | None = None, filename: str = "net.py", head: bool = True, **options: object):
        options.setdefault("modes", (Mode.NON_STRICT,))
        options.setdefault("draft", False)
        whole = (HEAD if head else "") + dedent(text)
        request = ExportRequest(str(tmp_path / filename), text=whole, name=name, root=tmp_path, **options)  # type: ignore[arg-type]
        return confirmer.run(request)

    return run


@pytest.fixture(scope="session")
def row_of() -> RowOf:
    """The row on which some code stands, once HEAD is before the text."""

    def find(text: str, code: str) -> int:
        lines = (HEAD + dedent(text)).splitlines()
        return next(number for number, line in enumerate(lines, start=1) if code in line)

    return find
