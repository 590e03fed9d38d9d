import torch


class SaveLoadVmap(torch.nn.Module):
    """A program with a `torch.vmap` in it is to be saved and loaded."""

    def forward(self, x):
        return torch.vmap(lambda row: row.sin().sum())(x)


example_args = (torch.randn(3, 2),)
after = "save"
tags = {"torch.operator", "torch.map"}
model = SaveLoadVmap()
twin = "save_load_ok"
issues = ("https://github.com/pytorch/pytorch/pull/181263",)
