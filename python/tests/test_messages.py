"""Messages between two nodes, groups, topologies."""

import numpy as np
import pytest

import vnode

team = pytest.team


def test_messages_arrive_in_the_order_sent():
    def body(me):
        after, before = (me.rank + 1) % me.size, (me.rank - 1) % me.size
        x, y = np.arange(5.0) + me.rank, np.zeros(10)
        request = me.irecv(y, before, tag=7)
        me.send(x, after, tag=7)
        assert request.wait() == vnode.Received(5, before, 7)
        assert (y[:5] == np.arange(5.0) + before).all() and (y[5:] == 0).all()
        assert me.sendrecv(x, after, y, before) == vnode.Received(5, before, 0)
        sent = [me.isend(np.full(1000, float(i)), after, tag=i % 2) for i in range(6)]
        z = np.zeros(1000)
        for i in (0, 2, 4, 1, 3, 5):
            assert me.recv(z, before, tag=i % 2).elements == 1000 and (z == i).all()
        vnode.wait_all(sent)
        sending = me.isend(3.5 + me.rank, after)
        assert me.recv(float, before) == 3.5 + before
        sending.wait()
        sending = me.isend(me.rank, after)
        number = me.recv(int, before)
        assert number == before and type(number) is int
        sending.wait()

    team(4).run(body)


def test_a_message_that_is_too_long_is_a_mismatch():
    def body(me):
        if me.rank == 0:
            me.send(np.zeros(5), 1)
        else:
            me.recv(np.zeros(4), 0)

    with pytest.raises(vnode.Mismatch):
        team(2).run(body)


def test_a_mesh_has_rows_and_columns():
    kept = {}

    def body(me):
        row, column = me.split_along(1), me.split_along(0)
        assert row.size == 3 and column.size == 2
        assert str(me.topology) == "mesh:2x3" and me.topology.coordinates(me.rank) == (me.rank // 3, me.rank % 3)
        assert row.all_gather(me.rank) == [me.rank // 3 * 3 + i for i in range(3)]
        assert column.all_gather(me.rank) == [me.rank % 3, me.rank % 3 + 3]
        assert [row.team_rank(i) for i in range(3)] == row.all_gather(me.rank)
        even = me.split(0 if me.rank % 2 == 0 else None, key=-me.rank)
        assert (even is None) == (me.rank % 2 == 1)
        if even is not None:
            assert even.all_gather(me.rank) == [4, 2, 0]
        ring = me.split(me.rank % 2, shape="ring")
        assert str(ring.topology) == "ring"
        assert me.split_domain("machine").size == me.size
        near = me.split_domain("package")
        assert near.all_reduce(1, "sum") == near.size
        kept[me.rank] = row
        with pytest.raises(vnode.UsageError, match="there is no domain 'house'"):
            me.split_domain("house")

    six = team(6, "mesh:2x3")
    for _ in range(3):
        six.run(body)
    # Kept outside of the body, a group serves later runs.
    assert six.run(lambda me: kept[me.rank].all_reduce(1, "sum")) == [3] * 6


def test_topologies_know_their_links():
    torus = vnode.Topology("torus:2x3x4", 24)
    assert torus.extents == (2, 3, 4) and torus.nodes == 24 and torus.dimensions == 3
    assert all(torus.rank_at(*torus.coordinates(r)) == r for r in range(24))
    assert all(torus.distance(0, n) == 1 for n in torus.neighbours(0))
    route = torus.route(0, 23)
    assert len(route) == torus.distance(0, 23)
    at = 0
    for link in route:
        begin, end = torus.ends(link)
        assert begin == at
        at = end
    assert at == 23
    cube = vnode.Topology("hypercube", 8)
    assert cube.diameter == 3 and cube.bisection == 4 and cube.links == 12 and cube.degree(5) == 3
    assert cube.port_name(0, 2) == "dimension 2" and cube.port(0, 2).dimension == 2
    assert cube.port_of(cube.directed_link(3, 1)) == 1
    assert vnode.Topology("tree", 4).vertices == 7
    assert "hypercube" in repr(cube)
    with pytest.raises(vnode.UsageError):
        vnode.Topology("hypercube", 6)
    with pytest.raises(vnode.UsageError, match="2 coordinates of a node of torus:2x3x4, which has 3"):
        torus.rank_at(1, 1)


def test_persistent_calls_serve_later_runs():
    kept = {}

    def plan(me):
        x = np.zeros(4)
        kept[me.rank] = (x, me.persistent().all_reduce(x, "sum"))

    def use(me):
        x, planned = kept[me.rank]
        for i in range(5):
            x[:] = i
            planned.start()
            assert (planned.wait() == 3 * i).all()
        planned.start()
        while not planned.test():
            pass

    three = team(3)
    three.run(plan)
    three.run(use)
    three.run(use)
    kept.clear()
    assert three.run(lambda me: me.all_reduce(1, "sum")) == [3] * 3
