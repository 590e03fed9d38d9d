import torch


class TextAsKeyOk(torch.nn.Module):
    """The result of each module is computed, and a tensor selects one."""

    def __init__(self):
        super().__init__()
        self.heads = torch.nn.ModuleDict({"head0": torch.nn.Linear(2, 2), "head1": torch.nn.Linear(2, 2)})

    def forward(self, x, which):
        results = torch.stack([self.heads[f"head{number}"](x) for number in range(2)])
        return results.index_select(0, which.reshape(1)).squeeze(0)


example_args = (torch.randn(3, 2), torch.tensor(1))
tags = {"torch.dynamic-value"}
model = TextAsKeyOk()
