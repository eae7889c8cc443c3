#!/usr/bin/env python3
"""Tests of trainings that repro_trace traces: under its hook, and in this process, with the torch of the Python that runs this file."""
import os
import subprocess
import sys
import unittest

from trace_support import PROGRAM, TRAIN, WithFolder, hook, run, two_layers

import repro_trace
import torch
import trace_reader
from repro_trace import models


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


if __name__ == "__main__":
    print(f"torch {torch.__version__}", file=sys.stderr)
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
