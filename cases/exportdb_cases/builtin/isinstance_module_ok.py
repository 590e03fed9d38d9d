import torch


class IsinstanceModuleOk(torch.nn.Module):
    """`isinstance` picks the layers of one kind."""

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2), torch.nn.ReLU()])

    def forward(self, x):
        for layer in self.layers:
            if isinstance(layer, torch.nn.Linear):
                x = layer(x)
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "python.object-model"}
model = IsinstanceModuleOk()
