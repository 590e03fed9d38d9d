"""How many dimensions docstrings and comments say that a parameter has."""

from __future__ import annotations

import ast

import pytest
from exportdb_rules.documented_shapes import documented_sizes, sizes_in

from .conftest import Checker

# What stands behind the name, and the number of dimensions that it says.
SAID: dict[str, int | None] = {
    ": (B, N, C)": 3,
    ": input features with shape of (num_windows*B, N, C)": 3,
    "(Tensor): Feature tensor with shape (b, c, h, w).": 4,
    "(`torch.Tensor` of shape `(batch_size, seq_len, dim)`, *optional*): states": 3,
    "(torch.Tensor): History embeddings of shape ``(batch_size, seq_len, emb)``.": 3,
    ": Input image with shape :math:`(B, C, H, W)`, where :math:`B` is the batch size": 4,
    ": [bs x n_heads x seq_len x d_k]": 4,
    ": the positions. Should be shape B x embedding_dim x h x w for any h": 4,
    ": Tensor, shape ``[seq_len, batch_size, embedding_dim]``": 3,
    ": set of key vectors ``(batch, key_len, dim)``": 3,
    ": class labels (N,)": 1,
    ": tensor of shape [E]": 1,
    ": a 2-D tensor": 2,
    ": shape (-1, context_length)": 2,
    ": images of shape BxCxHxW": 4,
    ": (0/-inf) mask with shape of (num_windows, Wh*Ww, Wh*Ww) or None": 3,
    # What leaves it open.
    ": tensor of shape (*, C)": None,
    ": key; shape :math:`(N, ..., H, S)`": None,
    ": of shape (N, C, SpatialDims)": None,
    ": shape (D) or (B, D)": None,
    ": shape (batch, 1) or (batch, 1, 1)": None,
    # What are no sizes.
    "(torch.Tensor): the input": None,
    "(Tensor, optional): the mask": None,
    "(bool, optional): whether to return (logits, loss)": None,
    ": pixel values in [0, 1]": None,
    ": boxes in (x1, y1, x2, y2) format": None,
    ": a list of tensors of shape (batch, dim)": None,
    "(List[Tensor]): features of shape (batch, dim)": None,
    ": dict with entries of shape (batch, dim)": None,
    ": tuple (s, V) of tensors": None,
    ": ``[spike, trace]`` pair": None,
}


@pytest.mark.parametrize("said", SAID)
def test_number_of_dimensions(said: str) -> None:
    assert len(sizes_in(said) or ()) == (SAID[said] or 0)


FORWARDS: dict[str, tuple[str, dict[str, int]]] = {
    "the style of Google": (
        'def forward(self, x, y, z):\n    """Does it.\n\n    Args:\n        x (Tensor): input,\n            of shape (B, N, C).\n'
        '        y: as it comes\n        z: of the same shape as `x`\n    """\n',
        {"x": 3, "z": 3},
    ),
    "the style of NumPy": (
        'def forward(self, x, y):\n    """Does it.\n\n    Parameters\n    ----------\n    x : torch.Tensor\n        Signals, of shape\n'
        '        ``(batch, lead, length)``.\n    y\n        Shape (batch, classes).\n    """\n',
        {"x": 3, "y": 2},
    ),
    "the style of Sphinx": (
        'def forward(self, x):\n    """\n    :param x: tensor of size ``(batch_size, num_fields)``\n    :return: of shape (B, 1, 1)\n    """\n',
        {"x": 2},
    ),
    "behind the parameters": (
        "def forward(\n    self,\n    x,  # (B, T, C)\n    mask=None,  # [B, T]\n    # a comment\n):\n    return x\n",
        {"x": 3, "mask": 2},
    ),
    "behind the line of def": ("def forward(self, x, y):  # x: (B, T), y: as x\n    return x\n", {"x": 2}),
    "before the first statement": (
        "def forward(self, x):\n    # x: [B, T, C]\n    y = x  # x: (B, T)\n    return y\n",
        {"x": 3},
    ),
    "two names": ('def forward(self, q, k):\n    """q, k: (batch, heads, tokens, dim)"""\n', {"q": 4, "k": 4}),
    "a hash in a default": ('def forward(self, x="#(B, C)"):\n    return x\n', {}),
    "another function's": ('def forward(self, x):\n    """Does it.\n\n    Returns:\n        (B, C)\n    """\n', {}),
}


@pytest.mark.parametrize("name", FORWARDS)
def test_documented_sizes(name: str) -> None:
    text, ranks = FORWARDS[name]
    found = documented_sizes(ast.parse(text).body[0], text.split("\n"))
    assert {parameter: len(sizes) for parameter, sizes in found.items()} == ranks


def test_a_view_of_an_input_whose_rank_is_documented_alone(check_text: Checker) -> None:
    forward = '''
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, target, history):
        """Attends.

        Args:
            target: of shape (batch, dim)
            history: {said}
        """
        k = history.view(target.size(0), -1, 4, 4).transpose(1, 2)
        return target.view(target.size(0), 1, 4, 4).transpose(1, 2) @ k.transpose(-1, -2)
'''
    assert [
        f.code for f in check_text(forward.format(said="of shape (batch, items, dim)"), dynamic="all").findings
    ] == ["EDB305"]
    assert not check_text(forward.format(said="what was bought"), dynamic="all").findings
