import torch


class NestedTensor(torch.nn.Module):
    """A nested tensor of the old layout has no fake."""

    def forward(self, x):
        return torch.nested.nested_tensor([x[0], x[1]]).to_padded_tensor(0.0)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NestedTensor()
