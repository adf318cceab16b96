"""Objects of Python that nodes pass to each other, and functions that find their node."""

import array
import operator
import threading

import numpy as np
import pytest

import vnode

team = pytest.team


def test_all_get_the_same_object():
    def body(me):
        table = {"rate": 0.1} if me.rank == 1 else None
        got = me.objects.broadcast(table, 1)
        assert got == {"rate": 0.1} and (me.rank != 1 or got is table)
        everybodys = me.objects.all_gather(("node", me.rank))
        assert everybodys == [("node", r) for r in range(me.size)]
        assert me.objects.gather({me.rank}, 2) == ([{r} for r in range(me.size)] if me.rank == 2 else None)
        assert me.objects.scatter([[r] for r in range(me.size)] if me.rank == 0 else None) == [me.rank]
        assert me.objects.all_to_all([(me.rank, d) for d in range(me.size)]) == [(s, me.rank) for s in range(me.size)]
        assert me.objects.all_reduce([me.rank], operator.add) == list(range(me.size))
        assert me.objects.reduce(str(me.rank), operator.add) == ("0123" if me.rank == 0 else None)
        return id(me.objects.broadcast(table, 1))

    four = team(4)
    assert len(set(four.run(body))) == 1
    assert not four._objects_on_their_way._kept


def test_messages_of_objects():
    def body(me):
        if me.rank == 0:
            me.objects.send(["a"], 1, tag=5)
            me.objects.send(None, 1)
            me.objects.send("nobody", vnode.no_rank)
            assert me.objects.recv(vnode.no_rank) is None
        elif me.rank == 1:
            assert me.objects.recv(vnode.any_source, 5) == ["a"] and me.objects.recv(0) is None
        pair = me.split(me.rank % 2)
        assert pair.objects.all_gather(me.rank) == [me.rank % 2, me.rank % 2 + 2]

    four = team(4)
    four.run(body)
    assert not four._objects_on_their_way._kept


def test_what_an_aborted_run_has_left_is_forgotten_and_wrong_numbers_are_refused():
    def body(me):
        if me.rank == 0:
            me.objects.send([1], 1)
            raise KeyError("no more")
        me.barrier()

    two = team(2)
    with pytest.raises(KeyError):
        two.run(body)
    assert not two._objects_on_their_way._kept
    with pytest.raises(vnode.UsageError, match="objects.scatter: there are 1 objects for 2 nodes"):
        two.run(lambda me: me.objects.scatter([1]))
    with pytest.raises(vnode.UsageError, match="me.objects"):
        two.run(lambda me: me.broadcast({"a": 1}))


def test_results_of_another_length_are_new_arrays():
    def body(me):
        x = np.arange(8.0).reshape(4, 2)
        part = me.reduce_scatter(x, "sum")
        assert part.shape == (2, 2) and (part == 2 * np.arange(8.0).reshape(4, 2)[2 * me.rank:2 * me.rank + 2]).all()
        assert (x == np.arange(8.0).reshape(4, 2)).all()
        assert me.reduce_scatter(np.ones((3, 2)), "sum").shape == (3,)
        assert me.reduce_scatter(x, "sum", out=x) is x and (x.ravel()[:4] == 2 * (np.arange(4) + 4 * me.rank)).all()
        assert me.nonblocking().all_gather(np.float32([me.rank])).wait().tolist() == [[0], [1]]
        assert me.all_gather(np.arange(6)[::2]).tolist() == [[0, 2, 4]] * 2
        with pytest.raises(vnode.UsageError, match="all_gather: of what is not a numpy array the result needs a place"):
            me.all_gather(array.array("d", [1]))

    team(2).run(body)


def test_functions_find_the_node_of_their_thread():
    def total(x):
        return vnode.this_node().all_reduce(x, "sum")

    def body(me):
        assert vnode.this_node() is me
        inside = []
        thread = threading.Thread(target=lambda: inside.append(vnode.this_node()))
        thread.start()
        thread.join()
        return total(me.rank), inside

    assert vnode.this_node() is None
    assert team(3).run(body) == [(3, [None])] * 3
    with team(1, threads="callers").join() as me:
        assert vnode.this_node() is me
    assert vnode.this_node() is None
