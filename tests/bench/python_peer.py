#!/usr/bin/env python3
"""The experiment of configs/mnist.json in plain PyTorch, as people write it: the peer of main_job.py.

One training in one process: Dataset, DataLoader, nn.Sequential, Adam, deterministic algorithms, and at the
end the weights saved with torch.save. Prints one line of JSON with the median step time.
"""

import argparse
import gzip
import json
import statistics
import struct
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset


def read_images(path):
    """An IDX file of images as uint8 {n, rows, columns}."""
    with gzip.open(path, "rb") as file:
        _, count, rows, columns = struct.unpack(">IIII", file.read(16))
        return np.frombuffer(file.read(), dtype=np.uint8).reshape(count, rows, columns)


def rescale(image):
    low, high = image.min(), image.max()
    return (image - low) / (high - low)


class NoisyDigits(Dataset):
    """Pairs of a noisy and a clean image, resized, rescaled and rotated together."""

    def __init__(self, images, augment):
        self.images = images
        self.augment = augment
        self.generator = np.random.default_rng(0)

    def __len__(self):
        return len(self.images)

    def prepare(self, image):
        tensor = torch.from_numpy(image.astype(np.float32))[None, None]
        return rescale(functional.interpolate(tensor, size=(32, 32), mode="bicubic"))[0]

    def __getitem__(self, index):
        clean = self.images[index]
        noisy = clean.copy()
        draw = self.generator.random(clean.shape)
        noisy[draw < 0.025] = 0
        noisy[(draw >= 0.025) & (draw < 0.05)] = 255
        source, target = self.prepare(noisy), self.prepare(clean)
        if self.augment:
            turns = int(self.generator.integers(4))
            source, target = torch.rot90(source, turns, (1, 2)), torch.rot90(target, turns, (1, 2))
        return source, target


def autoencoder():
    layers = []
    for before, after in ((1, 8), (8, 16), (16, 32)):
        layers += [nn.Conv2d(before, after, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
    for before, after in ((32, 32), (32, 16), (16, 8)):
        layers += [nn.ConvTranspose2d(before, after, 2, stride=2), nn.ReLU()]
    return nn.Sequential(*layers, nn.Conv2d(8, 1, 1), nn.Hardtanh(0, 1))


def half_mse(output, target):
    return 0.5 * functional.mse_loss(output, target, reduction="sum") / len(target)


def validate(model, loader):
    with torch.no_grad():
        return sum(half_mse(model(x), y).item() * len(x) for x, y in loader)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("images")
    parser.add_argument("weights")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=0, help="of the DataLoader")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    torch.use_deterministic_algorithms(True)

    images = read_images(options.images)
    train = DataLoader(NoisyDigits(images[:9500], True), batch_size=500, shuffle=True, drop_last=True,
                       num_workers=options.workers)
    validation = DataLoader(NoisyDigits(images[9500:9750], False), batch_size=500)
    test = DataLoader(NoisyDigits(images[9750:], False), batch_size=500)
    model = autoencoder()
    weights = [p for n, p in model.named_parameters() if n.endswith("weight")]
    biases = [p for n, p in model.named_parameters() if n.endswith("bias")]
    optimizer = torch.optim.Adam([{"params": weights, "weight_decay": 1e-4}, {"params": biases}], lr=0.001)

    seconds = []
    before = time.perf_counter()
    for _ in range(5):
        for source, target in train:
            optimizer.zero_grad()
            loss = half_mse(model(source), target)
            loss.backward()
            optimizer.step()
            loss.item()
            if len(seconds) + 1 == 50:
                validate(model, validation)
            now = time.perf_counter()
            seconds.append(now - before)
            before = now
    validate(model, validation)
    for _ in range(2):
        validate(model, test)
    torch.save(model.state_dict(), options.weights)
    print(json.dumps({"steps": len(seconds), "step_seconds": statistics.median(seconds)}))


if __name__ == "__main__":
    main()
