import torch


class Norm(torch.nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(features))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight


model = Norm(8)
more = torch.export.AdditionalInputs()
for batch, features in [(5, 8), (3, 16)]:
    more.add((torch.randn(batch, features),))
ep = torch.export.export(model, (torch.randn(3, 8),), dynamic_shapes=more)
print(ep)
