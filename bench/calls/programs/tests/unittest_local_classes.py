import unittest

import torch
from torch.export import export
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode


class TestExport(unittest.TestCase):
    def check(self, model, *args, fails=False):
        if fails:
            with self.assertRaises(GuardOnDataDependentSymNode):
                export(model, args)
        else:
            export(model, args)

    def test_static_split(self):
        class M(torch.nn.Module):
            def forward(self, x):
                return x.split([1, 3])

        self.check(M(), torch.randn(4))

    def test_split_by_value(self):
        class M(torch.nn.Module):
            def forward(self, x, n):
                head = n.item()
                return x[:head] if head < 3 else x

        self.check(M(), torch.randn(4), torch.tensor(1), fails=True)

    def test_subtests(self):
        class M(torch.nn.Module):
            def forward(self, x, size):
                return x.reshape(size, -1)

        for size in (2, 4):
            with self.subTest(size=size):
                self.check(M(), torch.randn(8), size)
