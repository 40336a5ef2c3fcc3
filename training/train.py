"""Trains one compact network. python3 train.py <pictures> <benchmarks> <scale> <clean|spoiled> <seconds of processor> <out> [start [rate]]

Less than half an hour of one core trains all four; see README.md.
"""
import math
import random
import sys
import time

import numpy as np
import torch
from measure import gain
from network import Compact
from pictures import CleanPairs, SpoiledPairs, read_pictures, turned

BATCH = 16
FIRST_RATE = 2e-3
WARM_UP_STEPS = 200
SIZES = {("4", "clean"): (48, 8)}
"""Features and convolutions between the first and the last. Others have 32 and 5: enlarging four times needs more."""


def batch(pairs):
    small, large = zip(*(turned(pairs.pick()) for _ in range(BATCH)))
    stack = lambda patches: torch.from_numpy(np.stack(patches).transpose(0, 3, 1, 2).astype("f4") / 255)
    return stack(small).contiguous(memory_format=torch.channels_last), stack(large)


def started_from(network, path):
    """Takes over every layer of another network that has the same shape."""
    old, own = torch.load(path), network.state_dict()
    network.load_state_dict({k: old[k] if k in old and old[k].shape == v.shape else v for k, v in own.items()})


def main(pictures, benchmarks, scale, kind, seconds, out, start=None, rate=FIRST_RATE):
    torch.set_num_threads(1)
    torch.manual_seed(0), random.seed(0), np.random.seed(0)
    size = SIZES.get((scale, kind), (32, 5))
    scale, seconds, rate = int(scale), float(seconds), float(rate)
    network = Compact(scale, *size)
    if start:
        started_from(network, start)
    network = network.to(memory_format=torch.channels_last)
    pairs = {"clean": CleanPairs, "spoiled": SpoiledPairs}[kind](read_pictures(pictures), scale)
    mean = {name: value.clone() for name, value in network.state_dict().items()}
    steps = torch.optim.Adam(network.parameters(), FIRST_RATE, betas=(0.9, 0.99))
    began, step, next_report = time.process_time(), 0, 120

    def report():
        averaged = Compact(scale, *size)
        averaged.load_state_dict(mean)
        figures = [gain(averaged, f"{benchmarks}/{name}", scale, kind == "spoiled") for name in ("set5", "set14")]
        torch.save(mean, out)
        text = "  ".join(f"{name} {ours:.2f} ({ours - lanczos:+.2f})" for name, (ours, lanczos) in zip(("Set5", "Set14"), figures))
        print(f"x{scale} {kind} {time.process_time() - began:.0f} s, step {step}: {text}", flush=True)

    while (done := (time.process_time() - began) / seconds) < 1:
        for group in steps.param_groups:
            group["lr"] = min(1, step / WARM_UP_STEPS) * rate * 0.5 * (1 + math.cos(math.pi * done)) + 1e-5
        small, large = batch(pairs)
        error = network(small) - large
        # Absolute differences first, squared ones at the end: those are what is measured.
        loss = error.abs().mean() if done < 0.7 else 20 * (error * error).mean()
        steps.zero_grad(set_to_none=True)
        loss.backward()
        steps.step()
        step += 1
        keep = min(0.999, step / (step + 9))
        for name, value in network.state_dict().items():
            mean[name].mul_(keep).add_(value, alpha=1 - keep)
        if time.process_time() - began > next_report:
            next_report += 120
            report()
    report()


main(*sys.argv[1:])
