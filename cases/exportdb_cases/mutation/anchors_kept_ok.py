import torch


class AnchorsKeptOk(torch.nn.Module):
    """Anchors that the size of an image alone decides, kept until there is another size: every call could make them anew."""

    def __init__(self):
        super().__init__()
        self.last_size = None
        self.last_anchors = {}

    def forward(self, image):
        size = image.shape[1:]
        if size == self.last_size and image.device in self.last_anchors:
            return image + self.last_anchors[image.device]
        if self.last_size is None or self.last_size != size:
            self.last_size = size
        levels = []
        for scale in (1, 2):
            levels.append(torch.arange(size[0] * size[1]).view(size) * scale)
        anchors = sum(levels)
        self.last_anchors[image.device] = anchors
        return image + self.last_anchors[image.device]


example_args = (torch.randn(2, 3, 4),)
tags = {"torch.mutation", "python.object-model"}
model = AnchorsKeptOk()
