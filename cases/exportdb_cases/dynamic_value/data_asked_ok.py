import torch


class DataAskedOk(torch.nn.Module):
    """What is no more asked of `.data` than its length, its type and its dtype."""

    def forward(self, x):
        if not isinstance(x.data, torch.Tensor):
            return x
        return x * torch.ones(3, 2).to(x.data) + len(x.data)


example_args = (torch.randn(3, 2),)
tags = {"python.object-model", "torch.mutation"}
model = DataAskedOk()
