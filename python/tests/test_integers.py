"""Integers that go in are taken exactly or refused: none is cut to C's 32 or 64 bits."""

import re

import numpy as np
import pytest

import vnode

team = pytest.team

# Cut off by C, each is 1.
WRONG = {
    "int": [(1 << 32) + 1, 1 - (1 << 32), (1 << 64) + 1, 1.0, np.float64(1), "1"],
    "size_t": [(1 << 64) + 1, 1 - (1 << 64), -1, 1.0, np.float64(1), "1"],
}


def refused(call, kind):
    for wrong in WRONG[kind]:
        with pytest.raises(vnode.UsageError, match=f"{re.escape(repr(wrong))} is not an integer from"):
            call(wrong)


x, y = np.zeros(2), np.zeros(2)
CALLS = {
    "int": [
        lambda me, n: me.send(x, n),
        lambda me, n: me.send(x, 1, n),
        lambda me, n: me.send(np.zeros(4)[::2], n),
        lambda me, n: me.send(1.0, n),
        lambda me, n: me.ssend(x, n),
        lambda me, n: me.isend(x, 1, n),
        lambda me, n: me.issend(x, n),
        lambda me, n: me.recv(x, n),
        lambda me, n: me.recv(float, 1, n),
        lambda me, n: me.irecv(x, n),
        lambda me, n: me.irecv(x, 1, n),
        lambda me, n: me.sendrecv(x, n, y, 1),
        lambda me, n: me.sendrecv(x, 1, y, n),
        lambda me, n: me.sendrecv(x, 1, y, 1, n, 5),
        lambda me, n: me.sendrecv_replace(x, n, 1),
        lambda me, n: me.sendrecv_replace(x, 1, 1, 0, n),
        lambda me, n: me.probe(n),
        lambda me, n: me.iprobe(1, n),
        lambda me, n: me.mprobe(n),
        lambda me, n: me.improbe(1, n),
        lambda me, n: me.broadcast(x, n),
        lambda me, n: me.broadcast(1.0, n),
        lambda me, n: me.reduce(x, "sum", n),
        lambda me, n: me.gather(x, n, out=y),
        lambda me, n: me.gather(1, n),
        lambda me, n: me.scatter(x, n, out=y),
        lambda me, n: me.nonblocking().broadcast(x, n),
        lambda me, n: me.persistent().gather(x, n),
        lambda me, n: me.circular_shift(x, n),
        lambda me, n: me.gather_v(x, y, [1, 1], None, n),
        lambda me, n: vnode.Neighbours([n], [1]),
        lambda me, n: me.split(n),
        lambda me, n: me.split(0, n),
        lambda me, n: me.split_along(n),
        lambda me, n: me.team_rank(n),
        lambda me, n: vnode.CallOptions(segments=n),
        lambda me, n: vnode.CallOptions(radix=n),
    ],
    "size_t": [
        lambda me, n: me.all_gather_v(x, y, [n, 1]),
        lambda me, n: me.all_gather_v(x, y, [1, 1], [0, n]),
        lambda me, n: me.scatter_v(x, y, [1, n], None, me.rank),
        lambda me, n: me.reduce_scatter_v(x, "sum", [1, n]),
        lambda me, n: me.all_to_all_v(x, [1, n]),
        lambda me, n: me.all_to_all_v(x, [1, 1], [0, 1], out=y, out_counts=[1, n]),
    ],
}


@pytest.mark.parametrize("kind", CALLS)
def test_a_call_refuses_what_is_no_integer_of_c(kind):
    def body(me):
        if me.rank == 0:
            for call in CALLS[kind]:
                refused(lambda n: call(me, n), kind)
        return me.all_reduce(1, "sum")

    assert team(2).run(body) == [2, 2]


def test_so_do_teams_topologies_schedules_and_memory():
    schedule, ring, four = vnode.Schedule("of one", 2, 1), vnode.Topology("ring", 4), vnode.Hierarchy("2x2", 4)
    two, callers = team(2), team(2, threads="callers")
    for call in (
        vnode.Team,
        lambda n: vnode.Team(2, pus=[n]),
        lambda n: vnode.Team(2, checked=n),
        callers.join,
        lambda n: two.buffer(n, 3),
        lambda n: two.buffer(0, 3, pieces=n),
        lambda n: vnode.PlacedBuffer(3, policy="bind", banks=[n]),
        lambda n: vnode.Topology("ring", n),
        lambda n: ring.distance(0, n),
        lambda n: ring.coordinates(n),
        lambda n: ring.rank_at(n),
        lambda n: ring.neighbour(n, 0),
        lambda n: ring.route(0, n),
        lambda n: vnode.Hierarchy("2x2", n),
        lambda n: four.apart(0, n),
        lambda n: vnode.Schedule("of one", n, 1),
        lambda n: schedule.add(n, 0, 1, 0),
        lambda n: schedule.add(0, n, 1, 0),
        lambda n: schedule.add(0, 0, 1, (0, n)),
        lambda n: schedule.add(0, 0, 1, 0, into=[(0, 1), (n, 2)]),
    ):
        refused(call, "int")
    for call in (
        lambda n: vnode.Team(2, arenas="l3", arenas_from=n),
        lambda n: vnode.Team(2, inline_to=n),
        lambda n: vnode.Team(2, shared_from=n),
        lambda n: vnode.Team(2, costs=vnode.CostModel(1e-7, 1e-10, 1e-11, eager_to=n)),
        two.trace,
        lambda n: vnode.PlacedBuffer(3, alignment=n),
        lambda n: vnode.PlacedBuffer((2, n)),
        lambda n: two.buffer(0, [n, 2]),
    ):
        refused(call, "size_t")
    with pytest.raises(vnode.UsageError, match="sources: 5 is not a list of integers"):
        vnode.Neighbours(5, [1])
    with pytest.raises(vnode.UsageError, match="is not an integer from 0 to"):
        vnode.PlacedBuffer((1 << 40, 1 << 40))


def test_a_refusal_says_what_was_given_and_what_would_be_right():
    with pytest.raises(vnode.UsageError, match=r"^topology_create: 4294967298 is not an integer from -2147483648 to 2147483647$"):
        vnode.Topology("ring", (1 << 32) + 2)


def test_numpys_integers_and_whatever_has_an_index_are_integers():
    class Second:
        def __index__(self):
            return 1

    def body(me):
        for one in (np.int8(1), np.uint64(1), np.array(1), True, Second()):
            assert me.broadcast(me.rank, one) == 1
            if me.rank == 0:
                me.send(1.5, one, one)
            else:
                assert me.recv(float, np.int64(0), one) == 1.5
        out = np.zeros(3)
        me.all_gather_v(np.full(1 + me.rank, float(me.rank)), out, np.array([1, 2], "u1"))
        assert out.tolist() == [0, 1, 1]
        gathered = me.gather_v(np.full(1 + me.rank, 5.0), out, np.array([1, 2]), np.array([0, 1]))
        return None if gathered is None else gathered.tolist()

    assert team(np.int16(2)).run(body) == [[5.0] * 3, None]
    chain = vnode.Schedule("chain", np.int64(2), 1)
    chain.add(np.int64(0), np.int64(0), 1, np.int64(0), into=(np.int64(0), np.int64(1)))
    assert chain.rounds == [[vnode.Transfer(0, 1, ((0, 1),), ((0, 1),), "replace")]]
    assert vnode.PlacedBuffer((np.int64(2), 3)).array.shape == (2, 3)
