"""A strict reader of trace.bin, version 2, written from docs/formats.md alone: it shares nothing with the writers."""
import struct
import zlib
from typing import Any, Dict, List, NamedTuple, Tuple

PHASES = ("initialisation", "batch", "forward", "loss", "backward", "update", "buffer", "validation")
KINDS = ("state", "input", "before", "result", "written", "view", "uninitialised")


class Slot(NamedTuple):
    phase: str
    kind: str
    tensor: str
    layer: str
    operation: str
    dtype: int
    shape: Tuple[int, ...]
    strides: Tuple[int, ...]


class Record(NamedTuple):
    step: int
    epoch: int
    batch: int
    slots: Tuple[Slot, ...]
    values: Tuple[int, ...]

    def of(self, **wanted: Any) -> Dict[str, int]:
        """Values by tensor of the slots whose fields are as wanted."""
        return {slot.tensor: value for slot, value in zip(self.slots, self.values)
                if all(getattr(slot, key) == want for key, want in wanted.items())}


class Damaged(Exception):
    pass


class _Payload:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def bytes(self, count: int) -> bytes:
        if self.at + count > len(self.data):
            raise Damaged("a payload ends early")
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.bytes(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if value >> 64 or (shift and byte == 0):
                    raise Damaged("a number is too long")
                return value
            shift += 7

    def pick(self, choices: Any, index: int) -> Any:
        if index >= len(choices):
            raise Damaged(f"number {index} of {len(choices)}")
        return choices[index]


def _checked(data: bytes, at: int, count: int) -> bytes:
    part = data[at:at + count]
    if struct.unpack_from("<I", data, at + count)[0] != zlib.crc32(part):
        raise Damaged(f"wrong checksum at {at}")
    return part


def _slot(payload: _Payload, names: List[str]) -> Slot:
    phase, kind = payload.pick(PHASES, payload.bytes(1)[0]), payload.pick(KINDS, payload.bytes(1)[0])
    tensor, layer, operation = (payload.pick(names, payload.number()) for _ in range(3))
    dtype = payload.pick(range(22), payload.bytes(1)[0])
    shape = tuple(payload.number() for _ in range(payload.number()))
    strides = tuple(payload.number() for _ in range(payload.number()))
    if strides and len(strides) != len(shape):
        raise Damaged("strides of another rank than the shape")
    return Slot(phase, kind, tensor, layer, operation, dtype, shape, strides)


def parse(data: bytes) -> Tuple[List[Record], bool]:
    """The records, and whether the file ends with one."""
    if _checked(data, 0, 12) != b"repro\ntr" + struct.pack("<I", 2):
        raise Damaged("not a trace of version 2")
    records: List[Record] = []
    names, layouts = [""], []
    at = 16
    while at + 8 <= len(data):
        size = struct.unpack("<I", _checked(data, at, 4))[0]
        if at + 12 + size > len(data):
            return records, False
        payload = _Payload(_checked(data, at + 8, size))
        at += 12 + size
        for _ in range(payload.number()):
            name = payload.bytes(payload.number()).decode("utf-8")
            if name in names or len(name.encode()) > 1000:
                raise Damaged(f"name '{name}'")
            names.append(name)
        for _ in range(payload.number()):
            layouts.append(tuple(_slot(payload, names) for _ in range(payload.number())))
        step, epoch, batch = payload.number(), payload.number(), payload.number()
        slots = payload.pick(layouts, payload.number())
        values = struct.unpack(f"<{len(slots)}Q", payload.bytes(8 * len(slots)))
        if payload.at != size or (records and step <= records[-1].step) or (step == 0 and (epoch or batch)):
            raise Damaged(f"record of step {step}")
        if any(value for slot, value in zip(slots, values) if slot.kind in ("view", "uninitialised")):
            raise Damaged("a view has a value")
        records.append(Record(step, epoch, batch, slots, values))
    return records, at == len(data)


def read(path: Any) -> Tuple[List[Record], bool]:
    with open(path, "rb") as file:
        return parse(file.read())


def first_difference(one: List[Record], other: List[Record]) -> Any:
    """(step, phase, tensor, operation) of the first slot that differs; None if the traces are the same."""
    for a, b in zip(one, other):
        for i, slot in enumerate(a.slots):
            if i >= len(b.slots) or b.slots[i] != slot or a.values[i] != b.values[i]:
                return a.step, slot.phase, slot.tensor, slot.operation
        if a != b:
            return a.step, "", "", ""
    return None if len(one) == len(other) else (min(len(one), len(other)), "", "", "")
