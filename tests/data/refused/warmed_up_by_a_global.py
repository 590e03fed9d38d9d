import torch

warm = 0.0


class Net(torch.nn.Module):
    """A factor that grows from call to call, up to one."""

    def forward(self, x):
        global warm
        warm = min(warm + 0.4, 1.0)
        return x * warm


keeps_state = True
inputs = [(torch.ones(3, 2),)] * 4
# refused: 11 side-effect
