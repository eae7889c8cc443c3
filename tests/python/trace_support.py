"""What the tests of repro_trace share: a small training, a way to run it under the hook, a folder of its own.

Needs REPRO_SOURCE_DIR and REPRO_BIN_DIR.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

SOURCE = pathlib.Path(os.environ["REPRO_SOURCE_DIR"])
PROGRAM = pathlib.Path(os.environ["REPRO_BIN_DIR"]) / "repro-train"
PACKAGE = SOURCE / "share" / "repro-train" / "python"
sys.dont_write_bytecode = True
sys.path.insert(0, str(PACKAGE))
warnings.simplefilter("ignore")

import torch  # noqa: E402
import trace_reader  # noqa: E402

TRAIN = """
import os, sys, torch
from torch.nn import functional as F
torch.set_num_threads(1)
torch.manual_seed(int(os.environ.get("SEED", "1")))
model = torch.nn.Sequential()
model.add_module("conv", torch.nn.Conv2d(1, 4, 3))
model.add_module("norm", torch.nn.BatchNorm2d(4))
model.add_module("flat", torch.nn.Flatten())
model.add_module("head", torch.nn.Linear(144, 10))
if os.environ.get("CHANGE") == "weight":
    with torch.no_grad():
        model.head.weight[3, 5] += 1e-3
if os.environ.get("OPTIMIZER") == "adam":
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
else:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
images, labels = torch.randn(4, 16, 1, 8, 8), torch.randint(0, 10, (4, 16))
for step in range(4):
    if os.environ.get("CRASH") and step == 2:
        F.cross_entropy(model(images[step]), labels[step]).backward()
        os._exit(9)
    with torch.no_grad():
        if os.environ.get("CHANGE") == "image" and step == 1:
            images[step, 0, 0, 0, 0] += 1e-3
        if os.environ.get("CHANGE") == "target" and step == 2:
            labels[step, 0] = (labels[step, 0] + 1) % 10
    optimizer.zero_grad()
    loss = F.cross_entropy(model(images[step]), labels[step])
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        model.eval()(images[0])
        model.train()
torch.save([model.state_dict(), torch.get_rng_state()], sys.argv[1])
"""


def run(code, folder, **variables):
    """Runs a program as it would without us, but for variables; its result."""
    script = pathlib.Path(folder) / "program.py"
    script.write_text(code)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("REPRO_")}
    kept.pop("RANK", None), kept.pop("WORLD_SIZE", None)
    environment = {**kept, "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1", **variables}
    return subprocess.run([sys.executable, "-W", "ignore", str(script), str(pathlib.Path(folder) / "weights.pt")],
                          env=environment, capture_output=True, text=True, timeout=300)


def hook(folder, trace="steps"):
    return {"REPRO_HOOK": "pytorch", "REPRO_TRACE": trace, "REPRO_TRACE_DIR": str(folder), "PYTHONPATH": str(PACKAGE)}


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        torch.manual_seed(5)

    def trained(self, name, trace="steps", code=TRAIN, file="trace.bin", **variables):
        """The records of a training that ran under the hook."""
        folder = self.folder / name
        folder.mkdir()
        result = run(code, folder, **hook(folder, trace), **variables)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        records, whole = trace_reader.read(folder / file)
        self.assertTrue(whole)
        return records


def two_layers():
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 2))
