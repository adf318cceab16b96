"""Receives from any source, probes, matched messages, synchronous sends, and many requests."""

import gc
import threading

import numpy as np
import pytest

import vnode
from vnode import any_source, any_tag, no_rank

team = pytest.team
NOTHING = vnode.Received(0, no_rank, any_tag)


def test_a_receive_from_any_source_with_any_tag_says_what_it_got():
    def body(me):
        if me.rank > 0:
            me.send(np.full(5, me.rank), 0, 10 + me.rank)
            me.barrier()
            return me.send(np.full(2, me.rank), 0, 20)
        x, seen = np.zeros(9, int), []
        for _ in range(me.size - 1):
            got = me.recv(x, any_source, any_tag)
            assert got == vnode.Received(5, x[0], 10 + x[0])
            seen.append(got.source)
        assert sorted(seen) == [1, 2, 3]
        me.barrier()
        requests = [me.irecv(np.zeros(2, int), any_source, 20) for _ in range(3)]
        assert sorted(request.wait() for request in requests) == [(2, source, 20) for source in (1, 2, 3)]

    team(4).run(body)


def test_a_number_and_a_view_are_received_from_any_source():
    def body(me):
        if me.rank == 1:
            me.send(7.5, 0)
            me.send(np.arange(3.0), 0, 4)
            me.send(np.zeros(0), 0)
            me.recv(int, 0)
            me.send(np.array([8.0, 9.0]), 0, 5)
        if me.rank == 0:
            assert me.recv(float, any_source) == 7.5
            x = np.zeros((3, 2))
            assert me.recv(x[:, 1], any_source, any_tag) == vnode.Received(3, 1, 4)
            assert (x[:, 1] == np.arange(3.0)).all() and (x[:, 0] == 0).all()
            with pytest.raises(vnode.UsageError, match="node 1 has sent an empty message, and no number"):
                me.recv(float, any_source)
            with pytest.raises(vnode.UsageError, match="nobody sends an empty message"):
                me.recv(float, no_rank)
            request = me.irecv(x[:, 0], any_source, 5)
            me.send(0, 1)
            assert request.wait() == vnode.Received(2, 1, 5) and (x[:, 0] == [8, 9, 0]).all()

    team(2).run(body)


def test_who_does_not_know_how_much_will_come_asks_first():
    def body(me):
        if me.rank == 1:
            me.barrier()
            me.send(np.arange(100.0), 0, 6)
        else:
            assert me.iprobe(any_source, any_tag) is None
            me.barrier()
            there = me.probe(any_source, any_tag)
            assert there == vnode.MessageInfo(800, 1, 6) and there == me.iprobe(1, 6)
            assert there.elements("f8") == there.elements(float) == 100 and there.elements(np.float32) == 200
            x = np.zeros(there.elements(float))
            assert me.recv(x, there.source, there.tag).elements == 100 and x[99] == 99

    team(2).run(body)


@pytest.mark.parametrize("count", [1, 100, 100000])
def test_a_matched_message_belongs_to_who_matched_it(count):
    def body(me):
        if me.rank == 0:
            vnode.wait_all([me.isend(np.full(count, i), 1) for i in range(4)])
            return
        first, second, third = me.mprobe(0), me.mprobe(any_source, any_tag), None
        while third is None:
            third = me.improbe(0)
        a, b, c, d = (np.zeros(count, int) for _ in range(4))
        me.recv(d, 0)
        assert second.info == vnode.MessageInfo(8 * count, 0, 0)
        later = second.irecv(b)
        with first as message:
            assert message.recv(a) == vnode.Received(count, 0, 0)
        assert later.wait() == vnode.Received(count, 0, 0)
        if count == 1:
            assert third.recv(int) == 2
        else:
            third.recv(c)
            assert (c == 2).all()
        assert (a == 0).all() and (b == 1).all() and (d == 3).all()
        assert me.improbe(any_source, any_tag) is None
        with pytest.raises(vnode.UsageError, match="a MatchedMessage is received once, within its `with`, and this one is over"):
            first.recv(a)
        assert first.info.source == 0

    team(2).run(body)


def ends(drop, match):
    """The run ends because node 1 drops what it has matched, although it does nothing else before node 0 has left."""
    told, left = [], threading.Event()

    def body(me):
        if me.rank == 0:
            me.send(1.0, 1, 3)
            try:
                me.recv(np.zeros(1), 1)
            except vnode.Aborted as error:
                told.append(str(error))
                left.set()
                raise
        else:
            drop(me)
            assert left.wait(60)

    two = team(2, deadlocks=False)
    with pytest.raises(vnode.UsageError, match=match):
        two.run(body)
    assert len(told) == 1 and "dropped a message from node 0 with tag 3" in told[0]
    assert two.run(lambda me: me.all_reduce(1, "sum")) == [2, 2]


def test_a_matched_message_that_is_dropped_ends_the_run():
    ends(lambda me: me.mprobe(0, 3), "node 1 has dropped a message from node 0 with tag 3")


def test_a_matched_message_that_is_not_received_within_its_with_ends_the_run():
    def drop(me):
        with pytest.raises(vnode.UsageError, match="the message from node 0 with tag 3 has been matched and not received"):
            with me.mprobe(0, 3):
                pass

    ends(drop, "node 1 has dropped a message")


def test_an_exception_that_leaves_a_with_is_what_ends_the_run():
    def body(me):
        if me.rank == 0:
            me.send(1.0, 1)
            me.recv(np.zeros(1), 1)
        with me.mprobe(0):
            raise ArithmeticError("on purpose")

    two = team(2)
    with pytest.raises(ArithmeticError, match="on purpose"):
        two.run(body)
    gc.collect()
    assert two.run(lambda me: me.all_reduce(1, "sum")) == [2, 2]


def test_a_matched_message_that_another_thread_drops_is_told_at_the_end():
    def body(me):
        if me.rank == 0:
            return me.send(1.0, 1)
        held = [me.mprobe(0)]
        thread = threading.Thread(target=held.clear)
        thread.start()
        thread.join()
        assert len(me._to_end) == 1  # its memory is given back

    two = team(2)
    with pytest.raises(vnode.UsageError, match="without receiving a message that it had matched"):
        two.run(body)
    assert two.run(lambda me: me.all_reduce(1, "sum")) == [2, 2]


def test_an_operator_that_drops_a_matched_message_ends_its_call_first():
    results = []

    def body(me):
        if me.rank == 1:
            me.send(1.0, 0)
        held = [me.mprobe(1)] if me.rank == 0 else []

        def combine(left, right):
            held.clear()
            return left + right

        x = me.reduce(np.ones(3), vnode.Operator(combine, name="dropping"))
        if me.rank == 0:
            assert not held
            results.append(x.sum())

    two = team(2)
    with pytest.raises(vnode.UsageError, match="left the run without receiving a message that it had matched"):
        two.run(body)
    assert results == [6]
    assert two.run(lambda me: me.all_reduce(1, "sum")) == [2, 2]


def test_a_synchronous_send_returns_when_its_receiver_has_begun_to_receive():
    def body(me):
        if me.rank == 1:
            me.barrier()
            assert me.recv(int, 0) == 4
            me.recv(np.zeros(3), 0, 1)
        else:
            sending = me.issend(4, 1)
            assert not sending.test()  # a send of so few bytes is complete at once
            me.barrier()
            sending.wait()
            me.ssend(np.zeros(3), 1, 1)

    team(2).run(body)

    def both(me):
        me.ssend(1, 1 - me.rank)
        me.recv(int, 1 - me.rank)

    with pytest.raises(vnode.Deadlock):
        team(2).run(both)


def test_a_receive_is_cancelled_unless_a_message_was_matched_with_it():
    def body(me):
        if me.rank == 0:
            me.barrier()
            me.send(1.0, 1)
            return me.barrier()
        x, y = np.zeros(1), np.zeros(1)
        first, second = me.irecv(x, 0), me.irecv(y, any_source)
        assert first.cancel() and first.cancelled and first.test() and first.wait() is None
        assert not first.cancel()  # it has been
        me.barrier()
        me.barrier()
        assert not second.cancel() and not second.cancelled
        assert second.wait() == vnode.Received(1, 0, 0)
        assert x[0] == 0 and y[0] == 1
        sending = me.issend(1.0, 1)
        with pytest.raises(vnode.UsageError, match="what is sent|a message that is sent cannot be taken back"):
            sending.cancel()
        me.recv(float, 1)
        sending.wait()

    team(2).run(body)


def test_of_many_requests_those_are_told_that_are_complete_each_once():
    def body(me):
        if me.rank > 0:
            me.barrier()
            me.send(10 * me.rank, 0, 0)
            me.barrier()
            me.send(10 * me.rank + 1, 0, 1)
            return
        arrays = [np.zeros(1, int) for _ in range(4)]
        requests = [me.irecv(arrays[i], 1 + i // 2, i % 2) for i in range(4)]
        assert vnode.test_any(requests) is None and vnode.test_some(requests) == [] and not vnode.test_all(requests)
        with pytest.raises(vnode.UsageError, match="a request is listed twice"):
            vnode.wait_some(requests + requests)
        told = []
        me.barrier()
        told.append(vnode.wait_any(requests))
        told += vnode.wait_some(requests)
        assert sorted(told) == [0, 2]
        me.barrier()
        while (index := vnode.wait_any(requests)) is not None:
            told.append(index)
        assert sorted(told) == [0, 1, 2, 3]
        assert vnode.wait_some(requests) == [] and vnode.wait_any(requests) is None and vnode.test_all(requests)
        assert [request.wait() for request in requests] == [(1, 1 + i // 2, i % 2) for i in range(4)]
        assert [int(x[0]) for x in arrays] == [10, 11, 20, 21]
        # What computes is told as well, with its result.
        assert vnode.wait_any([]) is None

    team(3).run(body)

    def sums(me):
        calls = [me.nonblocking().all_reduce(me.rank + i, "sum") for i in range(3)]
        left = {0, 1, 2}
        while left:
            left -= set(vnode.wait_some(calls))
        assert vnode.wait_all(calls) == [3 + 3 * i for i in range(3)]

    team(3).run(sums)

    def alone(me):
        requests = [me.irecv(np.zeros(1), no_rank), me.irecv(np.zeros(2), 0, 9)]
        me.send(np.zeros(2), 0, 9)
        me.iprobe(0, 7)  # within any call it arrives
        assert vnode.wait_some(requests) == [0, 1]
        assert vnode.wait_all(requests) == [NOTHING, (2, 0, 9)]

    team(1).run(alone)


def test_messages_are_exchanged_with_two_tags_and_replaced():
    def body(me):
        after, before = (me.rank + 1) % me.size, (me.rank - 1) % me.size
        x, y = np.full(3, me.rank), np.zeros(3, int)
        assert me.sendrecv(x, after, y, before, me.rank, recv_tag=any_tag) == vnode.Received(3, before, before)
        assert (y == before).all()
        assert me.sendrecv(x, before, y, any_source, 9) == vnode.Received(3, after, 9)
        z = np.full(2000, float(me.rank))
        assert me.sendrecv_replace(z, after, before) == vnode.Received(2000, before, 0) and (z == before).all()
        assert me.sendrecv_replace(z, before, after, me.rank, after).tag == after and (z == me.rank).all()

    team(3).run(body)


def test_nobody_takes_everything_and_gives_nothing():
    def body(me):
        left = me.rank - 1 if me.rank > 0 else no_rank
        right = me.rank + 1 if me.rank + 1 < me.size else no_rank
        x, y = np.array([me.rank]), np.array([-1])
        got = me.sendrecv(x, right, y, left)
        assert y[0] == me.rank - 1 and got == (NOTHING if left == no_rank else (1, left, 0))
        me.send(x, no_rank)
        me.ssend(x, no_rank)
        assert me.recv(y, no_rank) == NOTHING and me.irecv(y, no_rank).wait() == NOTHING
        assert me.probe(no_rank) == vnode.MessageInfo(0, no_rank, any_tag)
        assert me.mprobe(no_rank).recv(y) == NOTHING
        me.mprobe(no_rank)  # nothing that could be lost
        assert vnode.Neighbours([left], [right]).targets == [right]

    team(3).run(body)


def test_views_that_only_send_and_recv_take_are_refused_elsewhere():
    def body(me):
        x = np.zeros((3, 2))[:, 0]
        me.send(np.zeros(3), 0)
        message = me.mprobe(0)
        for call in (lambda: me.ssend(x, 0), lambda: me.issend(x, 0), lambda: me.sendrecv_replace(x, 0, 0),
                     lambda: me.sendrecv(x, 0, np.zeros(3), 0, 1, 2), lambda: message.recv(x), lambda: message.irecv(x)):  # fmt: skip
            with pytest.raises(vnode.UsageError, match="an array that is not contiguous is sent by send and isend"):
                call()
        message.recv(np.zeros(3))

    team(1).run(body)
