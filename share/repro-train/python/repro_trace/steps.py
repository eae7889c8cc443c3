"""Turns a training into records of trace.bin: hooks on modules and optimisers.

Everything here only reads. Whatever goes wrong in it is reported once on standard error, ends the trace, and
leaves the training alone.
"""
import functools
import os
import sys
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import torch
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from . import fingerprints as fp
from .models import Calls, Models, WeakNames, layer_of
from .operations import OperationTracer, in_backward
from .trace_file import Kind, Phase, Slot, TraceFile, own_file_name

LEVELS = ("steps", "ops")
Named = List[Tuple[str, Any]]


def _guarded(method: Callable) -> Callable:
    """For what PyTorch calls: never lets an exception reach the training."""

    @functools.wraps(method)
    def call(self: "Session", *args: Any) -> Any:
        if not self.active:
            return None
        try:
            return None if fp.hands_off() else method(self, *args)
        except Exception as error:
            return self.fail(error)
    return call


class Record:
    """The slots of a step while it happens."""

    def __init__(self) -> None:
        self.batch: List[Tuple[Slot, int]] = []
        self.loss: List[Tuple[Slot, int]] = []
        self.others: List[Tuple[Slot, int]] = []
        self.validation: List[Tuple[Slot, int]] = []
        self.given = False  # the batch was given by hand
        self.updates = 0



class Session:
    """One trace of one process. `automatic`: each step of an optimiser is a record, else each block."""

    def __init__(self, directory: str, trace: str, automatic: bool) -> None:
        self.directory = directory
        self.automatic = automatic
        self.active = True
        self._file: Optional[TraceFile] = None
        self._written = 0  # records, that of the initialisation included
        self._models = Models()
        self._calls = Calls(self._models)
        self._initialised = WeakNames()  # parameters and buffers whose first values were taken
        self._initial_buffers: Dict[str, Tuple[Slot, int]] = {}
        self._record = Record()
        self._block: Optional["Step"] = None
        self._pending: Dict[int, List[Tuple[Slot, int]]] = {}  # gradients of an optimiser that is in its step
        self._tracer = OperationTracer(self._models, self._calls, self.fail) if trace == "ops" else None
        self._entered = False
        self._hooks = [
            register_module_forward_pre_hook(lambda module, args: self._before_module(module, args)),
            register_module_forward_hook(lambda module, args, result: self._after_module(module),
                                         always_call=True),
            register_optimizer_step_pre_hook(lambda opt, args, kwargs: self._before_step(opt, args, kwargs)),
            register_optimizer_step_post_hook(lambda opt, args, kwargs: self._after_step(opt)),
        ]

    # ---- ends

    def fail(self, error: BaseException) -> None:
        if self.active:
            print("repro_trace: warning: the training goes on, its trace ends here: "
                  f"{type(error).__name__}: {error}", file=sys.stderr)
        self.stop()

    def stop(self) -> None:
        self.active = False
        for hook in self._hooks:
            hook.remove()
        if self._tracer is not None:
            self._tracer.recording = False
            self._leave_tracer()
        if self._file is not None:
            self._file.close()

    def forget(self) -> None:
        """In a forked process: the trace belongs to the parent."""
        self._file = None  # not closed by hand: nothing is buffered
        self.stop()

    # ---- hooks

    @_guarded
    def _before_module(self, module: Any, args: Any) -> None:
        outermost = self._calls.enter(module)
        if outermost and torch.is_grad_enabled() and not in_backward():
            self._set_updating(False)
            if self._models.add(module):
                self._calls.renamed()
                self._take_initial_buffers()
            if self._models.layer(module) is not None:
                self._enter_tracer()
                self._add_inputs(args)
                if self._tracer is not None:
                    self._tracer.forwards += 1
        if self._tracer is not None:
            self._tracer.layer_changed()

    @_guarded
    def _after_module(self, module: Any) -> None:
        self._calls.leave(module)
        if self._tracer is not None:
            self._tracer.layer_changed()

    @_guarded
    def _before_step(self, optimizer: Any, args: Any, kwargs: Any) -> Any:
        if not self._concerned():
            return None
        self._set_updating(True)
        changed = self._with_closure(optimizer, args, kwargs)
        if changed is None:
            self.before_update(optimizer)
        return changed

    @_guarded
    def _after_step(self, optimizer: Any) -> None:
        if not self._concerned():
            return
        self.after_update(optimizer)
        if self._block is None:
            self.write(0, 0)

    def _concerned(self) -> bool:
        return self.automatic or self._block is not None

    def _with_closure(self, optimizer: Any, args: Any, kwargs: Any) -> Any:
        """A closure calls the model and computes gradients, so the step proper begins where it returns."""
        closure = args[1] if len(args) > 1 else kwargs.get("closure")
        if not callable(closure):
            return None

        @functools.wraps(closure)
        def traced(*inner: Any, **named: Any) -> Any:
            self._set_updating(False)
            try:
                return closure(*inner, **named)
            finally:
                self._after_closure(optimizer)
        if len(args) > 1:
            return (args[0], traced, *args[2:]), kwargs
        return args, {**kwargs, "closure": traced}

    @_guarded
    def _after_closure(self, optimizer: Any) -> None:
        self.before_update(optimizer)

    # ---- the parts of a record

    def before_update(self, optimizer: Any) -> None:
        """What there is before the optimiser changes anything: initial states that are new, gradients."""
        with fp.quiet():
            self._models.add_optimizer(optimizer)
            self._add_initial(optimizer)
            self._pending[id(optimizer)] = self._gradient_slots(optimizer)
        self._set_updating(True)

    def after_update(self, optimizer: Any) -> None:
        record = self._record
        with fp.quiet():
            update = self._taken(Phase.UPDATE)
            record.others += self._taken()
            record.others += record.loss
            record.loss = []
            record.others += self._pending.pop(id(optimizer), [])
            record.others += update
            for name, parameter in self._models.parameters_of(optimizer):
                self._add(record.others, Phase.UPDATE, name, parameter)
            for name, state in self._state_of(optimizer):
                self._add(record.others, Phase.UPDATE, name, state)
        record.updates += 1
        self._set_updating(False)

    def write(self, epoch: int, batch: int) -> None:
        """The record of a step that is over."""
        record, self._record = self._record, Record()
        with fp.quiet():
            record.others += self._taken()
            slots = record.batch + record.others + record.loss
            for name, buffer in self._models.buffers():
                self._add(slots, Phase.BUFFER, name, buffer)
            slots += record.validation
        self._write(max(self._written, 1), epoch, batch, slots)
        if self._tracer is not None:
            self._tracer.begin()

    def _write(self, step: int, epoch: int, batch: int, slots: List[Tuple[Slot, int]]) -> None:
        if self._file is None:
            os.makedirs(self.directory, exist_ok=True)
            self._file = TraceFile(os.path.join(self.directory, own_file_name()))
        self._file.write(step, epoch, batch, [slot for slot, _ in slots], [value for _, value in slots])
        self._written = step + 1

    def _add(self, into: List, phase: Phase, name: str, value: Any) -> None:
        """Precondition: quiet(). A state that has no memory to read is left out."""
        layer = "" if phase in (Phase.BATCH, Phase.LOSS, Phase.VALIDATION) else layer_of(name)
        if isinstance(value, torch.Tensor):
            value = fp.local(value)
            if fp.readable(value):
                dtype = fp.dtype_number(value.dtype)
                slot = Slot(phase, Kind.STATE, name, layer, "", dtype, tuple(value.shape))
                into.append((slot, fp.fingerprint_quiet(value)))
        elif isinstance(value, (bool, int, float)):
            dtype = fp.DTYPE_NUMBERS["bool" if isinstance(value, bool) else
                                     "int64" if isinstance(value, int) else "float64"]
            into.append((Slot(phase, Kind.STATE, name, layer, "", dtype), fp.fingerprint_of_number(value)))

    def _add_initial(self, optimizer: Any) -> None:
        """Everything that the file has not seen: as step 0 at first, later in the step where it appears."""
        slots: List[Tuple[Slot, int]] = []
        for parameter, name in self._models.parameters.items():
            if self._initialised.get(parameter) is None:
                self._initialised.add(parameter, name)
                self._add(slots, Phase.INITIALISATION, name, parameter)
        if self._written:
            slots += self._initial_buffers.values()
            self._record.batch = slots + self._record.batch
        else:
            for name, state in self._state_of(optimizer):
                self._add(slots, Phase.INITIALISATION, name, state)
            self._write(0, 0, 0, slots + list(self._initial_buffers.values()))
        self._initial_buffers = {}

    def _take_initial_buffers(self) -> None:
        """The forward pass changes buffers, so they are read before the first one."""
        with fp.quiet():
            for name, buffer in self._models.buffers():
                if self._initialised.get(buffer) is None:
                    self._initialised.add(buffer, name)
                    taken: List[Tuple[Slot, int]] = []
                    self._add(taken, Phase.INITIALISATION, name, buffer)
                    self._initial_buffers.update((name, entry) for entry in taken)

    def _add_inputs(self, args: Any) -> None:
        if self._record.given or not self._concerned():
            return
        with fp.quiet():
            for name, value in _leaves("input", args[0] if len(args) == 1 else args):
                if isinstance(value, torch.Tensor):
                    self._add(self._record.batch, Phase.BATCH, name, value)

    def give(self, phase: Phase, name: str, value: Any) -> None:
        """What the caller of the `with` block knows."""
        if phase == Phase.BATCH and not self._record.given:
            self._record.given = True
            self._record.batch = [entry for entry in self._record.batch if entry[0].phase != Phase.BATCH]
        record = self._record
        into = {Phase.BATCH: record.batch, Phase.LOSS: record.loss}.get(phase, record.validation)
        with fp.quiet():
            for leaf, tensor in _leaves(name, value):
                self._add(into, phase, leaf, tensor)

    def _gradients(self, optimizer: Any) -> Named:
        """In reversed registration order."""
        named = [(name, p.grad) for name, p in self._models.parameters_of(optimizer) if p.grad is not None]
        return named[::-1]

    def _gradient_slots(self, optimizer: Any) -> List[Tuple[Slot, int]]:
        gradients = self._gradients(optimizer)
        if self._tracer is not None:
            self._tracer.name_gradients(gradients)
            states = [entry for entry in self._state_of(optimizer) if isinstance(entry[1], torch.Tensor)]
            self._tracer.name_states(states, gradients)
        slots: List[Tuple[Slot, int]] = []
        for name, gradient in gradients:
            self._add(slots, Phase.BACKWARD, name, gradient)
        return slots

    def _state_of(self, optimizer: Any) -> Named:
        """`exp_avg/conv1.weight`: key by key, parameters in registration order."""
        by_key: Dict[str, Named] = {}
        state = getattr(optimizer, "state", {})
        for name, parameter in self._models.parameters_of(optimizer):
            for key, value in (state[parameter].items() if parameter in state else ()):
                for leaf, tensor in _leaves(str(key), value):
                    by_key.setdefault(leaf, []).append((f"{leaf}/{name}", tensor))
        return [entry for named in by_key.values() for entry in named]

    # ---- operations

    def _taken(self, phase: Optional[Phase] = None) -> List[Tuple[Slot, int]]:
        return [] if self._tracer is None else self._tracer.take(phase)

    def _set_updating(self, updating: bool) -> None:
        if self._tracer is not None:
            self._tracer.updating = updating

    def _enter_tracer(self) -> None:
        """For good, or for the `with` block; not inside somebody else's mode, whose end would be ours."""
        if self._tracer is None or self._entered or not self._concerned():
            return
        if torch._C._len_torch_dispatch_stack() == 0:
            self._tracer.__enter__()
            self._entered = True

    def _leave_tracer(self) -> None:
        depth = torch._C._len_torch_dispatch_stack()
        if self._entered and depth and torch._C._get_dispatch_stack_at(depth - 1) is self._tracer:
            self._tracer.__exit__(None, None, None)
            self._entered = False

    # ---- by hand

    @_guarded
    def open_block(self, block: "Step") -> None:
        self._block = block
        self._record = Record()
        if self._tracer is not None:
            self._tracer.begin()
        if block.model is not None:
            self._models.add(block.model)
        self._take_initial_buffers()
        with fp.quiet():
            self._models.add_optimizer(block.optimizer)
            self._add_initial(block.optimizer)
        self._enter_tracer()

    @_guarded
    def close_block(self, block: "Step", whole: bool) -> None:
        self._block = None
        if not self.automatic:
            self._leave_tracer()
        if not whole:
            self._record = Record()
            return
        if self._record.updates == 0:  # not one of PyTorch's optimisers, or none was called
            self.before_update(block.optimizer)
            self.after_update(block.optimizer)
        self.write(block.epoch, block.batch_number)


def _leaves(name: str, value: Any) -> Iterator[Tuple[str, Any]]:
    """Tensors and numbers in lists, tuples and dictionaries, each with a name."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(f"{name}.{key}", inner)
    elif isinstance(value, (list, tuple)):
        for i, inner in enumerate(value):
            yield from _leaves(f"{name}[{i}]", inner)
    else:
        yield name, value
