"""The compact network, in the layout of SRVGGNetCompact so that one reader and one graph builder serve all."""
import torch.nn as nn
import torch.nn.functional as F

SLOPE = 0.1


class Compact(nn.Module):
    """RGB 0..1, [n, 3, h, w] -> [n, 3, scale*h, scale*w]: convolutions 3x3, a pixel shuffle, added to the nearest enlargement.

    The slopes of the official layout are learned; here they are fixed at 0.1 (learning them costs a third more time on
    a processor) and written into the file as if learned.
    """

    def __init__(self, scale, features, convolutions):
        super().__init__()
        self.scale = scale
        widths = [3] + [features] * (convolutions + 1)
        layers = []
        for taken, given in zip(widths, widths[1:]):
            layers += [nn.Conv2d(taken, given, 3, 1, 1), nn.LeakyReLU(SLOPE, inplace=True)]
        layers.append(nn.Conv2d(features, 3 * scale * scale, 3, 1, 1))
        self.body = nn.Sequential(*layers)
        for layer in self.body:
            if isinstance(layer, nn.Conv2d):
                nn.init.kaiming_normal_(layer.weight, SLOPE)
                nn.init.zeros_(layer.bias)
        self.body[-1].weight.data.mul_(0.1)

    def forward(self, picture):
        return F.pixel_shuffle(self.body(picture), self.scale) + F.interpolate(
            picture, scale_factor=self.scale, mode="nearest"
        )
