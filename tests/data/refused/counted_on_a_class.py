import torch


class Net(torch.nn.Module):
    """The class counts the calls of all its objects."""

    calls = 0

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        type(self).calls += 1
        return self.layer(x) + Net.calls


keeps_state = True
inputs = [(torch.ones(3, 2),), (torch.ones(3, 2) * 2,), (torch.ones(3, 2),)]
# refused: 14 unknown-form
