import torch


class GridsKept(torch.nn.Module):
    """Grids of several levels, each kept in a list until its size changes, and shifted by the mean of the input at that time: the program computes the mean of each call."""

    def __init__(self):
        super().__init__()
        self.shifts = True
        self.register_buffer("anchors", torch.tensor([1.0, 2.0]))
        self.grid = [torch.empty(0), torch.empty(0)]
        self.anchor_grid = [torch.empty(0), torch.empty(0)]

    def forward(self, x):
        levels = [x, x[:, ::2]]
        results = []
        for i in range(2):
            if self.shifts:
                if self.grid[i].shape != levels[i].shape[1:]:
                    self.grid[i], self.anchor_grid[i] = self.make_grid(x, levels[i].shape[1], i)
                results.append((levels[i] + self.grid[i]) * self.anchor_grid[i])
        return torch.cat(results, 1)

    def make_grid(self, x, length, i):
        grid = torch.arange(length, dtype=x.dtype) + x.mean()
        return grid, (self.anchors[i] * 2).expand(length)


example_args = (torch.randn(2, 4),)
tags = {"torch.mutation", "python.object-model"}
model = GridsKept()
twin = "grids_kept_ok"
