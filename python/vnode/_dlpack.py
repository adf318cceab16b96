"""Data of objects that have DLPack and not the buffer protocol: tensors in the processor's memory."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Tuple

from vnode._errors import UsageError
from vnode._signatures import TYPES

_CPU, _PINNED = 1, 3  # kDLCPU, kDLCUDAHost
_TYPES = {row.dlpack: kind for kind, row in TYPES.items() if row.dlpack}


class _Tensor(ctypes.Structure):
    """DLTensor, with which DLManagedTensor begins."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Pointer(ctypes.c_void_p):
    """A pointer to a tensor's data, for as long as it lives: the capsule gives the tensor back when it ends."""

    capsule: Any


_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_get_pointer.restype = ctypes.c_void_p


def dlpack(x: Any, not_contiguous: Callable[[Any], UsageError]) -> Tuple[Any, int, int]:
    """Returns where x lies, how many elements it has, and of which type."""
    capsule = x.__dlpack__()
    tensor = _Tensor.from_address(_get_pointer(capsule, b"dltensor"))
    if tensor.device_type not in (_CPU, _PINNED):
        raise UsageError(f"a tensor on device {tensor.device_type} of DLPack's is not in the processor's memory")
    kind = _TYPES.get((tensor.code, tensor.bits)) if tensor.lanes == 1 else None
    if kind is None:
        raise UsageError(
            f"elements of DLPack's type {tensor.code} with {tensor.bits} bits and {tensor.lanes} lanes have no type that vnode knows"
        )
    count = 1
    for axis in reversed(range(tensor.ndim)):
        if tensor.strides and tensor.shape[axis] > 1 and tensor.strides[axis] != count:
            raise not_contiguous(x)
        count *= tensor.shape[axis]
    pointer = _Pointer((tensor.data or 0) + tensor.byte_offset)
    pointer.capsule = capsule
    return pointer, count, kind
