"""Writes trained weights in the layout of the official files. python3 export.py <weights.pt> <out.pth>

The dictionary `params` with every layer of SRVGGNetCompact by its usual name, 32-bit floats: what the service's own
reader takes, and other programs that know that architecture.
"""
import io
import sys

import torch
from network import SLOPE


def main(source, out):
    trained = torch.load(source, map_location="cpu")
    convolutions = sorted({int(name.split(".")[1]) for name in trained})
    params = {}
    for layer in convolutions:
        weight, bias = trained[f"body.{layer}.weight"], trained[f"body.{layer}.bias"]
        params[f"body.{layer}.weight"] = weight.detach().clone().contiguous().float()
        params[f"body.{layer}.bias"] = bias.detach().clone().float()
        if layer != convolutions[-1]:
            params[f"body.{layer + 1}.weight"] = torch.full((len(bias),), SLOPE)
    # By way of memory: the archive of a file is named after it, and the sha256 should tell of the numbers alone.
    archive = io.BytesIO()
    torch.save({"params": params}, archive)
    with open(out, "wb") as file:
        file.write(archive.getvalue())


main(*sys.argv[1:])
