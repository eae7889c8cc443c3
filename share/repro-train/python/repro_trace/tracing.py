"""The trace of this process: started once, by hand or by the hook, and the `with` block of one step."""
import atexit
import os
import sys
from typing import Any, Dict, Optional

from .steps import LEVELS, Session
from .trace_file import Phase, own_file_name


class Step:
    """One step of a training; made by `repro_trace.step`."""

    def __init__(self, session: Optional[Session], model: Any, optimizer: Any, epoch: int,
                 batch: int) -> None:
        self._session = session
        self.model, self.optimizer = model, optimizer
        self.epoch, self.batch_number = epoch, batch

    def batch(self, **named: Any) -> None:
        """What the step learns from: `batch(input=images, target=labels)`, before the model is called."""
        self._give(Phase.BATCH, named)

    def loss(self, value: Any) -> None:
        self._give(Phase.LOSS, {"loss": value})

    def validation(self, **named: Any) -> None:
        self._give(Phase.VALIDATION, named)

    def _give(self, phase: Phase, named: Dict[str, Any]) -> None:
        if self._session is None or not self._session.active:
            return
        try:
            for name, value in named.items():
                self._session.give(phase, name, value)
        except Exception as error:
            self._session.fail(error)

    def __enter__(self) -> "Step":
        if self._session is not None:
            self._session.open_block(self)
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        """A block that an exception left gives no record."""
        if self._session is not None:
            self._session.close_block(self, kind is None)


# ---- the session of this process

_session: Optional[Session] = None


def start(directory: str, trace: str = "steps", automatic: bool = True) -> None:
    global _session
    if trace not in LEVELS:
        raise ValueError(f"trace is '{trace}', allowed are 'steps' and 'ops'")
    stop()
    _remove_stale(directory)
    _session = Session(directory, trace, automatic)


def stop() -> None:
    global _session
    if _session is not None:
        _session.stop()
        _session = None


def _remove_stale(directory: str) -> None:
    """A trace of an earlier training must not pass for that of one which ends before its first step.

    Programs that the training starts leave its trace alone; a rank removes no file but its own.
    """
    if "REPRO_TRACE_OWNER" in os.environ or not os.path.isdir(directory):
        return
    os.environ["REPRO_TRACE_OWNER"] = str(os.getpid())
    own = own_file_name()
    for name in os.listdir(directory):
        mine = name == own if "RANK" in os.environ else name == "trace.bin" or (
            name.startswith("trace-rank") and name.endswith(".bin"))
        if mine:
            try:
                os.remove(os.path.join(directory, name))
            except OSError:
                pass  # the writer will say so


def step(model: Any, optimizer: Any, epoch: int = 0, batch: int = 0) -> Step:
    if _session is None and os.environ.get("REPRO_TRACE_DIR"):
        try:
            level = os.environ.get("REPRO_TRACE", "steps")
            if level != "none":
                start(os.environ["REPRO_TRACE_DIR"], level, automatic=False)
        except Exception as error:
            print(f"repro_trace: warning: the training is not traced: {error}", file=sys.stderr)
    return Step(_session, model, optimizer, epoch, batch)


def _forked() -> None:
    global _session
    if _session is not None:
        _session.forget()
        _session = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
atexit.register(stop)
