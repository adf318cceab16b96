"""Calls in flight, and planned ones."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Iterable, List, NamedTuple, Optional, Sequence

from vnode._errors import UsageError, check, fail, succeed
from vnode._library import library

if TYPE_CHECKING:
    from vnode._data import Cell
    from vnode._group import Node


class Received(NamedTuple):
    """What is known of a message that has been received. From no_rank comes (0, no_rank, any_tag)."""

    elements: int  #: how many have come
    source: int  #: the sender's rank in the group
    tag: int  #: the tag that the sender gave it


class _Received(ctypes.Structure):
    """vnode_received."""

    _fields_ = [("count", ctypes.c_size_t), ("from_", ctypes.c_int), ("tag", ctypes.c_int)]

    def told(self) -> Received:
        return Received(self.count, self.from_, self.tag)

    def number(self, one: Cell) -> Any:
        """Returns the number that has come to `one`."""
        if self.count == 0:
            sender = "nobody sends" if self.from_ < 0 else f"node {self.from_} has sent"
            raise UsageError(f"{sender} an empty message, and no number")
        return one.number()


class Answer:
    """What makes the result of a call that is no array once the call is complete."""

    __slots__ = ("of",)

    def __init__(self, of: Callable[[Optional[Received]], Any]) -> None:
        self.of = of


WHAT_HAS_COME = Answer(lambda received: received)

_wait, _test = library.vnode_request_wait, library.vnode_request_test


class Request:
    """A call in flight, of the node that has made it. It keeps the call's data until it is complete, and progresses within
    every call that its node makes. A node waits for all its requests before its part of the run ends."""

    __slots__ = ("_handle", "_node", "_kept", "_result", "_value", "_receives", "_cancelled", "__weakref__")

    def __init__(self, handle: ctypes.c_void_p, node: Node, kept: Any, result: Any, receives: bool = False) -> None:
        self._handle, self._node, self._kept, self._receives = handle, node, kept, receives
        self._result: Any = result
        self._value: Any = None
        self._cancelled = False
        node._in_flight[id(self)] = self

    def wait(self) -> Any:
        """Returns when the call is complete: what the blocking call returns; of a receive what has come, `Received`."""
        if self._node is not None:
            received = _Received() if self._receives else None
            code = _wait(ctypes.byref(self._handle), ctypes.byref(received) if received is not None else None)
            if code:
                self._failed(code)
            self._complete(received)
        return self._value

    def test(self) -> bool:
        """Lets all calls of this node progress; returns whether this one is complete. Then wait() returns at once."""
        if self._node is not None:
            complete, received = ctypes.c_int(), _Received()
            code = _test(ctypes.byref(self._handle), ctypes.byref(complete), ctypes.byref(received))
            if code:
                self._failed(code)
            if not complete.value:
                return False
            self._complete(received)
        return True

    def cancel(self) -> bool:
        """Cancels a receive that no message has been matched with: it is complete, has received nothing, and later receives get
        what it would have got. Returns whether it was cancelled; if not, it will be complete as ever. What is sent or called
        together cannot be taken back: UsageError."""
        if self._node is None:
            return False
        cancelled = ctypes.c_int()
        succeed(library.vnode_request_cancel(ctypes.byref(self._handle), ctypes.byref(cancelled)))
        if cancelled.value:
            self._cancelled = True
            self._drop()
        return self._cancelled

    @property
    def cancelled(self) -> bool:
        """Whether the call has been cancelled. Then wait() returns None."""
        return self._cancelled

    def _failed(self, code: int) -> None:
        if not self._handle:
            self._drop()
        fail(code)

    def _complete(self, received: Optional[_Received]) -> None:
        result = self._result
        if type(result) is Answer:
            has_come = self._receives and received is not None
            result = result.of(received.told() if has_come and received else None)
        self._value = result
        self._drop()

    def _told(self, received: _Received) -> None:
        """Notes that another function has found it complete, and ended the handle."""
        self._handle = ctypes.c_void_p()
        self._complete(received)

    def _drop(self) -> None:
        """Drops the data of a call that is complete, lost, or over with its run."""
        node, self._node = self._node, None  # type: ignore[assignment]
        if node is not None:
            node._in_flight.pop(id(self), None)
        self._kept = self._result = None
        if self._handle:
            library.vnode_request_free(ctypes.byref(self._handle))


def wait_all(requests: Iterable[Request]) -> list[Any]:
    """Returns when all are complete, with what wait() returns for each."""
    return [request.wait() for request in requests]


def test_all(requests: Iterable[Request]) -> bool:
    """Lets all calls of this node progress; returns whether all are complete."""
    return all([request.test() for request in requests])


# Of many requests those that have become complete. Each is told once, by whichever of these, by its wait(), or by a test() that
# has returned True; afterwards it is passed over. What it has received or computed, its wait() returns at once.


def wait_any(requests: Sequence[Request]) -> Optional[int]:
    """Returns when one of the requests is complete, and its index; None if all have been told."""
    return _one(library.vnode_request_wait_any, requests)


def test_any(requests: Sequence[Request]) -> Optional[int]:
    """Lets all calls of this node progress; returns the index of a request that is complete, or None."""
    return _one(library.vnode_request_test_any, requests)


def wait_some(requests: Sequence[Request]) -> List[int]:
    """Returns when at least one of the requests is complete, and the indices of all that are; none if all have been told."""
    return _some(library.vnode_request_wait_some, requests)


def test_some(requests: Sequence[Request]) -> List[int]:
    """Lets all calls of this node progress; returns the indices of the requests that are complete."""
    return _some(library.vnode_request_test_some, requests)


def _handles(requests: Sequence[Request]) -> Any:
    handles = [request._handle.value for request in requests]
    in_flight = [handle for handle in handles if handle]
    if len(set(in_flight)) < len(in_flight):
        raise UsageError("a request is listed twice")
    return (ctypes.c_void_p * len(handles))(*handles)


def _one(function: Callable[..., int], requests: Sequence[Request]) -> Optional[int]:
    index, received = ctypes.c_size_t(), _Received()
    succeed(function(_handles(requests), len(requests), ctypes.byref(index), ctypes.byref(received)))
    if index.value == len(requests):
        return None
    requests[index.value]._told(received)
    return index.value


def _some(function: Callable[..., int], requests: Sequence[Request]) -> List[int]:
    indices, complete = (ctypes.c_size_t * len(requests))(), ctypes.c_size_t()
    received = (_Received * len(requests))()
    code = function(_handles(requests), len(requests), indices, ctypes.byref(complete), received)
    told = list(indices[: complete.value])
    for index, what in zip(told, received):
        requests[index]._told(what)
    succeed(code)
    return told


class Persistent:
    """A collective call that is planned once and started many times, with the same data, which it keeps."""

    __slots__ = ("_handle", "_node", "_kept", "_result", "__weakref__")

    def __init__(self, handle: ctypes.c_void_p, node: Node, kept: Any, result: Any) -> None:
        self._handle, self._node, self._kept, self._result = handle, node, kept, result

    def start(self) -> None:
        """Starts the call; all nodes start their calls in the same order."""
        check(library.vnode_persistent_start(self._handle))
        self._node._in_flight[id(self)] = self

    def wait(self) -> Any:
        """Returns when the call is complete, at once if none has been started: what the blocking call returns."""
        code = library.vnode_persistent_wait(self._handle)
        if code:
            fail(code)
        self._node._in_flight.pop(id(self), None)
        return self._result

    def test(self) -> bool:
        """Lets all calls of this node progress; returns whether this one is not in flight."""
        complete = ctypes.c_int()
        check(library.vnode_persistent_test(self._handle, ctypes.byref(complete)))
        if complete.value:
            self._node._in_flight.pop(id(self), None)
        return bool(complete.value)

    def _drop(self) -> None:
        """Removes the call from those in flight: the run is over."""
        self._node._in_flight.pop(id(self), None)

    def __del__(self) -> None:
        # Not in flight, or it would be kept. It may be any thread that ends it; its node's does.
        if getattr(self, "_handle", None):
            self._node._to_end.append((library.vnode_persistent_free, self._handle, self._kept))
