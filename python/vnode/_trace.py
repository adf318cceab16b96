"""What nodes have recorded of their calls."""

from __future__ import annotations

import ctypes
from typing import Any, List, NamedTuple, Tuple

from vnode._errors import check
from vnode._library import library

OCCUPATIONS = ("wait", "copy", "combine", "send")


class _Occupation(ctypes.Structure):
    _fields_ = [
        ("node", ctypes.c_int),
        ("kind", ctypes.c_int),
        ("round", ctypes.c_int),
        ("begin", ctypes.c_double),
        ("end", ctypes.c_double),
    ]


class _Message(ctypes.Structure):
    _fields_ = [
        ("round", ctypes.c_int),
        ("from_", ctypes.c_int),
        ("to", ctypes.c_int),
        ("bytes", ctypes.c_size_t),
        ("start", ctypes.c_double),
        ("departure", ctypes.c_double),
        ("end", ctypes.c_double),
    ]


class _TracedCall(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("group", ctypes.c_int),
        ("number", ctypes.c_uint),
        ("nodes", ctypes.c_int),
        ("complete", ctypes.c_int),
        ("seconds", ctypes.c_double),
        ("title", ctypes.c_char_p),
        ("algorithm", ctypes.c_char_p),
        ("messages", ctypes.POINTER(_Message)),
        ("messages_count", ctypes.c_size_t),
        ("occupations", ctypes.POINTER(_Occupation)),
        ("occupations_count", ctypes.c_size_t),
    ]


class Occupation(NamedTuple):
    """What a node did for a while in a call. Times are seconds since the first node began with it."""

    node: int
    kind: str  #: "wait", "copy", "combine" or "send"
    round: int
    begin: float
    end: float


class TimedMessage(NamedTuple):
    """A message of a call: its sender began with it, its first byte left, its receiver had the last byte."""

    round: int
    source: int
    to: int
    bytes: int
    start: float
    departure: float
    end: float


class TracedCall(NamedTuple):
    """A collective call as it was executed."""

    title: str
    algorithm: str
    group: int  #: 0: all nodes of the team
    number: int  #: the call's in its group
    nodes: int
    complete: bool  #: whether every node had room for its records
    seconds: float  #: from the first start to the last end
    messages: Tuple[TimedMessage, ...]  #: by start
    occupations: Tuple[Occupation, ...]  #: by node, then by begin


class Trace(NamedTuple):
    calls: List[TracedCall]  #: by their beginning
    dropped: int  #: events that nodes had no room for


def take_trace(team: Any) -> Trace:
    """Returns the calls that a team has recorded since the last time."""
    trace, calls, dropped = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_size_t()
    check(library.vnode_team_take_trace(team, ctypes.byref(trace)))
    try:
        check(library.vnode_trace_counts(trace, ctypes.byref(calls), ctypes.byref(dropped)))
        return Trace([_call(trace, i) for i in range(calls.value)], dropped.value)
    finally:
        library.vnode_trace_free(ctypes.byref(trace))


def _call(trace: ctypes.c_void_p, index: int) -> TracedCall:
    is_ = _TracedCall(size=ctypes.sizeof(_TracedCall))
    check(library.vnode_trace_call(trace, index, ctypes.byref(is_)))
    messages = tuple(
        TimedMessage(m.round, m.from_, m.to, m.bytes, m.start, m.departure, m.end)
        for m in (is_.messages[i] for i in range(is_.messages_count))
    )
    occupations = tuple(
        Occupation(o.node, OCCUPATIONS[o.kind], o.round, o.begin, o.end)
        for o in (is_.occupations[i] for i in range(is_.occupations_count))
    )
    title, algorithm = (is_.title or b"").decode(), (is_.algorithm or b"").decode()
    return TracedCall(
        title, algorithm, is_.group, is_.number, is_.nodes, bool(is_.complete), is_.seconds, messages, occupations
    )
