import torch


class Net(torch.nn.Module):
    """The method that places the layer is called by forward."""

    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Linear(2, 2, bias=False)

    def place(self, like):
        if torch.compiler.is_exporting():
            assert all(
                parameter.device == like.device for parameter in self.scale.parameters()
            ), "move self.scale before the export"
        else:
            self.scale.to(like.device)

    def forward(self, x, y):
        self.place(y)
        return self.scale(x) * y


inputs = [(torch.ones(3, 2), torch.ones(2)), (-torch.ones(3, 2), torch.ones(2))]
# mended: EDB407
