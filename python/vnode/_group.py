"""Groups of nodes, and nodes."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, TypeVar, overload

from vnode._errors import UsageError, check, fail
from vnode._layout import ALIVE, Neighbours, with_layouts
from vnode._library import INT, blocking, library, taken
from vnode._messages import Messages
from vnode._objects import Objects, ObjectsOnTheirWay
from vnode._operations import Nonblocking, Operations, Options, PersistentOperations
from vnode._operators import AnyOperator
from vnode._request import Answer
from vnode._topology import Topology

if TYPE_CHECKING:
    from vnode._team import Team

T = TypeVar("T")
U = TypeVar("U")

DOMAINS = ("package", "numa", "l3", "l2", "core", "machine")
NO_COLOR = -1
_OF_MPI = {
    "bcast": "broadcast", "allreduce": "all_reduce", "allgather": "all_gather", "alltoall": "all_to_all", "exscan": "exclusive_scan",
    "reduce_scatter_block": "reduce_scatter", "gatherv": "gather_v", "scatterv": "scatter_v", "allgatherv": "all_gather_v",
    "alltoallv": "all_to_all_v", "alltoallw": "all_to_all_w", "get_rank": "rank", "get_size": "size", "ibcast": "nonblocking().broadcast",
    "iallreduce": "nonblocking().all_reduce", "ibarrier": "nonblocking().barrier", "neighbor_alltoall": "exchange",
}  # fmt: skip


class Group(Operations[Any], Messages):
    """Some or all nodes of a team, as one of them sees them: only its thread uses it, within runs of the team."""

    _form = blocking

    def __init__(self, handle: int, node: Optional[Node]) -> None:
        self._handle = handle
        if node is not None:
            self._node = node
        self.rank = check(library.vnode_group_rank(handle)) 
        self._size = check(library.vnode_group_size(handle))

    def _do(self, function: Callable[..., int], arguments: Tuple[Any, ...], result: Any, kept: Any) -> Any:
        code = function(*(with_layouts(arguments) if ALIVE else arguments))
        if code:
            fail(code)
        return result.of(None) if type(result) is Answer else result

    @property
    def size(self) -> int:
        """The number of nodes."""
        return self._size

    @property
    def topology(self) -> Topology:
        return Topology._of(library.vnode_group_topology, self._handle)

    @property
    def neighbours(self) -> Neighbours:
        """This node's neighbours in the group's topology, with whom it exchanges."""
        return Neighbours._of_topology(self.topology, self.rank)

    @property
    def last_algorithm(self) -> str:
        """The name of the algorithm that this node's newest collective call in this group ran, "" before the first."""
        text = ctypes.c_void_p()
        check(library.vnode_group_last_algorithm(self._handle, ctypes.byref(text)))
        return taken(text)

    @property
    def last_segments(self) -> int:
        """The number of segments that that call cut its message into, 0 before the first."""
        return check(library.vnode_group_last_segments(self._handle))

    def team_rank(self, rank: int) -> int:
        """Returns the rank in the team of the node that has rank `rank` in the group."""
        return check(library.vnode_group_team_rank(self._handle, rank))

    def nonblocking(self) -> Nonblocking:
        """Returns the collective operations in their nonblocking form: `me.nonblocking().all_reduce(x, "sum").wait()`."""
        return Nonblocking(self)

    @property
    def objects(self) -> Objects:
        """Calls on any objects of Python, which are passed as they are: `me.objects.broadcast({"rate": 0.1})`."""
        return Objects(self)

    def persistent(self) -> PersistentOperations:
        """Returns the collective operations in their persistent form."""
        return PersistentOperations(self)

    # Groups of groups.

    def _made(self, code: int, handle: ctypes.c_void_p) -> Optional[SplitGroup]:
        check(code)
        self._node._end_dropped()
        return SplitGroup(handle.value, self._node) if handle.value else None

    def split(self, color: Optional[int], key: Optional[int] = None, shape: str = "full") -> Optional[SplitGroup]:
        """Divides the group, all of whose nodes call this: nodes with equal `color` form a group with the topology `shape`,
        ranked by `key` and then by rank. A node without a color gets None."""
        handle = ctypes.c_void_p()
        number = NO_COLOR if color is None else color
        code = library.vnode_group_split(
            self._handle, number, self.rank if key is None else key, shape.encode(), ctypes.byref(handle)
        )
        return self._made(code, handle)

    def split_along(self, *dimensions: int) -> SplitGroup:
        """Divides the group into rows, columns, planes or sub-cubes: nodes that agree in all but these dimensions form a group.
        Dimension 0 is the slowest; of a hypercube they are bits."""
        handle = ctypes.c_void_p()
        list_ = INT.memory(dimensions, "split_along")
        made = self._made(
            library.vnode_group_split_along(self._handle, list_, len(dimensions), ctypes.byref(handle)), handle
        )
        assert made is not None
        return made

    def split_domain(self, domain: str) -> SplitGroup:
        """Divides the group by the machine: nodes whose PUs are in one domain form a group: "package", "numa", "l3", "l2",
        "core"."""
        if domain not in DOMAINS:
            raise UsageError(f"there is no domain {domain!r}: there are {', '.join(DOMAINS)}")
        handle = ctypes.c_void_p()
        code = library.vnode_group_split_domain(self._handle, DOMAINS.index(domain) + 1, ctypes.byref(handle))
        made = self._made(code, handle)
        assert made is not None
        return made

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Says what a name of mpi4py is here."""
            small = name.lower()
            usual = _OF_MPI.get(small) or (small if small != name and hasattr(type(self), small) else None)
            raise AttributeError(f"a vnode.{type(self).__name__} has no {name!r}" + (f": it is {usual!r} here" if usual else ""))

    if TYPE_CHECKING:
        # What comes out is of the type that goes in; of an array with `out`, that.
        def broadcast(self, x: T, root: int = 0, *, options: Options = None) -> T: ...
        @overload
        def all_reduce(self, x: T, op: AnyOperator, *, out: None = None, options: Options = None) -> T: ...
        @overload
        def all_reduce(self, x: Any, op: AnyOperator, *, out: U, options: Options = None) -> U: ...
        def all_reduce(self, x: Any, op: AnyOperator, *, out: Any = None, options: Options = None) -> Any: ...
        @overload
        def scan(self, x: T, op: AnyOperator, *, out: None = None, options: Options = None) -> T: ...
        @overload
        def scan(self, x: Any, op: AnyOperator, *, out: U, options: Options = None) -> U: ...
        def scan(self, x: Any, op: AnyOperator, *, out: Any = None, options: Options = None) -> Any: ...
        @overload
        def exclusive_scan(self, x: T, op: AnyOperator, *, out: None = None, options: Options = None) -> T: ...
        @overload
        def exclusive_scan(self, x: Any, op: AnyOperator, *, out: U, options: Options = None) -> U: ...
        def exclusive_scan(self, x: Any, op: AnyOperator, *, out: Any = None, options: Options = None) -> Any: ...
        @overload
        def circular_shift(self, x: T, shift: int = 1, *, out: None = None, options: Options = None) -> T: ...
        @overload
        def circular_shift(self, x: Any, shift: int = 1, *, out: U, options: Options = None) -> U: ...
        def circular_shift(self, x: Any, shift: int = 1, *, out: Any = None, options: Options = None) -> Any: ...
        def barrier(self, *, options: Options = None) -> None: ...


class SplitGroup(Group):
    """A group that a split has made. It serves later runs of the team, too, if its node keeps it."""

    def __del__(self) -> None:
        if getattr(self, "_handle", None) and hasattr(self, "_node"):
            self._node._to_end.append((library.vnode_group_free, ctypes.c_void_p(self._handle), None))

    def __repr__(self) -> str:
        return f"<vnode.Group: node {self.rank} of {self._size}, of {self._node!r}>"


class _NoHandle:
    """What a node has for its handle once its team, which has taken that away, has ended."""

    def __get__(self, node: Node, _: type) -> int:
        raise UsageError("the team has ended: its nodes, groups and calls cannot be used any more")


class Node(Group):
    """A virtual node: the group of all nodes of its team."""

    _handle: int = _NoHandle()  # type: ignore[assignment]

    def __init__(self, handle: int, team: Team) -> None:
        super().__init__(handle, None)
        self._node = self
        self._objects_on_their_way: ObjectsOnTheirWay = team._objects_on_their_way
        self._in_flight: Dict[int, Any] = {}  # requests and planned calls, by id: their data are kept
        self._to_end: List[Tuple[Any, ctypes.c_void_p, Any]] = []  # handles that are not used any more

    def __repr__(self) -> str:
        return f"<vnode.Node {self.rank} of {self._size}>"

    @property
    def arena_concurrency(self) -> int:
        """The number of threads, the node's own among them, that may work in its arena: see Team's `arenas`."""
        return check(library.vnode_arena_concurrency(self._handle))

    @property
    def arena_pus(self) -> List[int]:
        """The PUs that the node shares with its arena, indices into the machine's."""
        count = check(library.vnode_arena_pus(self._handle, None, 0))
        list_ = (ctypes.c_int * max(1, count))()
        check(library.vnode_arena_pus(self._handle, list_, count))
        return list(list_[:count])

    def _end_dropped(self) -> None:
        """Ends what Python has dropped, in whichever thread; called by the node's, or when there is none."""
        while self._to_end:
            end, handle, _kept = self._to_end.pop()
            end(ctypes.byref(handle))

    def _run_is_over(self) -> None:
        for call in list(self._in_flight.values()):
            call._drop()
        self._end_dropped()
