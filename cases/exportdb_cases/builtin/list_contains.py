import torch


class ListContains(torch.nn.Module):
    """`in` on a list of Python values is decided while tracing."""

    def forward(self, x):
        assert x.shape[-1] in [6, 2]
        assert x.shape[0] not in [4, 5]
        assert "monkey" not in ["cow", "pig"]
        return x + x


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "python.data-structure", "python.assert", "torch.dynamic-shape"}
model = ListContains()
exportdb_case = "list_contains"
