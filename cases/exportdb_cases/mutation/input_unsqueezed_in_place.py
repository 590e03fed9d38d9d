import torch


class InputUnsqueezedInPlace(torch.nn.Module):
    """An input gets another dimension in place, which export refuses in both modes."""

    def forward(self, x):
        if x.dim() == 2:
            x.unsqueeze_(0)
        return x * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation"}
model = InputUnsqueezedInPlace()
twin = "input_transposed_in_place_ok"
