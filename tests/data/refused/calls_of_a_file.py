import torch

calls = 0  # of all objects
seen = torch.zeros(2)


class Net(torch.nn.Module):
    """A counter and a total that live in the file."""

    def forward(self, x):
        global calls, seen
        calls += 1
        seen = seen + torch.ones(2)
        return x * calls + seen


keeps_state = True
inputs = [(torch.ones(3, 2),), (torch.ones(3, 2) * 2,), (torch.ones(3, 2),)]
# refused: 12 side-effect, 13 side-effect
