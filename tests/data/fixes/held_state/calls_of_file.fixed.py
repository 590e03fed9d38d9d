import torch

calls = torch.tensor(0)  # of all objects
seen = torch.zeros(2)


class Net(torch.nn.Module):
    """A counter and a total that live in the file."""

    def __init__(self):
        super().__init__()
        self.register_buffer("seen", seen, persistent=False)
        self.register_buffer("calls", calls, persistent=False)

    def forward(self, x):
        self.calls += 1
        self.seen.copy_(self.seen + torch.ones(2))
        return x * self.calls + self.seen


keeps_state = True
inputs = [(torch.ones(3, 2),), (torch.ones(3, 2) * 2,), (torch.ones(3, 2),)]
# mended: EDB404
