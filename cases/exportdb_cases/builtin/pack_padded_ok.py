import torch


class PackPaddedOk(torch.nn.Module):
    """The recurrent layer runs over the padding, and a gather takes the last valid step."""

    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.GRU(2, 4, batch_first=True)

    def forward(self, x, lengths):
        steps, _ = self.rnn(x)
        last = (lengths - 1).view(-1, 1, 1).expand(-1, 1, steps.shape[-1])
        return steps.gather(1, last).squeeze(1)


example_args = (torch.randn(2, 3, 2), torch.tensor([3, 2]))
tags = {"torch.dynamic-value"}
model = PackPaddedOk()
