import torch


class FnWithKwargs(torch.nn.Module):
    """Positional, star, keyword and double-star parameters together."""

    def forward(self, first, pair, *rest, shift, **more):
        total = first + pair[0] + pair[1]
        for tensor in rest:
            total = total + tensor
        return total + shift + more["scale"] * more["bias"]


example_args = (torch.randn(4), (torch.randn(4), torch.randn(4)), torch.randn(4))
example_kwargs = {"shift": torch.randn(4), "scale": torch.tensor(5), "bias": torch.randn(4)}
tags = {"python.data-structure"}
model = FnWithKwargs()
exportdb_case = "fn_with_kwargs"
