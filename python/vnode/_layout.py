"""Arrays whose elements do not follow each other: their layouts, as calls take them."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, List, Sequence, Tuple

from vnode._errors import UsageError, check
from vnode._library import INT, library
from vnode._options import _CallOptions

#: Nobody: a neighbour that a node at a border does not have.
no_rank = 1 - (1 << 31)

# The strided places that there are. While there is none, no call has to look for one.
ALIVE: Dict[int, None] = {}


class Strided(ctypes.c_void_p):
    """A pointer to the first element of a numpy array that is not contiguous, with its layout."""

    array: Any
    layout: ctypes.c_void_p

    def __del__(self, free: Any = library.vnode_layout_free, alive: Any = ALIVE) -> None:
        alive.pop(id(self), None)
        if getattr(self, "layout", None):
            free(ctypes.byref(self.layout))


def strided(x: Any) -> Strided:
    """Returns where a numpy array lies; keeps the array."""
    size = x.itemsize
    if any(stride % size for stride in x.strides):
        raise UsageError(
            f"an array whose elements of {size} bytes are {x.strides} bytes apart cannot be the data of a call, which counts in "
            "elements: take numpy.ascontiguousarray(x), and copy results back"
        )
    place = Strided(x.__array_interface__["data"][0])
    place.array, place.layout = x, ctypes.c_void_p()
    ALIVE[id(place)] = None
    for axis in reversed(range(x.ndim)):
        _replace(place, library.vnode_layout_vector, x.shape[axis], 1, x.strides[axis] // size, place.layout or None)
        # What the next dimension counts distances in is one element, too.
        _replace(place, library.vnode_layout_resized, place.layout, 1)
    return place


def _replace(place: Strided, make: Any, *arguments: Any) -> None:
    made = ctypes.c_void_p()
    check(make(ctypes.byref(made), *arguments))
    library.vnode_layout_free(ctypes.byref(place.layout))
    place.layout = made


def with_layouts(arguments: Tuple[Any, ...]) -> Tuple[Any, ...]:
    """Returns the arguments of a collective, with the layouts of those that are strided in its options, which are the last;
    its input is the second, and what else is strided its output."""
    source = arguments[1]
    into = next((place for place in arguments[2:-1] if type(place) is Strided), None)
    if type(source) is not Strided and into is None:
        return arguments
    given = arguments[-1]
    options = _CallOptions(size=ctypes.sizeof(_CallOptions))
    if given is not None:
        options = _CallOptions.from_buffer_copy(given._obj)
    if type(source) is Strided:
        options.in_layout = source.layout
    if into is not None:
        options.out_layout = into.layout
    return (*arguments[:-1], ctypes.byref(options))


class Piece(ctypes.Structure):
    """vnode_piece."""

    _fields_ = [("data", ctypes.c_void_p), ("count", ctypes.c_size_t), ("layout", ctypes.c_void_p)]


def piece(place: Any, count: int) -> Piece:
    """Returns the piece that a place is; the place has to outlive it."""
    layout = place.layout if type(place) is Strided else None
    return Piece(ctypes.cast(place, ctypes.c_void_p) if place is not None else None, count, layout)


class Neighbours:
    """Whom a node sends to and receives from: if a lists b as target, b lists a as source. no_rank is nobody, as at a border."""

    def __init__(self, sources: Sequence[int], targets: Sequence[int]) -> None:
        memory = (INT.memory(sources, "sources"), INT.memory(targets, "targets"))
        self._handle = ctypes.c_void_p()
        check(
            library.vnode_neighbours_create_lists(
                ctypes.byref(self._handle), memory[0], len(memory[0]), memory[1], len(memory[1])
            )
        )

    @classmethod
    def _of_topology(cls, topology: Any, rank: int) -> Neighbours:
        made = cls.__new__(cls)
        made._handle = ctypes.c_void_p()
        check(library.vnode_neighbours_create(ctypes.byref(made._handle), topology._handle, rank))
        return made

    @property
    def sources(self) -> List[int]:
        return self._ranks(library.vnode_neighbours_sources)

    @property
    def targets(self) -> List[int]:
        return self._ranks(library.vnode_neighbours_targets)

    def _ranks(self, function: Any) -> List[int]:
        count = check(function(self._handle, None, 0))
        memory = (ctypes.c_int * count)()
        check(function(self._handle, memory, count))
        return list(memory)

    def __del__(self, free: Any = library.vnode_neighbours_free) -> None:
        if getattr(self, "_handle", None):
            free(ctypes.byref(self._handle))

