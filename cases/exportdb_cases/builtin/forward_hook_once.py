import torch


class ForwardHookOnce(torch.nn.Module):
    """A hook that the first call registers, under a flag: every call runs it, the one that is traced too."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)
        self.handles = []
        self.ready = False

    def watch(self):
        self.handles.append(self.layer.register_forward_hook(lambda module, args, output: output * 2))
        self.ready = True

    def forward(self, x):
        if not self.ready:
            self.watch()
        return self.layer(x)


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = ForwardHookOnce()
twin = "hook_in_init_ok"
