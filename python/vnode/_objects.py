"""Objects of Python, which nodes of one process pass to each other as they are."""

from __future__ import annotations

import functools
import itertools
import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple

from vnode._errors import UsageError
from vnode._layout import no_rank

if TYPE_CHECKING:
    from vnode._group import Group


class ObjectsOnTheirWay:
    """Keeps the objects of a team that some nodes have still to take, by numbers that travel as messages do."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._kept: Dict[int, Tuple[Any, int]] = {}

    def put(self, x: Any, takers: int) -> int:
        """Keeps x until so many nodes have taken it, and returns its number."""
        with self._lock:
            number = next(self._numbers)
            if takers:
                self._kept[number] = (x, takers)
        return number

    def take(self, number: int) -> Any:
        with self._lock:
            x, takers = self._kept[number]
            if takers > 1:
                self._kept[number] = (x, takers - 1)
            else:
                del self._kept[number]
        return x

    def clear(self) -> None:
        """Forgets what an aborted run has left."""
        with self._lock:
            self._kept.clear()


class Objects:
    """Calls on any objects: `me.objects.broadcast({"rate": 0.1})`. Nodes are threads of one process, so nothing is copied or
    pickled: all get the same object, and who changes it changes it for all. What travels are numbers of the objects, as
    integers do, so a message of an object is received by `objects.recv`."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._way: ObjectsOnTheirWay = group._node._objects_on_their_way

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Says what a name of mpi4py is here."""
            names = [each for each in vars(type(self)) if not each.startswith("_")]
            usual = {"bcast": "broadcast", "allgather": "all_gather", "alltoall": "all_to_all"}.get(name.lower(), name.lower())
            raise AttributeError(f"a node's objects have no {name!r}: "
                                 + (f"it is {usual!r} here" if usual in names else f"there are {', '.join(names)}"))

    def broadcast(self, x: Any = None, root: int = 0) -> Any:
        """Returns x of `root` on all."""
        me = self._group
        if me.rank == root:
            me.broadcast(self._way.put(x, me.size - 1), root)
            return x
        return self._way.take(me.broadcast(0, root))

    def all_gather(self, x: Any) -> List[Any]:
        """Returns the list of x of node 0, x of node 1 ..."""
        me = self._group
        numbers = me.all_gather(self._way.put(x, me.size - 1))
        return [x if rank == me.rank else self._way.take(number) for rank, number in enumerate(numbers)]

    def gather(self, x: Any, root: int = 0) -> Optional[List[Any]]:
        """Returns that list on `root`, and None on the others."""
        me = self._group
        numbers = me.gather(self._way.put(x, int(me.rank != root)), root)
        if numbers is None:
            return None
        return [x if rank == root else self._way.take(number) for rank, number in enumerate(numbers)]

    def scatter(self, xs: Optional[Sequence[Any]] = None, root: int = 0) -> Any:
        """Returns xs[r] of `root` on node r; the others pass nothing."""
        all_ = self.broadcast(self._each("scatter", xs) if self._group.rank == root else None, root)
        return all_[self._group.rank]

    def all_to_all(self, xs: Sequence[Any]) -> List[Any]:
        """Returns on node d the list of xs[d] of node 0, xs[d] of node 1 ..."""
        return [given[self._group.rank] for given in self.all_gather(self._each("all_to_all", xs))]

    def _each(self, name: str, xs: Any) -> List[Any]:
        list_ = list(xs) if xs is not None else []
        if len(list_) != self._group.size:
            raise UsageError(f"objects.{name}: there are {len(list_)} objects for {self._group.size} nodes")
        return list_

    def all_reduce(self, x: Any, op: Callable[[Any, Any], Any]) -> Any:
        """Returns op(op(x of node 0, x of node 1), ...), which every node computes; op changes neither of the two."""
        return functools.reduce(op, self.all_gather(x))

    def reduce(self, x: Any, op: Callable[[Any, Any], Any], root: int = 0) -> Any:
        """Returns that on `root`, and None on the others."""
        all_ = self.gather(x, root)
        return None if all_ is None else functools.reduce(op, all_)

    def send(self, x: Any, to: int, tag: int = 0) -> None:
        """Sends x to a node of the group."""
        if to != no_rank:
            self._group.send(self._way.put(x, 1), to, tag)

    def recv(self, source: int, tag: int = 0) -> Any:
        """Returns what a node has sent, None from no_rank."""
        return None if source == no_rank else self._way.take(self._group.recv(int, source, tag))
