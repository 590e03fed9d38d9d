import torch


class CondListAppend(torch.nn.Module):
    """A branch that appends to a list of the closure."""

    def forward(self, x):
        kept = []

        def keep(x):
            kept.append(x.sin())
            return x.sin()

        y = torch.cond(x.sum() > 0, keep, lambda x: x.cos(), (x,))
        return y + len(kept)


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "python.data-structure"}
model = CondListAppend()
twin = "cond_tuple_output_ok"
