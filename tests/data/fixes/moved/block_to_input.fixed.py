import torch


class Net(torch.nn.Module):
    """A block that follows the input in every way."""

    def __init__(self):
        super().__init__()
        self.block = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))

    def forward(self, x):
        if x.dim() > 1:
            if torch.compiler.is_exporting():
                assert all(
                    parameter.dtype == x.dtype and parameter.device == x.device
                    for parameter in self.block.parameters()
                ), "move self.block before the export"
            else:
                self.block.to(x)
        return self.block(x) + x


inputs = [(torch.ones(3, 2),), (-torch.ones(3, 2),)]
# mended: EDB407
