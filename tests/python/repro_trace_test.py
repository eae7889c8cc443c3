#!/usr/bin/env python3
"""Tests of the Python package repro_trace, with the torch of the Python that runs this file.

Needs REPRO_SOURCE_DIR and REPRO_BIN_DIR. The trainings are programs of their own, as a user would start them.
"""
import json
import os
import pathlib
import struct
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
import repro_trace  # noqa: E402
import trace_reader  # noqa: E402
from repro_trace import fingerprints, models, trace_file  # noqa: E402

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


def all_dtypes():
    names = [name for name in fingerprints.DTYPE_NUMBERS if hasattr(torch, name)]
    return [(name, getattr(torch, name)) for name in names]


def of_bytes(dtype, shape, count):
    """A tensor of random bytes, so that every pattern of bits occurs."""
    size = torch.empty((), dtype=dtype).element_size()
    high = 2 if dtype == torch.bool else 256
    return torch.randint(0, high, (count * size,), dtype=torch.uint8).view(dtype).view(shape)


class Fingerprint(WithFolder):
    def test_golden_values(self):
        for tensor, expected in ((torch.empty(0), "8321ffe00fbe2c89"), (torch.tensor(1.0), "b6d0272a47d06de3"),
                                 (torch.tensor([1.0, 2.0, 3.0]), "356e1cfe166a882b"),
                                 (torch.tensor([[1.0, -2.0], [0.5, -0.0]]), "e9155f81e94fb404"),
                                 (torch.arange(19, dtype=torch.uint8), "571a00751d71e8fc")):
            self.assertEqual(f"{repro_trace.fingerprint(tensor):016x}", expected)

    def inspected(self, path):
        result = subprocess.run([PROGRAM, "inspect", path, "--json"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return {t["tensor"]: (t["dtype"], t["fingerprint"]) for t in json.loads(result.stdout)["tensors"]}

    def compare(self, path, tensors):
        found = self.inspected(path)
        for name, tensor in tensors.items():
            expected = str(tensor.dtype).rpartition(".")[2], f"{repro_trace.fingerprint(tensor):016x}"
            self.assertEqual(found[name], expected, name)
        self.assertEqual(len(found), len(tensors))

    def test_every_dtype_and_odd_sizes_as_inspect_sees_them(self):
        tensors = {}
        for name, dtype in all_dtypes():
            for shape in ((), (0,), (1,), (3,), (5, 0, 2), (3, 5), (7, 11, 13), (1000, 3), (40000,)):
                count = 1
                for size in shape:
                    count *= size
                tensors[f"{name} {list(shape)}"] = of_bytes(dtype, shape, count)
        torch.save(tensors, self.folder / "all.pt")
        self.compare(self.folder / "all.pt", tensors)

    def test_strides_as_inspect_sees_them(self):
        tensors = {}
        for name, dtype in all_dtypes():
            base = of_bytes(dtype, (6, 10, 4), 240).clone()
            tensors[f"{name} transposed"] = base.transpose(0, 2)
            tensors[f"{name} every other"] = base[::2, 1::3, ::3]
            tensors[f"{name} with an offset"] = base.view(-1)[1:]
            tensors[f"{name} repeated"] = base[:1].expand(7, 10, 4)
        large = torch.randn(70000)
        tensors["unaligned words"] = large[1:]
        tensors["large and not row-major"] = large.view(700, 100).t()
        one, other = torch.randn(9, dtype=torch.complex64), torch.randn(9, dtype=torch.float64)
        tensors.update(conjugated=one.conj(), negated=torch._neg_view(other))
        torch.save(tensors, self.folder / "strided.pt")
        self.compare(self.folder / "strided.pt", tensors)

    def test_a_safetensors_file_as_inspect_sees_it(self):
        spelling = {"bool": "BOOL", "uint8": "U8", "int8": "I8", "uint16": "U16", "int16": "I16", "uint32": "U32",
                    "int32": "I32", "uint64": "U64", "int64": "I64", "float16": "F16", "bfloat16": "BF16",
                    "float32": "F32", "float64": "F64", "complex64": "C64", "float8_e4m3fn": "F8_E4M3",
                    "float8_e5m2": "F8_E5M2"}
        header, data, tensors = {}, b"", {}
        for name, dtype in all_dtypes():
            if name in spelling:
                tensors[name] = of_bytes(dtype, (3, 7), 21)
                raw = bytes(tensors[name].view(torch.uint8).view(-1).tolist())
                header[name] = {"dtype": spelling[name], "shape": [3, 7],
                                "data_offsets": [len(data), len(data) + len(raw)]}
                data += raw
        text = json.dumps(header).encode()
        (self.folder / "all.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
        self.compare(self.folder / "all.safetensors", tensors)

    def test_small_tensors_and_large_ones_take_different_ways_to_the_same_value(self):
        for size in (0, 1, 7, 8, 9, 383, 384, 385, 391, 392, 1001, 131071, 131072, 131073, 300001):
            data = os.urandom(size)
            tensor = torch.frombuffer(bytearray(data), dtype=torch.uint8) if size else torch.empty(0, dtype=torch.uint8)
            self.assertEqual(repro_trace.fingerprint(tensor),
                             fingerprints.fingerprint_of_bytes("uint8", (size,), data), size)

    def test_any_change_of_a_bit_changes_it(self):
        tensor = torch.randn(300)
        before = repro_trace.fingerprint(tensor)
        for bit in (0, 1, 31):
            for at in (0, 151, 299):
                changed = tensor.clone()
                changed.view(torch.int32)[at] ^= -2**31 if bit == 31 else 1 << bit
                self.assertNotEqual(repro_trace.fingerprint(changed), before)

    def test_it_disturbs_nothing(self):
        weight = torch.randn(40, 50, requires_grad=True)
        product = weight.t() @ weight
        random = torch.get_rng_state()
        version = product._version
        for grad in (torch.enable_grad(), torch.no_grad(), torch.inference_mode()):
            with grad:
                value = repro_trace.fingerprint(product)
                self.assertEqual(repro_trace.fingerprint(product), value)
        self.assertTrue(torch.equal(random, torch.get_rng_state()))
        self.assertEqual(product._version, version)
        product.sum().backward()
        self.assertTrue(torch.is_grad_enabled())

    def test_no_memory_no_fingerprint(self):
        self.assertIsNone(repro_trace.fingerprint(torch.empty(3, device="meta")))
        self.assertIsNone(repro_trace.fingerprint(torch.eye(3).to_sparse()))


class File(WithFolder):
    def test_golden_bytes(self):
        file = trace_file.TraceFile(str(self.folder / "trace.bin"))
        slot = trace_file.Slot(trace_file.Phase.INITIALISATION, trace_file.Kind.STATE, "w", "l", "", 12, (3,))
        file.write(0, 0, 0, [slot], [0x1122334455667788])
        file.write(1, 1, 1, [slot], [300])
        file.close()
        expected = """726570726f0a7472 02000000 1f5428ae
            1c000000 3b378b3b 02 01 77 01 6c  01 01 00 00 01 02 00 0c 01 03 00  00 00 00  00  8877665544332211  0d314056
            0e000000 2fa89bc1 00 00 01 01 01 00 2c01000000000000  fbfdfc6c"""
        self.assertEqual((self.folder / "trace.bin").read_bytes(), bytes.fromhex(expected))

    def test_a_cut_file_is_good_up_to_its_last_whole_record(self):
        file = trace_file.TraceFile(str(self.folder / "trace.bin"))
        slot = trace_file.Slot(trace_file.Phase.UPDATE, trace_file.Kind.STATE, "w" * 2000, "l")
        for step in range(3):
            file.write(step, 0, 0, [slot] * (step + 1), [7] * (step + 1))
        file.close()
        data = (self.folder / "trace.bin").read_bytes()
        records, whole = trace_reader.parse(data)
        self.assertEqual((len(records), whole, records[2].slots[2].tensor), (3, True, "w" * 1000))
        self.assertEqual(trace_reader.parse(data[:-1]), (records[:2], False))
        with self.assertRaises(trace_reader.Damaged):
            trace_reader.parse(data[:40] + bytes([data[40] ^ 1]) + data[41:])

    def test_a_file_that_is_being_written_is_left_alone(self):
        file = trace_file.TraceFile(str(self.folder / "trace.bin"))
        with self.assertRaisesRegex(OSError, "another process"):
            trace_file.TraceFile(str(self.folder / "trace.bin"))
        file.close()
        self.assertEqual(os.path.getsize(self.folder / "trace.bin"), 16)
        trace_file.TraceFile(str(self.folder / "trace.bin")).close()


class Hook(WithFolder):
    """An unmodified program under sitecustomize."""

    def test_the_records_of_a_training(self):
        records = self.trained("a")
        self.assertEqual([record.step for record in records], [0, 1, 2, 3, 4])
        learnables = ["conv.weight", "conv.bias", "norm.weight", "norm.bias", "head.weight", "head.bias"]
        buffers = ["norm.running_mean", "norm.running_var", "norm.num_batches_tracked"]
        self.assertEqual(list(records[0].of(phase="initialisation")), learnables + buffers)
        self.assertEqual(records[0].of()["norm.num_batches_tracked"],
                         repro_trace.fingerprint(torch.zeros((), dtype=torch.int64)))
        for record in records[1:]:
            self.assertEqual(list(record.of(phase="batch")), ["input"])
            self.assertEqual(list(record.of(phase="backward")), learnables[::-1])
            state = ["momentum_buffer/" + name for name in learnables]
            self.assertEqual(list(record.of(phase="update")), learnables + state)
            self.assertEqual(list(record.of(phase="buffer")), buffers)
            self.assertEqual({slot.kind for slot in record.slots}, {"state"})
        saved, _ = torch.load(self.folder / "a" / "weights.pt")
        for name in learnables + buffers:
            self.assertIn(repro_trace.fingerprint(saved[name]), records[4].of(tensor=name).values(), name)

    def test_the_same_training_gives_the_same_bytes_another_seed_parts_at_initialisation(self):
        one, other = self.trained("a", "ops"), self.trained("b", "ops")
        self.assertEqual((self.folder / "a" / "trace.bin").read_bytes(),
                         (self.folder / "b" / "trace.bin").read_bytes())
        self.assertIsNone(trace_reader.first_difference(one, other))
        seed = self.trained("c", "ops", SEED="2")
        self.assertEqual(trace_reader.first_difference(one, seed), (0, "initialisation", "conv.weight", ""))
        if " trace " in subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout:
            for name, code in (("b", 0), ("c", 1)):
                files = [self.folder / folder / "trace.bin" for folder in ("a", name)]
                self.assertEqual(subprocess.run([PROGRAM, "trace", "diff", *files]).returncode, code)

    def test_trainings_part_where_they_were_changed(self):
        for trace, expected in (
                ("steps", {"weight": (0, "initialisation", "head.weight", ""), "image": (2, "batch", "input", ""),
                           "target": (3, "backward", "head.bias", "")}),
                ("ops", {"target": (3, "loss", "self", "aten::select")})):
            same = self.trained(trace, trace)
            for change, place in expected.items():
                changed = self.trained(trace + change, trace, CHANGE=change)
                self.assertEqual(trace_reader.first_difference(same, changed), place)

    def test_tracing_changes_no_bit(self):
        for optimizer in ("sgd", "adam"):
            plain = run(TRAIN, self.folder, OPTIMIZER=optimizer)
            self.assertEqual(plain.returncode, 0, plain.stderr)
            weights, random = torch.load(self.folder / "weights.pt")
            for trace in ("steps", "ops"):
                name = f"{optimizer} {trace}"
                self.trained(name, trace, OPTIMIZER=optimizer)
                traced, traced_random = torch.load(self.folder / name / "weights.pt")
                self.assertTrue(torch.equal(random, traced_random))
                for key in weights:
                    self.assertEqual(repro_trace.fingerprint(weights[key]), repro_trace.fingerprint(traced[key]))

    def test_the_state_of_adam(self):
        record = self.trained("a", OPTIMIZER="adam")[2]
        update = record.of(phase="update")
        self.assertEqual(update["step/conv.bias"], repro_trace.fingerprint(torch.tensor(2.0)))
        self.assertEqual({name.partition("/")[0] for name in update if "/" in name}, {"step", "exp_avg", "exp_avg_sq"})

    def test_operations(self):
        record = self.trained("a", "ops")[2]
        seen = [(slot.phase, slot.kind, slot.operation, slot.layer, slot.tensor) for slot in record.slots]
        for expected in (("forward", "input", "aten::convolution", "conv", "conv.weight"),
                         ("forward", "result", "aten::convolution", "conv", "result"),
                         ("forward", "view", "aten::view", "flat", "result"),
                         ("forward", "result", "aten::addmm", "head", "result"),
                         ("loss", "result", "aten::nll_loss_forward", "", "output"),
                         ("backward", "result", "aten::mm", "head", "head.weight"),
                         ("update", "before", "aten::add_", "", "conv.bias"),
                         ("update", "written", "aten::add_", "", "conv.bias"),
                         ("update", "before", "aten::mul_", "", "momentum_buffer/conv.bias")):
            self.assertIn(expected, seen)
        order = [trace_reader.PHASES.index(slot.phase) for slot in record.slots]
        self.assertEqual(order, sorted(order))
        self.assertLess(max(i for i, s in enumerate(record.slots) if s.phase == "backward" and s.operation),
                        min(i for i, s in enumerate(record.slots) if s.phase == "backward" and not s.operation))
        # What was evaluated without gradients between the steps is not there.
        self.assertEqual(len([s for s in record.slots if (s.operation, s.kind) == ("aten::addmm", "result")]), 1)

    def test_one_file_for_each_rank(self):
        records = self.trained("a", file="trace-rank3.bin", RANK="3", WORLD_SIZE="4")
        self.assertEqual(len(records), 5)
        self.trained("b", RANK="0", WORLD_SIZE="1")

    def test_a_crash_leaves_what_came_before(self):
        (self.folder / "trace.bin").write_text("of an earlier run")
        result = run(TRAIN, self.folder, CRASH="1", **hook(self.folder))
        self.assertEqual(result.returncode, 9, result.stderr)
        records, whole = trace_reader.read(self.folder / "trace.bin")
        self.assertEqual(([record.step for record in records], whole), ([0, 1, 2], True))

    def test_a_trace_of_an_earlier_run_does_not_stay(self):
        (self.folder / "trace.bin").write_text("of an earlier run")
        self.assertEqual(run("import torch", self.folder, **hook(self.folder)).returncode, 0)
        self.assertFalse((self.folder / "trace.bin").exists())

    def test_a_program_without_torch_is_left_alone(self):
        code = "import sys, json\nprint(sorted({'torch', 'repro_trace', 'numpy'} & set(sys.modules)))\n"
        result = run(code, self.folder, **hook(self.folder / "none"))
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "[]\n", ""))
        self.assertFalse((self.folder / "none").exists())

    def test_a_program_that_asks_for_torch_without_importing_it(self):
        code = "import importlib.util as u, sys\nprint(u.find_spec('torch').name, 'torch' in sys.modules)\n"
        result = run(code, self.folder, **hook(self.folder))
        self.assertEqual((result.stdout, result.stderr), ("torch False\n", ""))

    def test_a_torch_that_cannot_be_imported_fails_as_without_us(self):
        (self.folder / "torch.py").write_text("raise ImportError('broken')")
        code = "for i in range(2):\n    try:\n        import torch\n    except ImportError as e:\n        print(e)\n"
        result = run(code, self.folder, **hook(self.folder))
        self.assertEqual((result.stdout, result.stderr), ("broken\nbroken\n", ""))

    def test_another_sitecustomize_runs_as_well(self):
        other = self.folder / "other"
        other.mkdir()
        (other / "sitecustomize.py").write_text("import sys\nsys.seen = __file__\n")
        variables = hook(self.folder)
        variables["PYTHONPATH"] += os.pathsep + str(other)
        result = run("import sys, sitecustomize\nprint(sys.seen == sitecustomize.__file__)\n", self.folder, **variables)
        self.assertEqual((result.stdout, result.stderr), ("True\n", ""))

    def test_a_trace_that_cannot_be_written_is_said_once(self):
        (self.folder / "file").write_text("")
        result = run(TRAIN, self.folder, **hook(self.folder / "file" / "folder"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.count("repro_trace: warning"), 1, result.stderr)

    def test_variables_that_make_no_sense(self):
        for change, message in (({"REPRO_HOOK": "jax"}, "allowed is 'pytorch'"),
                                ({"REPRO_TRACE_DIR": ""}, "names no folder"),
                                ({"REPRO_TRACE": "all"}, "allowed are 'steps' and 'ops'")):
            code = "import torch" if "REPRO_TRACE" in change else "pass"
            result = run(code, self.folder, **{**hook(self.folder), **change})
            self.assertEqual(result.returncode, 0)
            self.assertIn(message, result.stderr)


def two_layers():
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 2))


class InProcess(WithFolder):
    def setUp(self):
        super().setUp()
        self.addCleanup(repro_trace.stop)

    def records(self):
        repro_trace.stop()
        return trace_reader.read(self.folder / "trace.bin")[0]

    def test_a_block_is_a_step(self):
        for trace in ("steps", "ops"):
            repro_trace.start(str(self.folder), trace)
            torch.manual_seed(1)
            model = two_layers()
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            images, labels = torch.randn(5, 3), torch.randint(0, 2, (5,))
            for batch in (1, 2):
                with repro_trace.step(model, optimizer, epoch=3, batch=batch) as step:
                    step.batch(input=images, target=[labels, labels])
                    loss = torch.nn.functional.cross_entropy(model(images), labels)
                    step.loss(loss)
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    step.validation(loss=0.5)
            records = self.records()
            self.assertEqual([(r.step, r.epoch, r.batch) for r in records], [(0, 0, 0), (1, 3, 1), (2, 3, 2)])
            state = records[2].of(kind="state")
            self.assertEqual(list(records[2].of(phase="batch")), ["input", "target[0]", "target[1]"])
            self.assertEqual(records[2].of(kind="state", phase="loss"), {"loss": repro_trace.fingerprint(loss)})
            self.assertEqual(state["0.weight"], repro_trace.fingerprint(model[0].weight))
            self.assertEqual(list(records[2].of(phase="validation")), ["loss"])
            order = [trace_reader.PHASES.index(slot.phase) for slot in records[2].slots if slot.kind == "state"]
            self.assertEqual(order, sorted(order))
            self.assertEqual(any(slot.operation for slot in records[2].slots), trace == "ops")

    def test_a_block_without_a_trace_does_nothing(self):
        self.assertNotIn("REPRO_TRACE_DIR", os.environ)
        model = two_layers()
        with repro_trace.step(model, torch.optim.SGD(model.parameters(), lr=0.1)) as step:
            step.loss(torch.tensor(1.0))

    def test_a_block_that_fails_gives_no_record_and_its_error_passes(self):
        repro_trace.start(str(self.folder))
        model = two_layers()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        with self.assertRaises(ZeroDivisionError), repro_trace.step(model, optimizer):
            1 / 0
        with repro_trace.step(model, optimizer):
            model(torch.randn(2, 3)).sum().backward()
            optimizer.step()
        self.assertEqual([record.step for record in self.records()], [0, 1])

    def test_two_models_with_the_same_names(self):
        repro_trace.start(str(self.folder))
        one, other = two_layers(), two_layers()
        optimizers = [torch.optim.SGD(one.parameters(), lr=0.1), torch.optim.Adam(other.parameters())]
        for _ in range(2):
            for model, optimizer in zip((one, other), optimizers):
                model(torch.randn(2, 3)).sum().backward()
                optimizer.step()
        records = self.records()
        self.assertEqual(len(records), 5)
        self.assertIn("0.weight", records[3].of(phase="update"))
        self.assertEqual([name for name in records[2].of(phase="initialisation")],
                         ["Sequential.0.weight", "Sequential.0.bias", "Sequential.1.weight", "Sequential.1.bias"])
        self.assertIn("exp_avg/Sequential.1.bias", records[4].of(phase="update"))

    def test_parameters_that_no_module_has(self):
        repro_trace.start(str(self.folder))
        weight = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)
        weight.sum().backward()
        optimizer.step()
        self.assertIn("group0.param0", self.records()[1].of(phase="backward"))

    def test_gradients_of_a_closure_are_those_it_computes(self):
        for make in (lambda p: torch.optim.SGD(p, lr=0.1), lambda p: torch.optim.LBFGS(p, lr=0.1, max_iter=3)):
            for trace in ("steps", "ops"):
                repro_trace.start(str(self.folder), trace)
                model = two_layers()
                optimizer = make(model.parameters())

                def closure():
                    optimizer.zero_grad()
                    loss = model(torch.ones(2, 3)).square().sum()
                    loss.backward()
                    return loss
                optimizer.step(closure)
                optimizer.step(closure)
                records = self.records()
                self.assertEqual(len(records), 3)
                self.assertEqual(records[2].of(phase="backward", kind="state")["0.bias"],
                                 repro_trace.fingerprint(model[0].bias.grad))
                operations = {slot.phase for slot in records[2].slots if slot.operation}
                self.assertEqual(operations, {"forward", "loss", "backward", "update"} if trace == "ops" else set())

    def test_an_exception_in_the_model_leaves_the_layers_right(self):
        class Fails(torch.nn.Module):
            def forward(self, x):
                raise KeyError("x")
        repro_trace.start(str(self.folder), "ops")
        model = two_layers()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        model.append(Fails())
        with self.assertRaises(KeyError):
            model(torch.ones(2, 3))
        del model[2]
        model(torch.ones(2, 3)).sum().backward()
        optimizer.step()
        layers = {slot.layer for slot in self.records()[1].slots if slot.operation == "aten::addmm"}
        self.assertEqual(layers, {"0", "1"})

    def test_what_lies_in_another_order_has_its_strides(self):
        repro_trace.start(str(self.folder), "ops")
        model = torch.nn.Conv2d(2, 3, 1).to(memory_format=torch.channels_last)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        image = torch.randn(2, 2, 5, 7).to(memory_format=torch.channels_last)
        result = model(image)
        result.sum().backward()
        optimizer.step()
        record = self.records()[1]
        slot, value = next((s, v) for s, v in zip(record.slots, record.values)
                           if (s.operation, s.kind) == ("aten::convolution", "input"))
        self.assertEqual((slot.shape, slot.strides), ((2, 2, 5, 7), tuple(image.stride())))
        self.assertEqual(value, repro_trace.fingerprint(image.permute(0, 2, 3, 1)))
        self.assertEqual(record.of(phase="batch")["input"], repro_trace.fingerprint(image.contiguous()))

    def test_uninitialised_memory_is_never_recorded(self):
        repro_trace.start(str(self.folder), "ops")
        model = two_layers()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        model(torch.empty(2, 3).fill_(1.0)).sum().backward()
        optimizer.step()
        model(torch.empty(2, 3).fill_(1.0)).sum().backward()
        optimizer.step()
        record = self.records()[2]
        kinds = [slot.kind for slot in record.slots if slot.operation in ("aten::empty", "aten::fill_")]
        self.assertEqual(kinds, ["uninitialised", "written"])

    def test_a_forked_process_leaves_the_trace_alone(self):
        repro_trace.start(str(self.folder), "ops")
        model = two_layers()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        loader = torch.utils.data.DataLoader([torch.ones(3) * i for i in range(6)], batch_size=2, num_workers=1)
        for images in loader:
            model(images).sum().backward()
            optimizer.step()
        self.assertEqual([record.step for record in self.records()], [0, 1, 2, 3])

    def test_a_mode_of_somebody_else_is_not_mixed_up(self):
        from torch.utils._python_dispatch import TorchDispatchMode

        class Counts(TorchDispatchMode):
            seen = 0

            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                Counts.seen += 1
                return func(*args, **(kwargs or {}))
        repro_trace.start(str(self.folder), "ops")
        model = two_layers()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(2):
            with Counts():
                model(torch.ones(2, 3)).sum().backward()
            optimizer.step()
        with Counts():
            before = Counts.seen
            torch.ones(2).add(1)
        self.assertEqual(Counts.seen - before, 2)
        self.assertEqual(torch._C._len_torch_dispatch_stack(), 0)
        model(torch.ones(2, 3))
        self.assertEqual(torch._C._len_torch_dispatch_stack(), 1)
        repro_trace.stop()
        self.assertEqual(torch._C._len_torch_dispatch_stack(), 0)

    def test_names_without_the_wrappers(self):
        class DataParallel(torch.nn.Module):
            def __init__(self, module):
                super().__init__()
                self.module = module

            def forward(self, x):
                return self.module(x)
        known = models.Models()
        inner = two_layers()
        known.add(DataParallel(inner))
        self.assertEqual(known.parameters.get(inner[1].bias), "1.bias")
        self.assertFalse(known.add(inner))
        repro_trace.start(str(self.folder), "ops")
        model = DataParallel(two_layers())
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        model(torch.ones(2, 3)).sum().backward()
        optimizer.step()
        record = self.records()[1]
        self.assertIn("input", record.of(phase="batch"))
        self.assertEqual({s.layer for s in record.slots if s.operation == "aten::addmm"}, {"0", "1"})


class Determinism(WithFolder):
    def test_the_group_decides(self):
        code = """
import os, repro_trace, torch
done = repro_trace.apply_determinism()
print(bool(done), torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled(),
      torch.backends.cudnn.deterministic, os.environ.get("CUBLAS_WORKSPACE_CONFIG"))
"""
        for group, expected in (("deterministic", "True True False True :4096:8"), ("warn", "True True True True :4096:8"),
                                ("default", "False False False False None"), (None, "False False False False None")):
            variables = {"PYTHONPATH": str(PACKAGE), **({"REPRO_GROUP": group} if group else {})}
            result = run(code, self.folder, **variables)
            self.assertEqual((result.stdout.strip(), result.stderr), (expected, ""))


if __name__ == "__main__":
    print(f"torch {torch.__version__}", file=sys.stderr)
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
