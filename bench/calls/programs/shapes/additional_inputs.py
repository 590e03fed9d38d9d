import torch


class Norm(torch.nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(features))

    def forward(self, x, eps: float):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * self.weight


model = Norm(8)
inputs = (torch.randn(3, 8), 1e-5)
more = torch.export.AdditionalInputs()
more.add((torch.randn(5, 8), 1e-5))
more.add((torch.randn(7, 8), 1e-5))
ep = torch.export.export(model, inputs, dynamic_shapes=more)
print(ep.module()(torch.randn(9, 8), 1e-5).shape)
