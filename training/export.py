"""Writes weights in the layout of the official files: the published ones, or newly trained ones. python3 export.py <spanx2_ch48.bin|weights.pt> <scale> <out.pth>

The dictionary `params` with every layer by its usual name: what `convert.ts` reads, and other programs that know the architecture. 16-bit
floats, as the kernels are published; that biases lose some digits changes no result by more than rounding does.
"""
import io
import sys

import torch
from span import read_ncnn


def main(source, scale, out):
    trained = torch.load(source, map_location="cpu") if source.endswith(".pt") else read_ncnn(source, int(scale)).state_dict()
    params = {name: value.detach().half().contiguous().clone() for name, value in trained.items()}
    # In memory first: torch.save puts the file name into the archive, and the sha256 should depend on the weights only.
    archive = io.BytesIO()
    torch.save({"params": params}, archive)
    with open(out, "wb") as file:
        file.write(archive.getvalue())


main(*sys.argv[1:])
