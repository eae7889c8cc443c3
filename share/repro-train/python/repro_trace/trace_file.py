"""Writes trace.bin, version 2 (docs/formats.md): a header, then one block for each record.

Each block is handed to the system before `write` returns, so a crash of the program loses no record.
"""
import enum
import os
import struct
import zlib
from typing import Dict, NamedTuple, Sequence, Tuple

MAGIC = b"repro\ntr"
VERSION = 2
MAX_NAME_BYTES = 1000


class Phase(enum.IntEnum):
    """Where in a step something was seen."""
    INITIALISATION = 0
    BATCH = 1
    FORWARD = 2
    LOSS = 3
    BACKWARD = 4
    UPDATE = 5
    BUFFER = 6
    VALIDATION = 7


class Kind(enum.IntEnum):
    """What a fingerprint was taken of: a named state, or a tensor's part in an operation."""
    STATE = 0
    INPUT = 1
    BEFORE = 2
    RESULT = 3
    WRITTEN = 4
    VIEW = 5
    UNINITIALISED = 6


class Slot(NamedTuple):
    """Where a fingerprint stands, and what it is of: everything but the value."""
    phase: Phase
    kind: Kind
    tensor: str
    layer: str = ""
    operation: str = ""
    dtype: int = 0
    shape: Tuple[int, ...] = ()
    strides: Tuple[int, ...] = ()


def number(value: int) -> bytes:
    """LEB128: seven bits a byte, lowest first, the top bit set on all bytes but the last."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _checksum(data: bytes) -> bytes:
    return struct.pack("<I", zlib.crc32(data))


def _sizes(values: Sequence[int]) -> bytes:
    return number(len(values)) + b"".join(map(number, values))


def _name_bytes(name: str) -> bytes:
    """Cut where it is longer than a trace allows, between two characters."""
    data = name.encode("utf-8", "replace")
    return data if len(data) <= MAX_NAME_BYTES else data[:MAX_NAME_BYTES].decode("utf-8", "ignore").encode()


class TraceFile:
    """A trace being written. A file that exists is replaced, unless another process writes to it."""

    def __init__(self, path: str) -> None:
        # Not truncated before the lock is held: a program that the traced one starts must do no damage.
        self._file = open(path, "ab", buffering=0)
        try:
            _lock(self._file, path)
            self._file.truncate(0)
            fields = MAGIC + struct.pack("<I", VERSION)
            self._write(fields + _checksum(fields))
        except BaseException:
            self._file.close()
            raise
        self._names: Dict[bytes, int] = {b"": 0}
        self._layouts: Dict[Tuple[Slot, ...], int] = {}

    def write(self, step: int, epoch: int, batch: int, slots: Sequence[Slot], values: Sequence[int]) -> None:
        """One record; steps increase. OSError where it cannot be written."""
        layout = tuple(slots)
        new_names = bytearray()
        count = len(self._names)
        layouts = number(0)
        if layout not in self._layouts:
            layouts = number(1) + self._layout(layout, new_names)
            self._layouts[layout] = len(self._layouts)
        payload = b"".join((
            number(len(self._names) - count), bytes(new_names), layouts,
            number(step), number(epoch), number(batch), number(self._layouts[layout]),
            struct.pack(f"<{len(values)}Q", *values)))
        length = struct.pack("<I", len(payload))
        self._write(b"".join((length, _checksum(length), payload, _checksum(payload))))

    def close(self) -> None:
        self._file.close()

    def _layout(self, layout: Tuple[Slot, ...], new_names: bytearray) -> bytes:
        out = bytearray(number(len(layout)))
        for slot in layout:
            out += bytes((slot.phase, slot.kind))
            for name in (slot.tensor, slot.layer, slot.operation):
                out += number(self._name(name, new_names))
            out.append(slot.dtype)
            out += _sizes(slot.shape) + _sizes(slot.strides)
        return bytes(out)

    def _name(self, name: str, new_names: bytearray) -> int:
        data = _name_bytes(name)
        if data not in self._names:
            self._names[data] = len(self._names)
            new_names += number(len(data)) + data
        return self._names[data]

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[self._file.write(view):]


def _lock(file, path: str) -> None:
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OSError(f"{path}: another process is writing to it") from None
    except OSError:
        pass  # a file system without locks


def file_name(rank: int, world_size: int) -> str:
    """One file for each rank of a distributed training."""
    return f"trace-rank{rank}.bin" if world_size > 1 else "trace.bin"


def own_file_name() -> str:
    """By RANK and WORLD_SIZE, or by torch.distributed where it was set up without them."""
    import sys
    rank, world_size = os.environ.get("RANK", ""), os.environ.get("WORLD_SIZE", "")
    if rank.isdigit():
        # A rank without a world size is one of several as well.
        return file_name(int(rank), int(world_size) if world_size.isdigit() else 2)
    distributed = sys.modules.get("torch.distributed")
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        return file_name(distributed.get_rank(), distributed.get_world_size())
    return file_name(0, 1)
