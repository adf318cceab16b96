"""The interconnect that virtual nodes form."""

from __future__ import annotations

import ctypes
from typing import Any, List, NamedTuple, Optional, Tuple

from vnode._errors import UsageError, check
from vnode._library import INT, library, taken


class Port(NamedTuple):
    """The direction of a port: the dimension of its link (in a tree the link's level), and +1 or -1 (in a tree +1 up)."""

    dimension: int
    step: int


class Topology:
    """The interconnect that p virtual nodes form: "array", "ring", "mesh", "mesh:4x4", "torus:2x3x4", "hypercube", "tree",
    "full". Vertices are the nodes 0 .. p-1 and, in a tree, the switches after them. Coordinates and extents are listed
    slowest dimension first; in the numbers of ports dimension 0 is the fastest."""

    def __init__(self, shape: str, nodes: int, *, _handle: Optional[ctypes.c_void_p] = None) -> None:
        if _handle is not None:
            self._handle = _handle
            return
        self._handle = ctypes.c_void_p()
        check(library.vnode_topology_create(ctypes.byref(self._handle), shape.encode(), nodes))

    @classmethod
    def _of(cls, function: Any, owner: Any) -> Topology:
        handle = ctypes.c_void_p()
        check(function(owner, ctypes.byref(handle)))
        return cls("", 0, _handle=handle)

    @property
    def nodes(self) -> int:
        return check(library.vnode_topology_nodes(self._handle))

    @property
    def vertices(self) -> int:
        return check(library.vnode_topology_vertices(self._handle))

    @property
    def dimensions(self) -> int:
        return check(library.vnode_topology_dimensions(self._handle))

    @property
    def extents(self) -> Tuple[int, ...]:
        """The number of nodes in each dimension, slowest first."""
        dimensions = self.dimensions
        return tuple(check(library.vnode_topology_extent(self._handle, d)) for d in reversed(range(dimensions)))

    @property
    def links(self) -> int:
        return check(library.vnode_topology_links(self._handle))

    @property
    def diameter(self) -> int:
        return check(library.vnode_topology_diameter(self._handle))

    @property
    def bisection(self) -> int:
        return check(library.vnode_topology_bisection(self._handle))

    def distance(self, source: int, to: int) -> int:
        """Returns the least number of links from one node to another."""
        return check(library.vnode_topology_distance(self._handle, source, to))

    def coordinates(self, rank: int) -> Tuple[int, ...]:
        list_ = (ctypes.c_int * max(1, self.dimensions))()
        check(library.vnode_topology_coordinates(self._handle, rank, list_))
        return tuple(list_[: self.dimensions])

    def rank_at(self, *coordinates: int) -> int:
        if len(coordinates) != self.dimensions:
            raise UsageError(f"{len(coordinates)} coordinates of a node of {self}, which has {self.dimensions} dimensions")
        return check(library.vnode_topology_rank_at(self._handle, INT.memory(coordinates, "coordinates")))

    def degree(self, vertex: int) -> int:
        """Returns the number of a vertex's ports."""
        return check(library.vnode_topology_degree(self._handle, vertex))

    def neighbour(self, vertex: int, port: int) -> int:
        return check(library.vnode_topology_neighbour(self._handle, vertex, port))

    def neighbours(self, vertex: int) -> List[int]:
        """Returns the vertices at the other ends of all ports."""
        return [self.neighbour(vertex, port) for port in range(self.degree(vertex))]

    def port(self, vertex: int, port: int) -> Port:
        direction = (ctypes.c_int * 2)()
        check(library.vnode_topology_port(self._handle, vertex, port, direction))
        return Port(*direction)

    def port_name(self, vertex: int, port: int) -> str:
        text = ctypes.c_void_p()
        check(library.vnode_topology_port_name(self._handle, vertex, port, ctypes.byref(text)))
        return taken(text)

    def directed_link(self, vertex: int, port: int) -> int:
        """Returns the number of the directed link that leaves `vertex` through `port`; the opposite one has it XOR 1."""
        return check(library.vnode_topology_directed_link(self._handle, vertex, port))

    def port_of(self, directed_link: int) -> int:
        return check(library.vnode_topology_port_of(self._handle, directed_link))

    def ends(self, directed_link: int) -> Tuple[int, int]:
        source, to = ctypes.c_int(), ctypes.c_int()
        check(library.vnode_topology_ends(self._handle, directed_link, ctypes.byref(source), ctypes.byref(to)))
        return source.value, to.value

    def route(self, source: int, to: int, routing: Optional[str] = None) -> List[int]:
        """Returns the directed links of the path between two nodes, in order."""
        links = (ctypes.c_int * max(1, self.distance(source, to)))()
        named = routing.encode() if routing else None
        check(library.vnode_topology_route(self._handle, source, to, named, links))
        return list(links[: self.distance(source, to)])

    def __str__(self) -> str:
        text = ctypes.c_void_p()
        check(library.vnode_topology_text(self._handle, ctypes.byref(text)))
        return taken(text)

    def __repr__(self) -> str:
        return f"<vnode.Topology {self}, {self.nodes} nodes>"

    def __del__(self, free: Any = library.vnode_topology_free) -> None:
        if getattr(self, "_handle", None):
            free(ctypes.byref(self._handle))
