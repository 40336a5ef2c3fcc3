"""Writes trained weights in the layout of the official files. python3 export.py <weights.pt> <out.pth>

The dictionary `params` with every layer by its usual name: what `convert.ts` reads, and other programs that know the architecture. Compact networks have 32-bit floats and get the slopes their layout asks for, narrowed SPAN 16-bit floats, as its own
weights are published.
"""
import io
import sys

import torch
from network import SLOPE


def compact(trained):
    convolutions = sorted({int(name.split(".")[1]) for name in trained})
    for layer in convolutions:
        weight, bias = trained[f"body.{layer}.weight"], trained[f"body.{layer}.bias"]
        yield f"body.{layer}.weight", weight.float()
        yield f"body.{layer}.bias", bias.float()
        if layer != convolutions[-1]:
            yield f"body.{layer + 1}.weight", torch.full((len(bias),), SLOPE)


def span(trained):
    for name, value in trained.items():
        yield name, value.half()


def main(source, out):
    trained = torch.load(source, map_location="cpu")
    layers = compact(trained) if "body.0.weight" in trained else span(trained)
    params = {name: value.detach().clone().contiguous() for name, value in layers}
    # By way of memory: the archive of a file is named after it, and the sha256 should tell of the numbers alone.
    archive = io.BytesIO()
    torch.save({"params": params}, archive)
    with open(out, "wb") as file:
        file.write(archive.getvalue())


main(*sys.argv[1:])
