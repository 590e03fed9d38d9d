import torch


class TypeIsClass(torch.nn.Module):
    """`type(sub) is Cls` picks the layers of one kind."""

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2), torch.nn.ReLU()])

    def forward(self, x):
        for layer in self.layers:
            if type(layer) is torch.nn.Linear:
                x = layer(x)
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "python.object-model"}
model = TypeIsClass()
twin = "isinstance_module_ok"
