import torch
import torch.export as te


class Half(torch.nn.Module):
    def forward(self, x):
        n = x.size(0) // 2
        return x[:n] + x[n:]


dims = te.dims("rows", "cols", max=100)
try:
    te.export(Half(), (torch.randn(6, 2),), dynamic_shapes={"x": dict(enumerate(dims))})
    print("any number of rows")
except Exception:
    ep = te.export(Half(), (torch.randn(6, 2),), dynamic_shapes={"x": {0: 2 * te.Dim("half", max=50), 1: dims[1]}})
    print("an even number of rows", len(ep.range_constraints))
