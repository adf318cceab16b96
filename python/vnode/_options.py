"""What a call may ask for beyond its arguments: options, own schedules, hierarchies."""

from __future__ import annotations

import ctypes
import numbers
from typing import Any, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from vnode._errors import UsageError, check
from vnode._library import Struct, library, taken

EFFECTS = ("replace", "combine_before", "combine_after")


class _Interval(Struct):
    _fields_ = [("first", ctypes.c_int), ("last", ctypes.c_int)]


class _Transfer(Struct):
    """vnode_transfer."""

    _fields_ = [
        ("round", ctypes.c_int),
        ("from_", ctypes.c_int),
        ("to", ctypes.c_int),
        ("effect", ctypes.c_int),
        ("what", ctypes.POINTER(_Interval)),
        ("what_count", ctypes.c_size_t),
        ("into", ctypes.POINTER(_Interval)),
        ("into_count", ctypes.c_size_t),
    ]


class _CallOptions(Struct):
    """vnode_call_options."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("algorithm", ctypes.c_char_p),
        ("segments", ctypes.c_int),
        ("radix", ctypes.c_int),
        ("deterministic", ctypes.c_int),
        ("schedule", ctypes.c_void_p),
        ("hierarchy", ctypes.c_void_p),
        ("in_layout", ctypes.c_void_p),
        ("out_layout", ctypes.c_void_p),
    ]


class Transfer(NamedTuple):
    """Moves blocks of node `source` into as many blocks of node `to`, as intervals (first, last + 1)."""

    source: int
    to: int
    what: Tuple[Tuple[int, int], ...]
    into: Tuple[Tuple[int, int], ...]
    effect: str


Blocks = Union[int, Tuple[int, int], Sequence[Tuple[int, int]], None]


def _intervals(blocks: Any) -> Tuple[Tuple[int, int], ...]:
    if blocks is None:
        return ()
    if isinstance(blocks, numbers.Integral):
        return ((int(blocks), int(blocks) + 1),)
    if len(blocks) == 2 and isinstance(blocks[0], numbers.Integral):
        return ((int(blocks[0]), blocks[1]),)
    return tuple((first, last) for first, last in blocks)


def _memory(intervals: Tuple[Tuple[int, int], ...]) -> Any:
    return (_Interval * len(intervals))(*(_Interval(first, last) for first, last in intervals))


class Schedule:
    """A schedule of the program's own, written transfer by transfer, that calls run instead of an algorithm. A call verifies
    it before it is first used, and then it is fixed.

        chain = vnode.Schedule("chain", nodes=3, blocks=1)
        chain.add(0, source=0, to=1, what=0)
        chain.add(1, source=1, to=2, what=0)
        me.broadcast(x, options=vnode.CallOptions(schedule=chain))
    """

    def __init__(self, name: str, nodes: int, blocks: int) -> None:
        self._handle = ctypes.c_void_p()
        self.name = name
        check(library.vnode_schedule_create(ctypes.byref(self._handle), name.encode(), nodes, blocks))

    def add(
        self, round: int, source: int, to: int, what: Blocks = None, into: Blocks = None, effect: str = "replace"
    ) -> None:
        """Appends a transfer to its round, the last one or the next. Blocks are a number, an interval (first, last + 1), or
        a list of intervals; `into` are those of `what` if it is None. What arrives is to "replace" what is there, or is
        combined with it: "combine_before", "combine_after"."""
        if effect not in EFFECTS:
            raise UsageError(f"there is no effect {effect!r}: there are {', '.join(EFFECTS)}")
        of = _memory(_intervals(what))
        to_blocks = _memory(_intervals(into)) if into is not None else None
        transfer = _Transfer(round, source, to, EFFECTS.index(effect), of, len(of))
        if to_blocks is not None:
            transfer.into, transfer.into_count = to_blocks, len(to_blocks)
        check(library.vnode_schedule_add(self._handle, ctypes.byref(transfer)))

    @property
    def nodes(self) -> int:
        return check(library.vnode_schedule_nodes(self._handle))

    @property
    def blocks(self) -> int:
        return check(library.vnode_schedule_blocks(self._handle))

    @property
    def rounds(self) -> List[List[Transfer]]:
        """The transfers, by rounds."""
        return [
            [self._transfer(i, j) for j in range(check(library.vnode_schedule_transfers(self._handle, i)))]
            for i in range(check(library.vnode_schedule_rounds(self._handle)))
        ]

    def _transfer(self, round: int, index: int) -> Transfer:
        is_ = _Transfer()
        check(library.vnode_schedule_transfer(self._handle, round, index, ctypes.byref(is_)))
        what, into = (
            tuple((list_[i].first, list_[i].last) for i in range(count))
            for list_, count in ((is_.what, is_.what_count), (is_.into, is_.into_count))
        )
        return Transfer(is_.from_, is_.to, what, into, EFFECTS[is_.effect])

    def __repr__(self) -> str:
        return f"<vnode.Schedule {self.name}: {self.nodes} nodes, {self.blocks} blocks>"

    def __del__(self, free: Any = library.vnode_schedule_free) -> None:
        if getattr(self, "_handle", None):
            free(ctypes.byref(self._handle))


class Hierarchy:
    """Which ranks are near each other, for hierarchical algorithms: "4x8", "2x4x8", "0-3,4+6,5+7", then ",inner=NAME",
    ",outer=NAME", ",form=leaders" or "slices" as needed."""

    def __init__(self, text: str, nodes: int) -> None:
        self._handle = ctypes.c_void_p()
        check(library.vnode_hierarchy_create(ctypes.byref(self._handle), text.encode(), nodes))

    @property
    def levels(self) -> int:
        return check(library.vnode_hierarchy_levels(self._handle))

    def apart(self, one: int, other: int) -> int:
        """Returns the number of levels at which two ranks are in different domains."""
        return check(library.vnode_hierarchy_apart(self._handle, one, other))

    def __str__(self) -> str:
        text = ctypes.c_void_p()
        check(library.vnode_hierarchy_text(self._handle, ctypes.byref(text)))
        return taken(text)

    def __repr__(self) -> str:
        return f"<vnode.Hierarchy {self}>"

    def __del__(self, free: Any = library.vnode_hierarchy_free) -> None:
        if getattr(self, "_handle", None):
            free(ctypes.byref(self._handle))


class CallOptions:
    """The options of a call; all nodes pass equal ones. They can be made once and passed to many calls."""

    def __init__(
        self,
        *,
        algorithm: Optional[str] = None,
        segments: int = 0,
        radix: int = 0,
        deterministic: bool = False,
        schedule: Optional[Schedule] = None,
        hierarchy: Optional[Hierarchy] = None,
    ) -> None:
        self.algorithm, self.segments, self.radix, self.deterministic = algorithm, segments, radix, deterministic
        self.schedule, self.hierarchy = schedule, hierarchy
        self._struct = _CallOptions(
            ctypes.sizeof(_CallOptions),
            algorithm.encode() if algorithm else None,
            segments,
            radix,
            deterministic,
            schedule._handle if schedule else None,
            hierarchy._handle if hierarchy else None,
        )
        self._pointer = ctypes.byref(self._struct)

    def __repr__(self) -> str:
        given: Iterable[str] = (
            f"{name}={value!r}" for name, value in vars(self).items() if value and not name.startswith("_")
        )
        return f"vnode.CallOptions({', '.join(given)})"
