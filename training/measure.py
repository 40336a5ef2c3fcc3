"""Y-PSNR on benchmark images compared with Lanczos, to monitor training. bench/upscale.ts measures the shipped networks."""
import glob
import io
import os

import numpy as np
import torch
from PIL import Image, ImageFilter

SETS = {"Set5": ("set5",), "Set14": ("set14",), "BSD+Urban": ("bsd100", "urban100")}
KINDS = {"clean": {}, "JPEG 80": {"quality": 80}, "spoiled": {"blur": 1.2, "noise": 6, "quality": 60}}
WEIGHTS = np.array([65.481, 128.553, 24.966]) / 255


def y_psnr(a, b, border):
    """dB on the luma of BT.601, without a border of `border` pixels, as usual in papers."""
    difference = ((a.astype("f8") - b) @ WEIGHTS)[border:-border, border:-border]
    return 10 * np.log10(255**2 / np.mean(difference * difference))


def spoiled(large, scale, blur=0, noise=0, quality=None):
    small = large.filter(ImageFilter.GaussianBlur(blur)) if blur else large
    small = small.resize((large.width // scale, large.height // scale), Image.BICUBIC)
    if noise:
        added = np.random.RandomState(7).normal(0, noise, (small.height, small.width, 3))
        small = Image.fromarray(np.clip(np.asarray(small) + added, 0, 255).round().astype("u1"))
    if quality is None:
        return small
    file = io.BytesIO()
    small.save(file, "JPEG", quality=quality)
    return Image.open(file).convert("RGB")


def read_pairs(folder, scale, kind):
    """{set: [(small, large, dB of Lanczos)]} of <folder>/<set>/x4/HR/*.png; with the small images of the set if it has any."""
    return {
        name: [_pair(path, scale, kind) for one in folders for path in sorted(glob.glob(f"{folder}/{one}/x4/HR/*.png"))]
        for name, folders in SETS.items()
    }


def _pair(path, scale, kind):
    large = Image.open(path).convert("RGB")
    large = large.crop((0, 0, large.width - large.width % scale, large.height - large.height % scale))
    given = path.replace("/x4/HR/", f"/x{scale}/LR/")
    small = Image.open(given).convert("RGB") if kind == "clean" and os.path.exists(given) else spoiled(large, scale, **KINDS[kind])
    truth = np.asarray(large)
    return small, truth, y_psnr(np.asarray(small.resize(large.size, Image.LANCZOS)), truth, scale)


@torch.no_grad()
def figures(network, pairs, scale):
    """{set: (dB of the network, dB of Lanczos)}, means over its images."""
    device = next(network.parameters()).device
    found = {}
    for name, members in pairs.items():
        for small, truth, lanczos in members:
            given = torch.from_numpy(np.array(small).transpose(2, 0, 1)[None].astype("f4") / 255).to(device)
            made = network(given)[0].clamp(0, 1).cpu().numpy().transpose(1, 2, 0)
            found.setdefault(name, []).append((y_psnr(np.round(made * 255), truth, scale), lanczos))
    return {name: np.mean(members, 0) for name, members in found.items()}


def line(network, pairs, scale):
    parts = figures(network, pairs, scale).items()
    return "  ".join(f"{name} {ours:.2f} ({ours - lanczos:+.2f})" for name, (ours, lanczos) in parts)
