import torch


def make(threshold):
    class Clip(torch.nn.Module):
        def forward(self, x):
            if threshold is None:
                return x
            return x if x.max() < threshold else x.clamp(max=threshold)

    return Clip()


exported = torch.export.export(make(threshold=None), (torch.randn(3),))
print(type(exported).__name__)
torch.export.export(make(threshold=0.5), (torch.randn(3),))
