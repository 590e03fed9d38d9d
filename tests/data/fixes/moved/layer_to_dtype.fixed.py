import torch


class Net(torch.nn.Module):
    """The layer follows the input's dtype."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        # as the input is
        if torch.compiler.is_exporting():
            assert all(
                parameter.dtype == x.dtype for parameter in self.layer.parameters()
            ), "move self.layer before the export"
        else:
            self.layer.to(x.dtype)  # every time
        return self.layer(x).relu()


inputs = [(torch.ones(3, 2),), (-torch.ones(3, 2),)]
# mended: EDB407
