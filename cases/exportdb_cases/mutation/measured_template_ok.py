import torch


class MeasuredTemplateOk(torch.nn.Module):
    """A drawn tensor that is kept, and of which only the sizes are read."""

    def __init__(self):
        super().__init__()
        self.template = None

    def forward(self, x):
        if self.template is None or self.template.shape != x.shape:
            self.template = torch.rand_like(x)
        return torch.nn.functional.pad(x, (0, self.template.size(-1)))


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = MeasuredTemplateOk()
