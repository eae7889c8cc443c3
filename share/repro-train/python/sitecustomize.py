"""Traces a training whose code is not touched. Python imports this file when it starts, if its path has it.

    export REPRO_HOOK=pytorch REPRO_TRACE=steps REPRO_TRACE_DIR=FOLDER     # or REPRO_TRACE=ops
    PYTHONPATH=.../share/repro-train/python python train.py

Nothing is imported until the program imports torch by itself; a program that does not is left alone. Another
sitecustomize further down sys.path runs as it would have without this one.
"""
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys


def _warn(error):
    print(f"repro_trace: warning: the training is not traced: {error}", file=sys.stderr)


def _start():
    try:
        import repro_trace
        repro_trace.start(os.environ["REPRO_TRACE_DIR"], os.environ["REPRO_TRACE"])
    except Exception as error:
        _warn(error)


class _LoadTorch(importlib.abc.Loader):
    """Loads torch as its own loader does, then starts the trace."""

    def __init__(self, loader, finder):
        self._loader = loader
        self._finder = finder

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
            _start()


class _FindTorch(importlib.abc.MetaPathFinder):
    """Leaves every import alone but that of torch, which it finds as the others would."""

    _busy = False

    def find_spec(self, name, path=None, target=None):
        if name != "torch" or self._busy:
            return None
        self._busy = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._busy = False
        if spec is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = _LoadTorch(spec.loader, self)
        return spec


def _install():
    if not os.environ.get("REPRO_HOOK") or os.environ.get("REPRO_TRACE", "none") == "none":
        return
    if os.environ["REPRO_HOOK"] != "pytorch":
        return _warn(f"REPRO_HOOK is '{os.environ['REPRO_HOOK']}', allowed is 'pytorch'")
    if not os.environ.get("REPRO_TRACE_DIR"):
        return _warn("REPRO_TRACE_DIR names no folder")
    sys.meta_path.insert(0, _FindTorch())


def _next_sitecustomize():
    """The one that Python would have imported without this file."""
    here = os.path.dirname(os.path.abspath(__file__))
    others = [folder for folder in sys.path if os.path.abspath(folder) != here]
    return importlib.machinery.PathFinder.find_spec("sitecustomize", others)


_install()
_spec = _next_sitecustomize()
if _spec is not None and _spec.loader is not None:
    _module = importlib.util.module_from_spec(_spec)
    sys.modules["sitecustomize"] = _module
    _spec.loader.exec_module(_module)
