import torch


class ExportAgainOk(torch.nn.Module):
    """An exported program can be exported again, as quantization does."""

    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls.add_(1)
        return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,)) + self.calls


example_args = (torch.randn(3, 2),)
after = "export"
tags = {"torch.cond", "torch.mutation"}
model = ExportAgainOk()
