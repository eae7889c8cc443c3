"""Fingerprints of tensors, bit-equal to those of repro-train (docs/formats.md, "Fingerprint of a tensor").

A fingerprint depends on dtype, shape and the row-major bytes of the elements, and on nothing else. Taking one
uses no random numbers, is seen by neither autograd nor dispatch modes, and changes no tensor and no setting.
"""
import contextlib
import functools
import struct
import threading
from typing import Any, Iterator, NamedTuple, Optional, Sequence

POSITION_STEP = 0x9E3779B97F4A7C15
MULTIPLIER = 0xBF58476D1CE4E5B9
ROUND_1, ROUND_2, ROUND_3 = 0x9E3779B2, 0x85EBCA76, 0xC2B2AE3E
SALT_START = 0x31307265706F7231

DTYPE_NUMBERS = {
    "bool": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "uint32": 6, "int32": 7, "uint64": 8,
    "int64": 9, "float16": 10, "bfloat16": 11, "float32": 12, "float64": 13, "complex64": 14,
    "complex128": 15, "complex32": 16, "float8_e4m3fn": 17, "float8_e5m2": 18,
    "float8_e4m3fnuz": 19, "float8_e5m2fnuz": 20, "float8_e8m0fnu": 21,
}

_ALL = 0xFFFFFFFFFFFFFFFF
_LOW = 0xFFFFFFFF


# ---- the definition, in Python's integers: for salts, small tensors and last words

def _multiply_low(x: int, factor: int) -> int:
    return x ^ ((x & _LOW) * factor & _ALL)


def _swap(x: int) -> int:
    return (x << 32 & _ALL) | (x >> 32)


def _mix(x: int) -> int:
    x = _swap(_multiply_low(x, ROUND_1))
    x = x * MULTIPLIER & _ALL
    x = _swap(_multiply_low(x, ROUND_2))
    return _multiply_low(x, ROUND_3)


def _fold(salt: int, value: int) -> int:
    return _mix((salt + POSITION_STEP & _ALL) ^ value)


@functools.lru_cache(maxsize=65536)
def _salt(dtype_number: int, shape: Sequence[int]) -> int:
    result = _fold(_fold(SALT_START, dtype_number), len(shape))
    for size in shape:
        result = _fold(result, size)
    return result


def _sum_of_bytes(salt: int, first: int, data: bytes) -> int:
    """The terms of the words of `data`, the first of which is word number `first`; the last one is padded."""
    total = 0
    for i in range(0, len(data), 8):
        word = int.from_bytes(data[i:i + 8], "little")
        total += _mix(word ^ (salt + (first + i // 8 + 1) * POSITION_STEP & _ALL))
    return total


def fingerprint_of_bytes(dtype: str, shape: Sequence[int], data: bytes) -> int:
    """The fingerprint of the tensor with these row-major little-endian bytes. Slow; needs no torch."""
    salt = _salt(DTYPE_NUMBERS[dtype], tuple(shape))
    return (salt + _sum_of_bytes(salt, 0, data)) & _ALL


def fingerprint_of_number(value: Any) -> int:
    """Of a scalar tensor: bool, int64 or float64. Integers beyond 64 bits wrap around."""
    if isinstance(value, bool):
        return fingerprint_of_bytes("bool", (), bytes([value]))
    if isinstance(value, int):
        return fingerprint_of_bytes("int64", (), (value & _ALL).to_bytes(8, "little"))
    return fingerprint_of_bytes("float64", (), struct.pack("<d", value))


# ---- the same in torch's int64 arithmetic, which wraps around modulo 2^64

_SMALL_BYTES = 384  # up to here Python's integers are faster than torch's calls
_CHUNK_WORDS = {"cpu": 1 << 14, "cuda": 1 << 22}  # on the CPU two buffers and the words fit the L2 cache
_lock = threading.RLock()  # autograd's threads and the main one share the buffers


def _signed(x: int) -> int:
    x &= _ALL
    return x - (1 << 64) if x >> 63 else x


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Neither autograd nor a dispatch or function mode sees what is computed inside."""
    import torch
    with torch._C._DisableTorchDispatch(), torch._C.DisableTorchFunction(), torch.inference_mode():
        yield


class _Buffers(NamedTuple):
    positions: Any  # (i + 1) * POSITION_STEP
    x: Any
    low: Any


@functools.lru_cache(maxsize=16)
def _buffers(device: Any) -> _Buffers:
    import torch
    words = _CHUNK_WORDS[device.type]
    positions = torch.arange(1, words + 1, dtype=torch.int64, device=device) * _signed(POSITION_STEP)
    return _Buffers(positions, torch.empty_like(positions), torch.empty_like(positions))


def _mix_in_place(x: Any, low: Any) -> None:
    """`low` is a buffer of the same size. swap(x) is the low half times 2^32 plus the high half."""
    import torch
    torch.bitwise_and(x, _LOW, out=low)
    x.bitwise_xor_(low.mul_(ROUND_1))
    torch.bitwise_right_shift(x, 32, out=low).bitwise_and_(_LOW)  # the shift is arithmetic, hence the mask
    # swap(x) * MULTIPLIER
    torch.add(low, x, alpha=1 << 32, out=x).mul_(_signed(MULTIPLIER))
    torch.bitwise_and(x, _LOW, out=low)
    x.bitwise_xor_(low.mul_(ROUND_2))
    torch.bitwise_right_shift(x, 32, out=low).bitwise_and_(_LOW)
    # `low` is the low half of swap(x) already
    x.bitwise_left_shift_(32).bitwise_or_(low)
    x.bitwise_xor_(low.mul_(ROUND_3))


def _sum_of_words(salt: int, data: Any) -> int:
    """The terms of the whole words of `data`, a contiguous uint8 tensor of rank 1."""
    import torch
    count = data.numel() // 8
    aligned = data.storage_offset() % 8 == 0  # else torch refuses to see the bytes as words
    with _lock:
        positions, x_all, low_all = _buffers(data.device)
        chunk = positions.numel()
        sums = []
        for first in range(0, count, chunk):
            n = min(chunk, count - first)
            x, low = x_all[:n], low_all[:n]
            part = data[first * 8:(first + n) * 8]
            if aligned:
                words = part.view(torch.int64)
            else:
                words = low
                words.view(torch.uint8).copy_(part)
            torch.add(positions[:n], _signed(salt + first * POSITION_STEP), out=x).bitwise_xor_(words)
            _mix_in_place(x, low)
            sums.append(x.sum())
        return sum(int(s) for s in sums)


def _row_major_bytes(tensor: Any) -> Any:
    """A uint8 tensor of rank 1; a copy only where the elements do not lie in row-major order."""
    import torch
    tensor = tensor.resolve_conj().resolve_neg()
    if tensor.element_size() == 16:
        tensor = torch.view_as_real(tensor)
    # Not every dtype can be copied everywhere; integers of its size can.
    integer = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[tensor.element_size()]
    return tensor.view(integer).contiguous().view(-1).view(torch.uint8)


@functools.lru_cache(maxsize=None)
def dtype_number(dtype: Any) -> int:
    """The number of a torch.dtype in fingerprints and traces; 0 if it has none."""
    return DTYPE_NUMBERS.get(str(dtype).rpartition(".")[2], 0)


def hands_off() -> bool:
    """Where nothing may be computed: while code is compiled, or captured into a CUDA graph."""
    import torch
    if torch.compiler.is_compiling():
        return True
    return torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing()


def local(tensor: Any) -> Any:
    """The part of a distributed tensor that this process holds; any other tensor itself."""
    to_local = getattr(tensor, "to_local", None)
    return tensor if to_local is None else to_local()


def readable(tensor: Any) -> bool:
    """Whether there is memory with a defined meaning: strided, not quantised, not "meta"."""
    import torch
    if tensor.layout != torch.strided or tensor.is_quantized or tensor.device.type == "meta":
        return False
    return dtype_number(tensor.dtype) != 0 and not _has_own_dispatch(type(tensor))


@functools.lru_cache(maxsize=None)
def _has_own_dispatch(kind: type) -> bool:
    """Subclasses that stand for other tensors, such as fake and nested ones."""
    import torch
    return kind.__torch_dispatch__ != torch.Tensor.__torch_dispatch__


def fingerprint_quiet(tensor: Any) -> int:
    """`fingerprint` for callers that are inside `quiet()` and know the tensor to be readable."""
    salt = _salt(dtype_number(tensor.dtype), tuple(tensor.shape))
    if tensor.numel() == 0:
        return salt
    data = _row_major_bytes(tensor.detach())
    if data.device.type not in _CHUNK_WORDS:
        data = data.cpu()
    if data.numel() <= _SMALL_BYTES:
        return (salt + _sum_of_bytes(salt, 0, bytes(data.tolist()))) & _ALL
    whole = data.numel() // 8
    total = salt + _sum_of_words(salt, data)
    if data.numel() % 8:
        total += _sum_of_bytes(salt, whole, bytes(data[whole * 8:].tolist()))
    return total & _ALL


def fingerprint(tensor: Any) -> Optional[int]:
    """Of a torch.Tensor of any strides on any device; None where there is no memory to read."""
    with quiet():
        tensor = local(tensor)
        return fingerprint_quiet(tensor) if readable(tensor) else None
