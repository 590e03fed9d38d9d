import torch


class BatchNormTrainingOk(torch.nn.Module):
    """The running statistics of BatchNorm are buffers and are kept."""

    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(2)

    def forward(self, x):
        return self.norm(x)


example_args = (torch.randn(4, 2),)
tags = {"torch.mutation"}
model = BatchNormTrainingOk()
