import torch


class AnchorsKept(torch.nn.Module):
    """Anchors by the size of an image, and of the image's own mean: the program gives those of the call that was traced."""

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
        anchors = torch.arange(size[0] * size[1]).view(size) + image.mean()
        self.last_anchors[image.device] = anchors
        return image + self.last_anchors[image.device]


example_args = (torch.randn(2, 3, 4),)
tags = {"torch.mutation", "python.object-model"}
model = AnchorsKept()
