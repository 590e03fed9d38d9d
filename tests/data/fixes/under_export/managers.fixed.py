"""Locks, and settings of the backends, around what is computed."""

import contextlib
import io
import threading
import warnings

import torch
from torch import nn
from torch.nn import functional as F

LOCK = threading.Lock()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Conv1d(2, 2, 1)

    def forward(self, x):
        with contextlib.nullcontext() if torch.compiler.is_exporting() else LOCK, torch.no_grad():
            y = x.sin()
        with warnings.catch_warnings(), contextlib.nullcontext() if torch.compiler.is_exporting() else contextlib.redirect_stdout(
            io.StringIO()
        ):
            if not torch.compiler.is_exporting():
                warnings.simplefilter("ignore")
            y = y.cos()
        with contextlib.nullcontext() if torch.compiler.is_exporting() else torch.backends.cudnn.flags(enabled=False):
            # not reproducible otherwise
            y = self.layer(y.T).T
        with contextlib.nullcontext() if torch.compiler.is_exporting() else torch.backends.cuda.sdp_kernel(
            enable_flash=False, enable_mem_efficient=False
        ):
            y = F.scaled_dot_product_attention(y, x, x)
        return y


inputs = [(torch.arange(6.0).reshape(3, 2),), (torch.ones(3, 2),)]
# mended: EDB503
