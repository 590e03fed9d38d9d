import torch


class DataTypeNameOk(torch.nn.Module):
    """Of `x.data` only the name of its type is read, which tracing knows."""

    def forward(self, x):
        if x.data.type() == "torch.FloatTensor":
            return x * 2
        return x.float()


example_args = (torch.randn(2, 3),)
tags = {"torch.mutation"}
model = DataTypeNameOk()
