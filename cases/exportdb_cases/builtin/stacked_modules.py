import torch


class StackedModules(torch.nn.Module):
    """An ensemble whose weights are stacked in every call: each stack is a new leaf, which strict export cannot return to."""

    def __init__(self):
        super().__init__()
        self.members = torch.nn.ModuleList([torch.nn.Linear(2, 2) for _ in range(3)])

    def forward(self, x):
        weights, buffers = torch.func.stack_module_state(list(self.members))
        first = self.members[0]
        return torch.vmap(lambda w, b: torch.func.functional_call(first, (w, b), (x,)))(weights, buffers)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = StackedModules()
