"""Arrays that are not contiguous, and what neighbours exchange."""

import numpy as np
import pytest

import vnode

team = pytest.team


def views(of):
    """Columns, blocks, reversed and transposed views of an array of 6 x 8."""
    return {"column": of[:, 3], "block": of[1:4, 2:7], "reversed": of[::-1, ::-2], "transposed": of.T, "steps": of[::2, 1::3]}


@pytest.mark.parametrize("name", list(views(np.zeros((6, 8)))))
def test_collectives_take_views(name):
    def body(me):
        whole = np.arange(48.0).reshape(6, 8) + me.rank
        before, view = whole.copy(), views(whole)[name]
        want = sum(views(np.arange(48.0).reshape(6, 8) + r)[name] for r in range(me.size))
        assert me.all_reduce(view, "sum") is view
        assert (view == want).all()
        untouched = np.ones((6, 8), bool)
        views(untouched)[name][...] = False
        assert (whole[untouched] == before[untouched]).all()

        whole[...] = before
        out = np.zeros_like(view)
        me.all_reduce(view, "sum", out=out)
        assert (out == want).all() and (whole == before).all()
        me.all_reduce(np.ascontiguousarray(view), "sum", out=views(whole)[name])
        assert (view == want).all()

        whole[...] = before
        assert (me.nonblocking().broadcast(view, 1).wait() == views(np.arange(48.0).reshape(6, 8) + 1)[name]).all()
        planned = me.persistent().all_reduce(view, "max")
        for i in range(3):
            view[...] = me.rank * i
            planned.start()
            assert (planned.wait() == 2 * i).all()
        gathered = np.zeros((me.size, *view.shape))
        view[...] = me.rank
        me.all_gather(view, out=gathered)
        assert all((gathered[r] == r).all() for r in range(me.size))
        me.reduce(view, "sum", 1, options=vnode.CallOptions(deterministic=True))
        assert (view == (3 if me.rank == 1 else me.rank)).all()

    team(3).run(body)


def test_messages_take_views():
    def body(me):
        whole, after, before = np.zeros((5, 7)), (me.rank + 1) % me.size, (me.rank - 1) % me.size
        whole[:, 2] = np.arange(5) + me.rank
        me.sendrecv(whole[:, 2], after, whole[:, 4], before)
        assert (whole[:, 4] == np.arange(5) + before).all()
        sent = me.isend(whole[:, 2], after)
        assert me.recv(whole[::-1, 5], before).elements == 5
        sent.wait()
        assert (whole[::-1, 5] == np.arange(5) + before).all()
        coming = me.irecv(whole[:, 6], before)
        me.send(whole[:, 2], after)
        assert coming.wait().elements == 5
        assert (whole[:, 6] == np.arange(5) + before).all() and (whole[:, [0, 1, 3]] == 0).all()

    team(3).run(body)


def test_neighbours_exchange_equal_parts():
    def body(me):
        near = me.neighbours
        out = np.full(3 * len(near.sources), -1.0)
        x = np.repeat(np.array([100.0 * me.rank + (t if t != vnode.no_rank else 0) for t in near.targets]), 3)
        for form in (me, me.nonblocking(), me.persistent()):
            out[:] = -1
            done = form.exchange(x, out)
            if isinstance(done, vnode.Persistent):
                done.start()
            if done is not out:
                assert done.wait() is out
            for i, source in enumerate(near.sources):
                assert (out[3 * i:3 * i + 3] == (-1 if source == vnode.no_rank else 100 * source + me.rank)).all()
        with pytest.raises(vnode.UsageError, match="are not the same number"):
            me.exchange(np.zeros(1 + 3 * len(near.targets)), out)

    for shape, nodes in (("ring", 5), ("mesh:2x3", 6), ("hypercube", 8), ("array", 3)):
        team(nodes, shape).run(body)


def test_halos_are_views_of_the_grid():
    """A step of Jacobi's on a mesh of nodes is numpy's on the whole grid."""
    rows, columns, n = 2, 3, 4
    grid = np.random.default_rng(3).random((rows * n, columns * n))

    def body(me):
        r, c = me.topology.coordinates(me.rank)
        own = np.zeros((n + 2, n + 2))
        own[1:-1, 1:-1] = grid[r * n:r * n + n, c * n:c * n + n]
        # Slowest dimension first, lower coordinate first: up, down, left, right.
        me.exchange([own[1, 1:-1], own[-2, 1:-1], own[1:-1, 1], own[1:-1, -2]],
                    [own[0, 1:-1], own[-1, 1:-1], own[1:-1, 0], own[1:-1, -1]])
        return own[:-2, 1:-1] + own[2:, 1:-1] + own[1:-1, :-2] + own[1:-1, 2:]

    blocks = team(rows * columns, f"mesh:{rows}x{columns}").run(body)
    whole = np.block([[blocks[r * columns + c] for c in range(columns)] for r in range(rows)])
    padded = np.pad(grid, 1)
    assert np.allclose(whole, padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:])


def test_lists_of_neighbours_and_a_place_for_each_rank():
    def body(me):
        p, r = me.size, me.rank
        graph = vnode.Neighbours([(r - 1) % p, vnode.no_rank], [(r + 1) % p, vnode.no_rank])
        assert graph.sources == [(r - 1) % p, vnode.no_rank] and graph.targets == [(r + 1) % p, vnode.no_rank]
        got = np.zeros(4)
        me.exchange([np.full(4, float(r)), None], [got, None], graph)
        assert (got == (r - 1) % p).all()
        matrix = np.zeros((p, p + 1))
        me.all_to_all_w([np.full(p, 10.0 * r + d) for d in range(p)], [matrix[:, s] for s in range(p)])
        assert all((matrix[:, s] == 10 * s + r).all() for s in range(p))
        with pytest.raises(vnode.UsageError, match="x has 1 arrays, and there are 3"):
            me.all_to_all_w([got], [got])

    team(3).run(body)


@pytest.mark.parametrize("dtype", [float, np.float64, "f8", np.dtype("f8")])
@pytest.mark.parametrize("checked", [False, True])
def test_a_node_without_parts_takes_part_by_the_type_of_the_others(dtype, checked):
    def body(me):
        lone = me.rank == 2
        pair = vnode.Neighbours([], []) if lone else vnode.Neighbours([1 - me.rank], [1 - me.rank])
        x, got = np.full(3, float(me.rank)), np.zeros(3)
        for form in (me, me.nonblocking(), me.persistent()):
            exchange = form.exchange([], [], pair, dtype=dtype) if lone else form.exchange([x], [got], pair)
            parts = [None] * 3 if lone else [x, x, None]
            matrix = parts if lone else [np.zeros(3), np.zeros(3), None]
            all_to_all = form.all_to_all_w(parts, matrix, dtype=dtype)
            for call in (exchange, all_to_all):
                if form is not me:
                    if isinstance(call, vnode.Persistent):
                        call.start()
                    call.wait()
            assert lone or (got == 1 - me.rank).all() and [part[0] for part in matrix[:2]] == [0, 1]
        with pytest.raises(vnode.UsageError, match="different types"):
            me.all_to_all_w([x, x, x], [got, got, got], dtype="f4")
        with pytest.raises(vnode.UsageError, match="an array has its own"):
            me.exchange(x, got, pair, dtype="f8")
        return me.all_reduce(1, "sum")

    assert team(3, checked=checked).run(body) == [3] * 3


def test_what_no_layout_describes_is_refused():
    packed = np.zeros(4, [("a", "i1"), ("b", "f8")])

    def body(me):
        with pytest.raises(vnode.UsageError, match="counts in elements"):
            me.all_reduce(packed["b"], "sum")
        with pytest.raises(vnode.UsageError, match="twice"):
            me.all_reduce(np.lib.stride_tricks.as_strided(np.zeros(1), (5,), (0,)), "sum")

    team(2).run(body)
