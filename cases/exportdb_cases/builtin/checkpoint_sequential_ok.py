import torch


class CheckpointSequentialOk(torch.nn.Module):
    """A Sequential that is checkpointed in training only."""

    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU(), torch.nn.Linear(2, 2))

    def forward(self, x):
        if torch.compiler.is_exporting():
            return self.net(x)
        return torch.utils.checkpoint.checkpoint_sequential(self.net, 2, x, use_reentrant=False)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = CheckpointSequentialOk()
