import torch

warm = torch.tensor(0.0, dtype=torch.float64)


class Net(torch.nn.Module):
    """A factor that grows from call to call, up to one."""

    def __init__(self):
        super().__init__()
        self.register_buffer("warm", warm, persistent=False)

    def forward(self, x):
        self.warm.copy_(torch.clamp(self.warm + 0.4, max=1.0))
        return x * self.warm


keeps_state = True
inputs = [(torch.ones(3, 2),)] * 4
# mended: EDB404
