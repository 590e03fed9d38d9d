import torch


class GeneratorGiven(torch.nn.Module):
    """A generator of the module's own under `generator=`."""

    def __init__(self):
        super().__init__()
        self.generator = torch.Generator()

    def forward(self, x):
        return x + 0 * torch.rand(3, 2, generator=self.generator)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = GeneratorGiven()
twin = "generator_given_ok"
