import torch


class PlainTensorTransposed(torch.nn.Module):
    """A tensor that is a plain attribute is transposed in place, which export refuses in both modes."""

    def __init__(self):
        super().__init__()
        self.table = torch.ones(3, 3)

    def forward(self, x):
        return x @ self.table.t_()


example_args = (torch.randn(2, 3),)
tags = {"torch.mutation"}
model = PlainTensorTransposed()
twin = "input_transposed_in_place_ok"
