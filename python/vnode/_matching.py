"""Messages that are looked at before they are received."""

from __future__ import annotations

import ctypes
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Tuple, Type, TypeVar, overload

from vnode._data import NUMBERS, Cell, dtype_size, locate
from vnode._errors import UsageError, succeed
from vnode._layout import Strided
from vnode._library import library
from vnode._operators import combining
from vnode._request import WHAT_HAS_COME, Received, Request, _Received

if TYPE_CHECKING:
    from vnode._group import Node

T = TypeVar("T")

#: The source of a receive or probe that takes messages from all nodes of the group.
any_source = -(1 << 31)
#: The tag of a receive or probe that takes messages with all tags.
any_tag = -(1 << 31)


class MessageInfo(NamedTuple):
    """What a probe tells of a message. Of one from no_rank it is (0, no_rank, any_tag)."""

    bytes: int  #: of its elements
    source: int  #: the sender's rank in the group
    tag: int  #: the tag that the sender gave it

    def elements(self, dtype: Any) -> int:
        """Returns the number of its elements, if they are of a dtype of numpy's, or float, int, bool or complex."""
        kind = NUMBERS.get(dtype) if isinstance(dtype, type) else None
        if kind:
            return self.bytes // dtype_size(kind)
        import numpy

        return int(self.bytes // numpy.dtype(dtype).itemsize)


def contiguous(name: str, place: Tuple[Any, int, int]) -> Tuple[Any, int, int]:
    """Returns a place whose elements follow each other; raises UsageError if they do not."""
    if type(place[0]) is Strided:
        raise UsageError(f"{name}: an array that is not contiguous is sent by send and isend, and received by recv")
    return place


class MatchedMessage:
    """A message that a node has matched and nobody else can receive any more: what mprobe and improbe return. The node that
    matched it receives it, once, within the same run.

        with me.mprobe(vnode.any_source, vnode.any_tag) as message:
            x = numpy.empty(message.info.elements("f8"))
            message.recv(x)

    One that has not been received when the program drops it, or at the end of its `with`, ends the run by UsageError.
    """

    __slots__ = ("info", "_handle", "_node", "__weakref__")

    info: MessageInfo  #: its source, tag and length; also after it has been received

    def __init__(self, handle: ctypes.c_void_p, node: Node, info: MessageInfo) -> None:
        self._handle, self._node, self.info = handle, node, info

    @overload
    def recv(self, x: type[T]) -> T: ...
    @overload
    def recv(self, x: Any) -> Received: ...
    def recv(self, x: Any) -> Any:
        """Receives the message into the array x, which may be longer, and returns what has come. If x is float, int, bool or
        complex, receives a number and returns that."""
        received = _Received()
        one = Cell.of_type(x)
        place, count, kind = (one.memory, 1, one.kind) if one is not None else contiguous("recv", locate(x))
        self._check_held()
        succeed(
            library.vnode_matched_message_recv(
                ctypes.byref(self._handle), place, count, kind, ctypes.byref(received)
            )
        )
        return received.told() if one is None else received.number(one)

    def irecv(self, x: Any) -> Request:
        """Starts receiving and returns at once; wait() returns what has come."""
        place, count, kind = contiguous("irecv", locate(x))
        handle = ctypes.c_void_p()
        self._check_held()
        succeed(
            library.vnode_matched_message_irecv(
                ctypes.byref(self._handle), place, count, kind, ctypes.byref(handle)
            )
        )
        return Request(handle, self._node, place, WHAT_HAS_COME, receives=True)

    def _check_held(self) -> None:
        if not self._handle:
            raise UsageError("a MatchedMessage is received once, within its `with`, and this one is over")

    def __enter__(self) -> MatchedMessage:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if error is None:
            succeed(library.vnode_matched_message_free(ctypes.byref(self._handle)))
        else:
            self._end_later()  # it is the error that ends the run

    def __del__(self) -> None:
        if not getattr(self, "_handle", None):
            return
        # Another thread than the node's cannot end it, nor can anybody within a call.
        if not combining.now:
            library.vnode_matched_message_free(ctypes.byref(self._handle))
        self._end_later()

    def _end_later(self) -> None:
        if self._handle:
            self._node._to_end.append((library.vnode_matched_message_free, self._handle, None))
            self._handle = ctypes.c_void_p()
