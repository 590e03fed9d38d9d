import torch
from torch.export import Dim, export


class Window(torch.nn.Module):
    def forward(self, signal):
        return signal * torch.hann_window(64)


def to_program(model, *args, **options):
    if options.pop("fixed_window", False):
        for name, dims in options["dynamic_shapes"].items():
            options["dynamic_shapes"][name] = {0: dims[0]}
    return export(model, args, **options)


b, t = Dim("b"), Dim("t", min=16, max=256)
ep = to_program(Window(), torch.randn(3, 64), dynamic_shapes={"signal": {0: b, 1: t}}, fixed_window=True)
print(len(ep.range_constraints))
