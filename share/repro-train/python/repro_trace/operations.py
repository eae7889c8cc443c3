"""Sees every operation that PyTorch dispatches below autograd, and what it read, wrote and returned."""
import bisect
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import fingerprints as fp
from .models import Calls, Models, layer_of
from .trace_file import Kind, Phase, Slot


class _Argument(NamedTuple):
    name: str
    is_write: bool


class _Return(NamedTuple):
    name: str
    is_write: bool
    is_view: bool


class _Schema(NamedTuple):
    """What a tracer needs to know of an operation."""
    operation: str
    arguments: Tuple[_Argument, ...]
    returns: Tuple[_Return, ...]

    @staticmethod
    def of(func: Any) -> "_Schema":
        schema = func._schema
        arguments = tuple(_Argument(a.name, a.alias_info is not None and a.alias_info.is_write)
                          for a in schema.arguments)
        count = len(schema.returns)
        returns = tuple(_Return(r.name or ("result" if count == 1 else f"result{i}"),
                                r.alias_info is not None and r.alias_info.is_write,
                                r.alias_info is not None and not r.alias_info.is_write)
                        for i, r in enumerate(schema.returns))
        return _Schema(schema.name, arguments, returns)

    def tensors_in(self, args: Tuple, kwargs: Dict[str, Any]) -> Iterator[Tuple[str, Any, bool]]:
        for i, argument in enumerate(self.arguments):
            value = args[i] if i < len(args) else kwargs.get(argument.name)
            for name, tensor in _tensors(value, argument.name):
                yield name, tensor, argument.is_write

    def tensors_out(self, result: Any) -> Iterator[Tuple[str, Any, bool]]:
        """Results in memory of their own, or as views; arguments that were written are left out."""
        results = (result,) if len(self.returns) == 1 else result
        for returned, value in zip(self.returns, results or ()):
            if not returned.is_write:
                for name, tensor in _tensors(value, returned.name):
                    yield name, tensor, returned.is_view


def _tensors(value: Any, name: str) -> Iterator[Tuple[str, Any]]:
    if isinstance(value, torch.Tensor):
        yield name, value
    elif isinstance(value, (list, tuple)):
        for i, element in enumerate(value):
            if isinstance(element, torch.Tensor):
                yield f"{name}[{i}]", element


def _storage_of(tensor: Any) -> Optional[Any]:
    try:
        return tensor.untyped_storage()
    except (RuntimeError, NotImplementedError):
        return None  # sparse, or a subclass without memory


def _as_it_lies(tensor: Any) -> Tuple[Any, Tuple[int, ...]]:
    """A tensor that lies densely in another order than row-major: in that order, with its strides."""
    if tensor.is_contiguous() or tensor.numel() == 0:
        return tensor, ()
    order = sorted(range(tensor.dim()), key=lambda d: -tensor.stride(d))  # stable
    expected = 1
    for d in reversed(order):
        if tensor.size(d) != 1 and tensor.stride(d) != expected:
            return tensor, ()
        expected *= tensor.size(d)
    return tensor.permute(order), tuple(tensor.stride())


def in_backward() -> bool:
    return torch._C._current_graph_task_id() != -1


class OperationTracer(TorchDispatchMode):
    """Collects the slots of one step after the other.

    Results and the autograd graph stay the same. Traced is what runs in a module that is called with
    gradients enabled, in the backward pass, in an optimiser's step, and else with gradients enabled; so an
    evaluation under `no_grad` is not. Storage that `empty` and its kind return counts as uninitialised until
    it is written.
    """

    supports_higher_order_operators = True

    def __init__(self, models: Models, calls: Calls, fail: Any) -> None:
        super().__init__()
        self._models = models
        self._calls = calls
        self._fail = fail
        self._schemas: Dict[Any, _Schema] = {}
        self.recording = True
        self.updating = False  # in an optimiser's step
        self.forwards = 0  # outermost calls of models in this step
        self.begin()

    # ---- where the training is

    def begin(self) -> None:
        """A new step: nothing is known of any memory but the names of parameters."""
        self.slots: List[Slot] = []
        self.values: List[int] = []
        self._storages: List[Optional[int]] = []
        self._contents: Dict[int, Tuple[bool, Any]] = {}  # by storage: is it known what is in it
        self._names: Optional[Dict[int, str]] = None
        self._state_names: Dict[int, str] = {}
        self._gradients: Dict[int, str] = {}
        self._sequence: List[int] = []
        self._sequence_layers: List[str] = []
        self.forwards = 0

    def layer_changed(self) -> None:
        """What is recorded for autograd from here on belongs to the module that runs now."""
        if not in_backward():
            self._sequence.append(torch._C._autograd._get_sequence_nr())
            self._sequence_layers.append(self._calls.layer())

    def name_states(self, states: List[Tuple[str, Any]], gradients: List[Tuple[str, Any]]) -> None:
        """Names of an optimiser's state and of the gradients that it reads."""
        for into, named in ((self._state_names, states), (self._gradients, gradients)):
            into.clear()
            for name, tensor in named:
                storage = _storage_of(tensor)
                if storage is not None:
                    into[storage._cdata] = name

    def name_gradients(self, gradients: List[Tuple[str, Any]]) -> None:
        """Gives them to the slots of the operations of the backward pass that wrote their memory last."""
        last: Dict[int, int] = {}
        for i, slot in enumerate(self.slots):
            if slot.phase == Phase.BACKWARD and slot.kind in (Kind.RESULT, Kind.WRITTEN):
                last[self._storages[i]] = i
        for name, gradient in gradients:
            storage = _storage_of(gradient)
            i = last.get(storage._cdata) if storage is not None else None
            if i is not None:
                slot = self.slots[i]
                self.slots[i] = slot._replace(tensor=name, layer=slot.layer or layer_of(name))

    def take(self, phase: Optional[Phase] = None) -> List[Tuple[Slot, int]]:
        """What was collected, of one phase or all."""
        taken = [i for i, slot in enumerate(self.slots) if phase is None or slot.phase == phase]
        result = [(self.slots[i], self.values[i]) for i in taken]
        kept = [] if phase is None else [i for i, slot in enumerate(self.slots) if slot.phase != phase]
        self.slots = [self.slots[i] for i in kept]
        self.values = [self.values[i] for i in kept]
        self._storages = [self._storages[i] for i in kept]
        return result

    def _phase(self) -> Phase:
        if in_backward():
            return Phase.BACKWARD
        if self.updating:
            return Phase.UPDATE
        outermost = self._calls.outermost()
        if self.forwards and (outermost is None or self._models.layer(outermost) is None):
            return Phase.LOSS
        return Phase.FORWARD

    def _layer(self, phase: Phase) -> str:
        if phase != Phase.BACKWARD:
            return self._calls.layer()
        node = torch._C._current_autograd_node()
        if node is None:
            return ""
        variable = getattr(node, "variable", None)
        if variable is not None:  # the node that adds to a parameter's gradient
            return layer_of(self._models.parameters.get(variable) or "")
        at = bisect.bisect_right(self._sequence, node._sequence_nr()) - 1
        return self._sequence_layers[at] if at >= 0 else ""

    # ---- operations

    def __torch_dispatch__(self, func: Any, types: Any, args: Tuple = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        seen = self._begin_operation(func, args, kwargs)
        result = func(*args, **kwargs)
        if seen is not None:
            self._end_operation(*seen, result)
        return result

    def _wanted(self, func: Any) -> bool:
        if not self.recording or not isinstance(func, torch._ops.OpOverload) or fp.hands_off():
            return False
        return torch.is_grad_enabled() or self.updating or self._calls.with_gradients() or in_backward()

    def _begin_operation(self, func: Any, args: Tuple, kwargs: Dict[str, Any]) -> Optional[Tuple]:
        try:
            if not self._wanted(func):
                return None
            schema = self._schemas.get(func)
            if schema is None:
                schema = self._schemas[func] = _Schema.of(func)
            phase = self._phase()
            layer = self._layer(phase)
            with fp.quiet():
                arguments = [(self._name(tensor, name), tensor, written)
                             for name, tensor, written in schema.tensors_in(args, kwargs)]
                for name, tensor, written in arguments:
                    self._before(phase, layer, schema.operation, name, tensor, written)
            return schema, phase, layer, arguments
        except Exception as error:
            self._fail(error)
            return None

    def _before(self, phase: Phase, layer: str, operation: str, name: str, tensor: Any,
                written: bool) -> None:
        storage = _storage_of(tensor)
        known = self._contents.get(storage._cdata) if storage is not None else None
        if written:
            if known is None or known[0]:
                self._add(phase, Kind.BEFORE, layer, operation, name, tensor, storage)
        elif known is None or not known[0]:
            self._add(phase, Kind.INPUT, layer, operation, name, tensor, storage)
            self._know(storage, True)

    def _end_operation(self, schema: _Schema, phase: Phase, layer: str, arguments: List, result: Any) -> None:
        try:
            with fp.quiet():
                for name, tensor, written in arguments:
                    if written:
                        storage = _storage_of(tensor)
                        self._know(storage, True)
                        self._add(phase, Kind.WRITTEN, layer, schema.operation, name, tensor, storage)
                uninitialised = "empty" in schema.operation
                for name, tensor, view in schema.tensors_out(result):
                    storage = _storage_of(tensor)
                    if not view:
                        self._know(storage, not uninitialised)
                    kind = Kind.VIEW if view else Kind.UNINITIALISED if uninitialised else Kind.RESULT
                    self._add(phase, kind, layer, schema.operation, name, tensor, storage)
        except Exception as error:
            self._fail(error)

    def _know(self, storage: Optional[Any], contents: bool) -> None:
        """The weak reference keeps the storage's address, not its memory, from use by another."""
        if storage is not None:
            entry = self._contents.get(storage._cdata)
            weak = entry[1] if entry is not None else torch.multiprocessing.reductions.StorageWeakRef(storage)
            self._contents[storage._cdata] = (contents, weak)

    def _name(self, tensor: Any, otherwise: str) -> str:
        """Of the parameter, the optimiser's state or, in an update, the gradient whose memory it is."""
        if self._names is None:
            self._names = {}
            for parameter, name in self._models.parameters.items():
                storage = _storage_of(parameter)
                if storage is not None:
                    self._names[storage._cdata] = name
        storage = _storage_of(tensor)
        if storage is None:
            return otherwise
        key = storage._cdata
        name = self._names.get(key) or self._state_names.get(key)
        if name is None and self.updating and key in self._gradients:
            name = f"gradient of {self._gradients[key]}"
        return name or otherwise

    def _add(self, phase: Phase, kind: Kind, layer: str, operation: str, name: str, tensor: Any,
             storage: Optional[Any]) -> None:
        tensor = fp.local(tensor)
        value, strides = 0, ()
        if kind not in (Kind.VIEW, Kind.UNINITIALISED) and fp.readable(tensor):
            lying, strides = _as_it_lies(tensor)
            value = fp.fingerprint_quiet(lying)
        shape = tuple(int(size) for size in tensor.shape)
        dtype = fp.dtype_number(tensor.dtype)
        self.slots.append(Slot(phase, kind, name, layer, operation, dtype, shape, strides))
        self.values.append(value)
        self._storages.append(None if storage is None else storage._cdata)
