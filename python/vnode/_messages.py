"""Messages between two nodes."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Optional, Tuple, TypeVar, overload

from vnode._data import NUMBERS, Cell, cell, locate
from vnode._errors import UsageError, fail, succeed
from vnode._layout import Strided, piece
from vnode._library import library
from vnode._matching import MatchedMessage, MessageInfo, contiguous
from vnode._operations import _name
from vnode._request import WHAT_HAS_COME, Received, Request, _Received
from vnode._signatures import BYTE

if TYPE_CHECKING:
    from vnode._group import Node

T = TypeVar("T")


def _sent(x: Any) -> Tuple[Any, int, int]:
    if type(x) in NUMBERS:
        one = cell(x)
        return one.memory, 1, one.kind
    return locate(x, False)


class Messages:
    """Messages between two nodes of a group. A receive or probe takes any_source for the sender and any_tag for the tag, one of
    them or both; then it is matched in MPI's order. Sending to no_rank does nothing, and nothing comes from it."""

    _handle: int
    _node: Node

    def send(self, x: Any, to: int, tag: int = 0) -> None:
        """Sends a number or an array to a node of the group and returns when it may be changed."""
        place, count, kind = _sent(x)
        if type(place) is Strided:
            code = library.vnode_send_piece(self._handle, ctypes.byref(piece(place, count)), kind, to, tag)
        else:
            code = library.vnode_send(self._handle, place, count, kind, to, tag)
        if code:
            fail(code)

    def ssend(self, x: Any, to: int, tag: int = 0) -> None:
        """Sends, and returns when x may be changed and the receiver has begun to receive."""
        place, count, kind = contiguous("ssend", _sent(x))
        succeed(library.vnode_ssend(self._handle, place, count, kind, to, tag))

    @overload
    def recv(self, x: type[T], source: int, tag: int = 0) -> T: ...
    @overload
    def recv(self, x: Any, source: int, tag: int = 0) -> Received: ...
    def recv(self, x: Any, source: int, tag: int = 0) -> Any:
        """Receives a message into the array x, which may be longer, and returns what has come. If x is float, int, bool or
        complex, receives a number and returns that."""
        received = _Received()
        one = Cell.of_type(x)
        place, count, kind = (one.memory, 1, one.kind) if one is not None else locate(x)
        if type(place) is Strided:
            laid = ctypes.byref(piece(place, count))
            code = library.vnode_recv_piece(self._handle, laid, kind, source, tag, ctypes.byref(received))
        else:
            code = library.vnode_recv(self._handle, place, count, kind, source, tag, ctypes.byref(received))
        if code:
            fail(code)
        return received.told() if one is None else received.number(one)

    def sendrecv(self, x: Any, to: int, into: Any, source: int, tag: int = 0, recv_tag: Optional[int] = None) -> Received:
        """Sends x and receives `into` at the same time, so that no exchange can deadlock. What is received has the tag
        `recv_tag`, if that is another."""
        place, count, kind = _sent(x)
        room, room_count, room_kind = locate(into)
        if room_kind != kind:
            raise UsageError(
                f"sendrecv: x has elements of type {_name(kind)}, and `into` has {room_count} of type {_name(room_kind)}"
            )
        received = _Received()
        if recv_tag is not None and recv_tag != tag:
            place, room = (contiguous("sendrecv with two tags", (at, 0, kind))[0] for at in (place, room))
            code = library.vnode_sendrecv_tags(
                self._handle, place, count, to, tag, room, room_count, source, recv_tag, kind, ctypes.byref(received)
            )
        elif type(place) is Strided or type(room) is Strided:
            out, in_ = piece(place, count), piece(room, room_count)
            code = library.vnode_sendrecv_pieces(
                self._handle, ctypes.byref(out), to, ctypes.byref(in_), source, kind, tag, ctypes.byref(received)
            )
        else:
            code = library.vnode_sendrecv(
                self._handle, place, count, to, room, room_count, source, kind, tag, ctypes.byref(received)
            )
        if code:
            fail(code)
        return received.told()

    def sendrecv_replace(self, x: Any, to: int, source: int, tag: int = 0, recv_tag: Optional[int] = None) -> Received:
        """Sends the array x and receives into it: what arrives replaces what was sent."""
        place, count, kind = contiguous("sendrecv_replace", locate(x))
        received = _Received()
        in_tag = tag if recv_tag is None else recv_tag
        succeed(
            library.vnode_sendrecv_replace(
                self._handle, place, count, kind, to, tag, source, in_tag, ctypes.byref(received)
            )
        )
        return received.told()

    def isend(self, x: Any, to: int, tag: int = 0) -> Request:
        """Starts a send and returns at once; x may be changed when the request is complete."""
        place, count, kind = _sent(x)
        handle = ctypes.c_void_p()
        if type(place) is Strided:
            laid = ctypes.byref(piece(place, count))
            code = library.vnode_isend_piece(self._handle, laid, kind, to, tag, ctypes.byref(handle))
        else:
            code = library.vnode_isend(self._handle, place, count, kind, to, tag, ctypes.byref(handle))
        if code:
            fail(code)
        return Request(handle, self._node, place, None)

    def issend(self, x: Any, to: int, tag: int = 0) -> Request:
        """Starts an ssend and returns at once."""
        place, count, kind = contiguous("issend", _sent(x))
        handle = ctypes.c_void_p()
        succeed(library.vnode_issend(self._handle, place, count, kind, to, tag, ctypes.byref(handle)))
        return Request(handle, self._node, place, None)

    def irecv(self, x: Any, source: int, tag: int = 0) -> Request:
        """Starts a receive and returns at once; wait() returns what has come."""
        place, count, kind = locate(x)
        handle = ctypes.c_void_p()
        if type(place) is Strided:
            laid = ctypes.byref(piece(place, count))
            code = library.vnode_irecv_piece(self._handle, laid, kind, source, tag, ctypes.byref(handle))
        else:
            code = library.vnode_irecv(self._handle, place, count, kind, source, tag, ctypes.byref(handle))
        if code:
            fail(code)
        return Request(handle, self._node, place, WHAT_HAS_COME, receives=True)

    # What is looked at before it is received.

    def probe(self, source: int, tag: int = 0) -> MessageInfo:
        """Returns when a message is there that recv(x, source, tag) would get, and what it is. The message stays."""
        received = _Received()
        succeed(library.vnode_probe(self._handle, source, tag, BYTE, ctypes.byref(received)))
        return MessageInfo(*received.told())

    def iprobe(self, source: int, tag: int = 0) -> Optional[MessageInfo]:
        """Returns at once: what probe() would return, or None if there is no such message yet."""
        found, received = ctypes.c_int(), _Received()
        succeed(library.vnode_iprobe(self._handle, source, tag, BYTE, ctypes.byref(found), ctypes.byref(received)))
        return MessageInfo(*received.told()) if found.value else None

    def mprobe(self, source: int, tag: int = 0) -> MatchedMessage:
        """Returns when a message is there that recv(x, source, tag) would get, and takes it out: no other receive or probe finds
        it any more."""
        handle, received = ctypes.c_void_p(), _Received()
        succeed(
            library.vnode_mprobe(self._handle, source, tag, BYTE, ctypes.byref(handle), ctypes.byref(received))
        )
        return MatchedMessage(handle, self._node, MessageInfo(*received.told()))

    def improbe(self, source: int, tag: int = 0) -> Optional[MatchedMessage]:
        """Returns at once: what mprobe() would return, or None if there is no such message yet."""
        handle, received = ctypes.c_void_p(), _Received()
        succeed(
            library.vnode_improbe(self._handle, source, tag, BYTE, ctypes.byref(handle), ctypes.byref(received))
        )
        return MatchedMessage(handle, self._node, MessageInfo(*received.told())) if handle else None
