"""Pairs of a small picture and the large one it came from, cut from freely licensed photographs and drawings."""
import glob
import io
import random

import numpy as np
from PIL import Image, ImageFilter

SIDE = 32
"""Side of the small patches, in pixels."""
SHARES = (1, 0.7, 0.5)
MARGIN = 6
"""Pixels of surroundings that a spoiled patch is made with, so that its border is like any other place."""


def read_pictures(folder):
    paths = sorted(glob.glob(f"{folder}/*.jpg") + glob.glob(f"{folder}/*.png"))
    return [Image.open(path).convert("RGB") for path in paths]


class CleanPairs:
    """Small pictures reduced by a bicubic filter and nothing else.

    The large ones are taken as they are and reduced to SHARES of their size, which leaves less of what a camera or a
    JPEG softened. Of two places the one with more detail is taken: errors are made there.
    """

    def __init__(self, pictures, scale):
        self.scale = scale
        self.pairs, self.weights = [], []
        for picture in pictures:
            for share in SHARES:
                width, height = (int(side * share) // scale * scale for side in picture.size)
                if min(width, height) <= SIDE * scale:
                    continue
                box = (0, 0, width / share, height / share)
                large = picture.resize((width, height), Image.LANCZOS, box) if share < 1 else picture.crop(box)
                small = large.resize((width // scale, height // scale), Image.BICUBIC)
                self.pairs.append((np.asarray(small), np.asarray(large)))
                self.weights.append(width * height)

    def pick(self):
        [(small, large)] = random.choices(self.pairs, self.weights)
        places = [[random.randrange(size - SIDE) for size in small.shape[:2]] for _ in range(2)]
        y, x = max(places, key=lambda place: detail(small[place[0] :, place[1] :][:SIDE, :SIDE]))
        s = self.scale
        return small[y : y + SIDE, x : x + SIDE], large[y * s : (y + SIDE) * s, x * s : (x + SIDE) * s]


def detail(patch):
    """Mean step between neighbours of the green samples, in levels."""
    green = patch[:, :, 1].astype("i2")
    return np.abs(np.diff(green, axis=0)).mean() + np.abs(np.diff(green, axis=1)).mean()


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
