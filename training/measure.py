"""Y-PSNR on Set5 and Set14, clean and spoiled, against Lanczos: how training goes. bench/upscale.ts measures what is shipped."""
import glob
import io
import os

import numpy as np
import torch
from PIL import Image, ImageFilter

WEIGHTS = np.array([65.481, 128.553, 24.966]) / 255


def y_psnr(a, b, border):
    """dB on the luma of BT.601, a border of `border` pixels left out, as papers do."""
    difference = ((a.astype("f8") - b) @ WEIGHTS)[border:-border, border:-border]
    return 10 * np.log10(255**2 / np.mean(difference * difference))


def spoil(large, scale):
    """The fixed recipe of the comparison: blur 1.2, reduce, noise 6, JPEG 60."""
    small = large.filter(ImageFilter.GaussianBlur(1.2))
    small = small.resize((large.width // scale, large.height // scale), Image.BICUBIC)
    noise = np.random.RandomState(7).normal(0, 6, (small.height, small.width, 3))
    small = Image.fromarray(np.clip(np.asarray(small) + noise, 0, 255).round().astype("u1"))
    file = io.BytesIO()
    small.save(file, "JPEG", quality=60)
    return Image.open(file).convert("RGB")


def pairs(folder, scale, is_spoiled):
    for path in sorted(glob.glob(f"{folder}/x4/HR/*.png")):
        own = path.replace("/x4/", f"/x{scale}/")
        large = Image.open(own if os.path.exists(own) else path).convert("RGB")
        large = large.crop((0, 0, large.width - large.width % scale, large.height - large.height % scale))
        small = own.replace("/HR/", "/LR/")
        if is_spoiled:
            yield spoil(large, scale), large
        elif os.path.exists(small):
            yield Image.open(small).convert("RGB"), large
        else:
            yield large.resize((large.width // scale, large.height // scale), Image.BICUBIC), large


def gain(network, folder, scale, is_spoiled):
    """(network, Lanczos) in dB, means over the pictures of the set."""
    found = []
    for small, large in pairs(folder, scale, is_spoiled):
        tensor = torch.from_numpy(np.asarray(small).transpose(2, 0, 1)[None].astype("f4") / 255)
        with torch.no_grad():
            output = network(tensor)[0].clamp(0, 1).numpy().transpose(1, 2, 0)
        lanczos = np.asarray(small.resize(large.size, Image.LANCZOS))
        truth = np.asarray(large)
        found.append((y_psnr(np.round(output * 255), truth, scale), y_psnr(lanczos, truth, scale)))
    return np.mean(found, 0)
