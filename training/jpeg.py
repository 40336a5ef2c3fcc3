"""JPEG degradation of whole batches on the training device. python3 jpeg.py: compares it with Pillow."""
import io
import math

import numpy as np
import torch
import torch.nn.functional as F

# Annex K of ITU-T T.81, by rows.
LUMA = [
    [16, 11, 10, 16, 24, 40, 51, 61],
    [12, 12, 14, 19, 26, 58, 60, 55],
    [14, 13, 16, 24, 40, 57, 69, 56],
    [14, 17, 22, 29, 51, 87, 80, 62],
    [18, 22, 37, 56, 68, 109, 103, 77],
    [24, 35, 55, 64, 81, 104, 113, 92],
    [49, 64, 78, 87, 103, 121, 120, 101],
    [72, 92, 95, 98, 112, 100, 103, 99],
]
CHROMA = [
    [17, 18, 24, 47, 99, 99, 99, 99],
    [18, 21, 26, 66, 99, 99, 99, 99],
    [24, 26, 56, 99, 99, 99, 99, 99],
    [47, 66, 99, 99, 99, 99, 99, 99],
] + [[99] * 8] * 4
MIDDLE = 128
COSINES = torch.tensor(
    [[math.sqrt((2 if k else 1) / 8) * math.cos((2 * n + 1) * k * math.pi / 16) for n in range(8)] for k in range(8)]
)
TO_YCC = torch.tensor([[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]])
TO_RGB = torch.tensor([[1, 0, 1.402], [1, -0.344136, -0.714136], [1, 1.772, 0]])


class Jpeg:
    """Compresses on one device, which holds the constants: copying them for every batch would stall the GPU."""

    def __init__(self, device):
        put = lambda values: torch.as_tensor(values, dtype=torch.float32).to(device)
        # The horizontal and vertical cosine transforms of a block of 64 samples in one matrix.
        self.transform = put(torch.kron(COSINES, COSINES))
        self.luma, self.chroma = put(LUMA).flatten(), put(CHROMA).flatten()
        self.to_ycc, self.to_rgb = put(TO_YCC), put(TO_RGB)

    def quantised(self, planes, base, quality):
        """[n, c, h, w] levels around 0, h and w multiples of 8; quantisation steps as scaled by libjpeg for qualities [n] from 1 to 100."""
        n, c, h, w = planes.shape
        scale = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality).floor()
        steps = ((base * scale[:, None] + 50) / 100).floor().clamp(1, 255)[:, None]
        blocks = planes.view(n, c, h // 8, 8, w // 8, 8).transpose(3, 4).reshape(n, -1, 64)
        blocks = (blocks @ self.transform.T / steps).round() * steps
        blocks = (blocks @ self.transform).view(n, c, h // 8, w // 8, 8, 8)
        return blocks.transpose(3, 4).reshape(n, c, h, w).round()

    def saved(self, pictures, quality, subsampled):
        """[n, 3, h, w] levels, h and w multiples of 16; one quality per image; `subsampled` halves the chroma of the whole batch."""
        mixed = torch.einsum("ij,njhw->nihw", self.to_ycc, pictures).round()
        luma, chroma = self.quantised(mixed[:, :1] - MIDDLE, self.luma, quality), mixed[:, 1:]
        if subsampled:
            # libjpeg rounds halves alternately down and up; otherwise chroma would drift.
            turns = torch.arange(chroma.shape[3] // 2, device=chroma.device) % 2 * 0.25 + 0.25
            chroma = (F.avg_pool2d(chroma, 2) + turns).floor()
        chroma = self.quantised(chroma.contiguous(), self.chroma, quality)
        if subsampled:
            chroma = F.interpolate(chroma, scale_factor=2, mode="bilinear").round()
        mixed = torch.cat([(luma + MIDDLE).clamp(0, 255), chroma.clamp(-MIDDLE, MIDDLE - 1)], 1)
        return torch.einsum("ij,njhw->nihw", self.to_rgb, mixed).round().clamp(0, 255)


def compare():
    from PIL import Image

    rough = np.random.RandomState(1).randint(0, 256, (20, 20, 3)).astype("u1")
    picture = Image.fromarray(rough).resize((160, 160), Image.BICUBIC)
    planes = torch.from_numpy(np.array(picture).transpose(2, 0, 1)[None].astype("f4"))
    for quality in (35, 60, 75, 90):
        for subsampled in (False, True):
            file = io.BytesIO()
            picture.save(file, "JPEG", quality=quality, subsampling=2 if subsampled else 0)
            theirs = np.array(Image.open(file).convert("RGB")).transpose(2, 0, 1).astype("f4")
            ours = Jpeg("cpu").saved(planes, torch.tensor([float(quality)]), subsampled)[0].numpy()
            apart = np.abs(ours - theirs)
            print(f"quality {quality}, subsampled {subsampled}: mean {apart.mean():.3f}, most {apart.max():.0f} levels apart")


if __name__ == "__main__":
    compare()
