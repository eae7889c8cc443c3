"""Traces a PyTorch training: fingerprints of its tensors, step by step, in the format of repro-train.

Two runs of a training that should be the same give the same trace; where they part, the first slot that
differs names step, phase and tensor. Tracing changes no bit of a training, and nothing that goes wrong in it
stops one: it is reported once on standard error.

Without touching the training's code (docs/python.md):

    export REPRO_HOOK=pytorch REPRO_TRACE=steps REPRO_TRACE_DIR=out
    PYTHONPATH=.../share/repro-train/python python train.py

With one line, every step of every optimiser from there on:

    repro_trace.start("out")                    # or start("out", trace="ops")

By hand, one block a step; without start(), REPRO_TRACE_DIR and REPRO_TRACE decide, and unset nothing happens:

    with repro_trace.step(model, optimizer, epoch=1, batch=7) as step:
        step.batch(input=images, target=labels)
        loss = criterion(model(images), labels)
        step.loss(loss)
        loss.backward()
        optimizer.step()

`apply_determinism()` makes PyTorch deterministic if REPRO_GROUP asks for it. `fingerprint(tensor)` is that of
`repro-train inspect`. torch is imported with the first call that needs it.
"""
from typing import Any

from .determinism import apply_determinism
from .fingerprints import fingerprint

__all__ = ["start", "stop", "step", "fingerprint", "apply_determinism"]


def start(directory: str, trace: str = "steps") -> None:
    """Traces every step of every optimiser from now on into a file in `directory`, which is made if need be.

    `trace`: "steps" for named tensors, "ops" for every operation as well. A trace that is being written ends.
    """
    from . import tracing
    tracing.start(directory, trace)


def stop() -> None:
    """Ends the trace. Not needed: every step is in the file when the next one begins."""
    from . import tracing
    tracing.stop()


def step(model: Any, optimizer: Any, epoch: int = 0, batch: int = 0) -> Any:
    """A context manager for one step of the training, whatever it calls in between; see the module's text.

    Its object has `batch(**tensors)`, `loss(tensor)` and `validation(**tensors)`. A block that is left by an
    exception gives no record.
    """
    from . import tracing
    return tracing.step(model, optimizer, epoch, batch)
