import unittest

import torch
from torch import nn
from torch.export import Dim, export


class Cache(nn.Module):
    def __init__(self, slots):
        super().__init__()
        self.register_buffer("keys", torch.zeros(slots, 4))

    def forward(self, x):
        return x @ self.keys[: x.shape[0]].T


class TestCache(unittest.TestCase):
    def setUp(self):
        self.model = Cache(16)
        self.args = (torch.randn(3, 4),)

    def test_static(self):
        self.assertIsNotNone(export(self.model, self.args))

    def test_within_slots(self):
        ep = export(self.model, self.args, dynamic_shapes=({0: Dim("n", min=2, max=16)},))
        self.assertEqual(ep.module()(torch.randn(7, 4)).shape, (7, 7))

    def test_more_than_slots(self):
        with self.assertRaises(Exception):
            export(self.model, self.args, dynamic_shapes=({0: Dim("n", min=2, max=17)},))


if __name__ == "__main__":
    unittest.main()
