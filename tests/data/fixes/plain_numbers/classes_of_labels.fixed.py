import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    """As many classes as the labels have, and labels that another number of classes does not allow."""

    def forward(self, labels, n):
        k = labels.max().item() + 1
        torch._assert_async(((labels >= 0) & (labels < k)).all(), "a class is out of range")
        counts = (labels.unsqueeze(-1) == torch.arange(k, device=labels.device)).long().float().sum(0)
        labels_2 = labels * 2
        classes = n.item()
        torch._assert_async(((labels_2 >= 0) & (labels_2 < classes)).all(), "a class is out of range")
        return counts, (labels_2.unsqueeze(-1) == torch.arange(classes, device=labels_2.device)).long()


model = Net()
inputs = [
    (torch.tensor([3, 1]), torch.tensor(7)),
    (torch.tensor([2, 2]), torch.tensor(5)),
    (torch.tensor([2, 2]), torch.tensor(3)),
    (torch.tensor([-1, 2]), torch.tensor(7)),
]
example_args = inputs[0]
# mended: EDB203 EDB206
