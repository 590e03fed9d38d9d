"""Boxes that overlap a better one are passed over, until the scores are too low; what is left is marked as it goes."""

import torch
from torch import nn


def overlap(one, boxes):
    low, high = torch.max(one[0], boxes[:, 0]), torch.min(one[1], boxes[:, 1])
    return (high - low).clamp(min=0)


class Net(nn.Module):
    def __init__(self, boxes=3, threshold=0.5, least=0.2):
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(2))
        self.boxes, self.threshold, self.least = boxes, threshold, least

    def forward(self, boxes, scores):
        boxes = boxes + self.shift
        keep = torch.zeros(self.boxes, dtype=torch.bool)
        gone = torch.zeros(self.boxes, dtype=torch.bool)
        done = gone.new_zeros((), dtype=torch.bool)
        for i in range(self.boxes):
            def true_branch(done, gone, scores, keep, boxes):
                gone = gone.clone()
                keep = keep.clone()

                def true_branch_2(gone, done, scores, keep, boxes):
                    gone = gone.clone()
                    keep = keep.clone()
                    # a better one was there
                    done = scores[i] < self.least

                    def true_branch_3(keep, gone, boxes):
                        gone = gone.clone()
                        keep = keep.clone()
                        keep[i] = True
                        gone |= overlap(boxes[i], boxes) > self.threshold
                        return keep, gone

                    def false_branch_3(keep, gone, boxes):
                        return keep.clone(), gone.clone()

                    keep, gone = torch.cond(~done, true_branch_3, false_branch_3, (keep, gone, boxes))
                    return gone, done, keep

                def false_branch_2(gone, done, scores, keep, boxes):
                    return gone.clone(), done.clone(), keep.clone()

                gone, done, keep = torch.cond(
                    ~gone[i], true_branch_2, false_branch_2, (gone, done, scores, keep, boxes)
                )
                return done, keep, gone

            def false_branch(done, gone, scores, keep, boxes):
                return done.clone(), keep.clone(), gone.clone()

            done, keep, new_gone = torch.cond(
                ~done, true_branch, false_branch, (done, gone.clone(), scores, keep, boxes)
            )
            gone.copy_(new_gone)
        return scores * keep, keep


example_args = (torch.ones(3, 2), torch.ones(3))
model = Net()
_line = torch.tensor([[0.0, 1.0], [0.2, 1.1], [2.0, 3.0]])
inputs = [
    (_line, torch.tensor([0.9, 0.8, 0.7])),
    (_line, torch.tensor([0.9, 0.8, 0.1])),
    (_line * 0.1, torch.tensor([0.9, 0.8, 0.7])),
    (_line, torch.tensor([0.1, 0.1, 0.1])),
]
# mended: EDB101
