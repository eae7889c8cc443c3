"""What is known of the models in training: names of parameters, buffers and layers, and what runs now."""
import threading
import weakref
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

import torch

# Modules that wrap a model: their only child's names are the model's own.
_WRAPPERS = {"DistributedDataParallel": "module", "DataParallel": "module",
             "FullyShardedDataParallel": "module", "OptimizedModule": "_orig_mod"}
# Parts of names that wrappers inside a model leave.
_WRAPPER_PARTS = ("_fsdp_wrapped_module.", "_checkpoint_wrapped_module.", "_orig_mod.")


def unwrapped(module: Any) -> Any:
    while type(module).__name__ in _WRAPPERS and hasattr(module, _WRAPPERS[type(module).__name__]):
        module = getattr(module, _WRAPPERS[type(module).__name__])
    return module


def _plain_name(name: str) -> str:
    for part in _WRAPPER_PARTS:
        name = name.replace(part, "")
    return name


def layer_of(name: str) -> str:
    """The path of the module that has the parameter, buffer or optimiser state of this name."""
    return name.rpartition("/")[2].rpartition(".")[0]


class WeakNames:
    """Names of objects, which are not kept alive."""

    def __init__(self) -> None:
        self._entries: Dict[int, Tuple[Any, str]] = {}

    def add(self, thing: Any, name: str) -> None:
        self._entries[id(thing)] = (weakref.ref(thing), name)

    def get(self, thing: Any) -> Optional[str]:
        entry = self._entries.get(id(thing))
        return entry[1] if entry is not None and entry[0]() is thing else None

    def items(self) -> Iterator[Tuple[Any, str]]:
        """Those that still live, in the order in which they were added."""
        for key, (ref, name) in list(self._entries.items()):
            thing = ref()
            if thing is None:
                del self._entries[key]
            else:
                yield thing, name


class Models:
    """Models are known from their first call on, in this order, their parameters in registration order.

    A name that a later model shares with an earlier one gets the later one's class in front. Parameters that
    only an optimiser knows are named `group0.param3`.
    """

    def __init__(self) -> None:
        self.parameters = WeakNames()
        self._layers = WeakNames()
        self._roots: List[Any] = []  # weak references
        self._optimizers: List[Any] = []  # weak references

    def roots(self) -> List[Any]:
        alive = [root() for root in self._roots]
        return [root for root in alive if root is not None]

    def add(self, module: Any) -> bool:
        """False if the module has no parameter that was not known: it is a part of a model, or a loss."""
        model = unwrapped(module)
        added = self._add(model)
        layer = self._layers.get(model)
        if layer is not None and self._layers.get(module) is None:
            self._layers.add(module, layer)  # a wrapper stands for its model
        return added

    def _add(self, module: Any) -> bool:
        if any(root is module for root in self.roots()):
            return False
        new = [(_plain_name(name), parameter) for name, parameter in module.named_parameters()
               if self.parameters.get(parameter) is None]
        if not new:
            return False
        prefix = self._prefix(type(module).__name__, {name for name, _ in new})
        for name, parameter in new:
            self.parameters.add(parameter, prefix + name)
        for path, child in module.named_modules():
            if self._layers.get(child) is None:
                self._layers.add(child, (prefix + _plain_name(path)).rstrip("."))
        self._roots.append(weakref.ref(module))
        return True

    def add_optimizer(self, optimizer: Any) -> None:
        """Names parameters of which no model is known."""
        position = self._position(optimizer)
        taken = {name for _, name in self.parameters.items()}
        prefix = "" if position == 0 else f"optimizer{position + 1}."
        for g, group in enumerate(optimizer.param_groups):
            for i, parameter in enumerate(group["params"]):
                if self.parameters.get(parameter) is None:
                    name = f"{prefix}group{g}.param{i}"
                    while name in taken:
                        name += "'"
                    self.parameters.add(parameter, name)

    def parameters_of(self, optimizer: Any) -> List[Tuple[str, Any]]:
        """Those that the optimiser changes, in registration order."""
        own = {id(p) for group in optimizer.param_groups for p in group["params"]}
        return [(name, p) for p, name in self.parameters.items() if id(p) in own]

    def buffers(self) -> List[Tuple[str, Any]]:
        found, seen = [], set()
        for root in self.roots():
            for path, module in root.named_modules():
                layer = self._layers.get(module)
                for key, buffer in module._buffers.items():
                    if buffer is not None and id(buffer) not in seen:
                        seen.add(id(buffer))
                        where = _plain_name(path) if layer is None else layer
                        found.append((f"{where}.{key}" if where else key, buffer))
        return found

    def layer(self, module: Any) -> Optional[str]:
        return self._layers.get(module)

    def _prefix(self, kind: str, names: Set[str]) -> str:
        taken = {name for _, name in self.parameters.items()}
        prefix, count = "", 1
        while any(prefix + name in taken for name in names):
            prefix = f"{kind}." if count == 1 else f"{kind}#{count}."
            count += 1
        return prefix

    def _position(self, optimizer: Any) -> int:
        for i, known in enumerate(self._optimizers):
            if known() is optimizer:
                return i
        self._optimizers = [known for known in self._optimizers if known() is not None]
        self._optimizers.append(weakref.ref(optimizer))
        return len(self._optimizers) - 1


class Calls:
    """The modules that are being called, outermost first, in the thread that trains."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._stack: List[Tuple[Any, str]] = []
        self._thread: Optional[int] = None
        self._with_gradients = False

    def enter(self, module: Any) -> bool:
        """True if the module is the outermost one."""
        here = threading.get_ident()
        if not self._stack:
            self._thread = here
        elif self._thread != here:
            return False
        outermost = not self._stack
        if outermost:
            self._with_gradients = torch.is_grad_enabled()
        layer = self._models.layer(module)
        self._stack.append((module, self.layer() if layer is None else layer))
        return outermost

    def renamed(self) -> None:
        """The outermost module has just become known."""
        self._stack = [(module, self._models.layer(module) or "") for module, _ in self._stack]

    def leave(self, module: Any) -> bool:
        """True if that was the outermost module. Modules that an exception left are dropped with it."""
        if self._thread != threading.get_ident():
            return False
        for i in range(len(self._stack) - 1, -1, -1):
            if self._stack[i][0] is module:
                del self._stack[i:]
                return i == 0
        return False

    def layer(self) -> str:
        return self._stack[-1][1] if self._stack else ""

    def with_gradients(self) -> bool:
        """Whether something is being called for which gradients were enabled."""
        return bool(self._stack) and self._with_gradients

    def outermost(self) -> Optional[Any]:
        return self._stack[0][0] if self._stack else None
