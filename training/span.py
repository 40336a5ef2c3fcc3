"""SPAN with the merged inference layers of hongyuanyu/SPAN, and a reader of the published weights."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

MEAN = [0.4488, 0.4371, 0.4040]
FEATURES = 48
BLOCKS = 6


class Block(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.c1_r = nn.Conv2d(features, features, 3, 1, 1)
        self.c2_r = nn.Conv2d(features, features, 3, 1, 1)
        self.c3_r = nn.Conv2d(features, features, 3, 1, 1)

    def forward(self, picture):
        early = F.silu(self.c1_r(picture))
        found = self.c3_r(F.silu(self.c2_r(early)))
        return (found + picture) * (torch.sigmoid(found) - 0.5), early


class Span(nn.Module):
    """RGB 0..1, [n, 3, h, w] -> [n, 3, scale*h, scale*w]."""

    def __init__(self, scale, features=FEATURES, blocks=BLOCKS):
        super().__init__()
        self.scale, self.blocks = scale, blocks
        self.register_buffer("mean", torch.tensor(MEAN).view(1, 3, 1, 1), persistent=False)
        self.conv_1 = nn.Conv2d(3, features, 3, 1, 1)
        for block in range(1, blocks + 1):
            setattr(self, f"block_{block}", Block(features))
        self.conv_2 = nn.Conv2d(features, features, 3, 1, 1)
        self.conv_cat = nn.Conv2d(4 * features, features, 1)
        self.upsampler = nn.Sequential()
        self.upsampler.upsampler = nn.Sequential(nn.Conv2d(features, 3 * scale * scale, 3, 1, 1))

    def forward(self, picture):
        first = self.conv_1((picture - self.mean) * 255)
        made = first
        for block in range(1, self.blocks + 1):
            made, early = getattr(self, f"block_{block}")(made)
            after_first = made if block == 1 else after_first
        joined = self.conv_cat(torch.cat([first, self.conv_2(made), after_first, early], 1))
        return F.pixel_shuffle(self.upsampler.upsampler(joined), self.scale)


def read_ncnn(path, scale):
    """The official weights: 16-bit kernels after a header word, 32-bit biases, in the order of the layers."""
    data = open(path, "rb").read()
    at = 12
    network = Span(scale)
    order = ["conv_1"] + [f"block_{b}.c{i}_r" for b in range(1, BLOCKS + 1) for i in (1, 2, 3)] + ["conv_2", "conv_cat", "upsampler.upsampler.0"]
    state = network.state_dict()
    for name in order:
        weight, bias = state[f"{name}.weight"], state[f"{name}.bias"]
        assert data[at:at + 4] == bytes([0x47, 0x6B, 0x30, 0x01]), name
        at += 4
        weight.copy_(torch.from_numpy(np.frombuffer(data, "<f2", weight.numel(), at).astype("f4")).view(weight.shape))
        at += (weight.numel() * 2 + 3) // 4 * 4
        bias.copy_(torch.from_numpy(np.frombuffer(data, "<f4", bias.numel(), at).copy()))
        at += 4 * bias.numel()
    assert at == len(data)
    return network
