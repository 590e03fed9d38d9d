import torch


class Net(torch.nn.Module):
    """Query, key and value are parts of one tensor: the operator takes no two of them as they are."""

    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(4, 12)

    def forward(self, x, mask):
        q, k, v = self.qkv(x).chunk(3, dim=-1)

        def true_branch(q, k, v):
            y = q.softmax(-1) * k
            return y.contiguous()

        def false_branch(q, k, v):
            y = q.relu() * v
            return y.contiguous()

        y = torch.cond(mask.any(), true_branch, false_branch, (q, k.clone(), v.clone()))
        first, second = y.view(2, 2, 4).unbind(1)

        def true_branch_2(first, second):
            first = first + second
            return first.contiguous()

        def false_branch_2(first, second):
            first = first * second
            return first.contiguous()

        first = torch.cond(y.mean() > 0, true_branch_2, false_branch_2, (first, second.clone()))
        return first, second


inputs = [
    (torch.ones(4, 4), torch.tensor([True, False])),
    (torch.ones(4, 4), torch.tensor([False, False])),
    (-torch.ones(4, 4), torch.tensor([True, False])),
    (-torch.ones(4, 4), torch.tensor([False, False])),
]
# mended: EDB101
