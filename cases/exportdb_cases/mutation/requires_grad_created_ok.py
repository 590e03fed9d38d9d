import torch


class RequiresGradCreatedOk(torch.nn.Module):
    """A method of a tensor ignores the flag; a plain tensor needs none."""

    def forward(self, x):
        scale = torch.ones(2)
        return x * scale + x.new_zeros(2, requires_grad=True)


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = RequiresGradCreatedOk()
