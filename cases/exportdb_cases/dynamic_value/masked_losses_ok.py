import torch


class MaskedLossesOk(torch.nn.Module):
    """The loss of all elements, those that do not count multiplied by zero."""

    def forward(self, x, y, keep):
        losses = torch.nn.functional.mse_loss(x, y, reduction="none")
        return (losses * keep).sum() / keep.sum()


example_args = (
    torch.randn(6),
    torch.randn(6),
    torch.tensor([True, False, True, True, False, True]),
)
tags = {"torch.dynamic-value", "torch.operator"}
model = MaskedLossesOk()
