import pytest
import torch
from torch import nn
from torch.export import Dim, export, load, save


class Net(nn.Module):
    def __init__(self, groups):
        super().__init__()
        self.norm = nn.GroupNorm(groups, 8)

    def forward(self, x):
        return self.norm(x).flatten(1).view(x.shape[0], 8, 4, -1)


@pytest.mark.parametrize("groups", [1, 4])
class TestSaving:
    @pytest.fixture(autouse=True)
    def prepare(self, groups):
        self.net = Net(groups)
        self.x = torch.randn(2, 8, 4, 4)

    def test_round_trip(self, tmp_path):
        path = tmp_path / "net.pt2"
        save(export(self.net, (self.x,), dynamic_shapes=({0: Dim("b")},)), path)
        assert load(path).module()(self.x).shape == self.x.shape

    def test_wide(self):
        with pytest.raises(Exception, match="onstraint"):
            export(self.net, (self.x[:, :, :3],), dynamic_shapes=({3: Dim("w", min=2, max=64)},))
