"""Narrows the blocks of SPAN: keeps the channels that explain most, and fits the layer after them anew. python3 prune.py <ncnn> <scale> <inner> <pictures> <benchmarks> <out.pt>

One convolution after the other, from the first to the last. The narrowed network makes the inputs, the whole one the answers that are
fitted, so that each layer makes up for what those before it lost. Channels are taken out one by one, always the one without which the
least-squares error grows least (as in channel pruning, He and others, 2017).
"""
import random
import sys

import numpy as np
import torch
import torch.nn.functional as F
from measure import gain
from pictures import CleanPairs, read_pictures
from span import BLOCKS, Span, read_ncnn

PATCHES, PLACES = 1200, 60_000
RIDGE = 1e-4


def samples(pairs):
    small = np.stack([pairs.pick()[0] for _ in range(PATCHES)]).transpose(0, 3, 1, 2)
    return torch.from_numpy(small.astype("f4") / 255)


def inputs_of(network, block, index, pictures):
    """What convolution `index` of the block is given, [n, c, h, w]."""
    found = []
    layer = getattr(getattr(network, f"block_{block}"), f"c{index}_r")
    hook = layer.register_forward_pre_hook(lambda _, given: found.append(given[0].detach()))
    with torch.no_grad():
        for part in pictures.split(64):
            network(part)
    hook.remove()
    return torch.cat(found)


def outputs_of(network, block, index, pictures):
    found = []
    layer = getattr(getattr(network, f"block_{block}"), f"c{index}_r")
    hook = layer.register_forward_hook(lambda _m, _g, made: found.append(made.detach()))
    with torch.no_grad():
        for part in pictures.split(64):
            network(part)
    hook.remove()
    return torch.cat(found)


def rows(features, places):
    """3x3 surroundings of chosen places, [places, c*9]; inside the patches, away from their borders."""
    n, y, x = places
    parts = [features[n, :, y + dy, x + dx] for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    return torch.stack(parts, 2).flatten(1).double()


def keep_best(given, wanted, count):
    """Channels to keep and the convolution on them: ([count], weight [out, count, 3, 3], bias [out])."""
    channels = given.shape[1] // 9
    mean_x, mean_y = given.mean(0), wanted.mean(0)
    x, y = given - mean_x, wanted - mean_y
    gram, cross = x.T @ x, x.T @ y
    gram += RIDGE * gram.diagonal().mean() * torch.eye(len(gram), dtype=gram.dtype)
    kept = list(range(channels))
    columns = lambda chosen: torch.tensor([c * 9 + k for c in chosen for k in range(9)])
    while len(kept) > count:
        at = columns(kept)
        inverse = torch.linalg.inv(gram[at][:, at])
        weights = inverse @ cross[at]
        # What leaving a group out costs: w_g' (inverse_gg)^-1 w_g.
        costs = [
            (weights[g * 9 : g * 9 + 9] * torch.linalg.solve(inverse[g * 9 : g * 9 + 9, g * 9 : g * 9 + 9], weights[g * 9 : g * 9 + 9])).sum()
            for g in range(len(kept))
        ]
        kept.pop(int(torch.stack(costs).argmin()))
    at = columns(kept)
    weights = torch.linalg.solve(gram[at][:, at], cross[at])
    bias = mean_y - mean_x[at] @ weights
    share = 1 - ((y - x[:, at] @ weights) ** 2).sum() / (y**2).sum()
    return kept, weights.T.reshape(-1, count, 3, 3).float(), bias.float(), float(share)


def main(ncnn, scale, inner, pictures, benchmarks, out):
    torch.set_num_threads(1)
    torch.manual_seed(0), random.seed(0), np.random.seed(0)
    scale, inner = int(scale), int(inner)
    teacher = read_ncnn(ncnn, scale)
    # As wide as the teacher, with silenced channels, until all layers are fitted.
    narrow = read_ncnn(ncnn, scale)
    shown = samples(CleanPairs(read_pictures(pictures), scale))
    places = (torch.randint(PATCHES, (PLACES,)), torch.randint(8, 24, (PLACES,)), torch.randint(8, 24, (PLACES,)))
    chosen = {}
    with torch.no_grad():
        for block in range(1, BLOCKS + 1):
            for index in (2, 3):
                own, ideal = (getattr(n, f"block_{block}") for n in (narrow, teacher))
                layer = getattr(own, f"c{index}_r")
                n, y, x = places
                wanted = outputs_of(teacher, block, index, shown)[n, :, y, x].double()
                given = rows(inputs_of(narrow, block, index, shown), places)
                kept, weight, bias, share = keep_best(given, wanted, inner)
                chosen[block, index] = kept
                layer.weight.zero_()
                layer.weight[:, kept] = weight
                layer.bias.copy_(bias)
                print(block, index, f"{share:.4f}", flush=True)
        student = Span(scale, inner)
        state, whole = student.state_dict(), narrow.state_dict()
        for name, value in whole.items():
            block, layer = (int(name.split(".")[0][6:]), name.split(".")[1]) if name.startswith("block") else (0, "")
            if layer == "c1_r":
                value = value[chosen[block, 2]]
            elif layer == "c2_r":
                value = value[chosen[block, 3]]
                value = value[:, chosen[block, 2]] if value.ndim > 1 else value
            elif layer == "c3_r" and value.ndim > 1:
                value = value[:, chosen[block, 3]]
            elif name == "conv_cat.weight":
                value = torch.cat([value[:, :144], value[:, 144:][:, chosen[BLOCKS, 2]]], 1)
            state[name].copy_(value)
    torch.save(student.state_dict(), out)
    print(sum(p.numel() for p in student.parameters()), [gain(student, f"{benchmarks}/{s}", scale, False) for s in ("set5", "set14")])


main(*sys.argv[1:])
