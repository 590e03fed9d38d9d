import torch


class Net(torch.nn.Module):
    """A batch-first LSTM gives its outputs turned: both branches return them alike."""

    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.LSTM(4, 4, batch_first=True)
        self.head = torch.nn.Linear(4, 2)

    def forward(self, x):
        out, (h, c) = self.rnn(x)

        def true_branch(out, c):
            out = out * 0.5
            return out.contiguous()

        def false_branch(out, c):
            out = out + c.transpose(0, 1)
            return out.contiguous()

        out = torch.cond(h.abs().mean() > 0.05, true_branch, false_branch, (out, c))
        return self.head(out)


inputs = [(torch.ones(2, 3, 4),), (torch.zeros(2, 3, 4),)]
# mended: EDB101
