"""Thousands of calls leave nothing behind."""

import gc
import os
import threading

import numpy as np
import pytest

import vnode

team = pytest.team


def threads():
    return len(os.listdir("/proc/self/task"))


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def belongings():
    gc.collect()
    return {"objects": len(gc.get_objects()), "threads": threads(), "descriptors": descriptors()}


def keeps_nothing(work, times, objects=300, memory=24 << 20):
    """Does work() a few times, then many times: that makes no difference but by chance."""
    for _ in range(max(2, times // 10)):
        work()
    before, memory_before = belongings(), resident()
    for _ in range(times):
        work()
    after = belongings()
    assert after["threads"] == before["threads"] and after["descriptors"] == before["descriptors"]
    assert after["objects"] - before["objects"] < objects, (before, after)
    assert resident() - memory_before < memory


def test_of_calls_in_all_forms():
    own = vnode.Operator(np.maximum, name="greater")

    def body(me):
        x, y = np.zeros(100), np.zeros(100 * me.size)
        planned = me.persistent().all_reduce(x, "sum")
        for i in range(25):
            me.all_reduce(x, "sum")
            me.all_reduce(1.0, "sum")
            me.all_gather(x, out=y)
            me.all_gather(i)
            me.all_reduce(x, own)
            me.nonblocking().broadcast(x).wait()
            me.nonblocking().all_reduce(i, "max").wait()
            planned.start()
            planned.wait()
            me.sendrecv(x, (me.rank + 1) % me.size, y, (me.rank - 1) % me.size)
            me.all_gather_v(x, y, [100] * me.size)
            me.broadcast(bytearray(8))
            assert me.topology.nodes == me.size and me.last_algorithm

    three = team(3)
    keeps_nothing(lambda: three.run(body), 20)


def test_of_messages_that_are_matched_and_many_requests():
    def body(me):
        after, x = (me.rank + 1) % me.size, np.zeros(100)
        for _ in range(25):
            sent = [me.isend(x, after, tag) for tag in range(4)]
            me.mprobe(vnode.any_source).recv(np.zeros(100))
            me.mprobe(vnode.any_source, 1).irecv(np.zeros(100)).wait()
            coming = [me.irecv(np.zeros(100), vnode.any_source, tag) for tag in (2, 3, 4)]
            assert coming.pop().cancel()
            while vnode.wait_any(coming + sent) is not None:
                pass
            assert me.iprobe(vnode.any_source, vnode.any_tag) is None
            me.barrier()

    three = team(3)
    keeps_nothing(lambda: three.run(body), 20)


def test_of_large_data_whose_requests_are_dropped():
    """24 MiB would not do for data that are kept."""
    def body(me):
        for _ in range(10):
            requests = [me.nonblocking().all_reduce(np.zeros(1 << 17), "sum") for _ in range(3)]
            for request in requests:
                request.wait()

    two = team(2)
    keeps_nothing(lambda: two.run(body), 20)


def test_of_groups_schedules_operators_and_exceptions():
    def body(me):
        for i in range(10):
            half = me.split(me.rank % 2)
            half.barrier()
            planned = half.persistent().barrier()
            planned.start()
            planned.wait()
            schedule = vnode.Schedule("one", me.size, 1)
            me.barrier(options=vnode.CallOptions(hierarchy=vnode.Hierarchy("2x2", 4)))
            vnode.Operator(np.add)._of(10)
            try:
                me.broadcast(np.zeros(3), root=77)
            except vnode.UsageError:
                pass
        if me.rank == 2:
            raise RuntimeError("on purpose")
        me.barrier()

    four = team(4)

    def work():
        with pytest.raises(RuntimeError):
            four.run(body)

    keeps_nothing(work, 60)


def test_of_teams():
    def work():
        two = team(2)
        two.run(lambda me: me.all_reduce(np.zeros(10), "sum"))
        two.buffer(0, 1000).array[:] = 1
        if threads() % 2:
            two.close()

    keeps_nothing(work, 150)


def test_of_threads_that_join():
    two = team(2, threads="callers")

    def joined(rank):
        for _ in range(20):
            with two.join(rank) as me:
                me.all_reduce(1, "sum")

    def work():
        other = threading.Thread(target=joined, args=(1,))
        other.start()
        joined(0)
        other.join()

    keeps_nothing(work, 30)


def test_nothing_of_a_team_is_left_when_it_is_dropped():
    before = threads()
    teams = [team(3) for _ in range(5)]
    assert threads() == before + 15
    del teams
    gc.collect()
    assert threads() == before
