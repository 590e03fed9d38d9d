"""Tokens as they come, until all sentences of the batch have ended; a step that is not taken leaves none."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, vocab=7, width=4, most=4, end=1):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.cell = nn.GRUCell(width, width)
        self.out = nn.Linear(width, vocab)
        self.most, self.end = most, end

    def forward(self, memory, bias):
        token = torch.zeros(memory.shape[0], dtype=torch.long)
        ended = torch.zeros(memory.shape[0], dtype=torch.bool)
        h = memory
        tokens, scores = [], [h.mean(-1)]
        done = h.new_zeros((), dtype=torch.bool)
        count = done.new_zeros((), dtype=torch.int64)
        count_2 = done.new_zeros((), dtype=torch.int64)
        item = item_2 = None
        for _ in range(self.most):
            def true_branch(done, h, token, bias, ended, count, count_2):
                h = self.cell(self.embed(token), h)
                logits = self.out(h) + bias
                token = torch.where(ended, torch.full_like(token, self.end), logits.argmax(-1))
                item = token  # padded where it has ended
                count = count + 1
                item_2 = logits.logsumexp(-1)
                count_2 = count_2 + 1
                ended = ended | (token == self.end)
                done = ended.all()
                return item.double(), done.float(), h, token.double(), ended.float(), count.double(), item_2, count_2.double()

            def false_branch(done, h, token, bias, ended, count, count_2):
                return item.double(), done.float(), h.clone(), token.double(), ended.float(), count.double(), item_2.clone(), count_2.double()

            if item is None:
                item, done, h, token, ended, count, item_2, count_2 = true_branch(
                    done, h, token, bias, ended, count, count_2
                )
            else:
                item, done, h, token, ended, count, item_2, count_2 = torch.cond(
                    ~done, true_branch, false_branch, (done, h, token, bias, ended, count, count_2)
                )
            item = item.long()
            done = done.bool()
            token = token.long()
            ended = ended.bool()
            count = count.long()
            count_2 = count_2.long()
            tokens.append(item)
            scores.append(item_2)
        return torch.stack(tokens)[:count.item()].movedim(0, 1).contiguous(), torch.stack(scores)[
            :1 + count_2.item()
        ]


model = Net()
inputs = [
    (torch.linspace(-2, 2, 8).view(2, 4), torch.tensor([0.0, k, 0, 0, 0, 0, 0])) for k in (-9.0, 9.0, 0.3, 0.0)
]
# mended: EDB101
