import torch


class Autocast(torch.nn.Module):
    """`torch.autocast` around a layer, and a cast back: strict exports a check that does not hold."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.layer(x)
        return y.float()


example_args = (torch.randn(3, 2),)
tags = {"python.context-manager"}
model = Autocast()
