"""Placed buffers, and what a team tells of its memory, costs and calls."""

import gc

import numpy as np
import pytest

import vnode

team = pytest.team


def test_a_placed_buffer_is_an_array_on_its_numa_node():
    placed = vnode.PlacedBuffer((100, 1000), "f4", policy="bind", banks=[0])
    x = placed.array
    assert x.shape == (100, 1000) and x.dtype == np.float32 and (x == 0).all() and x.flags.writeable
    audit = vnode.audit_pages(x)
    if not placed.degraded and sum(audit.on):
        assert audit.on[0] == sum(audit.on) and audit.untouched == 0
    placed.place(x[:50], policy="interleave")
    placed.claim()
    placed.touch()
    with pytest.raises(vnode.UsageError, match="not a part of this buffer"):
        placed.claim(np.zeros(3))
    with pytest.raises(vnode.UsageError, match="there is no policy of pages 'near'"):
        vnode.PlacedBuffer(10, policy="near")
    del placed
    gc.collect()
    x[:] = 1  # the array keeps the memory
    assert x.sum() == 100_000


def test_a_team_makes_buffers_for_its_nodes():
    three = team(3)
    buffers = [three.buffer(r, 1000).array for r in range(3)]

    def body(me):
        x = buffers[me.rank]
        x[:] = me.rank
        me.all_reduce(x, "sum")
        assert (x == 3).all()

    three.run(body)
    owners = {memory.owner for memory in three.memory()}
    assert owners <= {0, 1, 2} and owners
    assert three.channel_bytes >= 0 and three.scratch_bytes >= 0
    with pytest.raises(vnode.UsageError, match="there is no node 3"):
        three.buffer(3, 10)


def test_a_team_tells_of_itself():
    three = team(3, "ring", costs=vnode.CostModel(t_s=2e-7, t_w=1e-10, t_op=3e-11))
    assert three.size == 3 and str(three.topology) == "ring" and three.costs.t_s == 2e-7
    report = three.report()
    assert "nodes: 3" in report and "mapping" in report
    assert repr(three) == "<vnode.Team of 3 nodes>"


def test_calls_are_traced():
    three = team(3)
    three.trace(1000)
    three.run(lambda me: me.broadcast(np.zeros(100), options=vnode.CallOptions(algorithm="broadcast_binomial")))
    trace = three.take_trace()
    assert trace.dropped == 0 and len(trace.calls) == 1
    call = trace.calls[0]
    assert call.algorithm == "broadcast_binomial" and call.nodes == 3 and call.complete
    assert sorted(message.to for message in call.messages) == [1, 2]
    assert all(message.bytes == 800 and message.end >= message.start for message in call.messages)
    assert {occupation.kind for occupation in call.occupations} <= {"wait", "copy", "combine", "send"}
    three.trace(0)


def test_calls_are_counted_and_nodes_found():
    three = team(3, statistics=True)
    states = []

    def body(me):
        for _ in range(5):
            me.all_reduce(np.zeros(10), "sum")
        if me.rank == 0:
            states.append(three.state())
        me.barrier()

    three.run(body)
    told = three.statistics()
    assert "all_reduce" in told and "all_reduce" in str(told.data)
    assert "node 0" in states[0] and states[0].data
    assert "all_reduce" not in team(2).statistics()


def test_nodes_have_arenas_and_threads_may_be_unpinned():
    def body(me):
        with vnode.unpinned():
            pass
        return me.arena_concurrency, len(me.arena_pus)

    for concurrency, pus in team(2, arenas="l3").run(body):
        assert concurrency >= 1 and pus >= 1
