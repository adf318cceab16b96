"""The collective operations, in whichever form: what each takes, and what libvnode gets of it."""

from __future__ import annotations

import ctypes
import sys
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Sequence, Tuple, TypeVar

from vnode._data import NUMBERS, Cell, cell, locate, sizes
from vnode._errors import UsageError, fail
from vnode._exchange import Exchanges
from vnode._layout import ALIVE, Neighbours, with_layouts
from vnode._library import Form, library, nonblocking, persistent
from vnode._operators import AnyOperator, operator_of
from vnode._options import CallOptions
from vnode._request import Answer, Persistent, Request

if TYPE_CHECKING:
    from vnode._group import Node

R = TypeVar("R")
Options = Optional[CallOptions]
Counts = Sequence[int]
Offsets = Optional[Sequence[int]]

_TYPE_NAMES = library.vnode_type_name


def _name(kind: int) -> str:
    return (_TYPE_NAMES(kind) or b"").decode().replace("VNODE_", "").lower()


class Operations(Exchanges[R]):
    """The collective operations. p is the number of nodes. All nodes of a group call the same collectives in the same order,
    with equal counts, types, operators, roots and options.

    Data x are numbers (float, int, bool, complex), numpy arrays, or what has the buffer protocol or DLPack. The result of an
    array replaces x unless there is `out`; it is what the call returns. Where it is not as long as x, of gathers and of
    reduce_scatter, it is a new numpy array; with `out=x` it is in x itself. The result of a number is returned.
    """

    rank: int  #: this node's rank in the group
    _handle: int
    _node: Node
    _size: int
    _numbers: Dict[type, int] = NUMBERS
    _form: Form

    def _do(self, function: Callable[..., int], arguments: Tuple[Any, ...], result: Any, kept: Any) -> R:
        raise NotImplementedError

    # What several operations share.

    def _one_to_one(self, name: str, x: Any, out: Any, before: Tuple[Any, ...], op: Any, after: Tuple[Any, ...],
                    options: Options) -> R:  # fmt: skip
        """As many elements come out as go in."""
        given = None if options is None else options._pointer
        if type(x) in self._numbers:
            if out is not None:
                raise UsageError(f"{name}: the result of a number is returned, so there is no `out`")
            one = cell(x)
            place: Any = one.memory
            if op is not None:
                before = (operator_of(op, one.kind),)
            arguments = (self._handle, place, place, 1, one.kind, *before, *after, given)
            return self._do(getattr(self._form, name), arguments, _number(one), (one, options, op))
        if out is None:
            into, count, kind = source, _, _ = locate(x)
        else:
            source, count, kind = locate(x, False)
            into, into_count, into_kind = locate(out)
            if into_count != count or into_kind != kind:
                raise self._unequal(name, into_count, into_kind, count, kind)
        if op is not None:
            before = (operator_of(op, kind),)
        arguments = (self._handle, source, into, count, kind, *before, *after, given)
        return self._do(getattr(self._form, name), arguments, x if out is None else out, (source, into, options, op))

    def _own_neighbours(self) -> Neighbours:
        return Neighbours._of_topology(self._node_group().topology, self.rank)

    def _node_group(self) -> Any:
        """Returns the group itself, in whichever form its operations are."""
        return self

    def _unequal(self, name: str, out_count: int, out_kind: int, count: int, kind: int) -> UsageError:
        return UsageError(
            f"{name}: `out` has {out_count} elements of type {_name(out_kind)}, and needs {count} of type {_name(kind)}"
        )

    def _part(self, name: str, count: int, what: str) -> int:
        """Returns the p-th part of x."""
        if count % self._size:
            raise UsageError(f"{name}: {what} has {count} elements, which are not the same number for each of {self._size} nodes")
        return count // self._size

    def _new(self, name: str, x: Any, count: Optional[int] = None) -> Any:
        """Returns a new array for a result: p times x, one after the other, or the p-th part of x, which has `count`
        elements."""
        numpy = sys.modules.get("numpy")
        if numpy is None or not isinstance(x, numpy.ndarray):
            raise UsageError(f"{name}: of what is not a numpy array the result needs a place: pass `out`, or out=x for in place")
        if count is None:
            shape = (self._size, *x.shape)
        elif x.ndim and x.shape[0] % self._size == 0:
            shape = (x.shape[0] // self._size, *x.shape[1:])
        else:
            shape = (count // self._size,)
        return numpy.empty(shape, x.dtype)

    # The operations.

    def broadcast(self, x: Any, root: int = 0, *, options: Options = None) -> R:
        """One-to-all broadcast: copies x of `root` to x of all."""
        given = None if options is None else options._pointer
        if type(x) in self._numbers:
            one = cell(x)
            arguments = (self._handle, one.memory, 1, one.kind, root, given)
            return self._do(self._form.broadcast, arguments, _number(one), (one, options))
        place, count, kind = locate(x, root != self.rank)
        return self._do(self._form.broadcast, (self._handle, place, count, kind, root, given), x, (place, options))

    def reduce(self, x: Any, op: AnyOperator, root: int = 0, *, out: Any = None, options: Options = None) -> R:
        """All-to-one reduction: the result on `root` = x of node 0 op ... op x of node p-1. The others get None."""
        if root == self.rank:
            return self._one_to_one("reduce", x, out, (), op, (root,), options)
        given = None if options is None else options._pointer
        if type(x) in self._numbers:
            one = cell(x)
            source, count, kind = one.memory, 1, one.kind
        else:
            source, count, kind = locate(x, False)
        arguments = (self._handle, source, None, count, kind, operator_of(op, kind), root, given)
        return self._do(self._form.reduce, arguments, None, (source, options, op))

    def all_reduce(self, x: Any, op: AnyOperator, *, out: Any = None, options: Options = None) -> R:
        """Reduction to all: the result = x of node 0 op ... op x of node p-1, with the same bits on all nodes."""
        if out is None and type(x) not in self._numbers:  # the shortest way
            place, count, kind = locate(x)
            given = None if options is None else options._pointer
            return self._do(self._form.all_reduce, (self._handle, place, place, count, kind, operator_of(op, kind), given),
                            x, (place, options, op))  # fmt: skip
        return self._one_to_one("all_reduce", x, out, (), op, (), options)

    def scan(self, x: Any, op: AnyOperator, *, out: Any = None, options: Options = None) -> R:
        """Prefix sums: the result on node r = x of node 0 op ... op x of node r."""
        return self._one_to_one("scan", x, out, (), op, (), options)

    def exclusive_scan(self, x: Any, op: AnyOperator, *, out: Any = None, options: Options = None) -> R:
        """Prefix sums without the node's own contribution. Node 0 has none: of a number it gets 0, and an array stays as it
        is."""
        if type(x) in self._numbers and out is None:
            one, before = cell(x), cell(type(x)(0))
            arguments = (self._handle, one.memory, before.memory, 1, one.kind, operator_of(op, one.kind),
                         None if options is None else options._pointer)  # fmt: skip
            return self._do(self._form.exclusive_scan, arguments, _number(before), (one, before, options, op))
        return self._one_to_one("exclusive_scan", x, out, (), op, (), options)

    def circular_shift(self, x: Any, shift: int = 1, *, out: Any = None, options: Options = None) -> R:
        """Circular shift: the result of node (r + shift) mod p = x of node r."""
        return self._one_to_one("circular_shift", x, out, (shift,), None, (), options)

    def all_gather(self, x: Any, *, out: Any = None, options: Options = None) -> R:
        """All-to-all broadcast: the result = x of node 0, x of node 1 ..., by default an array of the shape (p, *x.shape). With
        out=x it is in place: x has p parts, of which node r brings part r. Of a number, a list."""
        given = None if options is None else options._pointer
        if type(x) in self._numbers:
            return self._gather_numbers("all_gather", x, (), given, options)
        if out is x:
            place, count, kind = locate(x)
            count = self._part("all_gather", count, "x, with out=x,")
            return self._do(self._form.all_gather, (self._handle, place, place, count, kind, given), x, (place, options))
        if out is None:
            out = self._new("all_gather", x)
        source, count, kind = locate(x, False)
        into = self._whole("all_gather", out, count, kind)
        return self._do(self._form.all_gather, (self._handle, source, into, count, kind, given), out, (source, into, options))

    def _whole(self, name: str, out: Any, count: int, kind: int) -> Any:
        into, into_count, into_kind = locate(out)
        if into_count != count * self._size or into_kind != kind:
            raise self._unequal(name, into_count, into_kind, count * self._size, kind)
        return into

    def _gather_numbers(self, name: str, x: Any, root: Tuple[int, ...], given: Any, options: Options) -> R:
        one = cell(x)
        all_ = cell(x, self._size) if not root or root[0] == self.rank else None
        into, result = None, None
        if all_ is not None:
            into, numbers = all_.memory, all_.numbers
            result = Answer(lambda _: numbers())
        arguments = (self._handle, one.memory, into, 1, one.kind, *root, given)
        return self._do(getattr(self._form, name), arguments, result, (one, all_, options))

    def gather(self, x: Any, root: int = 0, *, out: Any = None, options: Options = None) -> R:
        """All-to-one personalized: the result on `root` = x of node 0, x of node 1 ..., by default an array of the shape
        (p, *x.shape). With out=x it is in place: x of the root has p parts, of which its own stays where it is. Of a number, a
        list. The others get None."""
        given = None if options is None else options._pointer
        if type(x) in self._numbers:
            return self._gather_numbers("gather", x, (root,), given, options)
        if root != self.rank:
            source, count, kind = locate(x, False)
            return self._do(self._form.gather, (self._handle, source, None, count, kind, root, given), None, (source, options))
        if out is x:
            source, count, kind = locate(x)
            into, count = source, self._part("gather", count, "x of the root, with out=x,")
        else:
            if out is None:
                out = self._new("gather", x)
            source, count, kind = locate(x, False)
            into = self._whole("gather", out, count, kind)
        arguments = (self._handle, source, into, count, kind, root, given)
        return self._do(self._form.gather, arguments, out, (source, into, options))

    def scatter(self, x: Any, root: int = 0, *, out: Any = None, options: Options = None) -> R:
        """One-to-all personalized: `out` of node r = part r of x of `root`; x of the others is not read. Without `out`, x of the
        others receives their part, and the root's own stays where it is."""
        given = None if options is None else options._pointer
        if root != self.rank:
            target = x if out is None else out
            into, count, kind = locate(target)
            return self._do(self._form.scatter, (self._handle, None, into, count, kind, root, given), target, (into, options))
        source, count, kind = locate(x, False)
        count = self._part("scatter", count, "x of the root")
        if out is None:
            into = source
        else:
            into, into_count, into_kind = locate(out)
            if into_count != count or into_kind != kind:
                raise self._unequal("scatter", into_count, into_kind, count, kind)
        return self._do(self._form.scatter, (self._handle, source, into, count, kind, root, given),
                        x if out is None else out, (source, into, options))  # fmt: skip

    def reduce_scatter(self, x: Any, op: AnyOperator, *, out: Any = None, options: Options = None) -> R:
        """All-to-all reduction: the result of node r = part r of x of node 0 op ... op part r of x of node p-1, by default a new
        array. With out=x it is in place: the first part of x receives the result; the others are lost."""
        source, count, kind = locate(x, out is x)
        whole, count = count, self._part("reduce_scatter", count, "x")
        into = source
        if out is not x:
            if out is None:
                out = self._new("reduce_scatter", x, whole)
            into, into_count, into_kind = locate(out)
            if into_count != count or into_kind != kind:
                raise self._unequal("reduce_scatter", into_count, into_kind, count, kind)
        arguments = (self._handle, source, into, count, kind, operator_of(op, kind),
                     None if options is None else options._pointer)  # fmt: skip
        return self._do(self._form.reduce_scatter, arguments, out, (source, into, options, op))

    def all_to_all(self, x: Any, *, out: Any = None, options: Options = None) -> R:
        """All-to-all personalized: part s of `out` of node d = part d of x of node s. Without `out`, x receives the result."""
        source, count, kind = locate(x, out is None)
        count = self._part("all_to_all", count, "x")
        into = source if out is None else self._whole("all_to_all", out, count, kind)
        arguments = (self._handle, source, into, count, kind, None if options is None else options._pointer)
        return self._do(self._form.all_to_all, arguments, x if out is None else out, (source, into, options))

    def barrier(self, *, options: Options = None) -> R:
        """Barrier: is complete when every node has called it."""
        return self._do(self._form.barrier, (self._handle, None if options is None else options._pointer), None, options)

    # Parts of different lengths: part r has counts[r] elements from displacements[r] on, or one lies after the other.

    def _parts(self, name: str, counts: Counts, displacements: Offsets, held: int, what: str) -> Tuple[Any, Any]:
        """Returns the lists, checked against the number of elements of what has the parts."""
        numbers, offsets = sizes(counts, f"{name}: counts"), sizes(displacements, f"{name}: displacements")
        for list_, title in ((numbers, "counts"), (offsets, "displacements")):
            if list_ is not None and len(list_) != self._size:
                raise UsageError(f"{name}: there are {len(list_)} {title} for {self._size} nodes")
        needed = sum(numbers) if offsets is None else max((o + n for o, n in zip(offsets, numbers) if n), default=0)
        if needed > held:
            raise UsageError(f"{name}: the parts end with element {needed}, and {what} has {held}")
        return numbers, offsets

    def all_gather_v(self, x: Any, out: Any, counts: Counts, displacements: Offsets = None, *, options: Options = None) -> R:
        """Gathers a different count from every rank: part r of `out` = x of node r, on all nodes, which pass equal counts. If x
        is None, node r contributes part r of `out`."""
        into, held, kind = locate(out)
        numbers, offsets = self._parts("all_gather_v", counts, displacements, held, "`out`")
        source, count = self._own_part("all_gather_v", x, kind, into, numbers)
        arguments = (self._handle, source, count, into, numbers, offsets, kind, None if options is None else options._pointer)
        return self._do(self._form.all_gather_v, arguments, out, (source, into, numbers, offsets, options))

    def _own_part(self, name: str, x: Any, kind: int, place: Any, numbers: Any) -> Tuple[Any, int]:
        """Returns what the node itself has: x or, in place, its part."""
        if x is None:
            return place, numbers[self.rank]
        source, count, own_kind = locate(x, False)
        if own_kind != kind:
            raise UsageError(f"{name}: x has elements of type {_name(own_kind)}, and the parts are of type {_name(kind)}")
        return source, count

    def gather_v(
        self, x: Any, out: Any = None, counts: Optional[Counts] = None, displacements: Offsets = None, root: int = 0, *,
        options: Options = None
    ) -> R:  # fmt: skip
        """The same on `root` only, which alone needs `out` and counts."""
        given = None if options is None else options._pointer
        if root != self.rank:
            source, count, kind = locate(x, False)
            arguments = (self._handle, source, count, None, None, None, kind, root, given)
            return self._do(self._form.gather_v, arguments, None, (source, options))
        into, held, kind = locate(out)
        numbers, offsets = self._parts("gather_v", () if counts is None else counts, displacements, held, "`out`")
        source, count = self._own_part("gather_v", x, kind, into, numbers)
        arguments = (self._handle, source, count, into, numbers, offsets, kind, root, given)
        return self._do(self._form.gather_v, arguments, out, (source, into, numbers, offsets, options))

    def scatter_v(
        self, x: Any, out: Any = None, counts: Optional[Counts] = None, displacements: Offsets = None, root: int = 0, *,
        options: Options = None
    ) -> R:  # fmt: skip
        """Scatters a different count to every rank: `out` of node r = part r of x of `root`, which alone needs x and counts. If
        `out` is None on the root, its own part stays where it is."""
        given = None if options is None else options._pointer
        if root != self.rank:
            into, count, kind = locate(out)
            arguments = (self._handle, None, None, None, into, count, kind, root, given)
            return self._do(self._form.scatter_v, arguments, out, (into, options))
        source, held, kind = locate(x, False)
        numbers, offsets = self._parts("scatter_v", () if counts is None else counts, displacements, held, "x")
        if out is None:
            into, count = source, numbers[self.rank]
        else:
            into, count, into_kind = locate(out)
            if into_kind != kind:
                raise self._unequal("scatter_v", count, into_kind, numbers[self.rank], kind)
        arguments = (self._handle, source, numbers, offsets, into, count, kind, root, given)
        return self._do(self._form.scatter_v, arguments, x if out is None else out, (source, into, numbers, offsets, options))

    def reduce_scatter_v(self, x: Any, op: AnyOperator, counts: Counts, *, out: Any = None, options: Options = None) -> R:
        """As reduce_scatter; node r receives counts[r] elements, and all nodes pass equal counts."""
        source, held, kind = locate(x, out is None)
        numbers, _ = self._parts("reduce_scatter_v", counts, None, held, "x")
        into = source
        if out is not None:
            into, into_count, into_kind = locate(out)
            if into_count != numbers[self.rank] or into_kind != kind:
                raise self._unequal("reduce_scatter_v", into_count, into_kind, numbers[self.rank], kind)
        arguments = (self._handle, source, into, numbers, kind, operator_of(op, kind),
                     None if options is None else options._pointer)  # fmt: skip
        return self._do(self._form.reduce_scatter_v, arguments, x if out is None else out,
                        (source, into, numbers, options, op))  # fmt: skip

    def all_to_all_v(
        self, x: Any, counts: Counts, displacements: Offsets = None, *, out: Any = None,
        out_counts: Optional[Counts] = None, out_displacements: Offsets = None, options: Options = None
    ) -> R:  # fmt: skip
        """As all_to_all, with a count for every pair: part s of `out` of node d = part d of x of node s. Without `out`, x
        receives the result, so that every two nodes exchange equally much."""
        source, held, kind = locate(x, out is None)
        numbers, offsets = self._parts("all_to_all_v", counts, displacements, held, "x")
        into, in_numbers, in_offsets = source, numbers, offsets
        if out is not None:
            into, held, into_kind = locate(out)
            if into_kind != kind:
                raise self._unequal("all_to_all_v", held, into_kind, held, kind)
            in_numbers, in_offsets = self._parts(
                "all_to_all_v", counts if out_counts is None else out_counts, out_displacements, held, "`out`"
            )
        arguments = (self._handle, source, numbers, offsets, into, in_numbers, in_offsets, kind,
                     None if options is None else options._pointer)  # fmt: skip
        return self._do(self._form.all_to_all_v, arguments, x if out is None else out,
                        (source, into, numbers, offsets, in_numbers, in_offsets, options))  # fmt: skip


def _number(one: Cell) -> Answer:
    return Answer(lambda _: one.number())


class _Handled(Operations[R]):
    """Operations whose calls are handles, made by `_made(handle, node, kept, result)`."""

    _made: Callable[[ctypes.c_void_p, Any, Any, Any], R]

    def __init__(self, group: Operations[Any]) -> None:
        self._group, self._node, self._size, self.rank = group, group._node, group._size, group.rank

    @property
    def _handle(self) -> int:  # type: ignore[override]
        return self._group._handle

    def _node_group(self) -> Any:
        return self._group

    def _do(self, function: Callable[..., int], arguments: Tuple[Any, ...], result: Any, kept: Any) -> R:
        handle = ctypes.c_void_p()
        code = function(*(with_layouts(arguments) if ALIVE else arguments), ctypes.byref(handle))
        if code:
            fail(code)
        made: R = type(self)._made(handle, self._node, kept, result)
        return made


class Nonblocking(_Handled[Request]):
    """The operations in their nonblocking form: each returns a Request, whose wait() returns what the blocking call does."""

    _form = nonblocking
    _made = Request


class PersistentOperations(_Handled[Persistent]):
    """The operations in their persistent form: each returns a planned call. Numbers, which a call cannot be given anew, are
    refused: take an array of one element."""

    _form = persistent
    _made = Persistent
    _numbers: Dict[type, int] = {}
