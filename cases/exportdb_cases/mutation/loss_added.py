import torch


class LossAdded(torch.nn.Module):
    """A loss that is kept on the module grows with every call; the graph adds to what it was at tracing time."""

    def __init__(self):
        super().__init__()
        self.loss = 0.0

    def forward(self, x):
        self.loss += x.abs().mean()
        return x.sin(), self.loss


example_args = (torch.tensor([[1.0, 2.0], [3.0, 6.0]]),)
tags = {"torch.mutation", "python.object-model"}
model = LossAdded()
twin = "loss_begun_anew_ok"
