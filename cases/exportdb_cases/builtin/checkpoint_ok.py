import torch


class CheckpointOk(torch.nn.Module):
    """Without the checkpoint: an exported program has no backward to save memory for."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.layer(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = CheckpointOk()
