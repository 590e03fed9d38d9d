import torch


class DataTypeAs(torch.nn.Module):
    """A tensor is given the dtype and the sizes of `x.data`: none of its numbers is read."""

    def forward(self, x):
        ones = torch.ones(2, 1).type_as(x.data).expand_as(x.data)
        return x * ones.view_as(x.data).reshape_as(x.data)


example_args = (torch.randn(2, 3),)
tags = {"torch.mutation"}
model = DataTypeAs()
twin = "data_asked_ok"
