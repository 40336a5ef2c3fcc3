"""Fine-tunes SPAN from its published weights on degraded images.

python3 train.py <pictures> <sets> <scale> <seconds> <spanx2_ch48.bin> <out.pt>

Both scales can share a GPU; see README.md. Without one it runs on the processor, some thousand times slower.
"""
import copy
import math
import sys
import time

import torch
from measure import KINDS, line, read_pairs
from pairs import OUTER, Pairs
from pictures import Patches
from span import read_ncnn

BATCH = 32
RATE = 1.5e-4
"""A higher rate loses the published weights: at 5e-4, for nine times as long, all but the most degraded images got worse."""
WARM_UP_STEPS = 200
LOGARITHMS_FROM = 0.5
"""Absolute differences first, later the mean of the measure itself, decibels: nearly clean images count as much as bad ones."""
FLOOR = 4.0
"""Squared levels added before the logarithm, so that flat areas do not dominate."""
GRADIENT_MAX = 4.0
"""Below the gradient norm of a batch (about 50 to 100), so that every step has the same weight."""
MEAN_STEPS = 1000
REPORTS = 2
SPEED_STEPS = 200


class Clock:
    def __init__(self, seconds):
        self.seconds, self.began, self.reports = seconds, time.monotonic(), 0

    def done(self):
        return (time.monotonic() - self.began) / self.seconds

    def is_report_due(self):
        if self.done() * REPORTS < self.reports + 1:
            return False
        self.reports += 1
        return self.reports < REPORTS


def main(pictures, sets, scale, seconds, published, out):
    scale, seconds = int(scale), float(seconds)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    on_gpu = device.type == "cuda"
    torch.manual_seed(scale)
    mean = read_ncnn(published, scale).to(device, memory_format=torch.channels_last)
    network = copy.deepcopy(mean)
    mean.requires_grad_(False)
    compiled = torch.compile(network, dynamic=False) if on_gpu else network
    pairs = Pairs(Patches(pictures, OUTER * scale, device), scale)
    measured = {kind: read_pairs(sets, scale, kind) for kind in KINDS}
    steps = torch.optim.Adam(network.parameters(), RATE, betas=(0.9, 0.99), fused=on_gpu)
    step, total, strength = 0, *torch.zeros(2, device=device)

    def loss_of(is_late):
        small, large = pairs.pick(BATCH)
        error = (compiled(small.contiguous(memory_format=torch.channels_last)) - large) * 255
        return torch.log((error * error).mean((1, 2, 3)) + FLOOR).mean() if is_late else error.abs().mean()

    def report():
        torch.backends.cudnn.benchmark = False
        text = "\n".join(f"  {name}: {line(mean, those, scale)}" for name, those in measured.items())
        means = [value.item() / max(step, 1) for value in (total, strength)]
        print(f"x{scale} {clock.done():.0%}, step {step}, mean loss {means[0]:.3f}, mean gradient {means[1]:.2f}:\n{text}", flush=True)
        torch.save(mean.state_dict(), out)
        torch.backends.cudnn.benchmark = True

    loss_of(False).backward()  # compiles; not timed
    steps.zero_grad(set_to_none=True)
    clock = Clock(seconds)
    report()
    clock = Clock(seconds)
    while (done := clock.done()) < 1:
        for group in steps.param_groups:
            group["lr"] = min(1, (step + 1) / WARM_UP_STEPS) * RATE * 0.5 * (1 + math.cos(math.pi * done)) + 1e-7
        loss = loss_of(done > LOGARITHMS_FROM)
        total += loss.detach()
        loss.backward()
        strength += torch.nn.utils.clip_grad_norm_(network.parameters(), GRADIENT_MAX)
        steps.step()
        steps.zero_grad(set_to_none=True)
        step += 1
        keep = min(1 - 1 / MEAN_STEPS, step / (step + 9))
        torch._foreach_lerp_(list(mean.parameters()), [one.detach() for one in network.parameters()], 1 - keep)
        if step == SPEED_STEPS:
            print(f"{step / (clock.done() * seconds):.1f} steps in a second", flush=True)
        if clock.is_report_due():
            report()
    report()


if __name__ == "__main__":
    main(*sys.argv[1:])
