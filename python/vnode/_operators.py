"""Operators: the standard ones by name, and those of the program's own."""

from __future__ import annotations

import ctypes
import itertools
import reprlib
import sys
import threading
from typing import Any, Callable, Dict, Optional, Tuple, Union

from vnode._data import dtype_of_type, dtype_size
from vnode._errors import UsageError, check, code_of
from vnode._library import library
from vnode._signatures import OPERATORS

_STANDARD: Dict[Any, int] = {name: known.number for name, known in OPERATORS.items()}
_STANDARD.update({known.function: known.number for known in OPERATORS.values() if known.function is not None})
_OTHER_NAMES = {"add": "sum", "plus": "sum", "prod": "product", "multiply": "product", "maximum": "max", "minimum": "min"}
_UFUNCS = {known.ufunc: known.number for known in OPERATORS.values() if known.ufunc}


class _Definition(ctypes.Structure):
    """vnode_operator_definition."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("combine", ctypes.c_void_p),
        ("user", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("commutative", ctypes.c_int),
    ]


# What operators do, by the numbers that calls hand back. One callback serves all, so that none is called that has ended.
_combines: Dict[int, Tuple[Callable[[Any, Any], Any], Any, int]] = {}
_numbers = itertools.count(1)


class _Combining(threading.local):
    """Whether a thread computes an operator, so that it is within a call."""

    now = False


combining = _Combining()


def _combined(number: int, out: int, left: int, right: int, count: int) -> int:
    try:
        combining.now = True
        function, dtype, size = _combines[number]
        numpy = _numpy()
        memory = ctypes.c_char * (count * size)
        # Copies, since the program may keep them, as may the traceback of an exception, and the memory is the call's.
        operands = [numpy.frombuffer(memory.from_address(at), dtype).copy() for at in (left, right)]
        operands[0].flags.writeable = operands[1].flags.writeable = False
        result = function(*operands)
        if numpy.shape(result) != (count,):  # or numpy would repeat what is shorter
            raise UsageError(
                f"an operator returns an array as long as its arguments, here of shape {(count,)}, not "
                + (f"of shape {result.shape}" if isinstance(result, numpy.ndarray) else reprlib.repr(result))
            )
        numpy.frombuffer(memory.from_address(out), dtype)[...] = result
        return 0
    except BaseException as error:
        return code_of(error)
    finally:
        combining.now = False


_COMBINE = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t
)
_combine = _COMBINE(_combined)


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise UsageError("an operator in Python is a function of numpy's arrays, and there is no package numpy") from None
    return numpy


class Operator:
    """An operator of the program's own: f(left, right) of two numpy arrays returns an array of the same length, and is
    associative. `left` is from lower ranks than `right`.

    If `commutative`, operands may change sides, so that more algorithms may be used. All nodes pass operators of one `name`.
    f is called by several nodes' threads, one at a time for the sake of Python's global lock, so numpy's functions do better
    than loops. Its arrays are copies that cannot be written to; it may keep them.

        longest = vnode.Operator(lambda a, b: numpy.where(abs(b) > abs(a), b, a))
        me.all_reduce(x, longest)
    """

    def __init__(
        self, f: Callable[[Any, Any], Any], *, commutative: bool = False, name: Optional[str] = None
    ) -> None:
        if not callable(f):
            raise UsageError(f"an operator is a function of two arrays, not {f!r}")
        _numpy()
        self.commutative = commutative
        self.name: str = name or str(getattr(f, "__name__", type(f).__name__))
        self._function = f
        self._handles: Dict[int, Tuple[int, int]] = {}  # by type: the operator, and the number of what it does
        self._making = threading.Lock()

    def __repr__(self) -> str:
        return f"<vnode.Operator {self.name}>"

    def _of(self, kind: int) -> int:
        """Returns the operator for elements of a type."""
        made = self._handles.get(kind)
        if made is None:
            with self._making:
                made = self._handles.get(kind) or self._make(kind)
                self._handles[kind] = made
        return made[0]

    def _make(self, kind: int) -> Tuple[int, int]:
        number = next(_numbers)
        _combines[number] = (self._function, dtype_of_type(kind), dtype_size(kind))
        definition = _Definition(
            ctypes.sizeof(_Definition),
            self.name.encode(),
            ctypes.cast(_combine, ctypes.c_void_p),
            number,
            None,
            self.commutative,
        )
        handle = ctypes.c_int()
        try:
            check(library.vnode_operator_create(ctypes.byref(handle), ctypes.byref(definition)))
        except BaseException:
            del _combines[number]
            raise
        return handle.value, number

    def __del__(self, free: Any = library.vnode_operator_free, combines: Any = _combines) -> None:
        for handle, number in getattr(self, "_handles", {}).values():
            free(ctypes.byref(ctypes.c_int(handle)))
            combines.pop(number, None)


AnyOperator = Union[str, Operator, Callable[..., Any]]


def operator_of(op: Any, kind: int) -> int:
    """Returns the number of an operator, for elements of a type."""
    try:
        known = _STANDARD.get(op)
    except TypeError:
        known = None  # nothing that is a key
    if known is not None:
        return known
    if isinstance(op, Operator):
        return op._of(kind)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(op, numpy.ufunc):
        if op.__name__ in _UFUNCS and op is getattr(numpy, op.__name__):
            _STANDARD[op] = _UFUNCS[op.__name__]
            return _STANDARD[op]
    if callable(op):
        raise UsageError(f"{op!r} is not a standard operator: vnode.Operator makes one of a function of two arrays")
    near = _OTHER_NAMES.get(op.lower(), op.lower()) if isinstance(op, str) else None
    meant = f"did you mean {near!r}? There" if near in OPERATORS else "there"
    raise UsageError(f"there is no operator {op!r}: {meant} are {', '.join(OPERATORS)}, and vnode.Operator")
