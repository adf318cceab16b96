"""Eight virtual nodes of a hypercube say hello, as the README shows."""

import numpy

import vnode


def hello(me: vnode.Node) -> float:
    x = numpy.full(1000, 3.0)
    me.all_reduce(x, "sum")  # in place, on all nodes
    total: float = me.all_reduce(3.0, "sum")  # a number
    assert (x == total).all()
    return total


team = vnode.Team(8, "hypercube")
totals = team.run(hello)
assert totals == [24.0] * 8
print(f"hello from {team.size} nodes: 3 from each makes {totals[0]:.0f}")
