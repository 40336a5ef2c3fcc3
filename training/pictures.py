"""Large random patches of freely licensed photographs and drawings, on the training device."""
import glob
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from PIL import Image

SHARES = (1, 0.7, 0.5)
"""Scales at which every image is cropped: reduced images are less softened by camera or JPEG."""


def _scaled(path):
    picture = Image.open(path).convert("RGB")
    sizes = [tuple(int(side * share) for side in picture.size) for share in SHARES]
    return [picture if size == picture.size else picture.resize(size, Image.LANCZOS) for size in sizes]


class Patches:
    """All images of a folder in one row of pixels, so that a batch of patches is one indexed read."""

    def __init__(self, folder, side, device):
        paths = sorted(path for kind in ("jpg", "png", "webp") for path in glob.glob(f"{folder}/*.{kind}"))
        with ThreadPoolExecutor(4) as threads:
            scaled = [one for sizes in threads.map(_scaled, paths) for one in zip(sizes, SHARES)]
        pictures, shares = zip(*(one for one in scaled if min(one[0].size) > side))
        sizes = torch.tensor([one.size for one in pictures])
        areas = sizes.prod(1)
        self.side, self.device = side, device
        self.widths, self.heights = (sizes[:, axis].to(device) for axis in (0, 1))
        self.starts = (areas.cumsum(0) - areas).to(device)
        # Every scale with equal frequency, and within it every position.
        self.chances = torch.tensor([area / share**2 for area, share in zip(areas.tolist(), shares)], device=device)
        self.pixels = torch.cat([torch.from_numpy(np.array(one)).view(-1, 3).to(device) for one in pictures])
        self.steps = torch.arange(side, device=device)

    def pick(self, count):
        """[count, 3, side, side], levels 0 to 255. Of two positions, the one with more detail, where errors occur.

        Each eighth of them is turned or mirrored in another of the eight ways.
        """
        which = torch.multinomial(self.chances, 2 * count, replacement=True)
        place = torch.rand(2, 2 * count, device=self.device)
        x = (place[0] * (self.widths[which] - self.side)).long()
        y = (place[1] * (self.heights[which] - self.side)).long()
        corner = self.starts[which] + y * self.widths[which] + x
        rows = corner[:, None] + self.steps * self.widths[which][:, None]
        cut = self.pixels[rows[:, :, None] + self.steps]
        green = cut[..., 1].short()
        detail = sum((green.diff(dim=axis).abs().float().mean((1, 2)) for axis in (1, 2)))
        better = detail.view(count, 2).argmax(1) + 2 * torch.arange(count, device=self.device)
        patches = cut[better].permute(0, 3, 1, 2).float()
        return torch.cat([turned(part, way) for way, part in enumerate(patches.chunk(8))])


def turned(pictures, way):
    """One of the eight rotations and reflections of a square."""
    pictures = torch.rot90(pictures, way % 4, (2, 3))
    return pictures.flip(3) if way >= 4 else pictures
