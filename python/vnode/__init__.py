"""Collective communication between threads as virtual nodes.

    import numpy, vnode

    team = vnode.Team(4)

    def body(me):
        x = numpy.full(1000, float(me.rank))
        me.all_reduce(x, "sum")
        return x[0]

    print(team.run(body))

The guide is docs/python.md, in /usr/share/doc/vnode of a Debian package; vnode.lab has algorithms as values: to verify, simulate and draw.
"""

from vnode import lab as lab
from vnode._data import located as located
from vnode._errors import (
    Aborted as Aborted,
    Deadlock as Deadlock,
    Error as Error,
    Mismatch as Mismatch,
    NoMemory as NoMemory,
    SystemError as SystemError,
    TimeLimitExceeded as TimeLimitExceeded,
    UsageError as UsageError,
)
from vnode._group import Group as Group, Node as Node
from vnode._layout import Neighbours as Neighbours, no_rank as no_rank
from vnode._library import library as _libvnode
from vnode._matching import (
    MatchedMessage as MatchedMessage,
    MessageInfo as MessageInfo,
    any_source as any_source,
    any_tag as any_tag,
)
from vnode._memory import (
    OwnedMemory as OwnedMemory,
    PageAudit as PageAudit,
    PlacedBuffer as PlacedBuffer,
    audit_pages as audit_pages,
)
from vnode._operators import Operator as Operator
from vnode._options import CallOptions as CallOptions, Hierarchy as Hierarchy, Schedule as Schedule, Transfer as Transfer
from vnode._request import (
    Persistent as Persistent,
    Received as Received,
    Request as Request,
    test_all as test_all,
    test_any as test_any,
    test_some as test_some,
    wait_all as wait_all,
    wait_any as wait_any,
    wait_some as wait_some,
)
from vnode._team import (
    CostModel as CostModel,
    Membership as Membership,
    Team as Team,
    Told as Told,
    this_node as this_node,
    unpinned as unpinned,
)
from vnode._topology import Port as Port, Topology as Topology
from vnode._trace import (
    Occupation as Occupation,
    TimedMessage as TimedMessage,
    Trace as Trace,
    TracedCall as TracedCall,
)

__version__: str = _libvnode.vnode_version().decode()


def __getattr__(name: str) -> object:
    """Says what a name of mpi4py is here."""
    usual = {
        "SUM": "the operator 'sum'", "PROD": "the operator 'product'", "MAX": "the operator 'max'", "MIN": "the operator 'min'",
        "ANY_SOURCE": "vnode.any_source", "ANY_TAG": "vnode.any_tag", "PROC_NULL": "vnode.no_rank",
        "MPI": "vnode.Team", "COMM_WORLD": "the node that a team's run() calls the body with", "Wtime": "time.perf_counter",
    }.get(name)  # fmt: skip
    raise AttributeError(f"module 'vnode' has no attribute {name!r}" + (f": here it is {usual}" if usual else ""))
