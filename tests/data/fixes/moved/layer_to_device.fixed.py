import torch


class Net(torch.nn.Module):
    """Two layers that are moved where the input is, one after the other."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(2, 4)
        self.second = torch.nn.Linear(4, 2)

    def forward(self, x):
        if torch.compiler.is_exporting():
            assert all(
                parameter.device == x.device for parameter in self.first.parameters()
            ), "move self.first before the export"
        else:
            self.first.to(x.device)
        h = self.first(x)
        if torch.compiler.is_exporting():
            assert all(
                parameter.device == h.device for parameter in self.second.parameters()
            ), "move self.second before the export"
        else:
            self.second.to(h.device)
        return self.second(h)


inputs = [(torch.ones(3, 2),), (-torch.ones(3, 2),)]
# mended: EDB407
