#!/usr/bin/env python3
"""Step times of the network of configs/digits.json in PyTorch: plain, under its DebugMode, and with the hashes of all
results (DebugMode.log_tensor_hashes): the peer of traces.py. Batch 500, two threads, random data; one line of JSON.
"""

import contextlib
import json
import statistics
import time

import torch
from torch.utils._debug_mode import DebugMode

from python_peer import autoencoder, half_mse

STEPS = 8


@contextlib.contextmanager
def hashed():
    with DebugMode() as mode, DebugMode.log_tensor_hashes(hash_inputs=False):
        yield mode


def step_seconds(surroundings):
    torch.manual_seed(0)
    model = autoencoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
    source, target = torch.rand(500, 1, 32, 32), torch.rand(500, 1, 32, 32)
    seconds = []
    for _ in range(STEPS):
        before = time.perf_counter()
        with surroundings():
            optimizer.zero_grad()
            loss = half_mse(model(source), target)
            loss.backward()
            optimizer.step()
        loss.item()
        seconds.append(time.perf_counter() - before)
    return statistics.median(seconds[2:])


def main():
    torch.set_num_threads(2)
    torch.use_deterministic_algorithms(True)
    print(json.dumps({"plain": step_seconds(contextlib.nullcontext), "debug_mode": step_seconds(DebugMode),
                      "debug_mode_with_hashes": step_seconds(hashed)}))


if __name__ == "__main__":
    main()
