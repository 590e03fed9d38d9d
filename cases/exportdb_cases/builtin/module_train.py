import torch


class ModuleTrain(torch.nn.Module):
    """Switching a submodule to eval mode in forward."""

    def __init__(self):
        super().__init__()
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, x):
        self.drop.eval()
        return self.drop(x)


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = ModuleTrain()
twin = "module_train_ok"
