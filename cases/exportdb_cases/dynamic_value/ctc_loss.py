import torch


class CtcLoss(torch.nn.Module):
    """The CTC loss reads the lengths, and no fake kernel knows the shape of what it gives."""

    def forward(self, x, targets):
        lengths = torch.full((2,), 8)
        return torch.nn.functional.ctc_loss(x.log_softmax(-1), targets, lengths, torch.full((2,), 3))


example_args = (torch.randn(8, 2, 5), torch.randint(1, 5, (2, 3)))
tags = {"torch.dynamic-value"}
model = CtcLoss()
