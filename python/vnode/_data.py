"""Where data lie, how many elements they are, and of which type."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Dict, List, Optional, Tuple

from vnode._dlpack import dlpack
from vnode._errors import UsageError, check
from vnode._layout import strided
from vnode._library import SIZE, library
from vnode._signatures import BF16, BOOL, BYTE, COMPLEX_F64, F64, I64, LOCATED, TYPES

# By the format of the buffer protocol; sizes of integers are the machine's.
_FLOATS = {row.letter: kind for kind, row in TYPES.items() if row.letter}
_SIGNED = {int(row.numpy[1]): kind for kind, row in TYPES.items() if row.numpy[:1] == "i"}
_UNSIGNED = {int(row.numpy[1]): kind for kind, row in TYPES.items() if row.numpy[:1] == "u"}
_FOREIGN = ">!" if sys.byteorder == "little" else "<"

_registered: Dict[int, Any] = {}  # the dtypes of structs, by their types
_by_dtype: Dict[Any, int] = {}  # the types of numpy's dtypes that have been seen

Place = Tuple[Any, int, int]  # what stands for a pointer and keeps the memory, the number of elements, their type


class _Buffer(ctypes.Structure):
    """Py_buffer."""

    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    ]


class _View(ctypes.c_void_p):
    """A pointer to what an object exports by the buffer protocol, for as long as it lives."""

    buffer: _Buffer

    def __del__(self, release: Any = ctypes.pythonapi.PyBuffer_Release) -> None:
        release(ctypes.byref(self.buffer))


_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = [ctypes.py_object, ctypes.c_void_p, ctypes.c_int]
_is_contiguous = ctypes.pythonapi.PyBuffer_IsContiguous
_is_contiguous.argtypes = [ctypes.c_void_p, ctypes.c_char]
_WRITABLE, _FORMAT, _STRIDES = 0x1, 0x4, 0x18


def _described(x: Any) -> str:
    return f"{type(x).__module__}.{type(x).__qualname__}".replace("builtins.", "")


def _struct_type(name: str, size: int, alignment: int) -> int:
    made = ctypes.c_int()
    while size % alignment:
        alignment //= 2
    check(library.vnode_type_register(name.encode(), size, alignment, ctypes.byref(made)))
    return made.value


def type_of_dtype(dtype: Any) -> int:
    """Returns the type of the elements of a numpy array."""
    known = _by_dtype.get(dtype)
    if known is not None:
        return known
    kind, size = dtype.kind, dtype.itemsize
    found = None
    if not dtype.isnative:
        raise UsageError(f"elements of {dtype} have another byte order than this machine: take x.astype(x.dtype.newbyteorder('='))")
    if dtype.name == "bfloat16":
        found = BF16
    elif kind == "i":
        found = _SIGNED.get(size)
    elif kind == "u":
        found = _UNSIGNED.get(size)
    elif kind in "fc?b":
        found = _FLOATS.get("Z" + dtype.char.lower() if kind == "c" else dtype.char)
    elif kind == "V" and not dtype.hasobject and size > 0:
        if dtype.names == ("value", "index") and dtype["index"].str[1:] == "i8" and dtype["value"].kind in "iufV":
            number = type_of_dtype(dtype["value"])
            if number in TYPES and TYPES[number].is_located and dtype == located(dtype["value"]):
                found = LOCATED + number
        if found is None:
            found = _struct_type(str(dtype.descr if dtype.names else dtype), size, dtype.alignment)
            _registered[found] = dtype
    if found is None:
        raise UsageError(
            f"elements of {dtype} have no type that vnode knows: those are integers and bool, float16, bfloat16, float32, "
            "float64, longdouble, complex64, complex128, and structs of these"
        )
    _by_dtype[dtype] = found
    return found


def located(dtype: Any) -> Any:
    """Returns the dtype of a number and where it was found, for min_location and max_location: its fields are `value` and
    `index`."""
    import numpy

    return numpy.dtype([("value", dtype), ("index", numpy.int64)], align=True)


def dtype_of_type(kind: int) -> Any:
    """Returns numpy's dtype for elements of a type."""
    import numpy

    if kind in _registered:
        return _registered[kind]
    if kind - LOCATED in TYPES:
        return located(dtype_of_type(kind - LOCATED))
    if kind == BF16:
        try:
            import ml_dtypes
        except ImportError:
            raise UsageError("an operator in Python on bfloat16 needs the package ml_dtypes") from None
        return numpy.dtype(ml_dtypes.bfloat16)
    return numpy.dtype(TYPES[kind].numpy)


def _type_of_format(form: str, size: int, x: Any) -> int:
    if form[:1] in _FOREIGN and form[1:] not in ("b", "B", "c", "?"):
        raise UsageError(f"elements of format '{form}' have another byte order than this machine")
    plain = form.lstrip("@=<>!")
    found = _FLOATS.get(plain)
    if found is None and plain in ("b", "h", "i", "l", "q", "n"):
        found = _SIGNED.get(size)
    elif found is None and plain in ("B", "H", "I", "L", "Q", "N"):
        found = _UNSIGNED.get(size)
    if found is None:
        raise UsageError(f"elements of format '{form}', in a {_described(x)}, have no type that vnode knows")
    return found


def _not_contiguous(x: Any) -> UsageError:
    return UsageError(
        f"a {_described(x)} whose elements do not follow each other in memory cannot be the data of a call: "
        "take numpy.ascontiguousarray(x), and copy results back"
    )


def _exported(x: Any, writable: bool, kind: Optional[int]) -> Place:
    """Describes x by the buffer protocol. Raises TypeError or BufferError if x has none, or not as is needed."""
    view = _View()
    view.buffer = _Buffer()
    address = ctypes.byref(view.buffer)
    # Raises what x raises; that it is not writable is said below.
    _get_buffer(x, address, _FORMAT | _STRIDES)
    if view.buffer.readonly and writable:
        raise UsageError(f"a {_described(x)} that is read only cannot receive the result of a call")
    if not _is_contiguous(address, b"C"):
        raise _not_contiguous(x)
    view.value = view.buffer.buf
    size = view.buffer.itemsize
    if kind is None:
        kind = _type_of_format((view.buffer.format or b"B").decode(), size, x)
    return view, view.buffer.len // size if size else 0, kind


def _array(x: Any, writable: bool) -> Place:
    """Describes a numpy array. Its memory may be one that the buffer protocol does not export by type: bfloat16."""
    kind = _by_dtype.get(x.dtype) or type_of_dtype(x.dtype)
    if writable and not x.flags.writeable:
        raise UsageError("a numpy array that is read only cannot receive the result of a call")
    if not x.flags.c_contiguous:
        return strided(x), x.size, kind
    if kind == BF16 or kind > BYTE:
        if x.size == 0:
            return None, 0, kind
        bytes_ = x.reshape(-1).view("u1")
        return _exported(bytes_, writable, kind)[0], x.size, kind
    return _exported(x, writable, kind)


def dtype_size(kind: int) -> int:
    """Returns the size of an element in bytes."""
    size = ctypes.c_size_t()
    check(library.vnode_type_size(kind, ctypes.byref(size)))
    return size.value


_from_buffer = ctypes.c_char.from_buffer
_one = ctypes.c_char * 1
_one_from_buffer = _one.from_buffer


def locate(x: Any, writable: bool = True) -> Place:
    """Returns where x lies, how many elements it has, and of which type. Raises UsageError if x is no data."""
    try:
        # The quick way for most numpy arrays: it raises unless x is contiguous, writable and not empty.
        return _one_from_buffer(x), x.size, _by_dtype[x.dtype]
    except (TypeError, ValueError, AttributeError, KeyError, BufferError):
        pass  # what is wrong then is said below, without this exception before it
    return _locate(x, writable)


def _locate(x: Any, writable: bool) -> Place:
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, numpy.ndarray):
        return _array(x, writable)
    try:
        return _exported(x, writable, None)
    except (TypeError, BufferError) as error:
        if hasattr(x, "__dlpack__"):
            return dlpack(x, _not_contiguous)
        if isinstance(error, BufferError):
            raise UsageError(f"a {_described(x)} does not give its memory away: {error}") from None
    if type(x) in NUMBERS:
        raise UsageError(f"a {_described(x)} has no memory that this call could use: take an array of one element")
    raise UsageError(
        f"a {_described(x)} cannot be the data of a call: data are numbers, numpy arrays, and whatever has the buffer protocol or DLPack; "
        + ("receive into an array, made before by x = numpy.array(x)" if writable else "take numpy.array(x)")
        + ", or me.objects, whose calls pass any object"
    )


class Cell:
    """Memory of numbers, for calls that take a number and return one, or one of each node."""

    __slots__ = ("memory", "kind", "_count", "_array")

    def __init__(self, kind: int, memory: Any, count: int, array: Any = None) -> None:
        self.memory, self.kind, self._count = memory, kind, count
        self._array = array  # of numpy's numbers

    @classmethod
    def of_type(cls, x: Any) -> Optional[Cell]:
        """Returns memory for one number, if x is a type of numbers."""
        return cell(x(0)) if isinstance(x, type) and x in NUMBERS else None

    def number(self) -> Any:
        if self._array is not None:
            return self._array[0]
        if self.kind == COMPLEX_F64:
            return complex(*self.memory)
        return self.memory[0]

    def numbers(self) -> List[Any]:
        if self._array is not None:
            return list(self._array)
        if self.kind == COMPLEX_F64:
            return [complex(self.memory[2 * i], self.memory[2 * i + 1]) for i in range(self._count)]
        return list(self.memory)


_OF_NUMPY = 0
NUMBERS: Dict[type, int] = {float: F64, int: I64, bool: BOOL, complex: COMPLEX_F64}
_MEMORY: Dict[int, Any] = {F64: ctypes.c_double, I64: ctypes.c_int64, BOOL: ctypes.c_bool}
_ONE: Dict[int, Any] = {kind: element * 1 for kind, element in _MEMORY.items()}


def cell(x: Any, count: int = 1) -> Cell:
    """Returns memory for `count` numbers of the type of x, the first of which is x."""
    kind = NUMBERS[type(x)]
    if kind == _OF_NUMPY:
        array = sys.modules["numpy"].zeros(count, x.dtype)
        array[0] = x
        place, _, kind = locate(array)
        return Cell(kind, place, count, array)
    if kind == COMPLEX_F64:
        return Cell(kind, (ctypes.c_double * (2 * count))(x.real, x.imag), count)
    if kind == I64 and not -(1 << 63) <= x < 1 << 63:
        raise UsageError(f"{x} is not an integer of 64 bits")
    if count == 1:
        return Cell(kind, _ONE[kind](x), 1)
    return Cell(kind, (_MEMORY[kind] * count)(x), count)


def kind_of(dtype: Any) -> int:
    """Returns the type of elements of a dtype of numpy's, or of float, int, bool or complex."""
    known = NUMBERS.get(dtype) if isinstance(dtype, type) else None
    if known:
        return known
    import numpy

    return type_of_dtype(numpy.dtype(dtype))


def know_numpy() -> None:
    """Makes numpy's numbers, which its functions return, numbers of calls if the program has imported numpy."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and numpy.float64 not in NUMBERS:
        NUMBERS.update({numpy.dtype(code).type: _OF_NUMPY for code in "?bBhHiIlLqQefdgFD"})


def sizes(given: Any, what: str) -> Any:
    """Returns a list of sizes as memory of size_t; None for None."""
    if given is None:
        return None
    return SIZE.memory(given, what)
