import torch


class Net(torch.nn.Module):
    """The class counts the calls of all its objects."""

    calls = torch.tensor(0)

    def __init__(self):
        super().__init__()
        self.register_buffer("shared_calls", Net.calls, persistent=False)
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        self.shared_calls += 1
        return self.layer(x) + self.shared_calls


keeps_state = True
inputs = [(torch.ones(3, 2),), (torch.ones(3, 2) * 2,), (torch.ones(3, 2),)]
# mended: EDB401
