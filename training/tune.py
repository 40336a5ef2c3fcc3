"""Teaches a narrowed network what the whole one makes.

python3 tune.py <start.pt> <ncnn> <pictures> <benchmarks> <scale> <inner> <seconds of processor> <rate> <out.pt>
"""
import math
import random
import sys
import time

import numpy as np
import torch
from measure import gain
from pictures import CleanPairs, read_pictures, turned
from span import Span, read_ncnn

BATCH = 16
WARM_UP_STEPS = 100
TRUTH = 0.1
"""Weight of the large picture itself. What the teacher made of the small one counts 1: it is nearer to the mean of all it may have been."""
BORDER = 6
"""Pixels of the small patch left out at its border, where neither sees what is around."""
GRADIENT_MAX = 1.0


def batch(pairs):
    small, large = zip(*(turned(pairs.pick()) for _ in range(BATCH)))
    stack = lambda patches: torch.from_numpy(np.stack(patches).transpose(0, 3, 1, 2).astype("f4"))
    return (stack(small) / 255).contiguous(memory_format=torch.channels_last), stack(large)


def main(start, ncnn, pictures, benchmarks, scale, inner, seconds, rate, out):
    torch.set_num_threads(1)
    torch.manual_seed(1), random.seed(1), np.random.seed(1)
    scale, inner, seconds, rate = int(scale), int(inner), float(seconds), float(rate)
    network = Span(scale, inner)
    network.load_state_dict(torch.load(start))
    network = network.to(memory_format=torch.channels_last)
    teacher = read_ncnn(ncnn, scale).to(memory_format=torch.channels_last)
    pairs = CleanPairs(read_pictures(pictures), scale)
    mean = {name: value.clone() for name, value in network.state_dict().items()}
    steps = torch.optim.Adam(network.parameters(), rate, betas=(0.9, 0.99))
    inside = np.s_[:, :, BORDER * scale : -BORDER * scale, BORDER * scale : -BORDER * scale]
    began, step, next_report = time.process_time(), 0, 180

    def report():
        averaged = Span(scale, inner)
        averaged.load_state_dict(mean)
        figures = [gain(averaged, f"{benchmarks}/{name}", scale, False) for name in ("set5", "set14")]
        torch.save(mean, out)
        text = "  ".join(f"{name} {ours:.2f} ({ours - lanczos:+.2f})" for name, (ours, lanczos) in zip(("Set5", "Set14"), figures))
        print(f"x{scale} {time.process_time() - began:.0f} s, step {step}: {text}", flush=True)

    while (done := (time.process_time() - began) / seconds) < 1:
        for group in steps.param_groups:
            group["lr"] = min(1, (step + 1) / WARM_UP_STEPS) * rate * 0.5 * (1 + math.cos(math.pi * done)) + 1e-6
        small, large = batch(pairs)
        with torch.no_grad():
            taught = teacher(small)[inside].clamp(0, 1) * 255
        made = network(small)[inside] * 255
        loss = (made - taught).abs().mean() + TRUTH * (made - large[inside]).abs().mean()
        steps.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), GRADIENT_MAX)
        steps.step()
        step += 1
        keep = min(0.998, step / (step + 9))
        for name, value in network.state_dict().items():
            mean[name].mul_(keep).add_(value, alpha=1 - keep)
        if time.process_time() - began > next_report:
            next_report += 180
            report()
    report()


main(*sys.argv[1:])
