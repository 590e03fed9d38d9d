import torch


class FirstBatchKept(torch.nn.Module):
    """The first batch sets the mean that every later call subtracts; the exported program takes the mean of each batch."""

    def __init__(self):
        super().__init__()
        self.ready = False

    def fill(self, x):
        self.mean = x.mean(0)
        self.ready = True

    def forward(self, x):
        if not self.ready:
            self.fill(x)
        return x - self.mean


example_args = (torch.tensor([[1.0, 2.0], [3.0, 6.0]]),)
tags = {"torch.mutation", "python.object-model"}
model = FirstBatchKept()
twin = "first_size_kept_ok"
