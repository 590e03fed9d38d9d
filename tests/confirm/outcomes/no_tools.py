# expected: non-strict no-tools, strict no-tools
# to: onnx
"""What the goal of the export needs is not installed."""

import sys

import torch

sys.modules["onnxruntime"] = None


class Net(torch.nn.Module):
    def forward(self, x):
        return x + 1


model = Net()
example_args = (torch.randn(2, 3),)
