import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    """As many classes as the labels have, and labels that another number of classes does not allow."""

    def forward(self, labels, n):
        k = int(labels.max()) + 1
        counts = F.one_hot(labels, k).float().sum(0)
        return counts, F.one_hot(labels * 2, num_classes=n.item())


model = Net()
inputs = [
    (torch.tensor([3, 1]), torch.tensor(7)),
    (torch.tensor([2, 2]), torch.tensor(5)),
    (torch.tensor([2, 2]), torch.tensor(3)),
    (torch.tensor([-1, 2]), torch.tensor(7)),
]
example_args = inputs[0]
# mended: EDB203 EDB206
