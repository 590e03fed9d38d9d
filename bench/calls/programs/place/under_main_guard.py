import torch
from torch import nn


class Router(nn.Module):
    hard = False

    def forward(self, logits):
        if self.hard:
            winner = logits.argmax().item()
            return logits[winner] if winner > 1 else logits[0]
        return logits.softmax(0)


if __name__ == "__main__":
    Router.hard = True
    router = Router()
    logits = torch.randn(6)
    try:
        program = torch.export.export(router, (logits,))
    except Exception:
        print("falling back to soft routing")
        Router.hard = False
        program = torch.export.export(router, (logits,))
    print(program.module()(logits).shape)
