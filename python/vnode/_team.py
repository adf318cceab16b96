"""Teams, and threads of the program that join them."""

from __future__ import annotations

import ctypes
import json
import weakref
from types import TracebackType
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Type, TypeVar

from vnode import _memory, _trace
from vnode._data import know_numpy
from vnode._errors import UsageError, check, code_of, fail, forget, given, said, succeed
from vnode._group import DOMAINS, Node
from vnode._library import INT, SIZE, Struct, library, taken
from vnode._memory import OwnedMemory, PlacedBuffer, Shape, _one_of
from vnode._objects import ObjectsOnTheirWay
from vnode._signals import handle_while_waiting
from vnode._topology import Topology
from vnode._trace import Trace

T = TypeVar("T")

THREADS = ("own", "callers")
WAITS = ("automatic", "spin", "yield", "park")
CHANNELS = ("line", "boost")
BANKS = ("owner", "peer", "spread", "interleave", "one")


class _CostModel(Struct):
    """vnode_cost_model."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("t_s", ctypes.c_double),
        ("t_w", ctypes.c_double),
        ("t_op", ctypes.c_double),
        ("t_put", ctypes.c_double),
        ("o", ctypes.c_double),
        ("nodes_per_pu", ctypes.c_double),
        ("eager_to", ctypes.c_size_t),
        ("shared_from", ctypes.c_size_t),
    ]


class _TeamOptions(Struct):
    """vnode_team_options."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("threads", ctypes.c_int),
        ("wait", ctypes.c_int),
        ("channel", ctypes.c_int),
        ("pin", ctypes.c_int),
        ("keep_caller_pinned", ctypes.c_int),
        ("mapping", ctypes.c_char_p),
        ("pus", ctypes.POINTER(ctypes.c_int)),
        ("pus_count", ctypes.c_size_t),
        ("banks", ctypes.c_int),
        ("strict_banks", ctypes.c_int),
        ("arenas", ctypes.c_int),
        ("arenas_from", ctypes.c_size_t),
        ("apart", ctypes.c_int),
        ("checked", ctypes.c_int),
        ("deterministic", ctypes.c_int),
        ("time_limit", ctypes.c_double),
        ("algorithms", ctypes.c_char_p),
        ("costs", ctypes.POINTER(_CostModel)),
        ("inline_to", ctypes.POINTER(ctypes.c_size_t)),
        ("shared_from", ctypes.POINTER(ctypes.c_size_t)),
        ("statistics", ctypes.c_int),
        ("deadlocks", ctypes.c_int),
        ("share", ctypes.c_char_p),
        ("spin", ctypes.POINTER(ctypes.c_double)),
        ("profile", ctypes.c_char_p),
        ("nodes", ctypes.c_int),
        ("stack", ctypes.c_size_t),
    ]


class CostModel(NamedTuple):
    """The costs of messages; times are in seconds."""

    t_s: float  #: to start a message
    t_w: float  #: to receive a byte
    t_op: float  #: to combine a byte with another
    t_put: float = 0  #: to write a byte to another node's memory; 0 counts as t_w
    o: float = 0  #: a thread's work for a message that it need not wait for
    nodes_per_pu: float = 0  #: how many nodes take turns on a PU; 0: 1
    eager_to: int = 0  #: bytes: longer messages travel by rendezvous; 0: 1024
    shared_from: int = 0  #: bytes: both ends of a message of this size or more copy it; 0: 8192


_nodes: Dict[int, weakref.ref[Node]] = {}  # of all teams that have not ended, by handle


def this_node() -> Optional[Node]:
    """Returns the node that the calling thread is, of several teams' the one that it became last: for functions that are called
    within a node's part of a run and are not given it. None in a thread that is no node of a team of this module."""
    handle = ctypes.c_void_p()
    check(library.vnode_this_node(ctypes.byref(handle)))
    known = _nodes.get(handle.value or 0)
    return known() if known is not None else None


class Told(str):
    """A text for people; `data` is the same as lists and dictionaries, as JSON has it."""

    data: Dict[str, Any]

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


_BODY = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class Team:
    """p threads that act as the virtual nodes of a topology: the team's own, which serve every run, or threads of the program
    that join ("callers"). docs/library.md says what the options do; environment variables override them.

        team = vnode.Team(8, "hypercube")
        sums = team.run(lambda me: me.all_reduce(float(me.rank), "sum"))

    All nodes have threads of their own (`apart`), so that the thread that calls run() can handle signals meanwhile.
    """

    def __init__(
        self,
        nodes: int,
        shape: str = "full",
        *,
        threads: str = "own",
        wait: str = "automatic",
        spin: Optional[float] = None,
        channel: str = "line",
        pin: Optional[bool] = None,
        mapping: Optional[str] = None,
        pus: Optional[Sequence[int]] = None,
        banks: Optional[str] = None,
        strict_banks: bool = False,
        arenas: Optional[str] = None,
        arenas_from: int = 0,
        checked: bool = False,
        deterministic: bool = False,
        time_limit: float = 0,
        deadlocks: bool = True,
        statistics: bool = False,
        share: Optional[str] = None,
        profile: Optional[str] = None,
        algorithms: Optional[str] = None,
        costs: Optional[CostModel] = None,
        inline_to: Optional[int] = None,
        shared_from: Optional[int] = None,
    ) -> None:
        handle_while_waiting()
        of_callers = _one_of(threads, THREADS, "kind of threads") == 1
        options = _TeamOptions(
            size=ctypes.sizeof(_TeamOptions),
            threads=of_callers,
            wait=_one_of("automatic" if wait == "auto" else wait, WAITS, "way to wait"),
            channel=_one_of(channel, CHANNELS, "channel"),
            pin=0 if pin is None else 1 if pin else 2,
            mapping=mapping.encode() if mapping else None,
            banks=0 if banks is None else 1 + _one_of(banks, BANKS, "place of banks"),
            strict_banks=strict_banks,
            arenas=0 if arenas is None else 1 + _one_of(arenas, DOMAINS, "domain"),
            arenas_from=arenas_from,
            apart=not of_callers,
            checked=checked,
            deterministic=deterministic,
            time_limit=time_limit,
            deadlocks=0 if deadlocks else 2,
            statistics=statistics,
            share=share.encode() if share else None,
            profile=profile.encode() if profile else None,
            nodes=1,  # threads, whatever VNODE_NODES says: the interpreter's state belongs to a thread
            algorithms=algorithms.encode() if algorithms else None,
        )
        if pus is not None:
            list_ = INT.memory(pus, "pus")
            options.pus, options.pus_count = list_, len(list_)
        if costs is not None:
            options.costs = ctypes.pointer(_CostModel(ctypes.sizeof(_CostModel), *costs))
        if spin is not None:
            options.spin = ctypes.pointer(ctypes.c_double(spin))
        for name, limit in (("inline_to", inline_to), ("shared_from", shared_from)):
            if limit is not None:
                setattr(options, name, ctypes.pointer(ctypes.c_size_t(SIZE.exact(limit, name))))
        self._handle = ctypes.c_void_p()
        self._nodes: Dict[int, Node] = {}
        self._objects_on_their_way = ObjectsOnTheirWay()
        check(library.vnode_team_create(ctypes.byref(self._handle), nodes, shape.encode(), ctypes.byref(options)))
        self._size = check(library.vnode_team_size(self._handle))

    def run(self, f: Callable[..., T], *arguments: Any) -> List[T]:
        """Calls f(node, *arguments) on every node and returns what it has returned there, by rank. If an exception leaves f,
        the others leave their calls by Aborted, and the first exception leaves run() when all have left f."""
        handle_while_waiting()
        know_numpy()
        results: Dict[int, T] = {}
        codes: List[int] = []
        began: List[bool] = []

        def body(handle: int, _: Any) -> int:
            try:
                began.append(True)
                node = self._node(handle)
                results[node.rank] = f(node, *arguments)
                return 0
            except BaseException as error:
                return code_of(error)
            finally:
                codes.extend(given())

        code = library.vnode_team_run(self._open, _BODY(body), None)
        try:
            if code:
                fail(code)
        finally:
            forget(codes)
            if began:  # or the run was refused, since another one is on
                self._run_is_over()
        return [results[rank] for rank in range(self._size)]

    def join(self, rank: Optional[int] = None) -> Membership:
        """Makes the calling thread node `rank` of a team of callers, or the lowest rank that no thread has, until it leaves.
        Returns when all nodes have joined.

            with team.join() as me:
                total = me.all_reduce(part, "sum")
        """
        handle_while_waiting()
        know_numpy()
        made, node, own = Membership(self), ctypes.c_void_p(), -1 if rank is None else rank
        try:
            succeed(library.vnode_team_join(self._open, own, ctypes.byref(made._handle), ctypes.byref(node)))
            made.node = self._node(node.value or 0)
        except BaseException as error:  # a handler's, too, as the call returns
            made.__exit__(type(error), error, None)
            raise
        return made

    def _node(self, handle: int) -> Node:
        node = self._nodes.get(handle)
        if node is None:
            node = self._nodes[handle] = Node(handle, self)
            _nodes[handle] = weakref.ref(node)
        node._end_dropped()
        return node

    def _run_is_over(self) -> None:
        self._objects_on_their_way.clear()
        for node in self._nodes.values():
            node._run_is_over()

    @property
    def _open(self) -> ctypes.c_void_p:
        """The handle."""
        if not self._handle:
            raise UsageError("the team has been closed")
        return self._handle

    @property
    def size(self) -> int:
        """The number of nodes."""
        return self._size

    @property
    def topology(self) -> Topology:
        return Topology._of(library.vnode_team_topology, self._open)

    @property
    def costs(self) -> CostModel:
        """The costs of messages, as given or measured, which takes some milliseconds once. Between runs only."""
        model = _CostModel(ctypes.sizeof(_CostModel))
        check(library.vnode_team_costs(self._open, ctypes.byref(model)))
        return CostModel(*(getattr(model, name) for name in CostModel._fields))

    def report(self) -> str:
        """Returns a text for people: nodes, topology, mapping on cores, pinning, waiting, memory, what was refused and why, what
        the environment has overridden. Between runs only."""
        text = ctypes.c_void_p()
        check(library.vnode_team_report(self._open, ctypes.byref(text)))
        return taken(text)

    @property
    def channel_bytes(self) -> int:
        """The bytes of memory that the channels use."""
        return self._bytes(0)

    @property
    def scratch_bytes(self) -> int:
        """The bytes of memory that calls use for scratch."""
        return self._bytes(1)

    def _bytes(self, which: int) -> int:
        sizes = (ctypes.c_size_t(), ctypes.c_size_t())
        check(library.vnode_team_bytes(self._open, ctypes.byref(sizes[0]), ctypes.byref(sizes[1])))
        return sizes[which].value

    def buffer(self, owner: int, shape: Shape, dtype: Any = "f8", *, pieces: int = 0) -> PlacedBuffer:
        """Returns memory for node `owner`, in `pieces` equal pieces (0: one for each of its ports), each on the NUMA node of its
        port."""
        return PlacedBuffer._of_team(self._open, owner, shape, dtype, pieces)

    def memory(self) -> List[OwnedMemory]:
        """Returns where the memory lies that the team has made so far. Between runs only."""
        return _memory.memory_of(self._open)

    def statistics(self) -> Told:
        """Returns what the team's calls have been until now: calls, bytes, times, times waiting, by operation, algorithm and
        size. A team with `statistics`, or VNODE_STATS, counts. Any thread may ask at any time."""
        return self._told("statistics")

    def state(self) -> Told:
        """Returns where every node is: in which call, waiting for whom, or in none. Any thread may ask at any time."""
        return self._told("state", "roll_call")

    def _told(self, question: str, answer: Optional[str] = None) -> Told:
        """Asks vnode_team_QUESTION for a handle, vnode_ANSWER, for its text and its JSON."""
        of, handle, text = f"vnode_{answer or question}", ctypes.c_void_p(), ctypes.c_void_p()
        check(getattr(library, "vnode_team_" + question)(self._open, ctypes.byref(handle)))
        try:
            check(getattr(library, of + "_text")(handle, ctypes.byref(text)))
            told = Told(taken(text))
            check(getattr(library, of + "_json")(handle, ctypes.byref(text)))
            told.data = json.loads(taken(text))
        finally:
            getattr(library, of + "_free")(ctypes.byref(handle))
        return told

    def trace(self, events: int) -> None:
        """Makes every node record, from the next run on, up to `events` events of what it does in collective calls; 0 ends
        recording. Earlier records are lost. Between runs only."""
        check(library.vnode_team_trace(self._open, events))

    def take_trace(self) -> Trace:
        """Returns the calls recorded since the last time. Between runs only."""
        return _trace.take_trace(self._open)

    def close(self) -> None:
        """Ends the team's threads; its nodes, groups and requests are not used afterwards. Within a run, while threads are joined
        or one waits in join(), it is a UsageError."""
        check(library.vnode_team_free(ctypes.byref(self._handle)))
        self._forget_nodes()

    def __enter__(self) -> Team:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self, free: Any = library.vnode_team_free) -> None:
        if getattr(self, "_handle", None):
            free(ctypes.byref(self._handle))
            self._forget_nodes()

    def _forget_nodes(self) -> None:
        for handle, node in self._nodes.items():
            _nodes.pop(handle, None)
            node._end_dropped()
            del node._handle
        self._nodes.clear()

    def __repr__(self) -> str:
        return f"<vnode.Team of {self._size} nodes>" if self._handle else "<vnode.Team, closed>"


class Membership:
    """A thread of the program as a node of a team, until it leaves: at the end of a `with`, or by leave()."""

    node: Node

    def __init__(self, team: Team) -> None:
        self._team, self._handle = team, ctypes.c_void_p()

    def __enter__(self) -> Node:
        return self.node

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], _: Optional[TracebackType]
    ) -> None:
        if error is None:
            self.leave()
        elif self._handle:
            self._abort(said(error))

    def leave(self) -> None:
        """Leaves the team, without waiting for the others. Raises what concerns the run and no call has raised."""
        if not self._handle:
            return
        code = library.vnode_membership_leave(ctypes.byref(self._handle))
        if not self._handle:
            self._has_left()
        if code:
            fail(code)

    def _has_left(self) -> None:
        if hasattr(self, "node"):
            self.node._run_is_over()
        forget(given())

    def abort(self, reason: str) -> None:
        """Leaves the team because this node has failed: the others leave their calls by Aborted."""
        self._abort(reason.encode(errors="replace"))

    def _abort(self, reason: bytes) -> None:
        check(library.vnode_membership_abort(ctypes.byref(self._handle), reason))
        self._has_left()

    def __del__(self, abort: Any = library.vnode_membership_abort) -> None:
        if getattr(self, "_handle", None):
            abort(ctypes.byref(self._handle), b"a membership was dropped without leaving the team")


class unpinned:
    """Gives a thread that vnode has pinned the affinity that it had before, within a `with`: threads started meanwhile inherit
    that."""

    def __enter__(self) -> None:
        self._handle = ctypes.c_void_p()
        check(library.vnode_unpinned_begin(ctypes.byref(self._handle)))

    def __exit__(self, *_: object) -> None:
        check(library.vnode_unpinned_end(ctypes.byref(self._handle)))
