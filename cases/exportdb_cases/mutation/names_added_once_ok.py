import torch


class NamesAddedOnceOk(torch.nn.Module):
    """A list of names that grows by what it lacks, and is read behind that: it is the same in each call."""

    def __init__(self):
        super().__init__()
        self.names = []

    def forward(self, x):
        for name in ("first", "second"):
            if name not in self.names:
                self.names.append(name)
        return x * len(self.names)


example_args = (torch.randn(2, 3),)
tags = {"python.object-model"}
model = NamesAddedOnceOk()
