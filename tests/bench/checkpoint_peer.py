#!/usr/bin/env python3
"""How checkpoints are usually compared: load both, torch.equal, else the largest absolute difference."""
import sys

import torch
from safetensors.torch import load_file

reference, candidate = load_file(sys.argv[1]), load_file(sys.argv[2])
different = 0
for name, tensor in reference.items():
    if not torch.equal(tensor, candidate[name]):
        different += 1
        print(name, (tensor - candidate[name]).abs().max().item())
print(different, "different")
