"""Pairs of a small image with realistic degradations and its large original."""
import torch
from jpeg import Jpeg
from reduce import FILTERS, blur_matrices, matrix, reduced, to_levels

SIDE = 64
"""Side of the small patches, in pixels."""
OUTER = 80
"""Side before cropping: includes a margin for blurs and for any alignment of JPEG blocks; a multiple of 16."""
OFFSETS = (4, 13)
"""Range of the crop offset: inclusive start, exclusive end."""

CLEAN = 0.25
"""Share of the pairs that are only reduced. The following shares refer to the others."""
BLURRED, BLUR_MAX = 0.8, {2: 1.6, 4: 2.0}
"""Share, and standard deviation of the blur in pixels of the large image."""
NOISY, NOISE_MAX = 0.6, 9
"""Share, and standard deviation of the noise in levels; half of it is equal in the three colours."""
COMPRESSED, SUBSAMPLED, QUALITIES = 0.85, 0.7, (30, 96)


class Pairs:
    """Draws batches from patches of OUTER * scale pixels."""

    def __init__(self, patches, scale):
        self.patches, self.scale = patches, scale
        side = OUTER * scale
        self.jpeg = Jpeg(patches.device)
        self.filters = torch.stack([matrix(name, side, scale, patches.device) for name in FILTERS])

    def pick(self, count):
        """(small [count, 3, SIDE, SIDE], large [count, 3, SIDE * scale, SIDE * scale]), both from 0 to 1."""
        large = self.patches.pick(count)
        small = self.spoiled(large)
        s = self.scale
        y, x = (int(offset) for offset in torch.randint(*OFFSETS, (2,)))
        small = small[:, :, y : y + SIDE, x : x + SIDE]
        large = large[:, :, y * s : (y + SIDE) * s, x * s : (x + SIDE) * s]
        return small / 255, large / 255

    def spoiled(self, large):
        """Patches are in random order within the batch, grouped in eighths by orientation: a random order makes each part of it representative."""
        order = torch.randperm(len(large), device=large.device)
        clean = order[: round(CLEAN * len(large))]
        others = order[len(clean) :]
        small = torch.empty(*large.shape[:2], OUTER, OUTER, device=large.device)
        small[clean] = to_levels(reduced(large[clean], self.filters[0]))
        small[others] = self.compressed(self.noisy(self.softened(large[others])))
        return small

    def softened(self, large):
        count, device = len(large), large.device
        sigmas = torch.rand(count, device=device) * BLUR_MAX[self.scale] * (torch.rand(count, device=device) < BLURRED)
        # Bicubic, the most common filter, has double weight.
        which = (torch.randint(len(FILTERS) + 1, (count,), device=device) - 1).clamp(min=0)
        return to_levels(reduced(large, self.filters[which] @ blur_matrices(sigmas, large.shape[3])))

    def noisy(self, small):
        count, device = len(small), small.device
        level = torch.rand(count, 1, 1, 1, device=device) * NOISE_MAX * (torch.rand(count, 1, 1, 1, device=device) < NOISY)
        noise = torch.randn_like(small)
        noise[: count // 2] = noise[: count // 2, :1]
        return to_levels(small + level * noise)

    def compressed(self, small):
        order = torch.randperm(len(small), device=small.device)
        count = round(COMPRESSED * len(small))
        halved = round(SUBSAMPLED * count)
        quality = torch.randint(*QUALITIES, (count,), device=small.device).float()
        result = small.clone()
        for part, subsampled in ((slice(halved), True), (slice(halved, count), False)):
            result[order[part]] = self.jpeg.saved(small[order[part]], quality[part], subsampled)
        return result
