import unittest

import torch
from torch import nn
from torch.export import export


class Loss(nn.Module):
    ignore_empty = True

    def forward(self, pred, target):
        mask = target >= 0
        if not self.ignore_empty and mask.sum() == 0:
            return pred.sum() * 0
        return torch.where(mask, (pred - target) ** 2, 0.0).mean()


class TestLoss(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.inputs = (torch.randn(5), torch.randn(5))

    def setUp(self):
        self.loss = Loss()
        self.loss.ignore_empty = False

    def test_export(self):
        export(self.loss, self.inputs)

    def test_export_ignoring(self):
        self.loss.ignore_empty = True
        export(self.loss, self.inputs)
