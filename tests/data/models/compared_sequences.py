"""Tuples, lists and shapes that are compared: Python compares pair by pair."""

import torch
from torch import nn
from torch.export import Dim


# exportdb: args=(torch.randn(2, 3, 8, 8),) dynamic_shapes={"image": {2: Dim("h"), 3: Dim("w")}}
class Resized(nn.Module):
    def __init__(self, size=(8, 8)):
        super().__init__()
        self.size = size

    def forward(self, image):
        if image.shape[-2:] != self.size:  # non-strict: fails; strict: fails
            image = nn.functional.interpolate(image, size=self.size)
        return image.mean((2, 3))


# exportdb: args=(torch.randn(2, 3, 8, 8),) dynamic_shapes={"image": {2: Dim.AUTO, 3: Dim.AUTO}}
class Checked(nn.Module):
    def __init__(self, size=(8, 8)):
        super().__init__()
        self.size = size

    def forward(self, image):
        height, width = image.shape[2:]
        assert (height, width) == self.size, "wrong size"  # non-strict: specializes; strict: specializes
        return image.mean((2, 3))


# exportdb: args=(torch.randn(2, 3, 8, 8),) dynamic_shapes={"image": {2: Dim.DYNAMIC, 3: Dim.DYNAMIC}}
class Table(nn.Module):
    def forward(self, image):
        return image * 2 if image.shape[2:] == torch.Size([8, 8]) else image  # non-strict: fails; strict: fails


# exportdb: args=(torch.randn(2, 8, 8),) dynamic_shapes={"image": {1: Dim("h"), 2: Dim("w")}}
class Pixels(nn.Module):
    def forward(self, image):
        if image.shape[1] * image.shape[2] == 64:  # non-strict: specializes; strict: specializes
            return image * 2
        return image


# exportdb: args=(torch.randn(1, 3, 8, 8), torch.tensor([8, 8]))
class AsLargeAs(nn.Module):
    def forward(self, image, size):
        height, width = size.tolist()
        if (height, width) != tuple(image.shape[-2:]):  # non-strict: fails; strict: fails
            image = image * 2
        return image


# exportdb: args=({"image": torch.randn(1, 3, 8, 8), "size": torch.tensor([8, 8])},)
class Among(nn.Module):
    def forward(self, batch):
        height, width = batch["size"].tolist()
        if (height, width) in [(8, 8), (4, 4)]:  # non-strict: fails; strict: fails
            return batch["image"] * 2
        return batch["image"]


# exportdb: args=(torch.randn(4), torch.tensor([1, 2]))
class TwoTensors(nn.Module):
    def forward(self, x, pair):
        if (pair[0], pair[1]) == (1, 2):  # non-strict: fails; strict: fails
            return x * 2
        return x


# exportdb: args=(torch.randn(4), torch.tensor([1, 2]))
class OfOtherLength(nn.Module):
    def forward(self, x, pair):
        if pair.tolist() == [1, 2, 3]:
            return x * 2
        return x


# exportdb: args=(torch.randn(4), torch.tensor([1, 2]))
class Position(nn.Module):
    def forward(self, x, pair):
        return x * pair.tolist().index(2)  # non-strict: fails; strict: fails


# exportdb: args=(torch.randn(4, 8),) dynamic_shapes={"x": {0: Dim.AUTO, 1: Dim.AUTO}}
class Axis(nn.Module):
    def forward(self, x):
        return x.sum(list(x.shape).index(8))  # non-strict: specializes; strict: specializes


# exportdb: args=(torch.randn(2, 4, 6, 8), torch.randn(2, 4, 32, 8), torch.tensor(3))
class Cache(nn.Module):
    def forward(self, query, cache, position):
        seen = cache[:, :, : position.item()]
        return nn.functional.scaled_dot_product_attention(query, seen, seen)  # non-strict: fails; strict: fails


# exportdb: args=(torch.randn(2, 4, 6, 8), torch.randn(2, 4, 32, 8), torch.tensor(3))
class Narrowed(nn.Module):
    def forward(self, query, cache, position):
        seen = cache.narrow(2, 0, position.item())
        return nn.functional.scaled_dot_product_attention(query, seen, seen)  # non-strict: fails; strict: fails


# exportdb: args=(torch.randn(8, 4, 6, 8), torch.tensor(3))
class FirstOnes(nn.Module):
    def forward(self, query, count):
        some = query[: count.item()]
        return nn.functional.scaled_dot_product_attention(some, some, some)
