"""Writes tiny.pth and tiny_legacy.pth with PyTorch itself (1.13), as reference files for the reader of this project."""
import collections
import os
import torch

folder = os.path.dirname(os.path.abspath(__file__))
weights = collections.OrderedDict()
weights["conv.weight"] = torch.arange(12, dtype=torch.float32).reshape(2, 3, 1, 2) / 8
weights["conv.bias"] = torch.tensor([0.5, -2.0], dtype=torch.float16)
weights["turned"] = torch.arange(6, dtype=torch.float32).reshape(2, 3).t()
weights["shared"] = weights["conv.weight"].view(-1)[4:7]
weights["parameter"] = torch.nn.Parameter(torch.tensor([3.25]))
weights._metadata = collections.OrderedDict([("", {"version": 1})])
checkpoint = {"params": {}, "params_ema": weights, "step": 70000, "lr": 1e-4, "flags": [True, None, 2**40]}
torch.save(checkpoint, os.path.join(folder, "tiny.pth"))
torch.save(checkpoint, os.path.join(folder, "tiny_legacy.pth"), _use_new_zipfile_serialization=False)
