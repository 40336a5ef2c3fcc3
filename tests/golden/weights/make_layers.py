"""
Writes layers.json: what every layer of small networks of the three architectures puts out, computed by PyTorch, as the
judge of our own graphs. Weights and input follow a formula (`wave`) that the test repeats.
"""
import collections
import json
import math
import os
import torch
from torch import nn
from torch.nn import functional as F


def wave(count, start):
    return torch.tensor([math.sin(0.7 * k + start) for k in range(count)], dtype=torch.float64)


class Dense(nn.Module):
    def __init__(self, features, growth):
        super().__init__()
        for k in range(1, 6):
            conv = nn.Conv2d(features + (k - 1) * growth, growth if k < 5 else features, 3, 1, 1)
            setattr(self, f"conv{k}", conv)

    def forward(self, x):
        seen = [x]
        for k in range(1, 5):
            seen.append(F.leaky_relu(getattr(self, f"conv{k}")(torch.cat(seen, 1)), 0.2))
        return x + 0.2 * self.conv5(torch.cat(seen, 1))


class Rrdb(nn.Module):
    def __init__(self, features, growth):
        super().__init__()
        self.rdb1, self.rdb2, self.rdb3 = (Dense(features, growth) for _ in range(3))

    def forward(self, x):
        return x + 0.2 * self.rdb3(self.rdb2(self.rdb1(x)))


class RrdbNet(nn.Module):
    def __init__(self, scale, features, growth, blocks):
        super().__init__()
        self.scale = scale
        self.conv_first = nn.Conv2d(12 if scale == 2 else 3, features, 3, 1, 1)
        self.body = nn.Sequential(*(Rrdb(features, growth) for _ in range(blocks)))
        self.conv_body, self.conv_up1, self.conv_up2, self.conv_hr = (
            nn.Conv2d(features, features, 3, 1, 1) for _ in range(4)
        )
        self.conv_last = nn.Conv2d(features, 3, 3, 1, 1)

    def forward(self, x):
        x = self.conv_first(F.pixel_unshuffle(x, 2) if self.scale == 2 else x)
        x = x + self.conv_body(self.body(x))
        for up in (self.conv_up1, self.conv_up2):
            x = F.leaky_relu(up(F.interpolate(x, scale_factor=2, mode="nearest")), 0.2)
        return self.conv_last(F.leaky_relu(self.conv_hr(x), 0.2))


class Compact(nn.Module):
    def __init__(self, scale, features, convolutions):
        super().__init__()
        self.scale = scale
        layers = [nn.Conv2d(3, features, 3, 1, 1), nn.PReLU(features)]
        for _ in range(convolutions):
            layers += [nn.Conv2d(features, features, 3, 1, 1), nn.PReLU(features)]
        self.body = nn.ModuleList(layers + [nn.Conv2d(features, 3 * scale * scale, 3, 1, 1)])

    def forward(self, x):
        out = x
        for layer in self.body:
            out = layer(out)
        return F.pixel_shuffle(out, self.scale) + F.interpolate(x, scale_factor=self.scale, mode="nearest")


NETWORKS = {
    "RRDBNet x4": RrdbNet(4, 4, 2, 2),
    "RRDBNet x2": RrdbNet(2, 4, 2, 1),
    "SRVGGNetCompact x4": Compact(4, 5, 2),
}


def layers_of(network):
    seen = collections.OrderedDict()

    def keep(name):
        def hook(_module, _inputs, output):
            flat = output.detach().double().flatten()
            step = max(1, flat.numel() // 12)
            seen[name] = {
                "shape": list(output.shape),
                "mean": round(float(flat.mean()), 7),
                "samples": [round(float(value), 7) for value in flat[::step][:12]],
            }

        return hook

    for start, (name, parameter) in enumerate(network.named_parameters()):
        parameter.data = (wave(parameter.numel(), start).reshape(parameter.shape) / 4).float()
    for name, module in network.named_modules():
        if name and not isinstance(module, (nn.Sequential, nn.ModuleList)):
            module.register_forward_hook(keep(name))
    network.register_forward_hook(keep("output"))
    with torch.no_grad():
        network((wave(3 * 4 * 6, 0.5).reshape(1, 3, 4, 6) / 2 + 0.5).float())
    return seen


path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "layers.json")
with open(path, "w") as file:
    json.dump({name: layers_of(network) for name, network in NETWORKS.items()}, file, indent=1)
    file.write("\n")
