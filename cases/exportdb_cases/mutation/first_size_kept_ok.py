import torch


class FirstSizeKeptOk(torch.nn.Module):
    """A method makes the table anew for another length, from the length alone: every call could make it."""

    def __init__(self):
        super().__init__()
        self.length = 0

    def fill(self, length):
        places = torch.arange(length)
        self.table = torch.stack([places, places], dim=-1)
        self.table = self.table.float()

    def forward(self, x):
        if not self.length == x.shape[0]:
            self.length = x.shape[0]
            self.fill(x.shape[0])
        return x + self.table


example_args = (torch.tensor([[1.0, 2.0], [3.0, 6.0]]),)
tags = {"torch.mutation", "python.object-model"}
model = FirstSizeKeptOk()
