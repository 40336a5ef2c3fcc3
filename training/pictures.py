"""Pairs of a small picture and the large one it came from, cut from freely licensed photographs and drawings."""
import glob
import io
import random

import numpy as np
from PIL import Image, ImageFilter

SIDE = 32
"""Side of the small patches, in pixels."""
MARGIN = 6
"""Pixels of surroundings that a spoiled patch is made with, so that its border is like any other place."""


def read_pictures(folder):
    paths = sorted(glob.glob(f"{folder}/*.jpg") + glob.glob(f"{folder}/*.png"))
    return [Image.open(path).convert("RGB") for path in paths]


class CleanPairs:
    """Small pictures reduced by a bicubic filter and nothing else."""

    def __init__(self, pictures, scale):
        self.scale = scale
        self.pairs = []
        for picture in pictures:
            width, height = (side - side % scale for side in picture.size)
            large = picture.crop((0, 0, width, height))
            small = large.resize((width // scale, height // scale), Image.BICUBIC)
            if min(small.size) > SIDE:
                self.pairs.append((np.asarray(small), np.asarray(large)))

    def pick(self):
        small, large = random.choice(self.pairs)
        y, x = (random.randrange(size - SIDE) for size in small.shape[:2])
        s = self.scale
        return small[y : y + SIDE, x : x + SIDE], large[y * s : (y + SIDE) * s, x * s : (x + SIDE) * s]


class SpoiledPairs:
    """Small pictures as they are found: softened, reduced, noisy, compressed. One in eight is clean."""

    def __init__(self, pictures, scale):
        self.scale = scale
        side = (SIDE + 2 * MARGIN) * scale
        self.pictures = [picture for picture in pictures if min(picture.size) > side]

    def pick(self):
        s, outer = self.scale, SIDE + 2 * MARGIN
        picture = random.choice(self.pictures)
        x, y = (random.randrange(size - outer * s) for size in picture.size)
        large = picture.crop((x, y, x + outer * s, y + outer * s))
        small = np.asarray(spoiled(large, (outer, outer)))
        inner = slice(MARGIN, MARGIN + SIDE)
        inner_large = slice(MARGIN * s, (MARGIN + SIDE) * s)
        return small[inner, inner], np.asarray(large)[inner_large, inner_large]


def spoiled(large, size):
    if random.random() < 0.125:
        return large.resize(size, Image.BICUBIC)
    if random.random() < 0.8:
        large = large.filter(ImageFilter.GaussianBlur(random.uniform(0, 1.6)))
    small = large.resize(size, random.choice([Image.BICUBIC, Image.BICUBIC, Image.BILINEAR, Image.LANCZOS]))
    if random.random() < 0.7:
        noise = np.random.normal(0, random.uniform(0, 9), (size[1], size[0], random.choice([1, 3])))
        small = Image.fromarray(np.clip(np.asarray(small) + noise, 0, 255).round().astype("u1"))
    if random.random() < 0.85:
        file = io.BytesIO()
        small.save(file, "JPEG", quality=random.randint(35, 95), subsampling=random.choice([0, 2, 2]))
        small = Image.open(file).convert("RGB")
    return small


def turned(pair):
    """One of the eight turns and mirrors of a square, the same for both."""
    turns, mirror = random.randrange(4), random.random() < 0.5
    pair = (np.rot90(picture, turns) for picture in pair)
    return [np.ascontiguousarray(picture[:, ::-1] if mirror else picture) for picture in pair]
