import torch


class AssumeConstantResult(torch.nn.Module):
    """A function whose result is taken for a constant is called while tracing."""

    @torch._dynamo.assume_constant_result
    def steps(self, x):
        return x.dim() + 1

    def forward(self, x):
        return x * self.steps(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.escape-hatch"}
model = AssumeConstantResult()
exportdb_case = "assume_constant_result"
