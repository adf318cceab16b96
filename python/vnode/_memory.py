"""Memory on chosen NUMA nodes, as numpy arrays."""

from __future__ import annotations

import ctypes
import math
import numbers
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from vnode._data import locate
from vnode._errors import UsageError, check
from vnode._library import INT, SIZE, Struct, library

POLICIES = ("first_touch", "preferred", "bind", "interleave")
HUGE_PAGES = ("usual", "none", "transparent", "reserved")

Shape = Union[int, Tuple[int, ...]]


class _Placement(Struct):
    """vnode_page_placement."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("policy", ctypes.c_int),
        ("banks", ctypes.POINTER(ctypes.c_int)),
        ("banks_count", ctypes.c_size_t),
        ("huge_pages", ctypes.c_int),
        ("alignment", ctypes.c_size_t),
        ("strict", ctypes.c_int),
    ]


class _Audit(ctypes.Structure):
    """vnode_page_audit."""

    _fields_ = [("untouched", ctypes.c_size_t), ("unknown", ctypes.c_size_t), ("touched", ctypes.c_size_t)]


class _OwnedMemory(ctypes.Structure):
    """vnode_owned_memory."""

    _fields_ = [
        ("owner", ctypes.c_int),
        ("scratch", ctypes.c_int),
        ("bank", ctypes.c_int),
        ("on", ctypes.POINTER(ctypes.c_size_t)),
        ("on_count", ctypes.c_size_t),
        ("pages", _Audit),
        ("degraded", ctypes.POINTER(ctypes.c_char_p)),
        ("degraded_count", ctypes.c_size_t),
    ]


class PageAudit(NamedTuple):
    """The NUMA nodes on which pages lie, in small pages."""

    on: Tuple[int, ...]  #: by NUMA node
    untouched: int  #: nobody has touched these, so that they lie nowhere yet
    unknown: int  #: the system does not tell of these


class OwnedMemory(NamedTuple):
    """Memory that a team has for one of its nodes."""

    owner: int
    scratch: bool  #: scratch of its calls, rather than channels and boards
    bank: Optional[int]  #: the NUMA node requested; -1: interleaved over all; None: any
    pages: PageAudit
    degraded: Tuple[str, ...]  #: what the system refused, a sentence each


def _one_of(given: str, names: Sequence[str], what: str) -> int:
    if given not in names:
        raise UsageError(f"there is no {what} {given!r}: there are {', '.join(names)}")
    return names.index(given)


def _elements(shape: Any) -> int:
    """Returns the number of elements of an array."""
    extents = (shape,) if isinstance(shape, numbers.Integral) else shape
    return int(math.prod(SIZE.memory(extents, "shape")))


def _placement(policy: str, banks: Sequence[int], huge_pages: str, alignment: int, strict: bool) -> _Placement:
    list_ = INT.memory(banks, "banks")
    return _Placement(
        ctypes.sizeof(_Placement),
        _one_of(policy, POLICIES, "policy of pages"),
        list_,
        len(list_),
        _one_of(huge_pages, HUGE_PAGES, "size of pages"),
        alignment,
        strict,
    )


class PlacedBuffer:
    """Zeroed memory that is placed as requested. Where the system refuses, the second best is taken, and `degraded` tells it.

    `array` is the memory as a numpy array, which keeps it.

    policy: "first_touch", near the thread that touches a page first; "preferred", on one NUMA node as long as it has room;
    "bind", on one; "interleave", on several in turn. NUMA nodes are numbered as `vnode topo` lists them.
    """

    array: Any

    def __init__(
        self,
        shape: Shape,
        dtype: Any = "f8",
        *,
        policy: str = "first_touch",
        banks: Sequence[int] = (),
        huge_pages: str = "usual",
        alignment: int = 0,
        strict: bool = False,
    ) -> None:
        import numpy

        size = numpy.dtype(dtype).itemsize * _elements(shape)
        placement = _placement(policy, banks, huge_pages, alignment, strict)
        handle = ctypes.c_void_p()
        check(library.vnode_buffer_create(ctypes.byref(handle), size, ctypes.byref(placement)))
        self._take(handle, shape, dtype)

    @classmethod
    def _of_team(cls, team: Any, owner: int, shape: Shape, dtype: Any, pieces: int) -> PlacedBuffer:
        import numpy

        made = cls.__new__(cls)
        handle, size = ctypes.c_void_p(), numpy.dtype(dtype).itemsize
        check(library.vnode_team_buffer(team, owner, _elements(shape), size, pieces, ctypes.byref(handle)))
        made._take(handle, shape, dtype)
        return made

    def _take(self, handle: ctypes.c_void_p, shape: Shape, dtype: Any) -> None:
        import numpy

        self._memory = _Memory(handle)
        self.array = numpy.frombuffer(self._memory.exported(), numpy.uint8)
        used = numpy.dtype(dtype).itemsize * _elements(shape)
        self.array = self.array[:used].view(dtype).reshape(shape)

    @property
    def degraded(self) -> List[str]:
        """What the system refused, a sentence each."""
        handle, sentence = self._memory.handle, ctypes.c_char_p()
        count = check(library.vnode_buffer_degraded(handle, 0, None))
        sentences = []
        for i in range(count):
            check(library.vnode_buffer_degraded(handle, i, ctypes.byref(sentence)))
            sentences.append((sentence.value or b"").decode())
        return sentences

    def place(
        self,
        part: Any = None,
        *,
        policy: str,
        banks: Sequence[int] = (),
        huge_pages: str = "usual",
        strict: bool = False,
    ) -> None:
        """Places whole pages of `part` of the array, or all, anew; those that were touched move."""
        first, size = self._within(part)
        placement = _placement(policy, banks, huge_pages, 0, strict)
        check(library.vnode_buffer_place(self._memory.handle, first, size, ctypes.byref(placement)))

    def claim(self, part: Any = None) -> None:
        """Moves the pages of `part` of the array, or all, near the calling thread."""
        check(library.vnode_buffer_claim(self._memory.handle, *self._within(part)))

    def touch(self) -> None:
        """Touches every untouched page, without changing its content."""
        check(library.vnode_buffer_touch(self._memory.handle))

    def _within(self, part: Any) -> Tuple[int, int]:
        if part is None:
            return 0, self.array.nbytes
        if not part.flags.c_contiguous:
            raise UsageError("what is placed has elements that follow each other in memory")
        first = part.__array_interface__["data"][0] - self.array.__array_interface__["data"][0]
        if first < 0 or first + part.nbytes > self.array.nbytes:
            raise UsageError("what is placed is not a part of this buffer's array")
        return first, part.nbytes


class _Memory:
    """A vnode_buffer, until nothing refers to its memory any more."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self.handle = handle

    def exported(self) -> Any:
        """Returns an object with the buffer protocol that keeps this one."""
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        check(library.vnode_buffer_data(self.handle, ctypes.byref(data), ctypes.byref(size)))
        kind = _kinds.setdefault(size.value, ctypes.c_char * size.value)
        memory = kind.from_address(data.value or 0)
        memory.keeps = self
        return memory

    def __del__(self, free: Any = library.vnode_buffer_free) -> None:
        free(ctypes.byref(self.handle))


_kinds: Dict[int, Any] = {}


def audit_pages(x: Any) -> PageAudit:
    """Returns where the pages of x lie, an array or whatever a call takes."""
    from vnode._data import dtype_size

    place, count, kind = locate(x, False)
    audit, room = _Audit(), 64
    on = (ctypes.c_size_t * room)()
    size = count * dtype_size(kind)
    nodes = check(library.vnode_audit_pages(place, size, ctypes.byref(audit), on, room))
    return PageAudit(tuple(on[: min(nodes, room)]), audit.untouched, audit.unknown)


_VISITOR = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_OwnedMemory))


def memory_of(team: Any) -> List[OwnedMemory]:
    """Returns what vnode_team_memory() tells."""
    found: List[OwnedMemory] = []

    def visit(_: Any, memory: Any) -> int:
        is_ = memory.contents
        pages = PageAudit(tuple(is_.on[: is_.on_count]), is_.pages.untouched, is_.pages.unknown)
        degraded = tuple(is_.degraded[i].decode() for i in range(is_.degraded_count))
        bank = None if is_.bank == -2 else is_.bank
        found.append(OwnedMemory(is_.owner, bool(is_.scratch), bank, pages, degraded))
        return 0

    check(library.vnode_team_memory(team, _VISITOR(visit), None))
    return found
